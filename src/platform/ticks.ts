import { executionAsyncResource } from 'node:async_hooks';

/** Never read. */
const kept: object[] = [];

/**
 * Keeps `process.nextTick` as fast as it is in a process that has just begun; every stream calls it several times
 * for each request. It makes an object whose keys are computed, and V8 does that quickly only while it remembers the
 * shapes such an object passes through. It forgets them in a collection that finds no such object, never learns
 * them again (the site counts as megamorphic), and from then on each call takes five times as long: 0.3 µs, of which
 * an answer of a few microseconds has eight. One of these objects that never goes away holds on to the shapes.
 *
 * To be called before anything large is loaded, for that is when the first collections come.
 */
export function keepTicksFast(): void {
  process.nextTick(() => {
    // While a tick runs, it is the object in question.
    kept.push(executionAsyncResource());
  });
}
