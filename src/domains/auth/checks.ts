import { isoTime } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { type ActiveBan, sharePlayer } from '../players/index.ts';
import { authErrors } from './errors.ts';
import type { Claims } from './schemas.ts';

export const GAME_TOKEN = 'platform:game';
const REQUIRED_SCOPE = 'service';
/** Tolerance for the clocks of other machines. */
export const TOLERANCE_MS = 30_000;

/** Whether a token is no longer accepted. @param expiresAt its `exp`, milliseconds since 1970 */
export const hasExpired = (expiresAt: number, now: number): boolean => now >= expiresAt + TOLERANCE_MS;

/** One check of what a well signed token says. */
export interface TokenCheck {
  /** The state of the token when the check passes. */
  claim: string;
  passes(claims: Claims): boolean;
  refusal(): ServiceError;
}

/**
 * The checks of every token, in the order of docs/auth.md. They refuse with TOKEN_EXPIRED, TOKEN_INVALID, INSUFFICIENT_SCOPE.
 * @param context `now` in milliseconds since 1970; an undefined issuer or audience is not checked
 */
export const tokenChecks = (context: {
  now: number;
  issuer: string | undefined;
  audience: string | undefined;
}): readonly TokenCheck[] => {
  const { now, issuer, audience } = context;
  return [
    {
      claim: 'It has not expired',
      passes: ({ expiresAt }) => !hasExpired(expiresAt, now),
      refusal: authErrors.TOKEN_EXPIRED,
    },
    {
      claim: 'It is valid already',
      passes: ({ notBefore, issuedAt }) => Math.max(notBefore ?? 0, issuedAt) <= now + TOLERANCE_MS,
      refusal: () => authErrors.TOKEN_INVALID({ message: 'The access token is not valid yet.' }),
    },
    {
      claim: 'It comes from the expected issuer',
      passes: (claims) => issuer === undefined || claims.issuer === issuer,
      refusal: () => authErrors.TOKEN_INVALID({ message: 'The access token comes from another issuer.' }),
    },
    {
      claim: 'It is meant for this service',
      passes: ({ audiences }) => audience === undefined || audiences.includes(audience),
      refusal: () => authErrors.TOKEN_INVALID({ message: 'The access token is meant for another service.' }),
    },
    {
      claim: 'It has the scope',
      passes: ({ scopes }) => scopes.has(REQUIRED_SCOPE),
      refusal: authErrors.INSUFFICIENT_SCOPE,
    },
  ];
};

/** The further checks of a token on the socket, in the order of docs/auth.md. */
export const GAME_TOKEN_CHECKS: readonly TokenCheck[] = [
  {
    claim: 'It is a game token',
    passes: ({ tokenType }) => tokenType === GAME_TOKEN,
    refusal: authErrors.TOKEN_TYPE_NOT_ALLOWED,
  },
  {
    claim: 'It has a verified platform id',
    passes: ({ platformId }) => platformId !== null,
    refusal: authErrors.PLATFORM_NOT_VERIFIED,
  },
];

/** @throws ServiceError of the first check that does not pass */
export function requireAll(checks: readonly TokenCheck[], claims: Claims): void {
  for (const { passes, refusal } of checks) if (!passes(claims)) throw refusal();
}

/** The refusal of a banned player, with end and reason. */
export function banRefusalOf({ until, reason }: ActiveBan): ServiceError {
  const end = until === null ? 'for good' : `until ${isoTime(until)}`;
  return authErrors.BANNED({ message: `You are banned ${end}: ${reason}` });
}

/**
 * Keeps the person of a request from being erased until the end of the transaction, so that the erasure finds everything
 * that the transaction stores of them. It is the first lock of the transaction. The erasure locks only replays and grants
 * before it.
 * @throws UNAUTHENTICATED when the person was erased since the request was let in
 */
export async function keepPerson(db: Db, playerGuid: string): Promise<void> {
  if (!(await sharePlayer(db, playerGuid)))
    throw authErrors.UNAUTHENTICATED({ message: 'This person was erased.' });
}
