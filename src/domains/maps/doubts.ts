import type { Clock } from '../../platform/clock.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';

/** A map that failed is doubted for this long, or until the host answers for it. */
const DOUBTED_MS = 24 * 3_600_000;
const MOST_DOUBTED = 1000;

/**
 * The keys and hashes whose own requests failed. Asked for together with others they fail the request for many, and asked for
 * first they look like a host that is down.
 */
export function createDoubts(clock: Clock) {
  /** Usable answers of the host. */
  let answers = 0;
  const doubts = new Map<string, { until: number; answersBefore: number }>();
  const find = (question: string) => {
    const doubt = doubts.get(question);
    return doubt !== undefined && doubt.until > clock.now() ? doubt : null;
  };
  return {
    isDoubted: (question: string): boolean => find(question) !== null,

    /** Whether the host has answered for others since this one failed first: its failures say nothing about the host. */
    failsAlone: (question: string): boolean => {
      const doubt = find(question);
      return doubt !== null && answers > doubt.answersBefore;
    },

    failed: (question: string): void => {
      const answersBefore = find(question)?.answersBefore ?? answers;
      doubts.delete(question);
      doubts.set(question, { until: clock.now() + DOUBTED_MS, answersBefore });
      dropOldest(doubts, MOST_DOUBTED);
    },

    answered: (question: string): void => {
      answers += 1;
      doubts.delete(question);
    },
  };
}
