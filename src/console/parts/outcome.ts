import { useRef } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { asStored } from './once.ts';

interface Things<Thing> {
  items: readonly Thing[];
}

export interface Sending<Thing> {
  send(): Promise<Answer<Thing>>;
  /** Reads the thing that is changed, or those among which a new one is. */
  now(): Promise<Answer<NoInfer<Thing> | Things<NoInfer<Thing>>>>;
  /** Whether what was sent has been carried out, as this thing shows. */
  isDone(thing: Thing): boolean;
}

const isList = <Thing extends object>(found: Thing | Things<Thing>): found is Things<Thing> =>
  'items' in found;

/** Looks for what was sent. @returns null: it is not carried out */
async function look<Thing extends object>({ now, isDone }: Sending<Thing>): Promise<Answer<Thing> | null> {
  const found = await now();
  if (found.problem !== null) return found;
  const data = (isList(found.data) ? found.data.items : [found.data]).find(isDone);
  return data === undefined ? null : { data, etag: null, problem: null };
}

/**
 * Sends a change. When the answer is lost, the service may have carried it out all the same: then it is looked for at once,
 * and again before it is sent again. What is found is the answer. For what the service would make twice there is `useOnce`.
 */
export function useOutcome() {
  const isDoubtful = useRef(false);
  return async <Thing extends object>(sending: Sending<Thing>): Promise<Answer<Thing>> => {
    let answer = isDoubtful.current ? await look(sending) : null;
    if (answer === null) {
      answer = await sending.send();
      if (answer.problem?.kind === 'unreachable') {
        isDoubtful.current = true;
        answer = (await look(sending)) ?? answer;
      }
    }
    // After other problems an earlier request without an answer may still be carried out.
    if (answer.problem === null) isDoubtful.current = false;
    return answer;
  };
}

interface Deleting {
  send(): Promise<Answer<unknown>>;
  /** Reads the thing. */
  now(): Promise<Answer<unknown>>;
  /** The code of the refusal when it is not there. */
  notFound: string;
}

/** Deletes a thing. When the answer is lost, the thing is looked for. A thing that is not there counts as deleted. */
export async function deleteThing({ send, now, notFound }: Deleting): Promise<Answer<unknown>> {
  const answer = await send();
  const { problem } = answer.problem?.kind === 'unreachable' ? await now() : answer;
  return problem?.code === notFound ? { data: null, etag: null, problem: null } : answer;
}

/** Whether a thing has what a change says. @param change members and texts as they are sent; the others may be anything */
export function has(thing: unknown, change: unknown): boolean {
  if (typeof change === 'string') return thing === asStored(change);
  if (typeof change !== 'object' || change === null) return thing === change;
  return Object.entries(change).every(([name, value]) =>
    has((thing as Record<string, unknown>)[name], value),
  );
}
