import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { recordAudit } from '../audit/index.ts';
import {
  activeBan,
  ensurePlayer,
  type Identity,
  type KnownPlayer,
  ownerOfPlatformId,
  playerOfSubject,
  ROLES,
  type Role,
} from '../players/index.ts';
import { banRefusalOf, GAME_TOKEN, requireAll, tokenChecks } from './checks.ts';
import { authErrors } from './errors.ts';
import type { IdentityKeys } from './keys.ts';
import type { Claims } from './schemas.ts';
import { isRefusalLogged, takeRefusal } from './store.ts';
import { claimsIn, signedBytes, tokenText } from './token.ts';
import { type Lookup, TokenCache } from './token-cache.ts';

export interface AuthOptions {
  database: Database;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  keys: IdentityKeys;
  /** Expected issuer and audience; undefined: not checked. */
  issuer: string | undefined;
  audience: string | undefined;
  /** Subjects that are admins by configuration. */
  adminSubjects: readonly string[];
}

export type Auth = ReturnType<typeof createService>;

/**
 * How long the lookup of a player is valid: roles that another node granted or revoked count here after this time. Bans are
 * looked up before every write.
 */
const LOOKUP_MS = 500;

const isTaken = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'PLATFORM_ID_TAKEN';

/** Verifies access tokens with the public key of the provider, and finds their players and roles. */
export function createService(options: AuthOptions) {
  const { database, clock, logger, keys, issuer, audience, adminSubjects } = options;
  /** Under each token stands the generation of the keys that it fits: what was checked by earlier keys is not found. */
  const tokens = new TokenCache();
  const cached = (token: string) => tokens.get(`${keys.generation()} ${token}`, clock.now());
  /** Grows with every change of roles on this node, which invalidates earlier lookups. */
  let rolesGeneration = 0;
  const isValid = (lookup: Lookup | null | undefined): lookup is Lookup =>
    lookup?.generation === rolesGeneration && performance.now() - lookup.at < LOOKUP_MS;

  /** The claims of a token, and the generation of the keys that its signature fits. */
  async function wellSigned(token: string, isFromProvider: boolean) {
    let generation = keys.generation();
    let bytes = await signedBytes(token, keys.candidates);
    if (bytes === null && (await keys.refresh(generation, isFromProvider))) {
      generation = keys.generation();
      bytes = await signedBytes(token, keys.candidates);
    }
    if (bytes === null) throw authErrors.TOKEN_INVALID();
    return { claims: claimsIn(bytes), generation };
  }

  async function checked(token: unknown, isFromProvider = false) {
    const text = tokenText(token);
    const known = cached(text);
    if (known !== undefined) return known;

    const { claims, generation } = await wellSigned(text, isFromProvider);
    requireAll(tokenChecks({ now: clock.now(), issuer, audience }), claims);
    return tokens.add(`${generation} ${text}`, claims);
  }

  /**
   * Verifies an access token, by the checks of docs/auth.md in their order.
   * @throws TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, INSUFFICIENT_SCOPE
   */
  const verify = async (token: unknown) => (await checked(token)).claims;

  const rolesOf = (claims: Claims, player: KnownPlayer): ReadonlySet<Role> => {
    const held = new Set([...claims.roles, ...player.grantedRoles]);
    if (adminSubjects.includes(claims.subject)) held.add('role:admin');
    return new Set(ROLES.filter((role) => held.has(role)));
  };

  /** Writes to the audit log that two people claim one platform account. */
  async function report({ subject, platformId }: Claims) {
    if (platformId === null) return;
    const refusal = { platformId, subject, at: clock.now() };
    if (await isRefusalLogged(database.prisma, refusal)) return;
    const isNew = await inTransaction(database, [], async (tx) => {
      const owner = await ownerOfPlatformId(tx, platformId);
      // The owner was erased or has another platform id since.
      if (owner === null || !(await takeRefusal(tx, refusal))) return false;
      const refused = await playerOfSubject(tx, subject, refusal.at);
      await recordAudit(tx, {
        at: refusal.at,
        actorGuid: refused?.playerGuid ?? null,
        action: 'refusePlatformId',
        target: `/players/${owner.playerGuid}`,
        before: { platformId },
        after: { refusedSubject: subject },
      });
      return true;
    });
    if (isNew) logger.warn({ platformId, subject }, 'a platform id belongs to another subject');
  }

  /**
   * The player of a token, inserted or updated.
   * @param known the stored player, if it was just read; null: there is none
   * @throws PLATFORM_ID_TAKEN, after reporting it to staff
   */
  async function ensured(claims: Claims, known?: KnownPlayer | null, mayInsert = true) {
    try {
      return await ensurePlayer(database, identityOf(claims), clock.now(), known, mayInsert);
    } catch (error) {
      if (isTaken(error)) await report(claims);
      throw error;
    }
  }

  /**
   * The player over HTTP. A platform id that belongs to somebody else is ignored: only the socket refuses it, because a
   * visitor of a website can do nothing about it.
   */
  async function ensuredOverHttp(claims: Claims, mayInsert: boolean) {
    try {
      return await ensured(claims, undefined, mayInsert);
    } catch (error) {
      if (!isTaken(error)) throw error;
      return ensured({ ...claims, platformId: null }, undefined, mayInsert);
    }
  }

  async function lookUp(claims: Claims, mayInsert: boolean): Promise<Principal> {
    const player = await ensuredOverHttp(claims, mayInsert);
    return {
      playerGuid: player.playerGuid,
      subject: claims.subject,
      roles: rolesOf(claims, player),
      tokenType: claims.tokenType,
      platformId: player.platformId,
      username: player.username,
      avatarUrl: player.avatarUrl,
      expiresAt: claims.expiresAt,
    };
  }

  return {
    verify,
    rolesOf,
    ensured,

    /**
     * The cached player of a bearer token; null: ask `principal`. Without a promise, which makes a read with a token about
     * 12 % faster (`npm run bench -- auth`).
     */
    cachedPrincipal: (token: string) => {
      const lookup = cached(token)?.lookup;
      return isValid(lookup) ? lookup.result : null;
    },

    /**
     * The player of a token as of half a second ago at most.
     * @param mayInsert false for a token of a login: no request of it makes a new player of an erased one
     * @param isFromProvider the provider has just answered a login or its renewal with this token: a changed key is asked for
     *   at once, and a game token is refused
     * @throws as `verify`; TOKEN_INVALID; PLAYER_NOT_FOUND when none may be inserted
     */
    principal: async (token: unknown, { mayInsert = true, isFromProvider = false } = {}) => {
      const found = await checked(token, isFromProvider);
      if (isFromProvider && found.claims.tokenType === GAME_TOKEN)
        throw authErrors.TOKEN_INVALID({ message: 'A game token is not for the login of a browser.' });
      if (isValid(found.lookup)) return found.lookup.principal;
      const lookup: Lookup = {
        at: performance.now(),
        generation: rolesGeneration,
        principal: lookUp(found.claims, mayInsert),
        result: null,
      };
      found.lookup = lookup;
      lookup.principal.then(
        (principal) => {
          lookup.result = principal;
        },
        () => {
          // A failed lookup is not cached.
          if (found.lookup === lookup) found.lookup = null;
        },
      );
      return lookup.principal;
    },

    /** Invalidates all lookups after a change of roles or an erasure. */
    forgetRoles: () => {
      rolesGeneration += 1;
    },

    /** @throws BANNED */
    refuseBanned: async (playerGuid: string) => {
      const ban = await activeBan(database, playerGuid, clock.now());
      if (ban !== null) throw banRefusalOf(ban);
    },
  };
}

/** The claims of a token about a person. A plugin's token has no statement about roles. */
const identityOf = (claims: Claims): Identity => ({
  subject: claims.subject,
  platformId: claims.platformId,
  username: claims.username,
  avatarUrl: claims.avatarUrl,
  providerRoles: claims.tokenType === GAME_TOKEN ? null : claims.roles,
  issuedAt: claims.issuedAt,
});
