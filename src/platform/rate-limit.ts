import type { Clock } from './clock.ts';

/**
 * Token buckets by key: `burst` at once, refilled at `perSecond`. In memory of one process; buckets
 * that are full again are forgotten, so the size is bounded by the callers of the last refill time.
 */
export class TokenBuckets {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limit: { perSecond: number; burst: number }, factor: number, clock: Clock) {
    this.#perMs = (limit.perSecond * factor) / 1000;
    this.#burst = Math.max(1, limit.burst * factor);
    this.#clock = clock;
  }

  /** Takes a token. @returns 0 when there was one, else the milliseconds until the next. */
  take(key: string): number {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const waitMs = bucket.tokens < 1 ? Math.ceil((1 - bucket.tokens) / this.#perMs) : 0;
    if (waitMs === 0) bucket.tokens -= 1;
    // Only now: before its token was taken this very bucket may be full.
    this.#forgetFull(now);
    return waitMs;
  }

  /** The map is in order of use, so those at its start are the ones that had time to fill up. */
  #forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.tokens + (now - bucket.at) * this.#perMs < this.#burst) return;
      this.#buckets.delete(key);
    }
  }
}
