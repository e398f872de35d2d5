import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { freshFlight } from '../../platform/loop.ts';
import { admit, afterFailure, afterRequest, closedBreaker } from './breaker.ts';
import * as store from './store.ts';

/**
 * The rate limit and circuit breaker of the map host. Every request, also a followed redirect, takes a turn here. Turns of
 * all nodes are a distance apart, and there are none while the host asks for a pause or is down.
 */

/** A curator at a screen goes first, the daily checks go last. */
const RANKS = ['curator', 'batch', 'check'] as const;

/** The priority of a request, and how long it may wait. */
export interface Asker {
  rank: (typeof RANKS)[number];
  /** The end of the waiting for a turn, by `performance.now()`. */
  deadline: number;
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** A failure of the request says nothing about the host: it fails for this map alone. */
  saysNothing?: boolean;
}

/** The host cannot be asked or does not answer. This says nothing about the maps. */
export class HostUnavailable extends Error {
  /** When to try again; null: not known. */
  readonly retryInMs: number | null;

  constructor(
    message: string,
    { retryInMs = null, cause }: { retryInMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryInMs = retryInMs;
  }
}

/** The host was not asked: no turn came in time, it is down, or the asker gave up. */
export class NoTurn extends HostUnavailable {}

/** A little less than ten a second: requests may arrive closer together than they were sent. */
const DISTANCE_MS = 105;
/** A turn that is further away is not taken yet, because the host may ask for a pause until then. */
const TAKEN_AHEAD_MS = 500;

interface Waiter extends Asker {
  admitted(): void;
  refused(error: unknown): void;
}

export type Gate = ReturnType<typeof createGate>;

/** @param origin of the map host: nodes that share it share its turns */
export function createGate({
  database: { prisma },
  clock,
  logger,
  origin,
}: {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  origin: string;
}) {
  let waiting: Waiter[] = [];
  let breaker = closedBreaker;
  /** Resolves with the outcome of the one request of a half-open breaker. */
  let probe: PromiseWithResolvers<void> | null = null;
  // Times of `performance.now()`.
  let lastTurnAt = Number.NEGATIVE_INFINITY;
  let nextTurnAt = 0;
  let pausedUntil = 0;

  const refuse = (who: readonly Waiter[], error: unknown) => {
    waiting = waiting.filter((waiter) => !who.includes(waiter));
    for (const waiter of who) waiter.refused(error);
  };
  const tooLong = (waitMs: number) =>
    new NoTurn('no turn to ask the map host in time', { retryInMs: waitMs });

  /** Gives turns to the waiting requests until none is left. */
  const run = async () => {
    while (waiting.length > 0) {
      const now = clock.now();
      const admission = admit(breaker, now);
      if (admission === 'refuse') {
        refuse(waiting, new NoTurn('the map host is down', { retryInMs: breaker.until - now }));
        return;
      }
      if (admission === 'wait') {
        await probe?.promise;
        continue;
      }
      const { taken, waitMs } = await store.takeTurn(prisma, origin, {
        distanceMs: DISTANCE_MS,
        withinMs: TAKEN_AHEAD_MS,
      });
      // After a late timer the next request must keep its distance from the last one of this node.
      nextTurnAt = Math.max(performance.now() + waitMs, lastTurnAt + DISTANCE_MS);
      refuse(
        waiting.filter(({ deadline }) => deadline < nextTurnAt),
        tooLong(waitMs),
      );
      await sleep(Math.min(TAKEN_AHEAD_MS, Math.max(0, nextTurnAt - performance.now())));
      if (!taken) continue;

      const [first] = RANKS.flatMap((rank) => waiting.filter((waiter) => waiter.rank === rank));
      // A pause or an opened breaker since then voids the turn.
      const mayAsk = admit(breaker, clock.now()) === 'go' && pausedUntil <= performance.now();
      if (first === undefined || !mayAsk) continue;
      breaker = afterRequest(breaker, clock.now());
      if (breaker.state === 'half_open') probe = Promise.withResolvers();
      lastTurnAt = performance.now();
      waiting = waiting.filter((waiter) => waiter !== first);
      first.admitted();
    }
  };

  /** One run at a time. A request that comes while a run ends gets its turn from the next one. */
  const serve = freshFlight(() => run().catch((error: unknown) => refuse(waiting, error)));

  /** Stores the outcome of a request and ends the waiting for it. */
  const settle = (next: typeof breaker) => {
    if (next.state === 'open' && next !== breaker)
      logger.warn({ failures: next.failures }, 'the map host is down; requests pause for a while');
    if (next.state === 'closed' && breaker.state !== 'closed') logger.info('the map host answers again');
    breaker = next;
    probe?.resolve();
    probe = null;
  };

  return {
    /**
     * Waits for a turn to send one request. The caller ends the turn with `answered` or `failed`.
     * @throws NoTurn when no turn comes before the deadline (at once if that is known), the host is down, or the asker gives up
     */
    enter: async (asker: Asker) => {
      const left = asker.deadline - performance.now();
      if (asker.signal?.aborted) throw new NoTurn('given up');
      if (left <= 0 || nextTurnAt > asker.deadline)
        throw tooLong(Math.max(0, nextTurnAt - performance.now()));
      const turn = Promise.withResolvers<void>();
      const waiter: Waiter = { ...asker, admitted: turn.resolve, refused: turn.reject };
      const giveUp = () => refuse([waiter], new NoTurn('given up'));
      const timer = setTimeout(() => refuse([waiter], tooLong(DISTANCE_MS)), left);
      asker.signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(waiter);
      void serve();
      try {
        await turn.promise;
      } finally {
        clearTimeout(timer);
        asker.signal?.removeEventListener('abort', giveUp);
      }
    },

    /** The host answered. */
    answered: () => settle(closedBreaker),

    /** The host could not be reached, was too slow, or answered 5xx, 401 or 403. */
    failed: ({ saysNothing = false }: Asker) =>
      settle(saysNothing && breaker.state === 'closed' ? breaker : afterFailure(breaker, clock.now())),

    /** Stops the requests of all nodes for this long. */
    pause: async (ms: number) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
      logger.info({ ms }, 'the map host asked for a pause');
      await store.pauseTurns(prisma, origin, ms);
    },

    /** Number of requests that wait for a turn on this node. */
    waiting: () => waiting.length,

    /** The rest of a pause, in milliseconds. */
    pauseMs: () => Math.max(0, pausedUntil - performance.now()),

    /** The problem to show to operators; null when there is none. */
    status: (): string | null => {
      if (breaker.state === 'open') return 'does not answer; it is tried again in a while';
      if (breaker.state === 'half_open') return 'did not answer; it is being tried again';
      return pausedUntil > performance.now() ? 'asked us to wait' : null;
    },
  };
}
