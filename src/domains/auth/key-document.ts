import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { jwks, pemDocument, signingJwk } from './schemas.ts';

/** A public key tokens may be signed with. */
export interface VerificationKey {
  /** Null where the document names none: the key is then tried for every token. */
  kid: string | null;
  key: KeyObject;
}

/** RFC 7518, 3.3: RS256 needs 2048 bits or more. */
const LEAST_MODULUS_BITS = 2048;
/** Each key may be tried for a token without `kid`. */
const MOST_KEYS = 20;

/**
 * Reads the provider's public keys from any of the three forms: a JWKS, a PEM as text, or
 * `{ algorithm: "RS256", publicKey: "<PEM>" }`. Keys of a JWKS that are not for RS256 are passed over.
 * @throws Error that says what is wrong with the document.
 */
export function readKeyDocument(body: string): VerificationKey[] {
  const keys = readKeys(body.trim());
  if (keys.length === 0) throw new Error('it holds no RSA signing key');
  for (const { key } of keys) {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_MODULUS_BITS)
      throw new Error(`it holds a key that is not RSA of ${LEAST_MODULUS_BITS} bits or more`);
  }
  return keys;
}

function readKeys(text: string): VerificationKey[] {
  if (text.startsWith('-----BEGIN ')) return [{ kid: null, key: fromPem(text) }];
  const json = parseJson(text);
  const wrapped = pemDocument.safeParse(json);
  if (wrapped.success) return [{ kid: null, key: fromPem(wrapped.data.publicKey) }];
  const set = jwks.safeParse(json);
  if (!set.success) throw new Error('it is neither a JWKS, nor a PEM, nor { algorithm: "RS256", publicKey }');
  return set.data.keys
    .flatMap((jwk) => signingJwk.safeParse(jwk).data ?? [])
    .slice(0, MOST_KEYS)
    .map(({ kid, kty, n, e }) => ({
      kid: kid ?? null,
      key: createPublicKey({ key: { kty, n, e } satisfies JsonWebKey, format: 'jwk' }),
    }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('it is neither a PEM nor JSON', { cause });
  }
}

/** A private key would do for OpenSSL; whoever publishes one has a problem that must not go unnoticed. */
function fromPem(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new Error('it is a private key');
  return createPublicKey(pem);
}
