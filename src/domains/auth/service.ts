import type { FastifyBaseLogger } from 'fastify';
import { compactVerify, decodeProtectedHeader, errors as jose } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { recordAudit } from '../audit/index.ts';
import {
  ensurePlayer,
  type Identity,
  type KnownPlayer,
  ownerOfPlatformId,
  playerOfSubject,
  ROLES,
  type Role,
} from '../players/index.ts';
import { banRefusal, GAME_TOKEN, TOKEN_CHECKS } from './checks.ts';
import { authErrors } from './errors.ts';
import type { IdentityKeys } from './keys.ts';
import { type Claims, claims as claimsSchema } from './schemas.ts';
import { isRefusalTold, takeRefusal } from './store.ts';
import { type Sight, type Verdict, Verdicts } from './verdicts.ts';

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
 * How long a look at a person is good: what another node granted or revoked counts here after this. A ban is
 * looked for before every write, so for it this is no delay at all.
 */
const SIGHT_MS = 500;

/** Who somebody is: tokens, verified here with the provider's public key, and the roles that follow. */
export function createService(options: AuthOptions) {
  const { database, clock, logger, keys, issuer, audience, adminSubjects } = options;
  const db = database.prisma;
  const verdicts = new Verdicts();
  let verdictsOf = keys.generation();
  /** Those that the present keys gave. */
  const verdictsNow = (): Verdicts => {
    if (verdictsOf !== keys.generation()) {
      verdicts.clear();
      verdictsOf = keys.generation();
    }
    return verdicts;
  };
  /** Grows whenever roles were changed here: looks from before do not count. */
  let era = 0;

  /** The signed bytes, or null when no key of ours made the signature. @throws TOKEN_INVALID when malformed. */
  async function signedBytes(token: string): Promise<Uint8Array | null> {
    try {
      const { alg, kid } = decodeProtectedHeader(token);
      if (alg !== 'RS256') throw authErrors.TOKEN_INVALID();
      for (const key of keys.candidates(kid)) {
        const verified = await compactVerify(token, key, { algorithms: ['RS256'] }).catch(
          (error: unknown) => {
            if (error instanceof jose.JWSSignatureVerificationFailed) return null;
            throw error;
          },
        );
        if (verified !== null) return verified.payload;
      }
      return null;
    } catch (cause) {
      throw authErrors.TOKEN_INVALID({ cause });
    }
  }

  async function wellSigned(token: string): Promise<Claims> {
    let bytes = await signedBytes(token);
    if (bytes === null && (await keys.refresh())) bytes = await signedBytes(token);
    if (bytes === null) throw authErrors.TOKEN_INVALID();
    const parsed = claimsSchema.safeParse(parseJson(bytes));
    if (!parsed.success) throw authErrors.TOKEN_INVALID({ cause: parsed.error });
    return parsed.data;
  }

  async function judge(token: unknown): Promise<Verdict> {
    if (token === undefined || token === null || token === '') throw authErrors.TOKEN_MISSING();
    if (typeof token !== 'string' || token.length > BOUNDS.token.value) throw authErrors.TOKEN_INVALID();
    const remembered = verdictsNow().get(token, clock.now());
    if (remembered !== undefined) return remembered;

    const claims = await wellSigned(token);
    for (const check of TOKEN_CHECKS) {
      const refusal = check(claims, { now: clock.now(), issuer, audience });
      if (refusal !== null) throw refusal;
    }
    return verdictsNow().add(token, claims);
  }

  /**
   * Verifies an access token.
   * @throws TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, INSUFFICIENT_SCOPE, in this order of checks.
   */
  const verify = async (token: unknown): Promise<Claims> => (await judge(token)).claims;

  const rolesOf = (claims: Claims, player: KnownPlayer): ReadonlySet<Role> => {
    const held = new Set([...claims.roles, ...player.grantedRoles]);
    if (adminSubjects.includes(claims.subject)) held.add('role:admin');
    return new Set(ROLES.filter((role) => held.has(role)));
  };

  /** Leaves the staff a trace of two people with one platform account: one of them may not be who they say. */
  async function report({ subject, platformId }: Claims): Promise<void> {
    if (platformId === null) return;
    const refusal = { platformId, subject, at: clock.now() };
    if (await isRefusalTold(db, refusal)) return;
    const isNew = await inTransaction(database, [], async (tx) => {
      if (!(await takeRefusal(tx, refusal))) return false;
      const owner = await ownerOfPlatformId(tx, platformId);
      const refused = await playerOfSubject(tx, subject);
      await recordAudit(tx, {
        at: refusal.at,
        actorGuid: refused?.playerGuid ?? null,
        action: 'refusePlatformId',
        target: `/players/${owner?.playerGuid}`,
        before: { platformId },
        after: { refusedSubject: subject },
      });
      return true;
    });
    if (isNew) logger.warn({ platformId, subject }, 'a platform id belongs to another subject');
  }

  /** The player of a token, made or brought up to date. @throws PLATFORM_ID_TAKEN, which staff hear of */
  async function ensured(claims: Claims): Promise<KnownPlayer> {
    try {
      return await ensurePlayer(database, identityOf(claims), clock.now());
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'PLATFORM_ID_TAKEN') await report(claims);
      throw error;
    }
  }

  /**
   * The player over HTTP. A platform id that belongs to somebody else is left out instead of refused: that
   * refusal is the socket's, and a website's visitor can do nothing about it.
   */
  async function visitor(claims: Claims): Promise<KnownPlayer> {
    try {
      return await ensured(claims);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'PLATFORM_ID_TAKEN')) throw error;
      return ensurePlayer(database, { ...identityOf(claims), platformId: null }, clock.now());
    }
  }

  async function lookUp(claims: Claims): Promise<Principal> {
    const player = await visitor(claims);
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
     * Who a bearer token speaks for, where that was looked up within the last half second; null: ask
     * `principal`. For the many requests that need no wait: a promise for each costs more than this.
     */
    principalNow: (token: string): Principal | null => {
      const sight = verdictsNow().get(token, clock.now())?.sight;
      return sight?.era === era && performance.now() - sight.at < SIGHT_MS ? sight.seen : null;
    },

    /** Who a bearer token speaks for, as of half a second ago at most. @throws as `verify`. */
    principal: async (token: unknown): Promise<Principal> => {
      const verdict = await judge(token);
      const last = verdict.sight;
      if (last !== null && last.era === era && performance.now() - last.at < SIGHT_MS) return last.principal;
      const sight: Sight = { at: performance.now(), era, principal: lookUp(verdict.claims), seen: null };
      verdict.sight = sight;
      sight.principal.then(
        (principal) => {
          sight.seen = principal;
        },
        () => {
          // A look that failed says nothing about the person.
          if (verdict.sight === sight) verdict.sight = null;
        },
      );
      return sight.principal;
    },

    /** Roles were changed: everybody is looked up anew. */
    forgetRoles: (): void => {
      era += 1;
    },

    /** @throws BANNED */
    refuseBanned: async (playerGuid: string): Promise<void> => {
      const refusal = await banRefusal(db, playerGuid, clock.now());
      if (refusal !== null) throw refusal;
    },
  };
}

/** What a token says about a person. A plugin's token does not speak of roles: the game is not for staff work. */
export const identityOf = (claims: Claims): Identity => ({
  subject: claims.subject,
  platformId: claims.platformId,
  username: claims.username,
  avatarUrl: claims.avatarUrl,
  providerRoles: claims.tokenType === GAME_TOKEN ? null : claims.roles,
  issuedAt: claims.issuedAt,
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw authErrors.TOKEN_INVALID({ cause });
  }
}
