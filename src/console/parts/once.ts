import type { Answer } from '../api.ts';
import { useKept } from './kept.ts';

interface Making<Made, Sent> {
  /** What is kept of this request when its answer is lost. */
  sent: Sent;
  send(): Promise<Answer<Made>>;
  /** Reads the newest things of the list that it is added to. */
  newest(): Promise<Answer<{ items: readonly Made[] }>>;
  /** Whether one of them is the thing that is sent. @param lost what was sent without an answer */
  isIt(made: Made, lost: readonly Sent[]): boolean;
}

const NOTHING: readonly never[] = [];

/**
 * Makes a thing once, also when it is sent again after an answer was lost: the service may have made it all the same. Then
 * it is looked for first, and one that is there is the answer. This holds as well when its form was left or the page was
 * loaded again in between.
 * @param subject what is made, and of what, such as `bans/{playerGuid}`
 */
export function useOnce<Sent>(subject: string) {
  const [lost, setLost] = useKept<readonly Sent[]>(`unanswered/${subject}`, NOTHING);
  return async <Made>({ sent, send, newest, isIt }: Making<Made, Sent>): Promise<Answer<Made>> => {
    if (lost.length > 0) {
      const { data, problem } = await newest();
      if (problem !== null) return { data: null, etag: null, problem };
      const made = data.items.find((item) => isIt(item, lost));
      if (made !== undefined) {
        setLost(NOTHING);
        return { data: made, etag: null, problem: null };
      }
    }
    const answer = await send();
    // After other problems an earlier request without an answer may still be carried out.
    if (answer.problem === null) setLost(NOTHING);
    else if (answer.problem.kind === 'unreachable') setLost((before) => [...before, sent]);
    return answer;
  };
}

/** A text that was typed, as the service stores it. */
export const asStored = (text: string): string => text.normalize('NFC').trim();
