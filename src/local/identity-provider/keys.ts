import { generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** The key tokens are signed with, and the forms its public half is published in. */
export interface SigningKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  privateKey: KeyObject;
  /** Public and private parts, for the provider. */
  privateJwk: JWK & JsonWebKey;
  /** SubjectPublicKeyInfo. */
  publicPem: string;
}

const generate = promisify(generateKeyPair);

/** Makes an RSA key of 2048 bits for RS256, the least that RFC 7518 allows. */
export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }) as JWK);
  return {
    kid,
    privateKey,
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' },
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
