import { useRef } from 'preact/hooks';
import type { Answer } from '../api.ts';

interface Making<Made> {
  send(): Promise<Answer<Made>>;
  /** Reads the newest things of the list that it is added to. */
  newest(): Promise<Answer<{ items: readonly Made[] }>>;
  /** Whether one of them is the thing that is sent. */
  isIt(made: Made): boolean;
}

/**
 * Makes a thing once, also when it is sent again after an answer was lost: the service may have made it all the same. Then
 * it is looked for first, and one that is there is the answer.
 */
export function useOnce() {
  const isDoubtful = useRef(false);
  return async <Made>({ send, newest, isIt }: Making<Made>): Promise<Answer<Made>> => {
    if (isDoubtful.current) {
      const { data, problem } = await newest();
      if (problem !== null) return { data: null, etag: null, problem };
      const made = data.items.find(isIt);
      if (made !== undefined) {
        isDoubtful.current = false;
        return { data: made, etag: null, problem: null };
      }
    }
    const answer = await send();
    // After other problems an earlier request without an answer may still be carried out.
    if (answer.problem === null) isDoubtful.current = false;
    else if (answer.problem.kind === 'unreachable') isDoubtful.current = true;
    return answer;
  };
}

/** A text that was typed, as the service stores it. */
export const asStored = (text: string): string => text.normalize('NFC').trim();
