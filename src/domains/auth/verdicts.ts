import { hash } from 'node:crypto';
import type { Principal } from '../../platform/http/principal.ts';
import type { Claims } from './schemas.ts';

const MOST_VERDICTS = 10_000;

/** What is known of a token that passed every check. */
export interface Verdict {
  readonly claims: Claims;
  /** Whom it spoke for when last looked up; null: nobody looked yet. */
  sight: Sight | null;
}

/** A look at the person behind a token, good for a moment only. */
export interface Sight {
  /** When the look began, by `performance.now()`. */
  at: number;
  /** Which state of roles it belongs to. */
  era: number;
  principal: Promise<Principal>;
  /** The same once it is known. */
  seen: Principal | null;
}

/**
 * Remembers tokens that passed every check, until they end: verifying a signature costs about 40 µs, a look
 * here 2. Refusals are never remembered. Keyed by the token's SHA-256, so no token lies in memory longer
 * than its request; the ones not seen for longest go first.
 */
export class Verdicts {
  readonly #verdicts = new Map<string, Verdict>();

  get(token: string, now: number): Verdict | undefined {
    const key = keyOf(token);
    const found = this.#verdicts.get(key);
    if (found === undefined) return undefined;
    this.#verdicts.delete(key);
    if (now >= found.claims.expiresAt) return undefined;
    this.#verdicts.set(key, found);
    return found;
  }

  add(token: string, claims: Claims): Verdict {
    const verdict: Verdict = { claims, sight: null };
    this.#verdicts.set(keyOf(token), verdict);
    if (this.#verdicts.size > MOST_VERDICTS)
      for (const oldest of this.#verdicts.keys()) {
        this.#verdicts.delete(oldest);
        break;
      }
    return verdict;
  }

  clear(): void {
    this.#verdicts.clear();
  }
}

const keyOf = (token: string): string => hash('sha256', token, 'base64url');
