import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** The key tokens are signed with, and the forms its public half is published in. */
export type SigningKey = Awaited<ReturnType<typeof signingKeyOf>>;

async function signingKeyOf(privateKey: KeyObject) {
  const publicKey = createPublicKey(privateKey);
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }) as JWK);
  return {
    /** RFC 7638 thumbprint. */
    kid,
    privateKey,
    /** Public and private parts, for the provider. */
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' },
    /** SubjectPublicKeyInfo. */
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** Makes an RSA key of 2048 bits for RS256, the least that RFC 7518 allows. */
export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return signingKeyOf(privateKey);
}

/**
 * The key of an earlier start, so that its tokens stay valid. The first start makes the file, which only its owner reads.
 * @throws Error when the file holds no key
 */
export async function keptSigningKey(file: string): Promise<SigningKey> {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return signingKeyOf(createPrivateKey(kept));
  const made = await createSigningKey();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, made.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return made;
}
