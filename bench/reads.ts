import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  askingOver,
  type Bench,
  type BenchOptions,
  type Claim,
  measure,
  type Running,
  speedRatio,
  timeRatio,
  type Variant,
} from './harness.ts';
import { benchHistory, type Works } from './history.ts';
import { connectHttp, requestOf } from './http-client.ts';
import { type Arena, openArena, startServer } from './matches-arena.ts';
import { benchRanks } from './reads-ranks.ts';

/**
 * Public reads of a 200-map pool against bare Fastify that sends the same bytes, and the ladder of 100,000
 * players against its plain indexed statements.
 */

const IN_FLIGHT = 16;
const MAPS = 200;
const PLAYERS = 100_000;

const PAGE = 'page around a player, with ranks';
const RANK = 'profile with rank';
const BARE = 'bare Fastify, the same bytes';
const BARE_KNOWN = 'bare Fastify, not changed (304)';

/** Asks over several connections at once; every answer must be this one. */
function over(
  connections: Awaited<ReturnType<typeof connectHttp>>[],
  requestFrom: (address: string) => Buffer,
  expected: { status: number; size: number },
): Running {
  // Each is an address of its own, as behind a proxy: the limit is counted and not reached.
  const requests = connections.map((_, nth) => requestFrom(`203.0.113.${nth}`));
  return askingOver(connections, async (connection, nth) => {
    const { status, body } = await connection.ask(requests[nth] as Buffer);
    if (status !== expected.status || body.byteLength !== expected.size)
      throw new Error(`answered ${status} with ${body.byteLength} bytes`);
  });
}

const connect = (port: number) => Promise.all(Array.from({ length: IN_FLIGHT }, () => connectHttp(port)));

/** Asks for addresses about one player after the other, or about a match; with credentials the database is asked each time. */
const asking =
  (addressOf: (about: About) => string, isPublic = false): Works[string] =>
  async ({ service, databaseUrl, credentials }) => {
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    const { rows } = await database.query<About>(
      `SELECT r."playerGuid", r."queueGuid", q."poolGuid", a."matchGuid" FROM "Rating" r JOIN "Queue" q USING ("queueGuid"),
         (SELECT "matchGuid" FROM "MatchArchive" LIMIT 1) AS a
       WHERE r.wins > 0 ORDER BY random() LIMIT 1000`,
    );
    await database.end();
    const { token } = await credentials(1);
    const connections = await connect(service.port);
    let turn = 0;
    return askingOver(connections, async (connection, nth) => {
      const address = addressOf(rows[turn++ % rows.length] as About);
      const from = { 'x-forwarded-for': `203.0.113.${nth}` };
      const { status } = await connection.ask(
        requestOf(address, isPublic ? from : { ...from, authorization: `Bearer ${token}` }),
      );
      if (status !== 200) throw new Error(`${address} answered ${status}`);
    });
  };

const beside: Works = {
  '/maps/hashes, from memory': asking(() => '/maps/hashes', true),
  "a pool's maps, from memory": asking(({ poolGuid }) => `/pools/${poolGuid}/maps`, true),
  'the newest 20 matches': asking(() => '/matches?limit=20'),
  'running matches': asking(() => '/matches?state=running&limit=16'),
  'a page of the ladder around a player': asking(
    (a) => `/leaderboards/${a.queueGuid}?around=${a.playerGuid}`,
  ),
  'a player with ranks': asking(({ playerGuid }) => `/players/${playerGuid}`),
  'an archived log': asking(({ matchGuid }) => `/matches/${matchGuid}/log`),
};

type Measured = (arena: Arena, database: pg.Client, place: Place) => Promise<Claim[]>;

