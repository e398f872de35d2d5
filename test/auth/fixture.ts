import { pino } from 'pino';
import { createAuth, guard, openIdentityKeys } from '../../src/domains/auth/index.ts';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
} from '../../src/local/identity-provider/server.ts';
import { createPublicReads } from '../../src/platform/http/reads.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { type ManualClock, manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { createQuietHttp } from '../harness/http.ts';

export const silent = pino({ level: 'silent' });

export const startProvider = (options: Partial<IdentityProviderOptions> = {}): Promise<IdentityProvider> =>
  startIdentityProvider({
    port: 0,
    client: {
      id: 'matches',
      secret: 'a secret of the tests',
      redirectUris: ['http://127.0.0.1:1/auth/callback'],
    },
    ...options,
  });

export interface AuthFixture {
  clock: ManualClock;
  provider: IdentityProvider;
  database: TestDatabase;
  keys: Awaited<ReturnType<typeof openIdentityKeys>>;
  auth: ReturnType<typeof createAuth>;
  close(): Promise<void>;
}

/** An identity provider, a database and the verification of its tokens, on one clock that stands still. */
export async function openAuth(options: { adminSubjects?: readonly string[] } = {}): Promise<AuthFixture> {
  const clock = manualClock();
  const provider = await startProvider({ now: clock.now });
  const database = await cloneDatabase();
  const { publicKeyUrl, issuer, audience } = provider;
  const keys = await openIdentityKeys({ publicKeyUrl, db: database.prisma, clock, logger: silent });
  const adminSubjects = options.adminSubjects ?? [];
  const auth = createAuth({ database, clock, logger: silent, keys, issuer, audience, adminSubjects });
  return {
    clock,
    provider,
    database,
    keys,
    auth,
    close: async () => {
      keys.close();
      await provider.stop();
      await database.drop();
    },
  };
}

/** A guard for tokens alone: no request has a login, and no plugin is let in. */
export const guardTokens = (app: Http, auth: AuthFixture['auth']): void =>
  guard(app, auth, { origins: [], of: () => null, principal: refuseAll }, refuseAll);

const refuseAll = async (): Promise<never> => {
  throw new Error('There are only tokens.');
};

/** Our server with the guard in front of what `register` adds. */
export async function openHttp(
  { clock, auth, database }: Pick<AuthFixture, 'clock' | 'auth' | 'database'>,
  register: (app: Http) => Promise<void> | void,
  rateLimitFactor = 0,
): Promise<Http> {
  const app = await createQuietHttp({
    clock,
    rateLimitFactor,
    reads: createPublicReads({ changes: database.changes, clock }),
  });
  guardTokens(app, auth);
  await register(app);
  await app.ready();
  return app;
}

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

/** The code of a refusal that a promise ends in. */
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'passed',
    (error: { code?: string }) => error.code ?? error,
  );
