/**
 * What one socket connection may send. The socket channel and live plays count with the same bucket, each with
 * its own numbers.
 */

export interface BudgetLimits {
  /** What the bucket holds at once, and what comes back to it in a second. */
  packets: { holds: number; perSecond: number };
  bytes: { holds: number; perSecond: number };
  /** For so long the bucket may be asked for more than it holds; 0: not at all. */
  patienceMs: number;
}

/**
 * `within`: the bucket held it. `beyond`: it did not, which may go on for a while; whoever reads should wait.
 * `exhausted`: it has been asked for too much for too long, and the connection is to be closed.
 */
export type Verdict = 'within' | 'beyond' | 'exhausted';

/** The bucket has recovered when it holds this part of itself again: a stream that is only held back never does. */
const RECOVERED = 1 / 8;

/** The bucket of one connection. What is taken beyond what it holds is owed, up to a second's worth. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #now: () => number;
  #packets: number;
  #bytes: number;
  #at: number;
  /** Since when it has been asked for more than it holds. */
  #beyondSince: number | null = null;

  /** @param now milliseconds of a clock that does not go back */
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

  /** Milliseconds until nothing is owed; 0 when nothing is. */
  owedMs(): number {
    const { packets, bytes } = this.#limits;
    this.#refill();
    const seconds = Math.max(0, -this.#packets / packets.perSecond, -this.#bytes / bytes.perSecond);
    return Math.ceil(seconds * 1000);
  }

  /** Whether it owes as much as is counted: more asks for nothing that could still be waited for. */
  owesMost(): boolean {
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
