/** How a body that arrives is held to a least rate. Times are milliseconds of one clock that only goes forward. */

/** Over about how long the rate is measured, and since when the body must have begun to have one. */
const RATE_OVER_MS = 10_000;
const RATE_FROM_MS = 1000;

export interface PaceOptions {
  /** Time in hand when the body begins. */
  allowanceMs: number;
  /** Time in hand at most: as long nothing may come. */
  mostMs: number;
  /** Bytes that add a second to the time in hand. */
  bytesPerSecond: number;
}

/**
 * The time that is left for a body to go on. Waiting for it uses the time up, bytes that came add to it: so a body
 * that keeps the least rate is never given up, and one that stands still is after `mostMs`. Time in which nobody
 * waits for it does not count.
 */
export class Pace {
  readonly #perByteMs: number;
  #mostMs: number;
  #leftMs: number;
  /** Since when `#leftMs` runs out; null: nobody waits for the body. */
  #since: number | null = null;
  #begunAt: number | null = null;
  /** What came, as of `#cameAt`: after `RATE_OVER_MS` a byte weighs 1/e. */
  #weight = 0;
  #cameAt = 0;

  constructor({ allowanceMs, mostMs, bytesPerSecond }: PaceOptions) {
    this.#perByteMs = 1000 / bytesPerSecond;
    this.#mostMs = mostMs;
    this.#leftMs = Math.min(allowanceMs, mostMs);
  }

  /** Somebody waits for the body. */
  start(now: number): void {
    this.#since = now;
    this.#begunAt ??= now;
  }

  stop(now: number): void {
    this.#leftMs = this.left(now);
    this.#since = null;
  }

  came(bytes: number, now: number): void {
    // What lies in the buffers when a process that stood still goes on has come in time.
    const left = Math.max(0, this.left(now)) + bytes * this.#perByteMs;
    this.#leftMs = Math.min(this.#mostMs, left);
    if (this.#since !== null) this.#since = now;
    this.#weight = this.#weightAt(now) + bytes;
    this.#cameAt = now;
  }

  /** From now on there is no more in hand than this. */
  hurry(mostMs: number, now: number): void {
    this.#mostMs = Math.min(this.#mostMs, mostMs);
    this.#leftMs = Math.min(this.left(now), this.#mostMs);
    if (this.#since !== null) this.#since = now;
  }

  left(now: number): number {
    return this.#leftMs - (this.#since === null ? 0 : now - this.#since);
  }

  /** Bytes a second of late: of what came, the older weighs less. */
  rate(now: number): number {
    const age = Math.max(RATE_FROM_MS, now - (this.#begunAt ?? now));
    const overMs = RATE_OVER_MS * (1 - Math.exp(-age / RATE_OVER_MS));
    return (this.#weightAt(now) * 1000) / overMs;
  }

  #weightAt(now: number): number {
    return this.#weight * Math.exp((this.#cameAt - now) / RATE_OVER_MS);
  }
}
