/** How long one slice may take, milliseconds: so long everything else waits for it at most. */
const SLICE_MS = 0.5;
/** The clock is read after so many steps. */
const STEPS = 8;

/**
 * Long work in slices, one piece after the other: between two slices the process does what else there is to do.
 * @returns adds work; each step of the iterator is a small part of it
 */
export function createSlices() {
  const waiting: Iterator<unknown>[] = [];
  let isPlanned = false;

  const run = (): void => {
    const until = performance.now() + SLICE_MS;
    for (let work = waiting[0]; work !== undefined; work = waiting[0]) {
      for (let step = 0; step < STEPS; step++)
        if (work.next().done) {
          waiting.shift();
          break;
        }
      if (performance.now() >= until) break;
    }
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(run);
  };

  return {
    add: (work: Iterator<unknown>): void => {
      waiting.push(work);
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(run);
    },
  };
}
