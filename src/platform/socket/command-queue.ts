import { setTimeout as sleep } from 'node:timers/promises';
import { BOUNDS } from '../limits.ts';
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
  /** The refusal when its turn does not come in time. It is not executed then. */
  expire(): Envelope;
}

type Acknowledge = ((envelope: Envelope) => void) | undefined;

export interface QueueBounds {
  /** How many commands of a connection may wait. */
  ordinary: number;
  merged: number;
  /** How long after a read the same read may begin again, in milliseconds. */
  repeatMs: number;
}

export type CommandQueue = ReturnType<typeof openCommandQueue>;

/**
 * Executes the commands of one connection one after the other, in the order in which the client sent them. A read that
 * is repeated before its turn is executed once for all, and only a few times a second: a client that spends its whole
 * burst on one read would take the database from others. Reads are skipped when the connection has
 * ended; changes are made all the same. A command whose turn does not come in time is refused.
 * @param first what the first command waits for
 * @param bounds a slow service executes fewer commands than the rates let through
 * @param isOpen false once the connection has ended or is about to
 */
export function openCommandQueue(first: Promise<unknown>, bounds: QueueBounds, isOpen: () => boolean) {
  let last = first;
  const waiting = { ordinary: 0, merged: 0 };
  let newest: { readKey: string | null; isWaiting: boolean; answer: Promise<Envelope | null> } | null = null;

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
    /** @returns a promise that resolves when the command is done or refused */
    add: (command: QueuedCommand, acknowledge: Acknowledge): Promise<unknown> => {
      const { readKey } = command;
      const answerWith = (envelope: Envelope | null): void => {
        if (envelope !== null) acknowledge?.(envelope);
      };
      if (newest?.isWaiting && readKey !== null && newest.readKey === readKey)
        return newest.answer.then(answerWith);
      const kind = command.isMerged ? 'merged' : 'ordinary';
      if (waiting[kind] >= bounds[kind]) {
        answerWith(command.refuse());
        return Promise.resolve();
      }
      waiting[kind] += 1;
      const { promise: answer, resolve } = Promise.withResolvers<Envelope | null>();
      const entry = { readKey, isWaiting: true, answer };
      const endWait = (): void => {
        entry.isWaiting = false;
        waiting[kind] -= 1;
        clearTimeout(expiry);
      };
      const expiry = setTimeout(() => {
        endWait();
        resolve(command.expire());
      }, BOUNDS.command.value);
      const begin = async (): Promise<void> => {
        if (entry.isWaiting && readKey !== null) await pace(readKey);
        if (!entry.isWaiting) return;
        endWait();
        resolve(readKey !== null && !isOpen() ? null : await command.run());
        // The next command begins after this one is acknowledged.
        await done;
      };
      const done = answer.then(answerWith);
      newest = entry;
      last = last.then(begin);
      return done;
    },
  };
}
