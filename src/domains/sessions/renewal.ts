import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Auth } from '../auth/index.ts';
import { type Provider, ProviderRefusal, type ProviderTokens } from './provider.ts';
import { endOf, renewalOf } from './rules.ts';
import type { Secrets } from './secrets.ts';
import { changeSession, claimRenewal, endSession, readSession, type StoredSession } from './store.ts';

/**
 * The lease of a renewal, longer than two requests to the provider (20 s) and the storing of what it gave (a connection and
 * a statement, 19 s) may take. After a crash nobody renews the tokens for this long; who waits then is the next to try.
 */
const HOLD_MS = 40_000;
/** How long a request waits for the renewal of another node. */
const WAIT_MS = 20_000;
/** No further renewal is tried for this long after the provider failed, so that requests do not wait for it. */
const RETRY_MS = 10_000;
/** How often a request that needs a new token looks whether another node has stored one. */
const LOOK_MS = 100;
/** The most sessions in memory whose renewal could not be stored. */
const MOST_UNSTORED = 1000;

interface RenewalOptions {
  db: Db;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  auth: Pick<Auth, 'principal'>;
  provider: Pick<Provider, 'renew'>;
  secrets: Secrets;
}

type Column = 'accessToken' | 'refreshToken';

/** Row and column of a session's token: additional data of its encryption, so it cannot be decrypted elsewhere. */
const placeOf = (sessionGuid: string, column: Column): string => `${sessionGuid} ${column}`;

/** Encrypts a session's tokens. */
export const sealTokens = (secrets: Secrets, sessionGuid: string, tokens: ProviderTokens) => ({
  accessToken: secrets.seal(tokens.accessToken, placeOf(sessionGuid, 'accessToken')),
  refreshToken:
    tokens.refreshToken && secrets.seal(tokens.refreshToken, placeOf(sessionGuid, 'refreshToken')),
});

/** Decrypts a token of a session; null: there is none, or no key decrypts it. */
export function openToken(secrets: Secrets, session: StoredSession, column: Column): string | null {
  const sealed = session[column];
  return sealed && secrets.open(sealed, placeOf(session.sessionGuid, column));
}

const OF_SOMEBODY_ELSE = 'the provider renewed it with a token of somebody else';

/** Why a failed renewal ends the login, by the provider's word; null: it may be tried again. */
function endingOf(error: unknown): string | null {
  if (error instanceof ProviderRefusal) return error.isFinal ? 'the provider ended it' : null;
  if (!(error instanceof ServiceError)) return null;
  if (error.code === 'PLAYER_NOT_FOUND') return OF_SOMEBODY_ELSE;
  return error.code === 'INSUFFICIENT_SCOPE' ? 'the provider took the scope away' : null;
}

/**
 * Renews the tokens of a session, one request to the provider at a time over all nodes. A provider that rotates
 * refresh tokens takes a second use of an old one for theft and ends the login.
 */
export function createRenewal({ db, clock, logger, auth, provider, secrets }: RenewalOptions) {
  /** Renewals under way in this process, by session: requests that need the token share one. */
  const running = new Map<string, Promise<StoredSession | null>>();

  /** New refresh tokens of the provider that are not stored yet, by the stored token that they replace. */
  const unstored = new Map<string, string>();

  /** Leases of this node that could not be given back because the database failed: the version of each session. */
  const abandoned = new Map<string, number>();

  /** Spends a refresh token and stores the next one, before anything else that may fail. */
  async function spend(session: StoredSession, stored: string) {
    const tokens = await provider.renew(unstored.get(stored) ?? stored);
    unstored.set(stored, tokens.refreshToken);
    dropOldest(unstored, MOST_UNSTORED);
    const { refreshToken } = sealTokens(secrets, session.sessionGuid, tokens);
    const version = session.version + 1;
    await changeSession(db, session, { refreshToken, version });
    unstored.delete(stored);
    return { tokens, kept: { ...session, refreshToken, version } };
  }

  /** Asks the provider; the caller holds the lease. @returns the session, with its old tokens when the provider failed; null when it ended */
  async function ask(claimed: StoredSession) {
    let session = claimed;
    const { sessionGuid } = session;
    const refreshToken = openToken(secrets, session, 'refreshToken');
    if (refreshToken === null) return end(session, 'its tokens were encrypted with another key');
    try {
      const { tokens, kept } = await spend(session, refreshToken);
      session = kept;
      const principal = await auth.principal(tokens.accessToken, { mayInsert: false, isFromProvider: true });
      if (principal.playerGuid !== session.playerGuid) return end(session, OF_SOMEBODY_ELSE);
      const now = clock.now();
      const accessExpiresAt = new Date(principal.expiresAt);
      await changeSession(db, session, {
        ...sealTokens(secrets, sessionGuid, tokens),
        accessExpiresAt,
        renewAt: renewalOf(principal.expiresAt, now),
        endsAt: endOf({ ...session, accessExpiresAt }, now),
        version: session.version + 1,
        renewalHeldUntil: null,
        renewalFailed: false,
      });
    } catch (error) {
      const ending = endingOf(error);
      if (ending !== null) return end(session, ending);
      const renewalHeldUntil = new Date(clock.now() + RETRY_MS);
      await giveBack(session, changeSession(db, session, { renewalHeldUntil, renewalFailed: true }));
      if (!(error instanceof ProviderRefusal || error instanceof ServiceError)) throw error;
      logger.warn({ reason: error.message, sessionGuid }, 'a login could not be renewed');
    }
    return readSession(db, sessionGuid);
  }

  /** Ends the lease with this write. When the database fails, this node may take the lease again at once. */
  async function giveBack({ sessionGuid, version }: StoredSession, write: Promise<unknown>) {
    try {
      await write;
    } catch (error) {
      abandoned.set(sessionGuid, version);
      dropOldest(abandoned, MOST_UNSTORED);
      throw error;
    }
  }

  async function end(session: StoredSession, reason: string) {
    logger.info({ reason, sessionGuid: session.sessionGuid }, 'a login has ended');
    await giveBack(session, endSession(db, session));
    return null;
  }

  async function renewOnce(given: StoredSession, isGood: boolean) {
    const { sessionGuid } = given;
    let session = given;
    for (let waited = 0; ; waited += LOOK_MS) {
      const now = clock.now();
      const isOurs = abandoned.get(sessionGuid) === session.version;
      const claimed = await claimRenewal(db, session, { now, until: now + HOLD_MS, isOurs });
      if (claimed !== null) return ask(claimed);
      const current = await readSession(db, sessionGuid);
      if (current === null || current.renewalHeldUntil === null || current.renewalFailed) return current;
      // Another node renews it. A request with an accepted token does not wait.
      if (isGood || waited >= WAIT_MS) return current;
      await delay(LOOK_MS);
      session = current;
    }
  }

  /**
   * @param isGood whether the present token is still accepted
   * @returns the session with its present tokens, renewed unless the provider failed; null when it ended
   */
  return function renew(session: StoredSession, isGood: boolean): Promise<StoredSession | null> {
    const { sessionGuid } = session;
    const under = running.get(sessionGuid);
    if (under !== undefined) return isGood ? Promise.resolve(session) : under;
    const begun = renewOnce(session, isGood).finally(() => running.delete(sessionGuid));
    running.set(sessionGuid, begun);
    return begun;
  };
}
