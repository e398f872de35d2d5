import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors as jose } from 'jose';
import { BOUNDS } from '../../platform/limits.ts';
import { authErrors } from './errors.ts';
import { claims } from './schemas.ts';

/** @throws TOKEN_MISSING, TOKEN_INVALID for what cannot be a token by its type or length */
export function tokenText(token: unknown): string {
  if (token === undefined || token === null || token === '') throw authErrors.TOKEN_MISSING();
  if (typeof token !== 'string' || token.length > BOUNDS.token.value) throw authErrors.TOKEN_INVALID();
  return token;
}

/**
 * The signed bytes of a token; null when no key fits the signature.
 * @param candidates the keys for a `kid`
 * @throws TOKEN_INVALID for a malformed token, with the reason as its cause
 */
export async function signedBytes(
  token: string,
  candidates: (kid: string | undefined) => readonly KeyObject[],
): Promise<Uint8Array | null> {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    if (alg !== 'RS256') throw new Error('It is not signed with RS256.');
    for (const key of candidates(kid)) {
      const verified = await compactVerify(token, key, { algorithms: ['RS256'] }).catch((error: unknown) => {
        if (error instanceof jose.JWSSignatureVerificationFailed) return null;
        throw error;
      });
      if (verified !== null) return verified.payload;
    }
    return null;
  } catch (cause) {
    throw authErrors.TOKEN_INVALID({ cause });
  }
}

/** @throws TOKEN_INVALID when they are no JSON, or a claim has a wrong type: the cause says which */
export function claimsIn(bytes: Uint8Array) {
  try {
    return claims.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw authErrors.TOKEN_INVALID({ cause });
  }
}
