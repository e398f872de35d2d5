/** The longest slice, milliseconds: other work waits at most this long. */
const SLICE_MS = 0.5;

/**
 * Long work in slices, one piece after the other: between two slices the process does what else there is to do.
 * @returns adds work; each step of the iterator is a small part of it
 */
export function createSlices(): (work: Iterator<unknown>) => void {
  const waiting: Iterator<unknown>[] = [];
  let isPlanned = false;

  const run = (): void => {
    const until = performance.now() + SLICE_MS;
    while (waiting[0] !== undefined && performance.now() < until) if (waiting[0].next().done) waiting.shift();
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(run);
  };

  return (work) => {
    waiting.push(work);
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(run);
  };
}
