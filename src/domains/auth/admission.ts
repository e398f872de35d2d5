import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/outage.ts';
import { type KnownPlayer, playerOfSubject, type Role } from '../players/index.ts';
import { pluginVersionOf } from '../releases/index.ts';
import { type Applicant, SOCKET_CHECKS, TOLERANCE_MS } from './checks.ts';
import type { Claims } from './schemas.ts';
import type { Auth } from './service.ts';

interface AdmissionOptions extends Pick<Applicant, 'pluginVersions' | 'isDraining'> {
  auth: Auth;
  /** Called when a person with a good token is refused, or waits long, because the database is busy. */
  onPutOff(subject: string): void;
  database: Database;
  clock: Clock;
}

/** A longer wait counts like a refusal: the client may give up before the database answers. */
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

/** Checks connections to the socket channel. */
export function createAdmission(options: AdmissionOptions) {
  const { auth, database, clock } = options;

  const admitted = async (claims: Claims, handshake: Record<string, unknown>): Promise<GameSession> => {
    let known: Promise<KnownPlayer | null> | undefined;
    let player: Promise<KnownPlayer> | undefined;
    const applicant: Applicant = {
      claims,
      pluginVersion: handshake.pluginVersion,
      known: () => {
        known ??= playerOfSubject(database, claims.subject, clock.now());
        return known;
      },
      ensured: () => {
        player ??= applicant.known().then((found) => auth.ensured(claims, found));
        return player;
      },
      pluginVersions: options.pluginVersions,
      isDraining: options.isDraining,
    };
    for (const check of SOCKET_CHECKS) {
      const refusal = await check(applicant);
      if (refusal !== null) throw refusal;
    }
    const ensured = await applicant.ensured();
    const { playerGuid, platformId, username, avatarUrl } = ensured;
    const pluginVersion = pluginVersionOf(String(handshake.pluginVersion));
    if (platformId === null || pluginVersion === null)
      throw new Error('A connection without a platform id or a plugin version passed the checks.');
    return {
      playerGuid,
      platformId,
      username,
      avatarUrl,
      roles: [...auth.rolesOf(claims, ensured)],
      pluginVersion,
      gameVersion: gameVersionOf(handshake.gameVersion),
      tokenExpiresAt: claims.expiresAt + TOLERANCE_MS,
    };
  };

  /**
   * Admits a connection by its handshake `{ token, pluginVersion, gameVersion? }`.
   * @throws TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, INSUFFICIENT_SCOPE, TOKEN_TYPE_NOT_ALLOWED,
   * PLATFORM_NOT_VERIFIED, PLUGIN_VERSION_MISSING, PLUGIN_VERSION_NOT_ACCEPTED, PLATFORM_ID_TAKEN, BANNED,
   * DRAINING: the first that applies, in this order
   */
  return async function admitSocket(handshake: Record<string, unknown>): Promise<GameSession> {
    const claims = await auth.verify(handshake.token);
    const putOff = () => options.onPutOff(claims.subject);
    const tooLong = setTimeout(putOff, LONG_WAIT_MS);
    try {
      return await admitted(claims, handshake);
    } catch (error) {
      if (isOutOfReach(error)) putOff();
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  };
}

/** For the record of a match. A value that is no short text is ignored. */
const gameVersionOf = (given: unknown): string | null =>
  typeof given === 'string' && /^[\x20-\x7e]{1,32}$/.test(given) ? given : null;
