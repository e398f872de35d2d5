import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from './contract.ts';

/** A parsed command that waits for its turn. */
export interface QueuedCommand {
  /** Executes it. Never rejects. */
  run(): Promise<Envelope>;
  /** Equal for commands that read the same; null for a command that changes something. */
  readKey: string | null;
  /** Whether it is merged with others that come often. More of these may wait. */
  isMerged: boolean;
  /** The refusal when too many commands wait. */
  refuse(): Envelope;
}

type Acknowledge = ((envelope: Envelope) => void) | undefined;

export interface QueueBounds {
  /** How many commands of a connection may wait. */
  ordinary: number;
  merged: number;
  /** How long after a read the same read may begin again, in milliseconds. */
  repeatMs: number;
}

/**
 * Executes the commands of one connection one after the other, in the order in which the client sent them. A read that
 * is repeated before its turn is executed once for all, and not sooner than the rate of commands allows: a client that
 * spends its whole burst on one read would take the database from others. Reads are skipped when the client has
 * disconnected; changes are made all the same.
 * @param first what the first command waits for
 * @param bounds a slow service executes fewer commands than the rates let through
 * @param isConnected whether the client still receives answers
 */
export function openCommandQueue(first: Promise<unknown>, bounds: QueueBounds, isConnected: () => boolean) {
  let last = first;
  const waiting = { ordinary: 0, merged: 0 };
  let newest: { readKey: string | null; hasBegun: boolean; answer: Promise<Envelope | null> } | null = null;

  const lastRead = { key: '', at: 0 };
  /** Waits until this read may begin. */
  const pace = async (key: string): Promise<void> => {
    const waitMs = lastRead.at + bounds.repeatMs - performance.now();
    if (key === lastRead.key && waitMs > 0) await sleep(waitMs);
    Object.assign(lastRead, { key, at: performance.now() });
  };

  return {
    /** Resolves when every command added so far is done. */
    done: (): Promise<unknown> => last,
    add: (command: QueuedCommand, acknowledge: Acknowledge): void => {
      const { readKey } = command;
      const answerWith = (envelope: Envelope | null): void => {
        if (envelope !== null) acknowledge?.(envelope);
      };
      if (newest !== null && !newest.hasBegun && readKey !== null && newest.readKey === readKey) {
        void newest.answer.then(answerWith);
        return;
      }
      const kind = command.isMerged ? 'merged' : 'ordinary';
      if (waiting[kind] >= bounds[kind]) {
        answerWith(command.refuse());
        return;
      }
      waiting[kind] += 1;
      const begin = async (): Promise<Envelope | null> => {
        if (readKey !== null) await pace(readKey);
        entry.hasBegun = true;
        waiting[kind] -= 1;
        return readKey !== null && !isConnected() ? null : command.run();
      };
      const entry = { readKey, hasBegun: false, answer: last.then(begin) };
      newest = entry;
      last = entry.answer.then(answerWith);
    },
  };
}
