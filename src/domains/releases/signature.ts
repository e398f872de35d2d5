import { createPublicKey, verify } from 'node:crypto';

/**
 * Signatures in the format of minisign (jedisct1.github.io/minisign): four lines of text. The second holds
 * algorithm, key id and an Ed25519 signature over the BLAKE2b-512 hash of the file, the last one a second
 * signature over the first and the trusted comment.
 */
export interface Signature {
  keyId: string;
  /** Over the hash of the file. */
  ofFile: Buffer;
  trustedComment: string;
  /** Over {@link ofFile} and the trusted comment. */
  ofComment: Buffer;
}

export interface PublicKey {
  keyId: string;
  /** Raw Ed25519 key, 32 bytes. */
  key: Buffer;
}

/** Which hash of the file a signature is over. */
export const SIGNED_HASH = 'blake2b512';

/** `ED`: over the hash of the file. The older `Ed` is over the file itself, which would have to be held whole. */
const PREHASHED = 'ED';
const PUBLIC_KEY = 'Ed';

const decode = (base64: string, length: number): Buffer | null => {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : null;
};

/** Reads the line of a minisign public key; null when it is not one. */
export function readPublicKey(line: string): PublicKey | null {
  const bytes = decode(line, 42);
  if (bytes === null || bytes.toString('latin1', 0, 2) !== PUBLIC_KEY) return null;
  return { keyId: bytes.toString('hex', 2, 10), key: bytes.subarray(10) };
}

/** minisign writes tabs into comments. A NUL character cannot be stored, and others are only useful for attacks. */
const CONTROLS = /[^\P{Cc}\t\r\n]/u;

/** Reads a `.minisig` file; null when it is not one, or signs the file itself instead of its hash. */
export function readSignature(text: string): Signature | null {
  if (CONTROLS.test(text)) return null;
  const [untrusted = '', first = '', trusted = '', second = '', ...rest] = text.split(/\r?\n/);
  const [ofFile, ofComment] = [decode(first, 74), decode(second, 64)];
  const trustedComment = /^trusted comment: (.*)$/.exec(trusted)?.[1];
  if (!untrusted.startsWith('untrusted comment: ') || rest.join('') !== '') return null;
  if (ofFile === null || ofComment === null || trustedComment === undefined) return null;
  if (ofFile.toString('latin1', 0, 2) !== PREHASHED) return null;
  return {
    keyId: ofFile.toString('hex', 2, 10),
    ofFile: ofFile.subarray(10),
    trustedComment,
    ofComment,
  };
}

/** Whether a signature was made with one of these keys over a file with this BLAKE2b-512 hash. */
export function isSignedBy(keys: readonly PublicKey[], signature: Signature, hash: Uint8Array): boolean {
  return keys
    .filter(({ keyId }) => keyId === signature.keyId)
    .some(({ key }) => {
      const publicKey = createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
        format: 'jwk',
      });
      const commented = Buffer.concat([signature.ofFile, Buffer.from(signature.trustedComment)]);
      return (
        verify(null, hash, publicKey, signature.ofFile) &&
        verify(null, commented, publicKey, signature.ofComment)
      );
    });
}
