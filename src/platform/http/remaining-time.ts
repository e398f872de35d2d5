/** The least rate of an arriving body. All times are milliseconds of one monotonic clock. */

/** The time over which the rate is averaged, and the least time it is divided by. */
const RATE_OVER_MS = 10_000;
const RATE_FROM_MS = 1000;

export interface RemainingTimeOptions {
  /** The remaining time at the beginning. */
  allowanceMs: number;
  /** The most remaining time: after this long without bytes the body times out. */
  mostMs: number;
  /** Bytes that add a second to the remaining time. */
  bytesPerSecond: number;
}

/**
 * The remaining time of a body. Waiting for bytes uses it up, and bytes add to it. So a body at the least rate never times
 * out, and a body without bytes times out after `mostMs`. Time in which the service reads no bytes does not count
 * (backpressure).
 */
export class RemainingTime {
  readonly #perByteMs: number;
  #mostMs: number;
  #leftMs: number;
  /** Since when `#leftMs` decreases; null: the service reads no bytes. */
  #since: number | null = null;
  #begunAt: number | null = null;
  /** The weighted bytes as of `#cameAt`: after `RATE_OVER_MS` a byte weighs 1/e. */
  #weight = 0;
  #cameAt = 0;

  constructor({ allowanceMs, mostMs, bytesPerSecond }: RemainingTimeOptions) {
    this.#perByteMs = 1000 / bytesPerSecond;
    this.#mostMs = mostMs;
    this.#leftMs = Math.min(allowanceMs, mostMs);
  }

  /** The caller waits for bytes. */
  start(now: number): void {
    this.#since = now;
    this.#begunAt ??= now;
  }

  stop(now: number): void {
    this.#leftMs = this.left(now);
    this.#since = null;
  }

  came(bytes: number, now: number): void {
    // Bytes that arrived while the process was suspended are in time.
    const left = Math.max(0, this.left(now)) + bytes * this.#perByteMs;
    this.#leftMs = Math.min(this.#mostMs, left);
    if (this.#since !== null) this.#since = now;
    this.#weight = this.#weightAt(now) + bytes;
    this.#cameAt = now;
  }

  /** Lowers the most remaining time. */
  shortenSilence(mostMs: number, now: number): void {
    this.#mostMs = Math.min(this.#mostMs, mostMs);
    this.#leftMs = Math.min(this.left(now), this.#mostMs);
    if (this.#since !== null) this.#since = now;
  }

  left(now: number): number {
    return this.#leftMs - (this.#since === null ? 0 : now - this.#since);
  }

  /** Bytes a second; older bytes weigh less. */
  rate(now: number): number {
    const age = Math.max(RATE_FROM_MS, now - (this.#begunAt ?? now));
    const overMs = RATE_OVER_MS * (1 - Math.exp(-age / RATE_OVER_MS));
    return (this.#weightAt(now) * 1000) / overMs;
  }

  #weightAt(now: number): number {
    return this.#weight * Math.exp((this.#cameAt - now) / RATE_OVER_MS);
  }
}
