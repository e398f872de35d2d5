import { setTimeout as sleep } from 'node:timers/promises';

/** Loaded before a server that is measured (`--import`, with `--expose-gc`): says how much memory it takes. */

export interface MemoryReport {
  /** Resident, in bytes, after everything unreachable was collected. */
  rss: number;
}

process.on('message', async (message) => {
  if (message !== 'memory') return;
  // What a collection makes free goes back to the system a little later.
  for (let pass = 0; pass < 5; pass += 1) {
    globalThis.gc?.();
    await sleep(200);
  }
  process.send?.({ rss: process.memoryUsage.rss() } satisfies MemoryReport);
});
// Being listened to must not keep the process alive.
process.channel?.unref();
