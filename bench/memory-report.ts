import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Loaded before a server that is measured (`--import`, with `--expose-gc`): says how much memory it takes, and how long
 * its event loop stood.
 */

export interface MemoryReport {
  /** Resident, in bytes, after everything unreachable was collected. */
  rss: number;
  /** Bytes of used heap and of external memory (buffers) together. */
  held: number;
}

export interface LoopReport {
  /** The longest time for which the event loop did not turn since the last report, milliseconds. */
  stoodMs: number;
  /** Processor time of the process since its start, milliseconds. */
  processorMs: number;
}

async function memory(): Promise<MemoryReport> {
  // An ordinary collection leaves pages half empty that live things are scattered over, and how many depends
  // on what was admitted when. The last resort moves everything together and gives the rest back to the
  // system, some of it only on the next pass.
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await sleep(200);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, held: heapUsed + external };
}

const delays = monitorEventLoopDelay({ resolution: 1 });
/** Begins to watch with the first question. */
function loop(): LoopReport {
  const stoodMs = delays.max / 1e6;
  delays.reset();
  delays.enable();
  const { user, system } = process.cpuUsage();
  return { stoodMs, processorMs: (user + system) / 1000 };
}

process.on('message', async (message) => {
  if (message === 'memory') process.send?.(await memory());
  if (message === 'loop') process.send?.(loop());
});
// Being listened to must not keep the process alive.
process.channel?.unref();
