export interface BudgetLimits {
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
export type Verdict = 'within' | 'beyond' | 'exhausted';

/** The bucket has recovered when it is filled to this share. A stream that is only paused never lets it recover. */
const RECOVERED = 1 / 8;

/**
 * The token bucket for the data that one connection sends, in the socket channel and in live plays. It may go into debt,
 * at most by the refill of one second.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #now: () => number;
  #packets: number;
  #bytes: number;
  #at: number;
  /** Since when it has been beyond. */
  #beyondSince: number | null = null;

  /** @param now milliseconds of a monotonic clock */
  constructor(limits: BudgetLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#packets = limits.packets.holds;
    this.#bytes = limits.bytes.holds;
    this.#at = now();
  }

  /** Takes one packet of so many bytes. */
  take(bytes: number): Verdict {
    const { packets, bytes: weight, patienceMs } = this.#limits;
    const now = this.#refill();
    this.#packets = Math.max(-packets.perSecond, this.#packets - 1);
    this.#bytes = Math.max(-weight.perSecond, this.#bytes - bytes);
    if (this.#packets >= 0 && this.#bytes >= 0) return 'within';
    this.#beyondSince ??= now;
    return now - this.#beyondSince >= patienceMs ? 'exhausted' : 'beyond';
  }

  /** Milliseconds until the debt is paid; 0 without debt. */
  debtMs(): number {
    const { packets, bytes } = this.#limits;
    this.#refill();
    const seconds = Math.max(0, -this.#packets / packets.perSecond, -this.#bytes / bytes.perSecond);
    return Math.ceil(seconds * 1000);
  }

  /** Whether the debt has reached its bound, so that more would not be counted. */
  isDebtFull(): boolean {
    const { packets, bytes } = this.#limits;
    return this.#packets <= -packets.perSecond || this.#bytes <= -bytes.perSecond;
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
