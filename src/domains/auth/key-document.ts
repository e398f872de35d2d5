import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { jwks, pemDocument, signingJwk } from './schemas.ts';

/** A public key tokens may be signed with. */
export interface VerificationKey {
  /** Null when the document names none: the key is then tried for every token. */
  kid: string | null;
  key: KeyObject;
}

/** RFC 7518, 3.3: RS256 needs 2048 bits or more. */
const LEAST_MODULUS_BITS = 2048;
/** The most keys that are tried for one token: anybody can send a bad one, and each key costs about 40 µs. */
export const MOST_TRIED = 20;

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_MODULUS_BITS;

/**
 * Reads the provider's public keys from any of the three forms: a JWKS, a PEM as text, or
 * `{ algorithm: "RS256", publicKey: "<PEM>" }`. Entries of a JWKS that are no keys for RS256 are ignored (RFC 7517, 5).
 * @throws Error that describes the problem of the document
 */
export function readKeyDocument(body: string): VerificationKey[] {
  const text = body.trim();
  if (text.startsWith('-----BEGIN ')) return [fromPem(text)];
  const json = parseJson(text);
  const wrapped = pemDocument.safeParse(json);
  if (wrapped.success) return [fromPem(wrapped.data.publicKey)];
  const set = jwks.safeParse(json);
  if (!set.success) throw new Error('it is neither a JWKS, nor a PEM, nor { algorithm: "RS256", publicKey }');
  const keys = set.data.keys.flatMap((jwk) => fromJwk(jwk) ?? []);
  if (keys.length === 0) throw new Error(`it holds no RSA signing key of ${LEAST_MODULUS_BITS} bits or more`);
  return keys;
}

/** These keys as a JWKS without private members, which a provider may have published by mistake. */
export const writeKeyDocument = (keys: readonly VerificationKey[]): string =>
  JSON.stringify({
    keys: keys.map(({ kid, key }) => ({ ...key.export({ format: 'jwk' }), ...(kid !== null && { kid }) })),
  });

/**
 * The keys that a token with this `kid` may be signed with: first those with the same `kid`, or without one like the token,
 * and {@link MOST_TRIED} at most.
 */
export function candidatesOf(keys: readonly VerificationKey[], kid: string | undefined): KeyObject[] {
  const isSame = (one: VerificationKey): boolean => one.kid === (kid ?? null);
  return keys
    .filter((one) => one.kid === null || kid === undefined || one.kid === kid)
    .sort((one, other) => Number(isSame(other)) - Number(isSame(one)))
    .slice(0, MOST_TRIED)
    .map(({ key }) => key);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('it is neither a PEM nor JSON', { cause });
  }
}

/** Refuses a private key, which OpenSSL would accept: somebody published it by mistake. */
function fromPem(pem: string): VerificationKey {
  if (pem.includes('PRIVATE KEY')) throw new Error('it is a private key');
  const key = createPublicKey(pem);
  if (!isStrong(key)) throw new Error(`it holds a key that is not RSA of ${LEAST_MODULUS_BITS} bits or more`);
  return { kid: null, key };
}

function fromJwk(jwk: unknown): VerificationKey | null {
  const parsed = signingJwk.safeParse(jwk);
  if (!parsed.success) return null;
  const { kid = null, kty, n, e } = parsed.data;
  try {
    const key = createPublicKey({ key: { kty, n, e } satisfies JsonWebKey, format: 'jwk' });
    return isStrong(key) ? { kid, key } : null;
  } catch {
    return null;
  }
}