async function inArena(measured: Measured): Promise<Claim[]> {
  const arena = await openArena({
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    // As it is by default: nobody waits to be paired here.
    MATCHMAKING_INTERVAL_MS: '1000',
  });
  const database = new pg.Client({ connectionString: arena.databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<Place>(
      'SELECT "queueGuid", "poolGuid", "seasonGuid" FROM "Queue" JOIN "Pool" USING ("poolGuid") LIMIT 1',
    );
    const [place] = rows;
    if (place === undefined) throw new Error('Nothing was seeded.');
    await fillPool(database, place.poolGuid);
    await fillLadder(database, place);
    return await measured(arena, database, place);
  } finally {
    await database.end();
    await arena.close();
  }
}

/** Reads several addresses one after the other against bare Fastify. */
async function benchReads(port: number, addresses: readonly string[], asked?: Asked): Promise<Claim[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-reads-'));
  try {
    const claims: Claim[] = [];
    for (const address of addresses) claims.push(...(await benchRead(port, folder, address, asked)));
    return claims;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const benchCached: Measured = ({ service }, _database, { poolGuid }) =>
  benchReads(service.port, ['/maps/hashes', `/pools/${poolGuid}/maps`]);

/** Pages for visitors who are not signed in. The match has ended, so its page does not change. */
const benchPages: Measured = async ({ service, matches: [match] }, _database, { poolGuid, queueGuid }) => {
  if (match === undefined) throw new Error('The arena has no match.');
  const { matchGuid, players } = match;
  await players[0].call('forfeit', { matchGuid });
  const pages = ['/', `/ladder/${queueGuid}`, `/pool/${poolGuid}`, `/match/${matchGuid}`];
  return benchReads(service.port, pages, {
    headers: { accept: 'text/html' },
    atLeast: 0.5,
    unchangedAtLeast: 0.5,
  });
};

const tables: Record<string, Measured> = {
  cached: benchCached,
  pages: benchPages,
  ranks: ({ databaseUrl }, _database, place) => benchRanks(databaseUrl, place),
  ladder: (...given) => benchLadder(...given),
};

export const parts: Record<string, Bench> = Object.fromEntries(
  Object.entries(tables).map(([name, measured]) => [name, () => inArena(measured)]),
);

export async function bench({ history }: BenchOptions = {}): Promise<Claim[]> {
  if (history !== undefined) return benchHistory(history, beside);
  return inArena(async (...given) => {
    const claims: Claim[] = [];
    for (const measured of Object.values(tables)) claims.push(...(await measured(...given)));
    return claims;
  });
}

async function fillPool(database: pg.Client, poolGuid: string): Promise<void> {
  await database.query(
    `INSERT INTO "PoolMap" SELECT (jsonb_populate_record(NULL::"PoolMap", to_jsonb(map) || jsonb_build_object('mapGuid', gen_random_uuid(),
       'hash', upper(md5(n::text) || left(md5(n::text || 'x'), 8))))).*
     FROM (SELECT * FROM "PoolMap" WHERE "poolGuid" = $1 LIMIT 1) AS map,
       generate_series(1, $2 - (SELECT count(*)::int FROM "PoolMap" WHERE "poolGuid" = $1)) AS n`,
    [poolGuid, MAPS],
  );
}

interface Asked {
  /** The headers of every request. */
  headers: Record<string, string>;
  /** The aims: the rate as a share of that of bare Fastify, and the same for 304. */
  atLeast: number;
  unchangedAtLeast: number;
}

async function benchRead(
  port: number,
  folder: string,
  address: string,
  { headers: common, atLeast, unchangedAtLeast }: Asked = {
    headers: {},
    atLeast: 0.8,
    unchangedAtLeast: 0.7,
  },
): Promise<Claim[]> {
  const answer = await fetch(`http://127.0.0.1:${port}${address}`, { headers: common });
  const body = Buffer.from(await answer.arrayBuffer());
  const etag = answer.headers.get('etag') ?? '';
  const file = path.join(folder, randomBytes(4).toString('hex'));
  await writeFile(file, body);
  const [whole, known] = [`${address.replace(/[0-9a-f-]{36}/, '…')}`, 'the same, not changed (304)'];
  const ifKnown = { 'if-none-match': etag };
  const bare = (
    name: string,
    headers: Record<string, string>,
    expected: { status: number; size: number },
  ): Variant => ({
    name,
    start: async () => {
      const server = await startServer('bare-fastify.ts', { FILE: file, ETAG: etag });
      const running = over(
        await connect(server.port),
        (from) => requestOf('/', { ...common, ...headers, 'x-forwarded-for': from }),
        expected,
      );
      return {
        ...running,
        stop: async () => {
          await running.stop();
          await server.stop();
        },
      };
    },
  });
  const ours = (
    name: string,
    headers: Record<string, string>,
    expected: { status: number; size: number },
  ) => ({
    name,
    start: async () =>
      over(
        await connect(port),
        (from) => requestOf(address, { ...common, ...headers, 'x-forwarded-for': from }),
        expected,
      ),
  });
  const rates = await measure(`${whole}, ${body.byteLength} bytes, ${IN_FLIGHT} in flight`, [
    bare(BARE, {}, { status: 200, size: body.byteLength }),
    bare(BARE_KNOWN, ifKnown, { status: 304, size: 0 }),
    ours(whole, {}, { status: 200, size: body.byteLength }),
    ours(known, ifKnown, { status: 304, size: 0 }),
  ]);
  return [
    { text: `${whole} against bare Fastify`, measured: speedRatio(rates, whole, BARE), atLeast },
    {
      text: `304 of ${whole} against that of bare Fastify`,
      measured: speedRatio(rates, known, BARE_KNOWN),
      atLeast: unchangedAtLeast,
    },
    { text: `304 of ${whole} against its 200`, measured: speedRatio(rates, known, whole), atLeast: 1 },
  ];
}

interface About {
  playerGuid: string;
  queueGuid: string;
  poolGuid: string;
  matchGuid: string;
}

interface Place {
  queueGuid: string;
  poolGuid: string;
  seasonGuid: string;
}

async function fillLadder(database: pg.Client, { queueGuid, seasonGuid }: Place): Promise<void> {
  await database.query(
    `WITH player AS (
       INSERT INTO "Player" ("playerGuid", subject, username, "joinedAt", "providerRoles", "tokenIssuedAt")
       SELECT gen_random_uuid(), 'ladder ' || n, 'Player ' || n, now(), '{}', now()
       FROM generate_series(1, $3) AS n RETURNING "playerGuid"
     )
     INSERT INTO "Rating" ("queueGuid", "seasonGuid", "playerGuid", mu, sigma, rating, wins, losses, draws, "winStreak")
     SELECT $1::uuid, $2::uuid, "playerGuid", 25, 2, 600 + (random() * 900)::int, 5, 5, 0, 0 FROM player`,
    [queueGuid, seasonGuid, PLAYERS],
  );
  await database.query(`
    INSERT INTO "LadderCount" ("queueGuid", "seasonGuid", rating, players, "isSum")
    SELECT "queueGuid", "seasonGuid", rating, count(*), true FROM "Rating" GROUP BY 1, 2, 3`);
  await database.query('VACUUM ANALYZE "Rating", "LadderCount"');
  await database.query('ANALYZE "Player"');
}

/** The statements a page and a rank come down to, as plainly as they can be asked. */
const PLAIN_PAGE = `
  SELECT r.*, p.username, p."avatarUrl", p."platformId" FROM "Rating" r JOIN "Player" p USING ("playerGuid")
  WHERE "queueGuid" = $1 AND "seasonGuid" = $2 AND wins + losses + draws > 0
    AND rating <= $3 AND (rating < $3 OR "playerGuid" >= $4)
  ORDER BY rating DESC, "playerGuid" LIMIT 50`;
const PLAIN_RANK = `
  SELECT count(*) + 1 AS rank FROM "Rating"
  WHERE "queueGuid" = $1 AND "seasonGuid" = $2 AND wins + losses + draws > 0 AND rating > $3`;

async function benchLadder(arena: Arena, database: pg.Client, place: Place): Promise<Claim[]> {
  const { rows: players } = await database.query<{ playerGuid: string; rating: number }>(
    'SELECT "playerGuid", rating FROM "Rating" WHERE "queueGuid" = $1 ORDER BY random() LIMIT 50',
    [place.queueGuid],
  );
  const { token } = await arena.credentials(1);
  const connection = await connectHttp(arena.service.port);
  let turn = 0;
  const inTurn = () => players[turn++ % players.length] ?? { playerGuid: '', rating: 0 };
  const timed = (once: () => Promise<void>): Running => ({
    round: async (forMs) => {
      const startedAt = performance.now();
      let times = 0;
      for (; performance.now() - startedAt < forMs; times++) await once();
      return (times * 1000) / (performance.now() - startedAt);
    },
    stop: async () => undefined,
  });
  const ask = async (address: string, isRight: (body: string) => boolean): Promise<void> => {
    // With credentials, so that it is asked of the database every time.
    const { status, body } = await connection.ask(requestOf(address, { authorization: `Bearer ${token}` }));
    if (status !== 200 || !isRight(body.toString('utf8'))) throw new Error(`answered ${status}`);
  };
  const ladder = `/leaderboards/${place.queueGuid}`;
  const plain = (
    name: string,
    text: string,
    values: (player: { playerGuid: string; rating: number }) => unknown[],
    size: number,
  ): Variant => ({
    name,
    start: async () =>
      timed(async () => {
        const { rows } = await database.query({
          name,
          text,
          values: [place.queueGuid, place.seasonGuid, ...values(inTurn())],
        });
        if (rows.length > size) throw new Error('too many rows');
      }),
  });
  const rates = await measure(`the ladder of ${PLAYERS} players, one at a time`, [
    plain('plain page', PLAIN_PAGE, ({ rating, playerGuid }) => [rating, playerGuid], 50),
    plain('plain rank', PLAIN_RANK, ({ rating }) => [rating], 1),
    {
      name: PAGE,
      start: async () =>
        timed(async () => {
          const { playerGuid } = inTurn();
          await ask(`${ladder}?around=${playerGuid}`, (body) => body.includes(playerGuid));
        }),
    },
    {
      name: RANK,
      start: async () =>
        timed(async () => {
          const { playerGuid } = inTurn();
          await ask(`/players/${playerGuid}`, (body) => /"rank":\d/.test(body));
        }),
    },
  ]);
  const { rows: ends } = await database.query<{ playerGuid: string }>(
    `(SELECT "playerGuid" FROM "Rating" WHERE "queueGuid" = $1 ORDER BY rating DESC, "playerGuid" LIMIT 1)
     UNION ALL
     (SELECT "playerGuid" FROM "Rating" WHERE "queueGuid" = $1 ORDER BY rating, "playerGuid" DESC LIMIT 1)`,
    [place.queueGuid],
  );
  const [first = '', last = ''] = ends.map(({ playerGuid }) => playerGuid);
  const around = (name: string, playerGuid: string): Variant => ({
    name,
    start: async () =>
      timed(() => ask(`${ladder}?around=${playerGuid}`, (body) => body.includes(playerGuid))),
  });
  const atEnds = await measure('its two ends, one at a time', [
    around('page around the first', first),
    around('page around the last', last),
  ]);
  connection.close();
  const plainMs = timeRatio(rates, PAGE, 'plain page');
  const rankShare = timeRatio(rates, 'plain rank', 'plain page');
  return [
    {
      text: 'ladder page around the last of the ladder, against one around the first',
      measured: timeRatio(atEnds, 'page around the last', 'page around the first'),
      atMost: 1.25,
    },
    {
      text: 'ladder page with ranks, over HTTP, against its plain statements (page and rank)',
      measured: plainMs / (1 + rankShare),
      atMost: 3,
    },
    {
      text: 'profile with rank, over HTTP, against the plain rank',
      measured: timeRatio(rates, RANK, 'plain rank'),
      atMost: 3,
    },
  ];
}
