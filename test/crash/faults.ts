import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../harness/arena.ts';
import type { ServiceProcess } from '../harness/process.ts';

/** Faults beside processes that die. */
export const FAULTS = ['stop', 'cut', 'silence', 'redis'] as const;
export type Fault = (typeof FAULTS)[number];

/** From when to when something was wrong, milliseconds of this process's steady clock. */
export interface Disturbance {
  fault: Fault;
  from: number;
  to: number;
}

/** How long a process stands still: always longer than others take to call it dead, which is 5 s. */
const STOP_MS = { least: 8000, most: 20_000 };
const SILENCE_MS = { least: 3000, most: 20_000 };
const REDIS_GONE_MS = 3000;

const between = ({ least, most }: { least: number; most: number }, fraction: () => number): number =>
  least + fraction() * (most - least);

/** Makes one thing go wrong on one node, or with the Redis of all, and right again. */
export async function disturb(
  fault: Fault,
  arena: Arena,
  nodes: readonly ServiceProcess[],
  fraction: () => number,
): Promise<Disturbance> {
  const victim = Math.floor(fraction() * nodes.length);
  const from = performance.now();
  await acts[fault](arena, victim, nodes[victim] as ServiceProcess, fraction);
  return { fault, from, to: performance.now() };
}

const acts: Record<
  Fault,
  (arena: Arena, victim: number, process: ServiceProcess, fraction: () => number) => Promise<void>
> = {
  stop: async (_arena, _victim, process, fraction) => {
    process.signal('SIGSTOP');
    await sleep(between(STOP_MS, fraction));
    process.signal('SIGCONT');
  },
  cut: async ({ proxies }, victim, _process, fraction) => {
    for (let left = 1 + Math.floor(fraction() * 3); left > 0; left--) {
      proxies[victim]?.cut();
      await sleep(fraction() * 300);
    }
  },
  silence: async ({ proxies }, victim, _process, fraction) => {
    proxies[victim]?.stall();
    await sleep(between(SILENCE_MS, fraction));
    proxies[victim]?.resume();
  },
  redis: async ({ redis }, _victim, _process, fraction) => {
    await redis?.kill();
    await sleep(fraction() * REDIS_GONE_MS);
    // It comes back without anything it knew.
    await redis?.start();
  },
};
