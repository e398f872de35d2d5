import type { AdmissionLine } from '../../platform/admission-line.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isOutOfReach, OutOfReach } from '../../platform/database/out-of-reach.ts';
import { commonErrors } from '../../platform/errors.ts';
import { playerOfSubject, type Role } from '../players/index.ts';
import {
  isAccepted,
  isSameVersion,
  notAccepted,
  type PluginVersions,
  pluginVersionOf,
  releaseErrors,
} from '../releases/index.ts';
import { banRefusalOf, GAME_TOKEN_CHECKS, requireAll, TOLERANCE_MS } from './checks.ts';
import type { Claims } from './schemas.ts';
import type { Auth } from './service.ts';

interface AdmissionOptions {
  auth: Auth;
  database: Database;
  clock: Clock;
  pluginVersions(): Promise<PluginVersions>;
  isDraining(): boolean;
  line: Pick<AdmissionLine, 'admit'>;
  /**
   * Called when a person with a good token is refused, or waits long, because the database or this node is busy.
   * @param forMs after how many milliseconds the person may try again; 0: at once
   */
  onPutOff(subject: string, forMs: number): void;
}

/** A longer wait counts as a refusal: the client may time out before the database answers. */
const LONG_WAIT_MS = 1000;

/** A player's connection to the socket channel, as admitted. */
export interface GameSession {
  playerGuid: string;
  /** Digits. */
  platformId: string;
  username: string;
  avatarUrl: string | null;
  roles: readonly Role[];
  /** A semantic version without build metadata. */
  pluginVersion: string;
  gameVersion: string | null;
  /** When the token expires, with the tolerance for clocks; milliseconds since 1970. */
  tokenExpiresAt: number;
}

/** @throws TOKEN_TYPE_NOT_ALLOWED, PLATFORM_NOT_VERIFIED, PLUGIN_VERSION_MISSING */
function pluginOf(claims: Claims, version: unknown): string {
  requireAll(GAME_TOKEN_CHECKS, claims);
  if (typeof version !== 'string' || version === '') throw releaseErrors.PLUGIN_VERSION_MISSING();
  return version;
}

/** Checks connections to the socket channel. */
export function createAdmission(options: AdmissionOptions) {
  const { auth, database, clock, line, pluginVersions, isDraining } = options;

  const admitted = async (
    claims: Claims,
    version: string,
    handshake: Record<string, unknown>,
  ): Promise<GameSession> => {
    const known = await playerOfSubject(database, claims.subject, clock.now());
    const versions = await pluginVersions();
    // A player finishes a running match with the version it began with.
    if (
      !isAccepted(versions, version) &&
      !(known?.matchVersion && isSameVersion(known.matchVersion, version))
    )
      throw notAccepted(versions, version);
    // A newcomer is stored only now.
    const player = await auth.ensured(claims, known);
    const { playerGuid, platformId, username, avatarUrl } = player;
    if (player.ban !== null) throw banRefusalOf(player.ban);
    if (isDraining() && player.matchVersion === null) throw commonErrors.DRAINING();
    const pluginVersion = pluginVersionOf(version);
    if (platformId === null || pluginVersion === null)
      throw new Error('A connection without a platform id or a plugin version passed the checks.');
    return {
      playerGuid,
      platformId,
      username,
      avatarUrl,
      roles: [...auth.rolesOf(claims, player)],
      pluginVersion,
      gameVersion: gameVersionOf(handshake.gameVersion),
      tokenExpiresAt: claims.expiresAt + TOLERANCE_MS,
    };
  };

  /**
   * Admits a connection by its handshake `{ token, pluginVersion, gameVersion? }`.
   * @throws TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, INSUFFICIENT_SCOPE, TOKEN_TYPE_NOT_ALLOWED,
   * PLATFORM_NOT_VERIFIED, PLUGIN_VERSION_MISSING, PLUGIN_VERSION_NOT_ACCEPTED, PLATFORM_ID_TAKEN, BANNED,
   * DRAINING: that of the first check of docs/auth.md that does not pass
   * @throws OutOfReach while the database is busy or its disk is full, or too many players wait; with a good token only
   */
  return async function admitSocket(handshake: Record<string, unknown>): Promise<GameSession> {
    const claims = await auth.verify(handshake.token);
    const putOff = (forMs: number) => options.onPutOff(claims.subject, forMs);
    const tooLong = setTimeout(() => putOff(0), LONG_WAIT_MS);
    try {
      const version = pluginOf(claims, handshake.pluginVersion);
      // Admitted players would take a seat, which fails, and lose the connection at once.
      if (database.isFull()) throw new OutOfReach(new Error('the disk of the database is full'));
      return await line.admit(claims.subject, () => admitted(claims, version, handshake));
    } catch (error) {
      if (isOutOfReach(error)) putOff((error instanceof OutOfReach && error.retryAfterMs) || 0);
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  };
}

/** For the record of a match. A value that is no short text is ignored. */
const gameVersionOf = (given: unknown): string | null =>
  typeof given === 'string' && /^[\x20-\x7e]{1,32}$/.test(given) ? given : null;
