import { networksOf, WIDE_SHARE } from './address.ts';
import type { Clock } from './clock.ts';
import type { Rate } from './limits.ts';
import { type Redis, script } from './redis.ts';

/** Callers remembered at once; those whose window began first are forgotten first. */
const MOST_CALLERS = 50_000;

/** Counts one more and says when the count begins anew. */
const COUNT = script(`
  local count = redis.call('INCR', KEYS[1])
  if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { count, redis.call('PTTL', KEYS[1]) }`);

/** Counts callers. */
export interface RateLimit {
  /**
   * Counts one more of a caller.
   * @returns 0: admitted; else refused, and the milliseconds until the window of this caller ends. A promise only while
   * Redis is asked.
   */
  take(caller: string): number | Promise<number>;
}

export interface LimitOptions {
  /** Multiplies every limit; 0 switches them off. */
  factor: number;
  clock: Clock;
  redis: Redis | null;
}

/**
 * A number of times in a window that begins with a caller's first. With Redis all nodes count together;
 * whenever it does not answer, this one goes on by itself.
 */
export function windowLimit(
  name: string,
  { most, everyMs }: Pick<Rate, 'most' | 'everyMs'>,
  { factor, clock, redis }: LimitOptions,
): RateLimit {
  if (factor === 0) return { take: () => 0 };
  const limit = Math.max(1, Math.round(most * factor));
  /** In the order in which their windows began, which is the order in which they end. */
  const windows = new Map<string, { count: number; endsAt: number }>();

  const takeHere = (caller: string): number => {
    const now = clock.now();
    let window = windows.get(caller);
    // No window ends later than this, unless the clock was set back since it began.
    if (window === undefined || now >= window.endsAt || window.endsAt > now + everyMs) {
      windows.delete(caller);
      window = { count: 0, endsAt: now + everyMs };
      windows.set(caller, window);
      for (const [oldest, { endsAt }] of windows) {
        if (windows.size <= MOST_CALLERS && now < endsAt) break;
        windows.delete(oldest);
      }
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, window.endsAt - now) : 0;
  };

  const takeTogether = async (caller: string, shared: Redis): Promise<number> => {
    try {
      const [count = 0, leftMs = 0] = (await shared.run(
        COUNT,
        [`limit:${name}:${caller}`],
        [everyMs],
      )) as number[];
      return count > limit ? Math.max(1, leftMs) : 0;
    } catch {
      return takeHere(caller);
    }
  };

  return {
    take: (caller) => (redis?.isConnected() ? takeTogether(caller, redis) : takeHere(caller)),
  };
}

/**
 * A {@link windowLimit} of addresses: each has the limit, and the IPv6 network of 48 bits around it
 * {@link WIDE_SHARE} times as much. Requests that the address is refused do not count for its network.
 * @returns takes addresses as callers
 */
export function addressLimit(
  name: string,
  rate: Pick<Rate, 'most' | 'everyMs'>,
  options: LimitOptions,
): RateLimit {
  const ofAddress = windowLimit(name, rate, options);
  const ofNetwork = windowLimit(`${name}-48`, { ...rate, most: rate.most * WIDE_SHARE }, options);
  return {
    take: (address) => {
      const [own, wide] = networksOf(address);
      const goOn = (waitMs: number) => (waitMs > 0 || !wide ? waitMs : ofNetwork.take(wide.name));
      const waitMs = ofAddress.take(own.name);
      return typeof waitMs === 'number' ? goOn(waitMs) : waitMs.then(goOn);
    },
  };
}

/**
 * Token buckets by key: `burst` at once, refilled at `perSecond`. In memory of one process; buckets
 * that are full again are forgotten, so the size is bounded by the callers of the last refill time. With the factor 0 there
 * is no limit.
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
    if (this.#perMs === 0) return 0;
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
    for (const [key, { tokens, at }] of this.#buckets) {
      // One that was used later than now is from before the clock was set back.
      if (at <= now && tokens + (now - at) * this.#perMs < this.#burst) return;
      this.#buckets.delete(key);
    }
  }
}
