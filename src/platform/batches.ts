import { setTimeout as sleep } from 'node:timers/promises';

/** Between two batches, so that others use the database meanwhile. */
const PAUSE_MS = 50;
/** The rest is left to the next run of the task, so that a stop waits for a second or two at most. */
const MOST_BATCHES = 20;

/**
 * Repeats a batch of a task that removes or moves rows, with a pause after each, until nothing is left.
 * @param most rows of one batch
 * @param batch returns how many rows it found
 */
export async function inBatches(most: number, batch: (most: number) => Promise<number>): Promise<void> {
  for (let times = 0; times < MOST_BATCHES; times++) {
    if ((await batch(most)) < most) return;
    await sleep(PAUSE_MS);
  }
}
