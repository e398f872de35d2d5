import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger } from 'fastify';
import { withoutDeadline } from './database/deadline.ts';
import { isOutOfReach } from './database/out-of-reach.ts';

export type Loop = ReturnType<typeof repeat>;

const taskStops = new AsyncLocalStorage<AbortSignal>();
const NEVER = new AbortController().signal;

/** Aborted when the repeated task that calls this is told to stop; outside of a task it never is. */
export const taskStop = (): AbortSignal => taskStops.getStore() ?? NEVER;

/**
 * Repeats `work` every `intervalMs`, one run at a time: a slow run delays the next one. A failed run is logged, on
 * level debug while the database is out of reach, and the next run comes as planned.
 * @param intervalMs a function is asked after each run
 * @param firstMs how long after the start the first run begins; left out: `intervalMs`
 */
export function repeat(
  name: string,
  intervalMs: number | (() => number),
  work: () => Promise<void>,
  logger: FastifyBaseLogger,
  firstMs?: number,
) {
  const untilNext = () => (typeof intervalMs === 'function' ? intervalMs() : intervalMs);
  const stop = new AbortController();
  /** Resolves when the next run is to begin. */
  let due = Promise.withResolvers<void>();

  const running = (async () => {
    for (let ms = firstMs ?? untilNext(); !stop.signal.aborted; ms = untilNext()) {
      const timer = setTimeout(due.resolve, ms);
      await due.promise;
      clearTimeout(timer);
      if (stop.signal.aborted) break;
      due = Promise.withResolvers();
      try {
        await taskStops.run(stop.signal, work);
      } catch (error) {
        const about = { err: error, loop: name };
        if (isOutOfReach(error)) logger.debug(about, 'a repeated task waits for the database');
        else logger.error(about, 'a repeated task failed');
      }
    }
  })();

  return {
    /** Runs the work once more as soon as possible, without waiting for the interval. */
    wake: () => due.resolve(),
    /** No run begins after this, and {@link taskStop} tells the last one; resolves when that is done. */
    stop: async () => {
      stop.abort();
      due.resolve();
      await running;
    },
  };
}

/**
 * @returns a function that runs `work` once at a time: calls during a run share that run, which has no deadline of the
 *   one that began it
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= withoutDeadline(work).finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** @returns a function that runs `work`; at least one run begins after the call. Calls share runs. */
export function freshFlight(work: () => Promise<void>): () => Promise<void> {
  const run = singleFlight(work);
  return async () => {
    // The first run may have begun before the call.
    await run();
    await run();
  };
}
