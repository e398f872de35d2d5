import { isoTime } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { activeBan, type KnownPlayer } from '../players/index.ts';
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
 * A login as lists of small checks. Their order is the contract's, the first that fails answers. Before
 * them come `present` and `well signed` (service.ts), which turn a token into claims.
 */

export const GAME_TOKEN = 'platform:game';
const REQUIRED_SCOPE = 'service';
/** Clocks of different machines differ by less. */
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

/** What every token has to pass, over HTTP and on the socket. */
export const TOKEN_CHECKS: readonly TokenCheck[] = [
  notExpired,
  alreadyValid,
  rightIssuer,
  rightAudience,
  enoughScope,
];

/** Somebody at the door of the socket channel. */
export interface Applicant {
  claims: Claims;
  /** As the client sent it. */
  pluginVersion: unknown;
  now: number;
  db: Db;
  /** The player, once somebody looked; the version is judged before anything is stored of a newcomer. */
  known(): Promise<KnownPlayer | null>;
  /** Makes the player or follows what changed. @throws PLATFORM_ID_TAKEN */
  ensured(): Promise<KnownPlayer>;
  pluginVersions(): Promise<PluginVersions>;
  /** The version a running match of this player began with, or null without one. */
  runningMatchVersion(playerGuid: string): Promise<string | null>;
  isDraining(): boolean;
}

type SocketCheck = (applicant: Applicant) => Promise<ServiceError | null>;

const gameToken: SocketCheck = async ({ claims }) =>
  claims.tokenType === GAME_TOKEN ? null : authErrors.TOKEN_TYPE_NOT_ALLOWED();

const verifiedPlatform: SocketCheck = async ({ claims }) =>
  claims.platformId === null ? authErrors.PLATFORM_NOT_VERIFIED() : null;

const versionGiven: SocketCheck = async ({ pluginVersion }) =>
  typeof pluginVersion === 'string' && pluginVersion !== '' ? null : releaseErrors.PLUGIN_VERSION_MISSING();

/** Whoever is in the middle of a match finishes it with the version it began with. */
const versionAccepted: SocketCheck = async (applicant) => {
  const version = String(applicant.pluginVersion);
  const versions = await applicant.pluginVersions();
  if (isAccepted(versions, version)) return null;
  const known = await applicant.known();
  const running = known && (await applicant.runningMatchVersion(known.playerGuid));
  if (running !== null && isSameVersion(running, version)) return null;
  return notAccepted(versions, version);
};

/** `ensured` throws PLATFORM_ID_TAKEN itself: only the unique index can tell for sure. */
const platformIdFree: SocketCheck = async (applicant) => {
  await applicant.ensured();
  return null;
};

const notBanned: SocketCheck = async (applicant) => {
  const { playerGuid } = await applicant.ensured();
  return banRefusal(applicant.db, playerGuid, applicant.now);
};

/** The refusal of somebody who is banned, saying until when and why; null for everybody else. */
export async function banRefusal(db: Db, playerGuid: string, now: number): Promise<ServiceError | null> {
  const ban = await activeBan(db, playerGuid, now);
  if (ban === null) return null;
  const end = ban.until === null ? 'for good' : `until ${isoTime(ban.until)}`;
  return authErrors.BANNED({ message: `You are banned ${end}: ${ban.reason}` });
}

const notDraining: SocketCheck = async (applicant) => {
  if (!applicant.isDraining()) return null;
  const { playerGuid } = await applicant.ensured();
  return (await applicant.runningMatchVersion(playerGuid)) === null ? commonErrors.DRAINING() : null;
};

/** What a connection has to pass beyond that. */
export const SOCKET_CHECKS: readonly SocketCheck[] = [
  gameToken,
  verifiedPlatform,
  versionGiven,
  versionAccepted,
  platformIdFree,
  notBanned,
  notDraining,
];
