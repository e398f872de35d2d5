import type { HeldRole, Role } from './schemas.ts';

/** What a verified token says about a person. */
export interface Identity {
  subject: string;
  /** Null unless the provider verified it. */
  platformId: string | null;
  /** Null when the token names nobody. */
  username: string | null;
  avatarUrl: string | null;
  /** Null when the token does not speak of roles, as a plugin's does not. */
  providerRoles: readonly Role[] | null;
  /** `iat` in milliseconds since 1970. */
  issuedAt: number;
}

/** What is stored of a person. */
export interface KnownPlayer {
  playerGuid: string;
  subject: string;
  platformId: string | null;
  username: string;
  avatarUrl: string | null;
  providerRoles: readonly Role[];
  /** When the token was issued that was followed last: the newest that was seen. */
  tokenIssuedAt: number;
  grantedRoles: readonly Role[];
}

export type IdentityChange = Partial<
  Pick<KnownPlayer, 'platformId' | 'username' | 'avatarUrl' | 'providerRoles'>
> &
  Pick<KnownPlayer, 'tokenIssuedAt'>;

const sameRoles = (a: readonly Role[], b: readonly Role[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role));

/**
 * What must be stored to follow the identity provider; null when nothing changed. The token that was issued last is
 * followed: an older one, which a website's tab may still hold for an hour, renames nobody back and moves no platform
 * id. It only tells a platform id where none was known.
 */
export function changeOf(known: KnownPlayer, identity: Identity): IdentityChange | null {
  const change: Partial<IdentityChange> = {};
  const isNewest = identity.issuedAt >= known.tokenIssuedAt;
  if (
    identity.platformId !== null &&
    identity.platformId !== known.platformId &&
    (isNewest || known.platformId === null)
  )
    change.platformId = identity.platformId;
  if (isNewest) {
    if (identity.username !== null && identity.username !== known.username)
      change.username = identity.username;
    if (identity.avatarUrl !== known.avatarUrl) change.avatarUrl = identity.avatarUrl;
    if (identity.providerRoles !== null && !sameRoles(identity.providerRoles, known.providerRoles))
      change.providerRoles = identity.providerRoles;
  }
  if (Object.keys(change).length === 0 && identity.issuedAt <= known.tokenIssuedAt) return null;
  return { ...change, tokenIssuedAt: Math.max(identity.issuedAt, known.tokenIssuedAt) };
}

export type RoleDecision =
  | { grant: Role[]; revoke: Role[] }
  | { refused: 'LAST_ADMIN' | 'ROLE_NOT_GRANTED_HERE' };

/**
 * What setting the roles granted here to `wanted` comes to. Roles from the provider or the configuration
 * stay whatever is asked here; an empty list for somebody with nothing but those can only mean to take
 * them away, so it is refused instead of answered with a success that changes nothing.
 * @param otherAdmins whether anybody else is an admin, from whatever source.
 */
export function decideRoles(
  held: readonly Pick<HeldRole, 'role' | 'source'>[],
  wanted: readonly Role[],
  otherAdmins: boolean,
): RoleDecision {
  const granted = held.filter(({ source }) => source === 'granted').map(({ role }) => role);
  const elsewhere = held.filter(({ source }) => source !== 'granted').map(({ role }) => role);
  const grant = wanted.filter((role) => !granted.includes(role));
  const revoke = granted.filter((role) => !wanted.includes(role));
  const lastAdmin = !otherAdmins && !wanted.includes('role:admin');

  if (wanted.length === 0 && granted.length === 0 && elsewhere.length > 0)
    return {
      refused: lastAdmin && elsewhere.includes('role:admin') ? 'LAST_ADMIN' : 'ROLE_NOT_GRANTED_HERE',
    };
  if (lastAdmin && revoke.includes('role:admin') && !elsewhere.includes('role:admin'))
    return { refused: 'LAST_ADMIN' };
  return { grant, revoke };
}
