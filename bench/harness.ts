import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { FromVariant, ToVariant } from './own-process.ts';

/**
 * How everything here is measured. A number from a shared machine says little, the ratio of two numbers
 * taken at the same time says a lot. So all variants are started before the first round, their rounds are
 * interleaved (a slow minute hits all of them), each counts with the best three of its twelve rounds (those
 * that other work on the machine disturbed least), and the claim is the ratio.
 */

const ROUNDS = 12;
const BEST = 3;
const ROUND_MS = 1000;

/** The processors that this process may use, as `taskset` takes them: all, the first and the last. */
export function processors(): { all: string; first: string; last: string } {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, all = `0-${availableParallelism() - 1}`] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
  const numbers = all.match(/\d+/g) ?? [];
  return { all, first: numbers[0] ?? '0', last: numbers.at(-1) ?? '0' };
}

/** One of the things compared. */
export interface Variant {
  name: string;
  /** Prepares everything that is not to be measured. */
  start(): Promise<Running>;
}

export interface Running {
  /**
   * Works for about so long and checks every answer.
   * @returns operations per second
   * @throws when an answer is wrong
   */
  round(milliseconds: number): Promise<number>;
  stop(): Promise<void>;
}

/** A number that was promised. Exactly one of the bounds is given. */
export interface Claim {
  text: string;
  measured: number;
  atLeast?: number;
  atMost?: number;
}

/** The export `bench` of a file of this folder: measures, prints its table, returns its claims. */
export type Bench = (options?: BenchOptions) => Promise<Claim[]>;

/** Numbers are promised of runs without options. Topics with fixed rounds ignore `seconds` and `rounds`. */
export interface BenchOptions {
  seconds?: number;
  rounds?: number;
  /** Compares with a database of so many ended matches instead. */
  history?: number;
}

/** Operations per second by the variant's name. */
export type Rates = ReadonlyMap<string, number>;

/** Measures variants against each other; prints a line for each. */
export async function measure(title: string, variants: readonly Variant[]): Promise<Rates> {
  console.log(`\n${title}`);
  const running: { name: string; rates: number[]; variant: Running }[] = [];
  try {
    // One after the other: what `start` does is not measured, but it may be heavy.
    for (const { name, start } of variants) running.push({ name, rates: [], variant: await start() });
    // A first round that does not count: whatever is compiled or cached on first use is so by its end.
    for (const { variant } of running) await variant.round(ROUND_MS);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { rates, variant } of running) rates.push(await variant.round(ROUND_MS));
  } finally {
    await Promise.all(running.map(({ variant }) => variant.stop()));
  }
  const width = Math.max(...running.map(({ name }) => name.length));
  return new Map(
    running.map(({ name, rates }) => {
      const sorted = rates.toSorted((a, b) => b - a);
      const best = mean(sorted.slice(0, BEST));
      const worst = sorted.at(-1) ?? 0;
      console.log(
        `  ${name.padEnd(width)}  ${perSecond(best)}  ${milliseconds(best)}   slowest round ${perSecond(worst)}`,
      );
      return [name, best];
    }),
  );
}

/**
 * Keeps one operation of each worker under way for this long.
 * @param operate throws when an answer is wrong; `turn` counts the worker's own operations
 * @returns operations per second
 */
export async function keepBusy<Worker>(
  workers: readonly Worker[],
  forMs: number,
  operate: (worker: Worker, nth: number, turn: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  let operations = 0;
  await Promise.all(
    workers.map(async (worker, nth) => {
      for (let turn = 0; performance.now() - startedAt < forMs; turn += 1) {
        await operate(worker, nth, turn);
        operations += 1;
      }
    }),
  );
  return (operations * 1000) / (performance.now() - startedAt);
}

/** Runs the work for each of these, so many at a time. */
export async function forAll<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  // Each worker takes the next one.
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value that this share (0…1) of the values lies below; 0 without values. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The slope of the line with the least squares through these points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, other]) => other))];
  const sum = (of: (dx: number, dy: number) => number) =>
    points.reduce((total, [a, b]) => total + of(a - x, b - y), 0);
  return sum((dx, dy) => dx * dy) / sum((dx) => dx * dx);
}

/** Rounds of asking over all these connections at once. */
export function askingOver<Connection extends { close(): void }>(
  connections: readonly Connection[],
  ask: (connection: Connection, nth: number) => Promise<void>,
): Running {
  return {
    round: (forMs) => keepBusy(connections, forMs, ask),
    stop: async () => {
      for (const connection of connections) connection.close();
    },
  };
}

/** How many times as fast the first is. */
export function speedRatio(rates: Rates, variant: string, baseline: string): number {
  return rateOf(rates, variant) / rateOf(rates, baseline);
}

/** How many times as long the first takes. */
export function timeRatio(rates: Rates, variant: string, baseline: string): number {
  return speedRatio(rates, baseline, variant);
}

export function isKept({ measured, atLeast, atMost }: Claim): boolean {
  return (
    measured >= (atLeast ?? Number.NEGATIVE_INFINITY) && measured <= (atMost ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * A variant in a process of its own, pinned to the last processor where that is possible: neither the
 * compiler's state nor the garbage of the others reach it.
 * @param module file of this folder that exports `variants: Variants`
 */
export function inOwnProcess(module: string, name: string): Variant {
  return {
    name,
    start: async () => {
      const file = path.join(import.meta.dirname, 'own-process.ts');
      const pinned = existsSync('/usr/bin/taskset');
      const child = fork(file, [path.join(import.meta.dirname, module), name], {
        ...(pinned && {
          execPath: '/usr/bin/taskset',
          execArgv: ['-c', processors().last, process.execPath],
        }),
      });
      const next = () =>
        new Promise<FromVariant>((resolve, reject) => {
          const exited = () => reject(new Error(`The process of '${name}' ended.`));
          child.once('exit', exited);
          child.once('message', (message) => {
            child.off('exit', exited);
            resolve(message as FromVariant);
          });
        });
      const answer = async (): Promise<number> => {
        const message = await next();
        if ('error' in message) throw new Error(`${name}: ${message.error}`);
        return message.rate;
      };
      await answer();
      return {
        round: (forMs) => {
          child.send({ forMs } satisfies ToVariant);
          return answer();
        },
        stop: async () => {
          if (child.connected) child.disconnect();
        },
      };
    },
  };
}

const perSecond = (rate: number) => `${rate.toFixed(rate < 100 ? 1 : 0).padStart(9)} /s`;
const milliseconds = (rate: number) => `${(1000 / rate).toFixed(3).padStart(9)} ms`;

function rateOf(rates: Rates, name: string): number {
  const rate = rates.get(name);
  if (rate === undefined) throw new RangeError(`'${name}' was not measured.`);
  return rate;
}
