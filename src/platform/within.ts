import { addAbortListener } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves like the promise, or to `too long` after this time. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'too long'> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise,
      sleep(ms, 'too long' as const, { signal: timer.signal, ref: false }),
    ]);
  } finally {
    timer.abort();
  }
}

/** Resolves like the promise, or to `aborted` as soon as the signal is. What the promise stands for goes on by itself. */
export async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | 'aborted'> {
  const aborted = Promise.withResolvers<'aborted'>();
  using _listener = addAbortListener(signal, () => aborted.resolve('aborted'));
  return await Promise.race([promise, aborted.promise]);
}
