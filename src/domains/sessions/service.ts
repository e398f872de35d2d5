import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { existing, ServiceError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sampleLines } from '../../platform/sampled-log.ts';
import { type Auth, authErrors, hasExpired } from '../auth/index.ts';
import { sharePlayer } from '../players/index.ts';
import { sessionErrors } from './errors.ts';
import { type Provider, ProviderRefusal, type ProviderTokens, wordsOf } from './provider.ts';
import { createRenewal, openToken, sealTokens } from './renewal.ts';
import {
  endOf,
  isRenewalDue,
  isUseWorthNoting,
  LOGIN_MS,
  readReturnTo,
  renewalOf,
  withLoginError,
  withoutLoginError,
} from './rules.ts';
import type { CallbackQuery, LoginError } from './schemas.ts';
import { createSecrets, isToken, newToken } from './secrets.ts';
import * as store from './store.ts';

export interface SessionsOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  auth: Auth;
  provider: Provider;
  config: Pick<Config, 'sessionSecret' | 'idpIssuer'>;
  /** Origins that a login may return to. */
  origins: readonly string[];
  /** Where a login without `returnTo` returns to. */
  defaultReturnTo: string;
  /** Called with the outcome of every login: `ok`, a `loginError`, or `LOGIN_FAILED`. */
  onFinished(outcome: 'ok' | LoginError | 'LOGIN_FAILED'): void;
}

export type Sessions = ReturnType<typeof createService>;

/** The most sessions of one person; another login ends the oldest. */
const MOST_SESSIONS = 20;
/** Characters of a text from outside that the log shows. */
const SHOWN = 200;

