import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfReach } from './database/out-of-reach.ts';
import { taskStop } from './loop.ts';

/** Between two batches, so that others use the database meanwhile. */
const PAUSE_MS = 50;

/** A list in parts of at most `most` items, in order. */
export function* partsOf<T>(items: readonly T[], most: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += most) yield items.slice(at, at + most);
}

/**
 * Works on each item in turn. One that fails keeps no other one from it.
 * @throws the first error, after the last item; at once when the database is out of reach, as it is for all others too
 */
export async function eachOnItsOwn<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      if (isOutOfReach(error)) throw error;
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}

/**
 * Repeats a batch of a task that removes or moves rows, with a pause after each, until nothing is left or the task is
 * told to stop. A stop waits for one batch, so it takes a second or two at most.
 * @param most rows of one batch
 * @param batch returns how many rows it found
 */
export async function inBatches(most: number, batch: (most: number) => Promise<number>): Promise<void> {
  const stop = taskStop();
  while (!stop.aborted && (await batch(most)) >= most) await sleep(PAUSE_MS);
}
