import type { Envelope } from './contract.ts';

/** A command that may be carried out when its turn has come. */
export interface Job {
  /** Carries it out. Never rejects. */
  run(): Promise<Envelope>;
  /** What it asks, when it changes nothing; null for what does. */
  question: string | null;
  /** Whether it is merged with others that come often, of which more may wait. */
  isMerged: boolean;
  /** The refusal when too many wait. */
  refuse(): Envelope;
}

type Acknowledge = ((envelope: Envelope) => void) | undefined;

export interface Line {
  add(job: Job, acknowledge: Acknowledge): void;
  /** Resolves when everything added so far is done. */
  done(): Promise<unknown>;
}

/**
 * Carries the commands of one connection out one after the other: what a client sent first is decided first.
 * A question that is asked again before its turn has come is answered once for all, and one that nobody waits for
 * any more is not asked; changes are made all the same.
 * @param first what comes before the first of them
 * @param most how many may wait, merged ones apart: when the service is slow, the rates let through more than it does
 * @param isThere whether somebody still hears the answers
 */
export function openLine(
  first: Promise<unknown>,
  most: { ordinary: number; merged: number },
  isThere: () => boolean,
): Line {
  let last = first;
  const waiting = { ordinary: 0, merged: 0 };
  let newest: { question: string | null; hasBegun: boolean; answer: Promise<Envelope | null> } | null = null;

  return {
    done: () => last,
    add: (job, acknowledge) => {
      const tell = (envelope: Envelope | null): void => {
        if (envelope !== null) acknowledge?.(envelope);
      };
      if (newest !== null && !newest.hasBegun && job.question !== null && newest.question === job.question) {
        void newest.answer.then(tell);
        return;
      }
      const kind = job.isMerged ? 'merged' : 'ordinary';
      if (waiting[kind] >= most[kind]) {
        tell(job.refuse());
        return;
      }
      waiting[kind] += 1;
      const { question } = job;
      const begin = (): Promise<Envelope | null> => {
        entry.hasBegun = true;
        waiting[kind] -= 1;
        return question !== null && !isThere() ? Promise.resolve(null) : job.run();
      };
      const entry = { question, hasBegun: false, answer: last.then(begin) };
      newest = entry;
      last = entry.answer.then(tell);
    },
  };
}
