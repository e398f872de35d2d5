/** So many requests from one address in so long a time. */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

/** The remaining requests of an address, as in the headers of the host. */
export interface Allowance {
  /** Requests left in this window; negative when this one was too many. */
  remaining: number;
  /** When the window ends, in seconds since 1970. */
  resetAt: number;
}

/** Counts requests in fixed windows, one per address. */
export function createRateLimiter(limit: RateLimit) {
  const windows = new Map<string, { used: number; resetAt: number }>();
  return (address: string): Allowance => {
    const now = Date.now() / 1000;
    let window = windows.get(address);
    if (window === undefined || window.resetAt <= now) {
      window = { used: 0, resetAt: Math.ceil(now + limit.windowSeconds) };
      windows.set(address, window);
    }
    window.used += 1;
    return { remaining: limit.requests - window.used, resetAt: window.resetAt };
  };
}
