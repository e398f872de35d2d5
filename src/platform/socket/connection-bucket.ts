export interface BucketLimits {
  /** The capacity of the bucket, and its refill per second. */
  packets: { holds: number; perSecond: number };
  bytes: { holds: number; perSecond: number };
  /** For how long more may be taken than the bucket holds; 0: never. */
  patienceMs: number;
}

/**
 * `within`: the bucket held enough. `beyond`: it did not, and reading should pause. `exhausted`: it has been beyond for
 * too long, and the connection must be closed.
 */
export type BucketState = 'within' | 'beyond' | 'exhausted';

/** The bucket has recovered when it is filled to this share. A stream that is only paused never lets it recover. */
const RECOVERED = 1 / 8;

/**
 * The token bucket for the data that one connection sends, in the socket channel and in live plays. Data that has been
 * read is counted even when the bucket does not hold enough, so the bucket may go into debt.
 */
export class ConnectionBucket {
  readonly #limits: BucketLimits;
  readonly #now: () => number;
  #packets: number;
  #bytes: number;
  #at: number;
  /** Since when it has been beyond. */
  #beyondSince: number | null = null;

  /** @param now milliseconds by a clock that is never set back */
  constructor(limits: BucketLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#packets = limits.packets.holds;
    this.#bytes = limits.bytes.holds;
    this.#at = now();
  }

  /** Takes one packet of so many bytes. */
  take(bytes: number): BucketState {
    const now = this.#refill();
    this.#packets -= 1;
    this.#bytes -= bytes;
    if (this.#packets >= 0 && this.#bytes >= 0) return 'within';
    this.#beyondSince ??= now;
    return now - this.#beyondSince >= this.#limits.patienceMs ? 'exhausted' : 'beyond';
  }

  /** Milliseconds until the debt is paid; 0 without debt. */
  debtMs(): number {
    const { packets, bytes } = this.#limits;
    this.#refill();
    const seconds = Math.max(0, -this.#packets / packets.perSecond, -this.#bytes / bytes.perSecond);
    return Math.ceil(seconds * 1000);
  }

  /** Milliseconds until it is exhausted unless the debt is paid; infinite without debt. */
  exhaustedInMs(): number {
    if (this.debtMs() === 0) return Number.POSITIVE_INFINITY;
    const now = this.#now();
    return Math.max(0, (this.#beyondSince ?? now) + this.#limits.patienceMs - now);
  }

  #refill(): number {
    const { packets, bytes } = this.#limits;
    const now = this.#now();
    const seconds = Math.max(0, now - this.#at) / 1000;
    this.#at = now;
    this.#packets = Math.min(packets.holds, this.#packets + seconds * packets.perSecond);
    this.#bytes = Math.min(bytes.holds, this.#bytes + seconds * bytes.perSecond);
    if (this.#packets >= packets.holds * RECOVERED && this.#bytes >= bytes.holds * RECOVERED)
      this.#beyondSince = null;
    return now;
  }
}
