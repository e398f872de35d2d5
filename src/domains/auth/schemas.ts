import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { cutName, isInvisible, withoutControls } from '../../platform/names.ts';
import { ROLES, type Role, role } from '../players/index.ts';

/** Seconds since 1970 (RFC 7519, 2), at most the end of the year 9999, the last that ISO 8601 writes with four digits. */
const numericDate = z.number().min(0).max(253_402_300_799);

/** A time of a claim in whole milliseconds: a fraction would be lost in the database, and the token would seem newer each time. */
const milliseconds = (seconds: number): number => Math.floor(seconds * 1000);

const LONGEST_NAME = 64;

function asUsername(given: string | null | undefined): string | null {
  const shown = cutName(withoutControls((given ?? '').toWellFormed().normalize('NFC')).trim(), LONGEST_NAME);
  return isInvisible(shown) ? null : shown;
}

function asAvatarUrl(given: string | null | undefined): string | null {
  if (given == null || given.length > 2000 || !URL.canParse(given)) return null;
  const url = new URL(given);
  return /^https?:$/.test(url.protocol) ? url.href : null;
}

/**
 * The claims of an access token. A claim of a wrong type makes the token invalid; null counts as absent. Permissions of other
 * services are ignored.
 */
export const claims = z
  .object({
    sub: z
      .string()
      .min(1)
      .max(255)
      .refine((sub) => sub.isWellFormed() && !/\p{Cc}/u.test(sub)),
    exp: numericDate,
    iat: numericDate,
    nbf: numericDate.nullish(),
    iss: z.string().nullish(),
    aud: z.union([z.string(), z.array(z.string())]).nullish(),
    scope: z.string().nullish(),
    scopes: z.array(z.string()).nullish(),
    tokenType: z.string().nullish(),
    platformId: z
      .string()
      .regex(/^\d{1,20}$/)
      .nullish(),
    platformVerified: z.boolean().nullish(),
    username: z.string().nullish(),
    avatarUrl: z.string().nullish(),
    permissions: z.array(z.string()).nullish(),
  })
  .transform((token) => ({
    subject: token.sub,
    /** All times in whole milliseconds since 1970. */
    expiresAt: milliseconds(token.exp),
    issuedAt: milliseconds(token.iat),
    notBefore: token.nbf == null ? null : milliseconds(token.nbf),
    issuer: token.iss ?? null,
    audiences: typeof token.aud === 'string' ? [token.aud] : (token.aud ?? []),
    scopes: new Set([...(token.scope?.split(' ') ?? []), ...(token.scopes ?? [])]),
    tokenType: token.tokenType ?? '',
    /** Null unless the provider verified it. */
    platformId: token.platformVerified === true ? (token.platformId ?? null) : null,
    username: asUsername(token.username),
    avatarUrl: asAvatarUrl(token.avatarUrl),
    roles: ROLES.filter((known): known is Role => token.permissions?.includes(known) ?? false),
  }));
export type Claims = z.output<typeof claims>;

/** The documents of a public key, beside a bare PEM. */
export const pemDocument = z.object({ algorithm: z.literal('RS256'), publicKey: z.string() });
export const jwks = z.object({ keys: z.array(z.unknown()) });
/** A key of a JWKS that RS256 signatures are made with. */
export const signingJwk = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  alg: z.literal('RS256').optional(),
  use: z.literal('sig').optional(),
  kid: z.string().optional(),
});

export const me = z
  .object({
    playerGuid: guid,
    subject: z.string().describe('`sub` of the token'),
    username: z.string(),
    avatarUrl: z.string().nullable(),
    platformId: z.string().nullable().describe('Digits; null until a game platform vouched for one'),
    roles: z.array(role),
    expiresAt: isoInstant.describe('When the credentials end'),
  })
  .meta({ id: 'Me' });
