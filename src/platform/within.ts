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