/** Logins of browsers: begin, finish, renew, end, and who a cookie belongs to. */
export function createService(options: SessionsOptions) {
  const { config, database, clock, logger, auth, provider, origins, defaultReturnTo, onFinished } = options;
  const db = database.prisma;
  const secrets = createSecrets(config.sessionSecret);
  const sample = sampleLines(clock);
  const renew = createRenewal({ db, clock, logger, auth, provider, secrets });

  /** The principal of these tokens, or the `loginError` to show. */
  async function admitted({ accessToken }: ProviderTokens): Promise<Principal | LoginError> {
    try {
      const principal = await auth.principal(accessToken, { isFromProvider: true });
      await auth.refuseBanned(principal.playerGuid);
      return principal;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'BANNED') return 'banned';
      if (error.code === 'INSUFFICIENT_SCOPE') return 'insufficient_scope';
      const { code, message: reason } = error;
      logger.warn({ code, reason }, 'the provider answered a login with a token that is not good');
      return 'provider_error';
    }
  }

  /** Exchanges a code for tokens. @returns a `loginError` when the provider gives none */
  async function redeemed({ code, error, error_description }: CallbackQuery, verifier: string) {
    if (error === 'access_denied') return 'access_denied';
    if (error !== undefined || code === undefined) {
      const reason =
        error === undefined ? 'no code' : wordsOf({ error, error_description }, [verifier, code ?? '']);
      logger.warn({ reason }, 'the provider refused a login');
      return 'provider_error';
    }
    try {
      return await provider.redeem(code, verifier);
    } catch (refusal) {
      if (!(refusal instanceof ProviderRefusal)) throw refusal;
      logger.warn({ reason: refusal.message }, 'the provider gave no tokens for a login');
      return 'provider_error';
    }
  }

  /**
   * Makes a session and ends the browser's old one, which prevents session fixation.
   * @returns its cookie; null when the person was erased since the token was looked at
   */
  async function start(
    { playerGuid, expiresAt }: Principal,
    tokens: ProviderTokens,
    replaced: string | null,
  ) {
    const [cookie, sessionGuid, now] = [newToken(), newGuid(), clock.now()];
    const life = {
      startedAt: new Date(now),
      accessExpiresAt: new Date(expiresAt),
      renewAt: renewalOf(expiresAt, now),
      refreshToken: tokens.refreshToken,
    };
    const isStored = await inTransaction(database, [], async (tx) => {
      if (!(await sharePlayer(tx, playerGuid))) return false;
      if (isToken(replaced)) await store.endSessionOf(tx, secrets.hashes(replaced));
      await store.insertSession(tx, {
        ...life,
        sessionGuid,
        playerGuid,
        tokenHash: secrets.hash(cookie),
        endsAt: endOf(life, now),
        ...sealTokens(secrets, sessionGuid, tokens),
      });
      await store.trimSessions(tx, playerGuid, MOST_SESSIONS);
      return true;
    });
    if (!isStored) return null;
    logger.info({ playerGuid, sessionGuid }, 'somebody logged in');
    return cookie;
  }

  const ended = () => authErrors.UNAUTHENTICATED({ message: 'This login has ended. Log in again.' });

  const sessionOf = async (cookie: string) =>
    isToken(cookie) ? store.findSession(db, secrets.hashes(cookie), clock.now()) : null;

  /** The principal of a session's access token, as if it had come as a bearer token. */
  async function principalOf(session: store.StoredSession) {
    const token = existing(openToken(secrets, session, 'accessToken'), ended);
    return auth.principal(token, { mayInsert: false }).catch((error: unknown) => {
      // Erased a moment ago.
      throw error instanceof ServiceError && error.code === 'PLAYER_NOT_FOUND' ? ended() : error;
    });
  }

  /** The same. A token that expires soon or is refused is renewed first. @throws as `principal` of {@link createService} */
  async function currentPrincipal(given: store.StoredSession) {
    const now = clock.now();
    const isDue = isRenewalDue(given, now);
    const session = isDue
      ? existing(await renew(given, !hasExpired(given.accessExpiresAt.getTime(), now)), ended)
      : given;
    try {
      return { session, principal: await principalOf(session) };
    } catch (error) {
      if (!(error instanceof ServiceError) || session.refreshToken === null) throw error;
      if (error.code === 'TOKEN_EXPIRED')
        throw authErrors.TOKEN_EXPIRED({
          message: 'This login could not be renewed just now. Try again soon.',
        });
      // The provider may have changed its key since. An expired token was renewed above.
      if (error.code !== 'TOKEN_INVALID' || isDue) throw error;
      const renewed = existing(await renew(session, false), ended);
      return { session: renewed, principal: await principalOf(renewed) };
    }
  }

  /** Extends a session, and encrypts its tokens again with the newest key. */
  async function noteUse(session: store.StoredSession, cookie: string) {
    const now = clock.now();
    const tokenHash = secrets.hash(cookie);
    const isOutdated = session.tokenHash !== tokenHash || secrets.isOutdated(session.accessToken);
    if (!isOutdated && !isUseWorthNoting(session, now)) return session.endsAt;
    const endsAt = endOf(session, now);
    const opened = {
      accessToken: openToken(secrets, session, 'accessToken') ?? '',
      refreshToken: openToken(secrets, session, 'refreshToken'),
    };
    const resealed = isOutdated && sealTokens(secrets, session.sessionGuid, opened);
    await store.changeSession(db, session, { tokenHash, endsAt, ...resealed });
    return endsAt;
  }

  return {
    /** The player of a session cookie, whatever its access token is worth; null without one, and when the session has ended. */
    playerOf: async (cookie: string | null) =>
      cookie === null ? null : ((await sessionOf(cookie))?.playerGuid ?? null),

    /**
     * Begins a login.
     * @returns where to send the browser, and the code verifier (RFC 7636, 4.1) that only this browser keeps: a stolen
     *   code is useless without it, even to somebody who reads the database
     * @throws RETURN_TO_NOT_ALLOWED
     */
    begin: async (given: string | undefined) => {
      const returnTo = existing(
        given === undefined ? defaultReturnTo : readReturnTo(given, origins),
        sessionErrors.RETURN_TO_NOT_ALLOWED,
      );
      const [state, verifier] = [newToken(), newToken()];
      await store.insertPendingLogin(db, {
        stateHash: secrets.hash(state),
        verifierHash: secrets.hash(verifier),
        returnTo: withoutLoginError(returnTo),
        expiresAt: new Date(clock.now() + LOGIN_MS),
      });
      return { location: provider.authorizeUrl(state, verifier), state, verifier };
    },

    /**
     * Finishes a login with the provider's answer. The `state` is used up, also when the login is refused. An answer from another
     * provider, or in another browser, leaves it.
     * @param verifier what `begin` gave this browser
     * @param replaced the cookie of the browser's old session
     * @returns where to send the browser, and its session cookie; null when the login was refused, and the address
     *   has `loginError`
     * @throws LOGIN_FAILED
     */
    finish: async (
      answer: CallbackQuery,
      { verifier, replaced }: { verifier: string | undefined; replaced: string | null },
    ) => {
      const { state, iss } = answer;
      const failed = () => {
        onFinished('LOGIN_FAILED');
        return sessionErrors.LOGIN_FAILED();
      };
      if (!isToken(state) || !isToken(verifier)) throw failed();
      // The answer comes from another provider than the one that was asked (RFC 9207, 2.4).
      if (iss !== undefined && config.idpIssuer !== undefined && iss !== config.idpIssuer) {
        const line = sample('issuer');
        const issuers = { expected: config.idpIssuer, received: iss.slice(0, SHOWN) };
        if (line)
          logger.warn({ ...issuers, ...line }, 'a login was answered by another issuer than IDP_ISSUER');
        throw failed();
      }
      const pending = await store.takePendingLogin(db, {
        stateHashes: secrets.hashes(state),
        verifierHashes: secrets.hashes(verifier),
        now: clock.now(),
      });
      if (pending === null) throw failed();
      const refused = (error: LoginError) => {
        onFinished(error);
        return { location: withLoginError(pending.returnTo, error), cookie: null };
      };
      const tokens = await redeemed(answer, verifier);
      if (typeof tokens === 'string') return refused(tokens);
      const principal = await admitted(tokens);
      if (typeof principal === 'string') return refused(principal);
      const cookie = await start(principal, tokens, replaced);
      if (cookie === null) return refused('provider_error');
      onFinished('ok');
      return { location: pending.returnTo, cookie };
    },

    /**
     * The principal of a session cookie. The access token passes the same checks as a bearer token and is renewed
     * before it expires. `expiresAt` is the end of the session.
     * @throws UNAUTHENTICATED when the session ended; TOKEN_EXPIRED when it has to be renewed and cannot be;
     *   TOKEN_INVALID when the provider's keys changed and it cannot be renewed; INSUFFICIENT_SCOPE
     */
    principal: async (cookie: string): Promise<Principal> => {
      const found = existing(await sessionOf(cookie), ended);
      const { session, principal } = await currentPrincipal(found);
      const endsAt = await noteUse(session, cookie);
      return { ...principal, expiresAt: endsAt.getTime() };
    },

    /** Ends the session of a cookie, if there is one. */
    end: async (cookie: string | null) => {
      if (isToken(cookie)) await store.endSessionOf(db, secrets.hashes(cookie));
    },

    /** Ends every session of a person. @throws UNAUTHENTICATED for null: nobody is signed in */
    endAll: async (playerGuid: string | null) => {
      if (playerGuid === null) throw ended();
      await store.endSessionsOfPlayer(db, playerGuid);
      logger.info({ playerGuid }, 'somebody logged out everywhere');
    },
  };
}
