import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { moveToArchive } from '../src/domains/matches/archive-store.ts';
import { openExhibition } from '../src/local/exhibition.ts';
import { type LocalPostgres, startLocalPostgres } from '../src/local/postgres.ts';
import { PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { type Claim, median, type Running } from './harness.ts';
import { type Arena, openArena } from './matches-arena.ts';

/**
 * The same work beside a long history and beside none: two services, each with a database of its own on one PostgreSQL.
 * The databases are copies of templates that are made once and kept.
 */

/** The measurements by name: each prepares its work and returns rounds. */
export type Works = Record<string, (arena: Arena) => Promise<Running>>;

const ROUNDS = 5;
/** A round goes back and forth between both, so that other work on the machine slows both down. */
const TURNS = 6;
const TURN_MS = 400;
/** The aim: the rate with the history as a share of the rate without one. */
const LEAST = 0.85;
const PLAYERS = 10_000;
/** Played by bots over sockets; every other match is a copy of one of them. */
const SAMPLES = 8;
const AT_ONCE = 10_000;

async function asAdmin<T>(postgres: LocalPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Matches whose songs last no time, played over sockets, with their logs in the archive. */
async function playSamples(databaseUrl: string): Promise<void> {
  const quick = { COUNTDOWN_SECONDS: '0.1', ROUND_RESULTS_SECONDS: '0.1', SCORE_EARLIEST_SHARE: '0' };
  const arena = await openArena({ ...quick, REMATCH_SECONDS: '0.001' }, { seated: 0, databaseUrl });
  const { service, identityProvider, queueGuid } = arena;
  const exhibition = await openExhibition({
    stack: { url: `http://127.0.0.1:${service.port}`, identityProvider, pluginVersion: PLUGIN_VERSION },
    queueGuid,
    fractionFor: () => Math.random,
    thinkMs: 0,
    songMs: () => 0,
    stream: new PassThrough().resume(),
  });
  for (let nth = 0; nth < SAMPLES; nth++) await exhibition.play();
  exhibition.close();
  await arena.close();
  const database = openDatabase({ url: databaseUrl });
  await moveToArchive(database, { endedBefore: Date.now() + 60_000, most: SAMPLES });
  await database.close();
}

const PREPARE = `
  CREATE UNLOGGED TABLE sample AS
    SELECT row_number() OVER () - 1 AS nth, "Match".*, log FROM "Match" JOIN "MatchArchive" USING ("matchGuid");
  INSERT INTO "Player" ("playerGuid", subject, "platformId", username, "joinedAt", "providerRoles", "tokenIssuedAt")
    SELECT uuidv7(), 'history ' || n, 660000000 + n, 'Player ' || n, now(), '{}', now() FROM generate_series(1, ${PLAYERS}) n;
  CREATE UNLOGGED TABLE person AS
    SELECT row_number() OVER () - 1 AS nth, "playerGuid" AS guid FROM "Player" WHERE subject LIKE 'history %';
  CREATE UNIQUE INDEX ON person (nth);
  ANALYZE sample, person;`;

/** Matches $1 to $2 of $3, one every half minute; the last one began 20 minutes ago. No player plays against themselves. */
const FILL = `
  WITH made AS MATERIALIZED (
    SELECT uuidv7("startedAt" - clock_timestamp()) AS guid, "startedAt", red.guid AS red, blue.guid AS blue, n % ${SAMPLES} AS nth
    FROM generate_series($1::int, $2::int) n
    CROSS JOIN LATERAL (SELECT now() - ($3::int - n) * interval '30 seconds' - interval '20 minutes' AS "startedAt") t
    JOIN person red ON red.nth = n % ${PLAYERS}
    JOIN person blue ON blue.nth = (n + 1 + n / ${PLAYERS} % (${PLAYERS} - 1)) % ${PLAYERS}
  ), matches AS (
    INSERT INTO "Match" ("matchGuid", "queueGuid", "seasonGuid", "poolGuid", "redGuid", "blueGuid", "rulesVersion", status,
      version, state, rated, "startedAt", "endedAt", outcome, reason, "winnerGuid", "scoredRounds", ratings, versions,
      "isArchived", "isReplayed")
    SELECT guid, "queueGuid", "seasonGuid", "poolGuid", red, blue, "rulesVersion", status, version,
      jsonb_set(jsonb_set(state, '{seats,red,playerGuid}', to_jsonb(red)), '{seats,blue,playerGuid}', to_jsonb(blue))
        || jsonb_build_object('matchGuid', guid), true, made."startedAt", made."startedAt" + interval '15 minutes', outcome,
      reason, CASE WHEN "winnerGuid" = "redGuid" THEN red ELSE blue END, "scoredRounds", ratings, versions, true, true
    FROM made JOIN sample USING (nth)
  ), archived AS (
    INSERT INTO "MatchArchive" ("matchGuid", log) SELECT guid, log FROM made JOIN sample USING (nth)
  )
  INSERT INTO "RatingChange" ("matchGuid", "playerGuid", "queueGuid", "seasonGuid", at, score, "muBefore", "sigmaBefore",
    "muAfter", "sigmaAfter")
  SELECT made.guid, player, "queueGuid", "seasonGuid", made."startedAt" + interval '15 minutes', score, 25, 2, 25.1, 1.99
  FROM made JOIN sample USING (nth), LATERAL (VALUES (red, 1), (blue, 0)) AS side(player, score)`;

const FINISH = `
  INSERT INTO "Rating" ("queueGuid", "seasonGuid", "playerGuid", mu, sigma, rating, wins, losses, draws, "winStreak")
    SELECT "queueGuid", "seasonGuid", guid, 25, 2, 600 + (random() * 900)::int, 50, 50, 0, 0
    FROM person, (SELECT "queueGuid", "seasonGuid" FROM sample LIMIT 1) AS ladder;
  DELETE FROM "LadderCount";
  INSERT INTO "LadderCount" ("queueGuid", "seasonGuid", rating, players, "isSum")
    SELECT "queueGuid", "seasonGuid", rating, count(*), true FROM "Rating" GROUP BY 1, 2, 3;
  INSERT INTO "Penalty" ("penaltyGuid", "playerGuid", "matchGuid", reason, at, until)
    SELECT uuidv7(), "redGuid", "matchGuid", 'not_joined', "endedAt", "endedAt" FROM "Match" TABLESAMPLE SYSTEM (2);
  INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target)
    SELECT uuidv7(), "endedAt", "redGuid", 'abortMatch', '/matches/' || "matchGuid" FROM "Match" TABLESAMPLE SYSTEM (1);
  DROP TABLE sample, person;`;

async function fill(databaseUrl: string, matches: number): Promise<void> {
  // Foreign keys hold by construction; checking each row takes as long as writing it.
  const options = '-c session_replication_role=replica';
  const pool = new pg.Pool({ connectionString: databaseUrl, options, max: 2 });
  await pool.query(PREPARE);
  const starts = Array.from({ length: Math.ceil(matches / AT_ONCE) }, (_, nth) => nth * AT_ONCE + 1);
  await Promise.all(
    [0, 1].map(async () => {
      for (let from = starts.shift(); from !== undefined; from = starts.shift())
        await pool.query(FILL, [from, Math.min(matches, from + AT_ONCE - 1), matches]);
    }),
  );
  await pool.query(FINISH);
  await pool.query('VACUUM (FREEZE, ANALYZE)');
  await pool.end();
}

/** Has the templates. The services bring the copies up to newer migrations. Remove it to make the templates again. */
const folder = path.join(import.meta.dirname, '../node_modules/.cache/bench-history');

/** Makes a template with so many ended matches, unless it is kept from an earlier run. @returns its name */
async function template(matches: number): Promise<string> {
  const name = `history_${matches}`;
  await mkdir(path.dirname(folder), { recursive: true });
  // A half-made template is thrown away, so its commits need not reach the disk.
  const postgres = await startLocalPostgres({ folder, durable: false, settings: { max_wal_size: '8GB' } });
  try {
    const found = await asAdmin(postgres, (client) =>
      client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]),
    );
    if (found.rowCount === 1) return name;
    const startedAt = performance.now();
    await asAdmin(postgres, (client) => client.query('DROP DATABASE IF EXISTS making'));
    await postgres.ensureDatabase('making');
    await playSamples(postgres.urlOf('making'));
    await fill(postgres.urlOf('making'), matches);
    await asAdmin(postgres, (client) => client.query(`ALTER DATABASE making RENAME TO ${name}`));
    console.log(`Made ${name} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
    return name;
  } finally {
    await postgres.stop();
  }
}

/** Measures each work on both databases by turns. @returns for each that the history slows it down little */
export async function benchHistory(matches: number, works: Works): Promise<Claim[]> {
  const names = [await template(0), await template(matches)] as const;
  const postgres = await startLocalPostgres({ folder, durable: true });
  const opened: (() => Promise<void>)[] = [() => postgres.stop()];
  try {
    const open = async (name: string): Promise<Arena> => {
      const copy = `${name}_copy`;
      await asAdmin(postgres, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${copy}`);
        await client.query(`CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY FILE_COPY`);
      });
      const arena = await openArena({ TRUST_PROXY: '1' }, { databaseUrl: postgres.urlOf(copy) });
      opened.push(
        () => asAdmin(postgres, async (client) => void (await client.query(`DROP DATABASE ${copy}`))),
        () => arena.close(),
      );
      return arena;
    };
    const arenas = [await open(names[0]), await open(names[1])] as const;
    const claims: Claim[] = [];
    console.log(
      `\nA second beside no history, and beside ${matches} ended matches; medians of ${ROUNDS} rounds by turns, and their ratios`,
    );
    for (const [name, prepare] of Object.entries(works)) {
      const running = [await prepare(arenas[0]), await prepare(arenas[1])] as const;
      const rates: [number[], number[]] = [[], []];
      const ratios: number[] = [];
      for (const one of running) await one.round(TURN_MS);
      for (let round = 0; round < ROUNDS; round++) {
        const sums: [number, number] = [0, 0];
        for (let turn = 0; turn < TURNS; turn++)
          for (const side of [0, 1] as const) sums[side] += await running[side].round(TURN_MS);
        for (const side of [0, 1] as const) rates[side].push(sums[side] / TURNS);
        ratios.push(sums[1] / sums[0]);
      }
      for (const one of running) await one.stop();
      const [without, beside] = rates.map((rate) => median(rate).toFixed(0).padStart(7));
      console.log(
        `  ${name.padEnd(48)} ${without} ${beside}   ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
      );
      claims.push({ text: `${name}, of the rate beside none`, measured: median(ratios), atLeast: LEAST });
    }
    return claims;
  } finally {
    for (const close of opened.reverse()) await close();
  }
}
