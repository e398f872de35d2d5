import { setTimeout as sleep } from 'node:timers/promises';

/** Loaded before a server that is measured (`--import`, with `--expose-gc`): says how much memory it takes. */

export interface MemoryReport {
  /** Resident, in bytes, after everything unreachable was collected. */
  rss: number;
  /** Bytes of used heap and of external memory (buffers) together. */
  held: number;
}

process.on('message', async (message) => {
  if (message !== 'memory') return;
  // An ordinary collection leaves pages half empty that live things are scattered over, and how many depends
  // on what was admitted when. The last resort moves everything together and gives the rest back to the
  // system, some of it only on the next pass.
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(200);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, held: heapUsed + external } satisfies MemoryReport);
});
// Being listened to must not keep the process alive.
process.channel?.unref();
