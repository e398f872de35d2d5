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

export interface QueueBounds {
  /** How many commands of a connection may wait. */
  ordinary: number;
  merged: number;
  /** How long after a read the same read may begin again, in milliseconds. */
  repeatMs: number;
}

/** A command that waits, and its answer for repeats of the same read. */
interface Entry {
  readKey: string | null;
  answer: Promise<Envelope | null>;
}

/**
 * Executes the commands of one connection one after the other, in the order in which the client sent them. A read that
 * is repeated before its turn is executed once for all, and only a few times a second: a client that spends its whole
 * burst on one read would take the database from others. Reads are skipped when the connection has
 * ended; changes are made all the same. A command whose turn does not come in time is refused.
 */
export class CommandQueue {
  readonly #bounds: QueueBounds;
  readonly #connection: { isOpen(): boolean };
  #last: Promise<unknown>;
  /** The command that was added last, while it waits. */
  #newest: Entry | undefined;
  /** How many commands wait. */
  readonly #waiting = { ordinary: 0, merged: 0 };
  /** The read that began last, and when, by `performance.now()`. */
  #lastRead = '';
  #lastReadAt = 0;

  /**
   * @param first what the first command waits for
   * @param bounds a slow service executes fewer commands than the rates let through
   * @param connection `isOpen` is false once it has ended or is about to
   */
  constructor(first: Promise<unknown>, bounds: QueueBounds, connection: { isOpen(): boolean }) {
    this.#last = first;
    this.#bounds = bounds;
    this.#connection = connection;
  }

  /** Resolves when every command added so far is done. */
  done(): Promise<unknown> {
    return this.#last;
  }

  /** @returns a promise that resolves when the command is done or refused */
  add(command: QueuedCommand, acknowledge?: (envelope: Envelope) => void): Promise<unknown> {
    const { readKey } = command;
    const kind = command.isMerged ? 'merged' : 'ordinary';
    const answerWith = (envelope: Envelope | null): void => {
      if (envelope !== null) acknowledge?.(envelope);
    };
    const newest = this.#newest;
    if (newest && readKey !== null && newest.readKey === readKey) return newest.answer.then(answerWith);
    if (this.#waiting[kind] >= this.#bounds[kind]) {
      answerWith(command.refuse());
      return Promise.resolve();
    }
    this.#waiting[kind] += 1;
    const { promise: answer, resolve } = Promise.withResolvers<Envelope | null>();
    const entry: Entry = { readKey, answer };
    let isWaiting = true;
    const endWait = (): void => {
      isWaiting = false;
      // The answer must not be kept until the next command.
      if (this.#newest === entry) this.#newest = undefined;
      this.#waiting[kind] -= 1;
      clearTimeout(expiry);
    };
    const expiry = setTimeout(() => {
      endWait();
      resolve(command.expire());
    }, BOUNDS.command.value);
    const begin = async (): Promise<void> => {
      if (isWaiting && readKey !== null) await this.#pace(readKey);
      // The next read may have another answer than the last one: it is no repeat.
      if (readKey === null) this.#lastRead = '';
      if (!isWaiting) return;
      endWait();
      resolve(readKey !== null && !this.#connection.isOpen() ? null : await command.run());
      // The next command begins after this one is acknowledged.
      await done;
    };
    const done = answer.then(answerWith);
    this.#newest = entry;
    this.#last = this.#last.then(begin);
    return done;
  }

  /** Waits until this read may begin. */
  async #pace(key: string): Promise<void> {
    const waitMs = this.#lastReadAt + this.#bounds.repeatMs - performance.now();
    if (key === this.#lastRead && waitMs > 0) await sleep(waitMs);
    this.#lastRead = key;
    this.#lastReadAt = performance.now();
  }
}
