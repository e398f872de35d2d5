import type { KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';

/** How a token may differ from a good one. */
export interface MintOptions {
  /** Claims to leave out. */
  omit?: readonly string[];
  /** `none` gives an unsigned token; with another than RS256 the key must suit it. */
  alg?: string;
  /** Null leaves it out. */
  kid?: string | null;
  /** Signs with this instead of the published key; bytes are a shared secret, for HS256. */
  key?: KeyObject | Uint8Array;
}

/** Signs exactly these claims, well formed or not: nothing is added, checked or corrected. */
export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  signing: { alg: string; kid: string | null; key: KeyObject | Uint8Array },
): Promise<string> {
  const header = {
    alg: signing.alg,
    // RFC 9068: what the provider itself writes for its JWT access tokens.
    typ: 'at+jwt',
    ...(signing.kid === null ? {} : { kid: signing.kid }),
  };
  const payload = Buffer.from(JSON.stringify(claims));
  if (signing.alg === 'none') {
    return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload.toString('base64url')}.`;
  }
  return new CompactSign(payload).setProtectedHeader(header).sign(signing.key);
}
