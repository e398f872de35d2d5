import { isoTime } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { type ActiveBan, activeBan, type KnownPlayer } from '../players/index.ts';
import {
  isAccepted,
  isSameVersion,
  notAccepted,
  type PluginVersions,
  releaseErrors,
} from '../releases/index.ts';
import { authErrors } from './errors.ts';
import type { Claims } from './schemas.ts';

/**
 * The checks of a login in the order of the contract: the first that fails is answered. service.ts first checks that a token
 * is present and well signed.
 */

export const GAME_TOKEN = 'platform:game';
const REQUIRED_SCOPE = 'service';
/** Tolerance for the clocks of other machines. */
export const TOLERANCE_MS = 30_000;

export interface TokenContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Undefined: not checked. */
  issuer: string | undefined;
  audience: string | undefined;
}

type TokenCheck = (claims: Claims, context: TokenContext) => ServiceError | null;

const notExpired: TokenCheck = ({ expiresAt }, { now }) =>
  now >= expiresAt + TOLERANCE_MS ? authErrors.TOKEN_EXPIRED() : null;

const alreadyValid: TokenCheck = ({ notBefore, issuedAt }, { now }) =>
  Math.max(notBefore ?? 0, issuedAt) > now + TOLERANCE_MS
    ? authErrors.TOKEN_INVALID({ message: 'The access token is not valid yet.' })
    : null;

const rightIssuer: TokenCheck = (claims, { issuer }) =>
  issuer !== undefined && claims.issuer !== issuer
    ? authErrors.TOKEN_INVALID({ message: 'The access token comes from another issuer.' })
    : null;

const rightAudience: TokenCheck = ({ audiences }, { audience }) =>
  audience !== undefined && !audiences.includes(audience)
    ? authErrors.TOKEN_INVALID({ message: 'The access token is meant for another service.' })
    : null;

const enoughScope: TokenCheck = ({ scopes }) =>
  scopes.has(REQUIRED_SCOPE) ? null : authErrors.INSUFFICIENT_SCOPE();

/** The checks of every token, over HTTP and on the socket. */
export const TOKEN_CHECKS: readonly TokenCheck[] = [
  notExpired,
  alreadyValid,
  rightIssuer,
  rightAudience,
  enoughScope,
];

/** A connection to the socket channel that is being checked. */
export interface Applicant {
  claims: Claims;
  /** As the client sent it. */
  pluginVersion: unknown;
  /** The stored player; null for a newcomer, who is stored only after the check of the version. */
  known(): Promise<KnownPlayer | null>;
  /** Inserts or updates the player. @throws PLATFORM_ID_TAKEN */
  ensured(): Promise<KnownPlayer>;
  pluginVersions(): Promise<PluginVersions>;
  isDraining(): boolean;
}

type SocketCheck = (applicant: Applicant) => Promise<ServiceError | null>;

const gameToken: SocketCheck = async ({ claims }) =>
  claims.tokenType === GAME_TOKEN ? null : authErrors.TOKEN_TYPE_NOT_ALLOWED();

const verifiedPlatform: SocketCheck = async ({ claims }) =>
  claims.platformId === null ? authErrors.PLATFORM_NOT_VERIFIED() : null;

const versionGiven: SocketCheck = async ({ pluginVersion }) =>
  typeof pluginVersion === 'string' && pluginVersion !== '' ? null : releaseErrors.PLUGIN_VERSION_MISSING();

/** A player finishes a running match with the version it began with. */
const versionAccepted: SocketCheck = async (applicant) => {
  const version = String(applicant.pluginVersion);
  const versions = await applicant.pluginVersions();
  if (isAccepted(versions, version)) return null;
  const known = await applicant.known();
  const running = known?.matchVersion ?? null;
  if (running !== null && isSameVersion(running, version)) return null;
  return notAccepted(versions, version);
};

/** `ensured` throws PLATFORM_ID_TAKEN: only the unique index can decide it. */
const platformIdFree: SocketCheck = async (applicant) => {
  await applicant.ensured();
  return null;
};

const notBanned: SocketCheck = async (applicant) => {
  const { ban } = await applicant.ensured();
  return ban && refusalOf(ban);
};

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

const notDraining: SocketCheck = async (applicant) => {
  if (!applicant.isDraining()) return null;
  const { matchVersion } = await applicant.ensured();
  return matchVersion === null ? commonErrors.DRAINING() : null;
};

/** The further checks of a connection. */
export const SOCKET_CHECKS: readonly SocketCheck[] = [
  gameToken,
  verifiedPlatform,
  versionGiven,
  versionAccepted,
  platformIdFree,
  notBanned,
  notDraining,
];
