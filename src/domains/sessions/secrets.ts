import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The value of a cookie or a `state`: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');
const TOKEN = /^[\w-]{43}$/;
export const isToken = (given: unknown): given is string => typeof given === 'string' && TOKEN.test(given);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** HKDF (RFC 5869) with SHA-256, without salt. */
const derive = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `competitive-match-service ${purpose}`, bytes));

/** Two keys derived from one entry of `SESSION_SECRET`: one for hashes, one for encryption. */
const keysOf = (secret: string) => ({
  // In front of every text that was encrypted. It reveals nothing about the key.
  id: derive(secret, 'key id', 6).toString('base64url'),
  hashing: derive(secret, 'cookies', 32),
  sealing: derive(secret, 'provider tokens', 32),
});

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * Uses of the keys of `SESSION_SECRET`: cookies are stored as keyed hashes, the provider's tokens encrypted with
 * AES-256-GCM. The first key writes, all keys read. Removing a key ends only the sessions made with it.
 * @param secrets newest first, at least one
 */
export function createSecrets(secrets: readonly string[]) {
  const [newest, ...older] = secrets.map(keysOf);
  if (newest === undefined) throw new Error('There is no secret to derive keys from.');
  const all = [newest, ...older];
  const hashWith = ({ hashing }: typeof newest, token: string) =>
    createHmac('sha256', hashing).update(token).digest('base64url');

  return {
    /** The stored hash of a token, with the newest key. */
    hash: (token: string) => hashWith(newest, token),

    /** The hashes of a token with every key. */
    hashes: (token: string) => all.map((keys) => hashWith(keys, token)),

    /**
     * Encrypts a text for one row and column: moved elsewhere it cannot be decrypted.
     * A new nonce of 96 bits each time is safe for 2³² texts a key (NIST SP 800-38D, 8.3).
     */
    seal: (text: string, place: string) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${newest.id}.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`;
    },

    /** Whether it is encrypted with another key than the newest. */
    isOutdated: (sealed: string) => !sealed.startsWith(`${newest.id}.`),

    /** @returns null when no key decrypts it at this place. */
    open: (sealed: string, place: string) => {
      const [id, body = ''] = sealed.split('.');
      const keys = all.find((one) => one.id === id);
      const bytes = Buffer.from(body, 'base64url');
      if (keys === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', keys.sealing, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        // The authentication tag does not fit: it was changed or moved.
        return null;
      }
    },
  };
}
