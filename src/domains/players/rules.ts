import type { HeldRole, Role } from './schemas.ts';

/** The claims of a verified token about a person. */
export interface Identity {
  subject: string;
  /** Null unless the provider verified it. */
  platformId: string | null;
  /** Null when the token has no name. */
  username: string | null;
  avatarUrl: string | null;
  /** Null when the token has no statement about roles, as a plugin's. */
  providerRoles: readonly Role[] | null;
  /** `iat` in milliseconds since 1970. */
  issuedAt: number;
}

/** A ban in force. */
export interface ActiveBan {
  reason: string;
  /** Milliseconds since 1970; null: without an end. */
  until: number | null;
}

/** A player as stored. */
export interface KnownPlayer {
  playerGuid: string;
  subject: string;
  platformId: string | null;
  username: string;
  avatarUrl: string | null;
  providerRoles: readonly Role[];
  /** `iat` of the newest token that was seen. */
  tokenIssuedAt: number;
  grantedRoles: readonly Role[];
  /** The ban in force that ends last; null when there is none. */
  ban: ActiveBan | null;
  /** The plugin version that the player's running match began with; null when there is none. */
  matchVersion: string | null;
}

export type IdentityChange = Partial<
  Pick<KnownPlayer, 'platformId' | 'username' | 'avatarUrl' | 'providerRoles'>
> &
  Pick<KnownPlayer, 'tokenIssuedAt'>;

const sameRoles = (a: readonly Role[], b: readonly Role[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role));

/**
 * The change that a token makes to a stored player; null for none. Only the newest token changes name, avatar, roles and
 * platform id: a tab of a website may show an older one for an hour. An older token may only add a missing platform id.
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
 * Decides which grants to add and to remove. Roles of the provider or the configuration stay. An empty list for a player
 * who has only such roles is refused, because it would succeed without an effect.
 * @param otherAdmins whether another player is an admin, of any source
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
