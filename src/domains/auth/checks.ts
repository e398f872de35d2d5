import { isoTime } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { type ActiveBan, activeBan } from '../players/index.ts';
import { authErrors } from './errors.ts';
import type { Claims } from './schemas.ts';

export const GAME_TOKEN = 'platform:game';
const REQUIRED_SCOPE = 'service';
/** Tolerance for the clocks of other machines. */
export const TOLERANCE_MS = 30_000;

/**
 * Checks what a well signed token says, in the order of the contract.
 * @param context `now` in milliseconds since 1970; an undefined issuer or audience is not checked
 * @throws TOKEN_EXPIRED, TOKEN_INVALID, INSUFFICIENT_SCOPE: the first that applies
 */
export function checkClaims(
  claims: Claims,
  context: { now: number; issuer: string | undefined; audience: string | undefined },
): void {
  const { now, issuer, audience } = context;
  if (now >= claims.expiresAt + TOLERANCE_MS) throw authErrors.TOKEN_EXPIRED();
  if (Math.max(claims.notBefore ?? 0, claims.issuedAt) > now + TOLERANCE_MS)
    throw authErrors.TOKEN_INVALID({ message: 'The access token is not valid yet.' });
  if (issuer !== undefined && claims.issuer !== issuer)
    throw authErrors.TOKEN_INVALID({ message: 'The access token comes from another issuer.' });
  if (audience !== undefined && !claims.audiences.includes(audience))
    throw authErrors.TOKEN_INVALID({ message: 'The access token is meant for another service.' });
  if (!claims.scopes.has(REQUIRED_SCOPE)) throw authErrors.INSUFFICIENT_SCOPE();
}

/** The refusal of a banned player, with end and reason. */
export function refusalOf({ until, reason }: ActiveBan): ServiceError {
  const end = until === null ? 'for good' : `until ${isoTime(until)}`;
  return authErrors.BANNED({ message: `You are banned ${end}: ${reason}` });
}

/** The refusal of a banned player; null for others. */
export async function banRefusal(db: Db, playerGuid: string, now: number): Promise<ServiceError | null> {
  const ban = await activeBan(db, playerGuid, now);
  return ban && refusalOf(ban);
}
