import type { FastifyBaseLogger } from 'fastify';

export interface Loop {
  /** Runs the work once more as soon as possible, without waiting for the interval. */
  wake(): void;
  /** No run begins after this; resolves when the last one is done. */
  stop(): Promise<void>;
}

/**
 * Repeats `work` every `intervalMs`, one run at a time: a slow run delays the next, it never overlaps it.
 * A failing run is logged and the next one comes as planned.
 */
export function repeat(
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
  logger: FastifyBaseLogger,
): Loop {
  let stopped = false;
  let wanted = false;
  let sleeping: { timer: NodeJS.Timeout; end: () => void } | undefined;

  const sleep = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(sleeping?.timer);
        sleeping = undefined;
        resolve();
      };
      sleeping = { timer: setTimeout(end, intervalMs), end };
    });

  const running = (async () => {
    while (!stopped) {
      if (!wanted) await sleep();
      wanted = false;
      if (stopped) break;
      try {
        await work();
      } catch (error) {
        logger.error({ err: error, loop: name }, 'a repeated task failed');
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
