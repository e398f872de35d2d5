import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a cookie or a `state` holds: 256 bits nobody can guess. */
export const newToken = (): string => randomBytes(32).toString('base64url');
const TOKEN = /^[\w-]{43}$/;
export const isToken = (given: unknown): given is string => typeof given === 'string' && TOKEN.test(given);

/** One of the keys of `SESSION_SECRET`, as two keys: nothing is both hashed and encrypted with the same. */
interface Keys {
  /** Names the key in front of what it sealed, and tells nothing about it. */
  id: string;
  hashing: Buffer;
  sealing: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** HKDF (RFC 5869) with SHA-256. The secret is a string of an operator's choice, so it needs no salt of ours. */
const derive = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `competitive-match-service ${purpose}`, bytes));

const keysOf = (secret: string): Keys => ({
  id: derive(secret, 'key id', 6).toString('base64url'),
  hashing: derive(secret, 'cookies', 32),
  sealing: derive(secret, 'provider tokens', 32),
});

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * What is done with the keys of `SESSION_SECRET`: cookies are stored as keyed hashes, the provider's tokens
 * encrypted with AES-256-GCM. The first key is used for what is new, the others still read what is old:
 * taking one off the list ends what was made with it alone.
 * @param secrets newest first, at least one
 */
export function createSecrets(secrets: readonly string[]) {
  const [newest, ...older] = secrets.map(keysOf);
  if (newest === undefined) throw new Error('There is no secret to derive keys from.');
  const all = [newest, ...older];
  const hashWith = ({ hashing }: Keys, token: string): string =>
    createHmac('sha256', hashing).update(token).digest('base64url');

  return {
    /** What a token is stored as. */
    hash: (token: string): string => hashWith(newest, token),

    /** What a token may have been stored as, by each key. */
    hashes: (token: string): string[] => all.map((keys) => hashWith(keys, token)),

    /**
     * Encrypts a text for the place it is kept at: moved to another row or column it cannot be read.
     * A new nonce of 96 bits each time is safe for 2³² texts a key (NIST SP 800-38D, 8.3).
     */
    seal: (text: string, place: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${newest.id}.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`;
    },

    /** Whether it would be sealed with another key now. */
    isOutdated: (sealed: string): boolean => !sealed.startsWith(`${newest.id}.`),

    /** @returns null when none of the keys opens it at this place. */
    open: (sealed: string, place: string): string | null => {
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
        // The tag says that somebody changed or moved it.
        return null;
      }
    },
  };
}
