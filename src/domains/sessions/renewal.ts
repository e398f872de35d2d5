import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Auth } from '../auth/index.ts';
import { type Provider, ProviderRefusal, type ProviderTokens } from './provider.ts';
import { endOf, renewalOf } from './rules.ts';
import type { Secrets } from './secrets.ts';
import {
  endSession,
  holdRenewal,
  noteFailedRenewal,
  readSession,
  type StoredSession,
  saveTokens,
} from './store.ts';

/** Longer than the provider may take. After a crash in the middle, others wait as long. */
const HOLD_MS = 20_000;
/** A provider that just failed is left alone for so long: nobody waits for it with every request. */
const RETRY_MS = 10_000;
/** How often somebody who cannot do without looks whether another node is done. */
const LOOK_MS = 100;

interface RenewalOptions {
  db: Db;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  auth: Pick<Auth, 'principal'>;
  provider: Pick<Provider, 'renew'>;
  secrets: Secrets;
}

/** Where a session's tokens are kept: they can be decrypted nowhere else. */
export const placeOf = (sessionGuid: string, column: 'accessToken' | 'refreshToken'): string =>
  `${sessionGuid} ${column}`;

/** Encrypts a session's tokens. */
export const sealTokens = (secrets: Secrets, sessionGuid: string, tokens: ProviderTokens) => ({
  accessToken: secrets.seal(tokens.accessToken, placeOf(sessionGuid, 'accessToken')),
  refreshToken:
    tokens.refreshToken && secrets.seal(tokens.refreshToken, placeOf(sessionGuid, 'refreshToken')),
});

/**
 * Gets new tokens for a session: one request to the provider at a time, over all nodes. A provider that
 * gives a new refresh token each time takes a second use of the old one for a theft and ends the login.
 */
export function createRenewal({ db, clock, logger, auth, provider, secrets }: RenewalOptions) {
  /** Renewals of this process by their session: who cannot do without waits for the same one. */
  const running = new Map<string, Promise<StoredSession | null>>();

  /** Asks the provider, as the only one. @returns the session with its new tokens, null when it is over. */
  async function ask(session: StoredSession): Promise<StoredSession | null> {
    const { sessionGuid } = session;
    const refreshToken =
      session.refreshToken && secrets.open(session.refreshToken, placeOf(sessionGuid, 'refreshToken'));
    if (refreshToken === null) return end(session, 'its tokens were encrypted with another key');
    let tokens: ProviderTokens;
    try {
      tokens = await provider.renew(refreshToken);
      const principal = await auth.principal(tokens.accessToken);
      if (principal.playerGuid !== session.playerGuid)
        return end(session, 'the provider renewed it with a token of somebody else');
      const [now, accessExpiresAt] = [clock.now(), principal.expiresAt];
      await saveTokens(db, session, {
        ...sealTokens(secrets, sessionGuid, tokens),
        accessExpiresAt,
        renewAt: renewalOf(accessExpiresAt, now),
        endsAt: endOf({ ...session, accessExpiresAt }, now),
      });
    } catch (error) {
      // The provider's word that this login is over, or that it is no longer one for this service.
      if (error instanceof ProviderRefusal && error.reason === 'invalid_grant')
        return end(session, 'the provider ended it');
      if (error instanceof ServiceError && error.code === 'INSUFFICIENT_SCOPE')
        return end(session, 'the provider took the scope away');
      if (!(error instanceof ProviderRefusal || error instanceof ServiceError)) throw error;
      logger.warn({ reason: error.message, sessionGuid }, 'a login could not be renewed');
      await noteFailedRenewal(db, session, clock.now() + RETRY_MS);
    }
    return readSession(db, sessionGuid);
  }

  async function end(session: StoredSession, reason: string): Promise<null> {
    logger.info({ reason, sessionGuid: session.sessionGuid }, 'a login has ended');
    await endSession(db, session);
    return null;
  }

  async function renewOnce(session: StoredSession, isGood: boolean): Promise<StoredSession | null> {
    const now = clock.now();
    if (await holdRenewal(db, session, { now, until: now + HOLD_MS })) return ask(session);
    for (let waited = 0; ; waited += LOOK_MS) {
      const current = await readSession(db, session.sessionGuid);
      const isDecided = current === null || current.version !== session.version || current.renewalFailed;
      // Another node is at it: whoever has a token that is still good need not wait.
      if (isDecided || isGood || waited >= HOLD_MS) return current;
      await delay(LOOK_MS);
    }
  }

  /**
   * @param isGood whether the token it has will do until there is another
   * @returns the session with the tokens it has now, new ones unless the provider failed; null when it is over.
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
