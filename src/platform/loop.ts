import type { FastifyBaseLogger } from 'fastify';
import { isOutOfReach } from './database/outage.ts';

export interface Loop {
  /** Runs the work once more as soon as possible, without waiting for the interval. */
  wake(): void;
  /** No run begins after this; resolves when the last one is done. */
  stop(): Promise<void>;
}

/**
 * Repeats `work` every `intervalMs`, one run at a time: a slow run delays the next, it never overlaps it.
 * A failing run is logged, unless it is for the database, whose outage is told once for all; the next one
 * comes as planned.
 * @param firstMs how long after the start the first run begins; left out: as long as between two
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
  logger: FastifyBaseLogger,
  firstMs = intervalMs,
): Loop {
  let stopped = false;
  let wanted = false;
  let sleeping: { timer: NodeJS.Timeout; end: () => void } | undefined;

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(sleeping?.timer);
        sleeping = undefined;
        resolve();
      };
      sleeping = { timer: setTimeout(end, ms), end };
    });

  const running = (async () => {
    for (let ms = firstMs; !stopped; ms = intervalMs) {
      if (!wanted) await sleep(ms);
      wanted = false;
      if (stopped) break;
      try {
        await work();
      } catch (error) {
        const about = { err: error, loop: name };
        if (isOutOfReach(error)) logger.debug(about, 'a repeated task waits for the database');
        else logger.error(about, 'a repeated task failed');
      }
    }
  })();

  return {
    wake: () => {
      wanted = true;
      sleeping?.end();
    },
    stop: async () => {
      stopped = true;
      sleeping?.end();
      await running;
    },
  };
}
