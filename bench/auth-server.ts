import pino from 'pino';
import { createAuth, guard, openIdentityKeys } from '../src/domains/auth/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { createHttp, type Http } from '../src/platform/http/server.ts';

/** One indexed read behind our server, with the guard in front of it and without: `auth.ts` asks for both. */

const { DATABASE_URL = '', IDP_PUBLIC_KEY_URL = '', IDP_ISSUER, IDP_AUDIENCE } = process.env;
const clock = systemClock;
const logger = pino({ level: 'info' }, pino.destination('/dev/null'));
const database = openDatabase({ url: DATABASE_URL });
const keys = await openIdentityKeys({ publicKeyUrl: IDP_PUBLIC_KEY_URL, db: database.prisma, clock, logger });
const auth = createAuth({
  database,
  clock,
  logger,
  keys,
  issuer: IDP_ISSUER,
  audience: IDP_AUDIENCE,
  adminSubjects: [],
});
const http = await createHttp({
  logger,
  clock,
  trustProxy: undefined,
  credentialOrigins: [],
  rateLimitFactor: 0,
});

const addRead = (app: Http, path: string): void => {
  app.get<{ Params: { playerGuid: string } }>(path, async ({ params }) => {
    const { rows } = await database.pool.query({
      name: 'player',
      text: 'SELECT "playerGuid"::text, username, "joinedAt" FROM "Player" WHERE "playerGuid" = $1::uuid',
      values: [params.playerGuid],
    });
    return rows[0];
  });
};
addRead(http, '/unguarded/:playerGuid');
const refuseAll = async (): Promise<never> => {
  throw new Error('There are only tokens.');
};
guard(http, auth, { origins: [], of: () => null, principal: refuseAll }, refuseAll);
addRead(http, '/players/:playerGuid');
await http.listen({ host: '127.0.0.1', port: 0 });
const address = http.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : null });
