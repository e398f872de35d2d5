import type { Answer } from '../api.ts';
import { asStored, useOnce } from './once.ts';

interface Things<Thing> {
  items: readonly Thing[];
}

interface Sending<Thing> {
  send(): Promise<Answer<Thing>>;
  /** Reads the thing that is changed, or those among which a new one is. */
  now(): Promise<Answer<NoInfer<Thing> | Things<NoInfer<Thing>>>>;
  /** Whether what was sent has been carried out, as this thing shows. */
  isDone(thing: Thing): boolean;
}

const isList = <Thing extends object>(found: Thing | Things<Thing>): found is Things<Thing> =>
  'items' in found;

/**
 * Sends a change. When the answer is lost, the service may have carried it out all the same: then it is looked for at once,
 * and again before it is sent again. What is found is the answer.
 */
export function useOutcome() {
  const once = useOnce();
  return async <Thing extends object>({ send, now, isDone }: Sending<Thing>): Promise<Answer<Thing>> => {
    const newest = async (): Promise<Answer<Things<Thing>>> => {
      const found = await now();
      if (found.problem !== null) return found;
      return { ...found, data: isList(found.data) ? found.data : { items: [found.data] } };
    };
    const answer = await once({ send, newest, isIt: isDone });
    if (answer.problem?.kind !== 'unreachable') return answer;
    return once({ send: async () => answer, newest, isIt: isDone });
  };
}

/** Whether a thing has what a change says. @param change members and texts as they are sent; the others may be anything */
export function has(thing: unknown, change: unknown): boolean {
  if (typeof change === 'string') return thing === asStored(change);
  if (typeof change !== 'object' || change === null) return thing === change;
  return Object.entries(change).every(([name, value]) =>
    has((thing as Record<string, unknown>)[name], value),
  );
}
