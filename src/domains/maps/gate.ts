import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { admit, afterAnswer, afterFailure, closedBreaker } from './breaker.ts';
import * as store from './store.ts';

/**
 * The one way to the map host. Every request, a followed redirect too, takes a turn here: one at a time and
 * at a distance over all nodes, none while the host asked to be left alone, none while it is down.
 */

/** Who asks, and how long that may take. */
export interface Asker {
  /** Who waits at a screen goes first; the daily checks go when nobody else wants to. */
  rank: 'curator' | 'batch' | 'check';
  /** No turn is waited for beyond this: milliseconds of `performance.now()`, which nobody sets. */
  deadline: number;
  /** Given up: whoever waits stops waiting. */
  signal?: AbortSignal;
}

interface Unwellness {
  /** When it may be worth trying again, as far as that is known. */
  retryInMs?: number | null;
  /** What it answered instead, if it did. */
  status?: number;
  cause?: unknown;
}

/** The host cannot be asked, or could not be understood to be there at all. Nothing is known of the maps. */
export class HostUnwell extends Error {
  readonly retryInMs: number | null;
  readonly status: number | null;

  constructor(message: string, { retryInMs = null, status, cause }: Unwellness = {}) {
    super(message, { cause });
    this.retryInMs = retryInMs;
    this.status = status ?? null;
  }
}

/** Ten a second and a little less: requests that leave at this distance may arrive somewhat closer. */
const DISTANCE_MS = 105;
/** A turn that is further away is not taken yet: until then the host may ask for a longer pause. */
const TAKEN_AHEAD_MS = 500;
const RANKS = ['curator', 'batch', 'check'] as const;

interface Waiter extends Asker {
  admitted(): void;
  refused(error: unknown): void;
}

export type Gate = ReturnType<typeof createGate>;

/** @param origin of the map host: nodes that share it share its turns */
export function createGate(options: {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  logger: FastifyBaseLogger;
  origin: string;
}) {
  const { clock, logger, origin } = options;
  const { prisma } = options.database;
  let waiting: Waiter[] = [];
  let running = false;
  let breaker = closedBreaker;
  /** Resolves when the one question of a half-open breaker has its outcome. */
  let probe: PromiseWithResolvers<void> | null = null;
  // All three: times of `performance.now()`.
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  let nextTurnAt = 0;
  let pausedUntil = 0;

  const refuse = (who: readonly Waiter[], error: unknown): void => {
    waiting = waiting.filter((waiter) => !who.includes(waiter));
    for (const waiter of who) waiter.refused(error);
  };
  const tooLong = (waitMs: number): HostUnwell =>
    new HostUnwell('no turn to ask the map host in time', { retryInMs: waitMs });

  /** Gives the turns out, until nobody waits. */
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const admission = admit(breaker, clock.now());
      if (admission.verdict === 'refuse') {
        refuse(waiting, new HostUnwell('the map host is down', { retryInMs: admission.retryInMs }));
        return;
      }
      if (admission.verdict === 'wait') {
        await probe?.promise;
        continue;
      }
      const { taken, waitMs } = await store.takeTurn(prisma, origin, {
        distanceMs: DISTANCE_MS,
        withinMs: TAKEN_AHEAD_MS,
      });
      // By our own clock as well: a timer that comes late must not bring two requests together.
      nextTurnAt = Math.max(performance.now() + waitMs, lastTurnAt + DISTANCE_MS);
      refuse(
        waiting.filter(({ deadline }) => deadline < nextTurnAt),
        tooLong(waitMs),
      );
      await sleep(Math.min(TAKEN_AHEAD_MS, Math.max(0, nextTurnAt - performance.now())));
      if (!taken) continue;

      const [first] = RANKS.flatMap((rank) => waiting.filter((waiter) => waiter.rank === rank));
      // Meanwhile a request that was out may have brought a pause, or opened the breaker: the turn is lost.
      const still = admit(breaker, clock.now());
      if (first === undefined || still.verdict !== 'go' || pausedUntil > performance.now()) continue;
      breaker = still.next;
      if (breaker.state === 'half_open') probe = Promise.withResolvers();
      lastTurnAt = performance.now();
      waiting = waiting.filter((waiter) => waiter !== first);
      first.admitted();
    }
  };

  const start = (): void => {
    if (running) return;
    running = true;
    run()
      .catch((error: unknown) => refuse(waiting, error))
      .finally(() => {
        running = false;
        if (waiting.length > 0) start();
      });
  };

  /** The breaker learns of an outcome, and whoever waited for it. */
  const settle = (next: typeof breaker): void => {
    if (next.state === 'open' && next !== breaker)
      logger.warn({ openings: next.openings }, 'the map host is down; it is left alone for a while');
    if (next.state === 'closed' && breaker.state !== 'closed') logger.info('the map host is well again');
    breaker = next;
    probe?.resolve();
    probe = null;
  };

  return {
    /**
     * Waits for a turn to send one request. Each turn ends with `answered` or `failed`.
     * @throws HostUnwell at once when there will be none in time, or the host is down
     */
    enter: (asker: Asker): Promise<void> =>
      new Promise<void>((resolve, reject) => {
        const left = asker.deadline - performance.now();
        if (asker.signal?.aborted) return reject(new HostUnwell('given up'));
        if (left <= 0 || nextTurnAt > asker.deadline)
          return reject(tooLong(Math.max(0, nextTurnAt - performance.now())));
        const leave = (act: () => void) => () => {
          clearTimeout(timer);
          asker.signal?.removeEventListener('abort', giveUp);
          act();
        };
        const waiter: Waiter = {
          ...asker,
          admitted: leave(resolve),
          refused: (error) => leave(() => reject(error))(),
        };
        const giveUp = () => refuse([waiter], new HostUnwell('given up'));
        const timer = setTimeout(() => refuse([waiter], tooLong(DISTANCE_MS)), left);
        asker.signal?.addEventListener('abort', giveUp, { once: true });
        waiting.push(waiter);
        start();
      }),

    /** The host answered, whatever. */
    answered: (): void => settle(afterAnswer()),

    /** It could not be reached, was too slow, answered 5xx or shuts us out. */
    failed: (): void => settle(afterFailure(breaker, clock.now())),

    /** Nobody asks for this long, on no node. */
    pause: async (ms: number): Promise<void> => {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
      logger.info({ ms }, 'the map host asked us to wait');
      await store.pauseTurns(prisma, origin, ms);
    },

    /** How many questions wait for a turn on this node. */
    waiting: (): number => waiting.length,

    /** How long the host still wants to be left alone. */
    pauseMs: (): number => Math.max(0, pausedUntil - performance.now()),

    /** What somebody on duty should know; null while all is well. */
    status: (): string | null => {
      if (breaker.state === 'open') return 'does not answer; it is tried again in a while';
      if (breaker.state === 'half_open') return 'did not answer; it is being tried again';
      return pausedUntil > performance.now() ? 'asked us to wait' : null;
    },
  };
}
