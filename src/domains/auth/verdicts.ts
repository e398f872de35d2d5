import { createHash } from 'node:crypto';
import type { Claims } from './schemas.ts';

const MOST_VERDICTS = 10_000;

/**
 * Remembers tokens that passed every check, until they end: verifying a signature costs about 40 µs, a look
 * here 2. Refusals are never remembered. Keyed by the token's SHA-256, so no token lies in memory longer
 * than its request; the ones not seen for longest go first.
 */
export class Verdicts {
  readonly #claims = new Map<string, Claims>();

  get(token: string, now: number): Claims | undefined {
    const key = keyOf(token);
    const found = this.#claims.get(key);
    if (found === undefined) return undefined;
    this.#claims.delete(key);
    if (now >= found.expiresAt) return undefined;
    this.#claims.set(key, found);
    return found;
  }

  add(token: string, claims: Claims): void {
    this.#claims.set(keyOf(token), claims);
    if (this.#claims.size <= MOST_VERDICTS) return;
    for (const oldest of this.#claims.keys()) {
      this.#claims.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#claims.clear();
  }

  get size(): number {
    return this.#claims.size;
  }
}

const keyOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
