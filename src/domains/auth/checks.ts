import { isoTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { type ActiveBan, activeBan } from '../players/index.ts';
import { authErrors } from './errors.ts';
import type { Claims } from './schemas.ts';

export const GAME_TOKEN = 'platform:game';
const REQUIRED_SCOPE = 'service';
/** Tolerance for the clocks of other machines. */
export const TOLERANCE_MS = 30_000;

/** One check of what a well signed token says. */
export interface TokenCheck {
  /** The state of the token when the check passes. */
  claim: string;
  /** Null when it passes. */
  refusal(claims: Claims): ServiceError | null;
}

const refusedWhen = (refused: boolean, refusal: () => ServiceError) => (refused ? refusal() : null);

/**
 * The checks of every token, in the order of the contract. They refuse with TOKEN_EXPIRED, TOKEN_INVALID, INSUFFICIENT_SCOPE.
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
      refusal: ({ expiresAt }) => refusedWhen(now >= expiresAt + TOLERANCE_MS, authErrors.TOKEN_EXPIRED),
    },
    {
      claim: 'It is valid already',
      refusal: ({ notBefore, issuedAt }) =>
        refusedWhen(Math.max(notBefore ?? 0, issuedAt) > now + TOLERANCE_MS, () =>
          authErrors.TOKEN_INVALID({ message: 'The access token is not valid yet.' }),
        ),
    },
    {
      claim: 'It comes from the expected issuer',
      refusal: (claims) =>
        refusedWhen(issuer !== undefined && claims.issuer !== issuer, () =>
          authErrors.TOKEN_INVALID({ message: 'The access token comes from another issuer.' }),
        ),
    },
    {
      claim: 'It is meant for this service',
      refusal: ({ audiences }) =>
        refusedWhen(audience !== undefined && !audiences.includes(audience), () =>
          authErrors.TOKEN_INVALID({ message: 'The access token is meant for another service.' }),
        ),
    },
    {
      claim: 'It has the scope',
      refusal: ({ scopes }) => refusedWhen(!scopes.has(REQUIRED_SCOPE), authErrors.INSUFFICIENT_SCOPE),
    },
  ];
};

/** The further checks of a token on the socket, in the order of the contract. */
export const GAME_TOKEN_CHECKS: readonly TokenCheck[] = [
  {
    claim: 'It is a game token',
    refusal: ({ tokenType }) => refusedWhen(tokenType !== GAME_TOKEN, authErrors.TOKEN_TYPE_NOT_ALLOWED),
  },
  {
    claim: 'It has a verified platform id',
    refusal: ({ platformId }) => refusedWhen(platformId === null, authErrors.PLATFORM_NOT_VERIFIED),
  },
];

/** @throws ServiceError of the first check that does not pass */
export function requireAll(checks: readonly TokenCheck[], claims: Claims): void {
  for (const { refusal } of checks) {
    const refused = refusal(claims);
    if (refused !== null) throw refused;
  }
}

/** The refusal of a banned player, with end and reason. */
export function refusalOf({ until, reason }: ActiveBan): ServiceError {
  const end = until === null ? 'for good' : `until ${isoTime(until)}`;
  return authErrors.BANNED({ message: `You are banned ${end}: ${reason}` });
}

/** The refusal of a banned player; null for others. */
export async function banRefusal(
  database: Database,
  playerGuid: string,
  now: number,
): Promise<ServiceError | null> {
  const ban = await activeBan(database, playerGuid, now);
  return ban && refusalOf(ban);
}
