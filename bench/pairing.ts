import pino from 'pino';
import { type Config, loadConfig } from '../src/config.ts';
import { periodSince, recentMeetings } from '../src/domains/matches/history-store.ts';
import type { Matches } from '../src/domains/matches/index.ts';
import { createService } from '../src/domains/pairing/service.ts';
import { pluginVersions } from '../src/domains/releases/rules.ts';
import { openSurroundings, PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { newGuid, systemClock } from '../src/platform/clock.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { type Claim, inOwnProcess, measure, type Variant } from './harness.ts';
import { farApart, RULES, variants, WAITING } from './pairing-crowds.ts';

/**
 * The cost of a pairing tick while 10,000 players wait: of the decision alone, and with the database.
 */

const DECIDING_MS = 50;
/** A quarter of the time between two ticks. */
const TICK_MS = 250;

const TICK = 'a tick of the service that pairs nobody, PostgreSQL included';

export async function bench(): Promise<Claim[]> {
  const around = await openSurroundings({ database: { durable: true } });
  const database = openDatabase({ url: around.databaseUrl });
  try {
    await migrate(around.databaseUrl);
    const config = loadConfig(around.nodes[0].environment);
    await fill(database);
    const rates = await measure(`Pairing while ${WAITING} players wait`, [
      ...Object.keys(variants).map((name) => inOwnProcess('pairing-crowds.ts', name)),
      ticks(database, config),
    ]);
    return [
      ...[...rates].map(([name, rate]) => ({
        text: `${name}, ms`,
        measured: 1000 / rate,
        atMost: name === TICK ? TICK_MS : DECIDING_MS,
      })),
    ];
  } finally {
    await database.close();
    await around.stop();
  }
}

/** Everybody waits, connected, and out of everybody's range; half of them have met of late, among 50,000 matches. */
async function fill({ pool }: Database): Promise<void> {
  const [season, poolGuid, queue] = [newGuid(), newGuid(), newGuid()];
  await pool.query(
    `INSERT INTO "Season" VALUES ($1, 'Season', now() - interval '1 day', now() + interval '1 day')`,
    [season],
  );
  await pool.query(
    `INSERT INTO "Pool" ("poolGuid", "seasonGuid", name, status, revision, "createdAt", "publishedAt")
     VALUES ($1, $2, 'Pool', 'published', 1, now(), now())`,
    [poolGuid, season],
  );
  await pool.query(`INSERT INTO "Queue" VALUES ($1, 'Queue', $2, 'open', $3, now(), now())`, [
    queue,
    poolGuid,
    { maxDiscards: 2, pairing: RULES, replaysRequired: false },
  ]);
  const waiting = farApart();
  await pool.query(
    `INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion")
     SELECT guid, $1, now() + interval '1 day', rating, $4 FROM unnest($2::uuid[], $3::int[]) AS one(guid, rating)`,
    [queue, waiting.map((one) => one.playerGuid), waiting.map((one) => one.rating), PLUGIN_VERSION],
  );
  await pool.query(
    `INSERT INTO "Match" ("matchGuid", "queueGuid", "seasonGuid", "poolGuid", "redGuid", "blueGuid", "rulesVersion", status,
       version, state, rated, "startedAt", "endedAt", "scoredRounds")
     SELECT gen_random_uuid(), $1, $2, $3, guids[1], guids[2], 1, 'completed', 1, '{}', true, now(),
       now() - n * interval '1 second' / 10, 3
     FROM (SELECT n, ARRAY[($4::uuid[])[n % $5 + 1], ($4::uuid[])[(n * 7 + 1) % $5 + 1]] AS guids
       FROM generate_series(1, 50000) AS n) AS numbered`,
    [queue, season, poolGuid, waiting.map((one) => one.playerGuid), WAITING],
  );
  await pool.query('ANALYZE');
}

/** The tick that the pairing's `createService` gives to the service. It makes no match, so nothing of matches but meetings is asked for. */
const ticks = (database: Database, config: Config): Variant => ({
  name: TICK,
  start: async () => {
    let said = 0;
    // No players are paired or removed, so nothing is written under this lease.
    const lease = { task: 'pairing', nodeGuid: newGuid(), epoch: 1 };
    const unused = () => {
      throw new Error('Nobody should have been paired.');
    };
    const pairing = createService({
      config,
      database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      matches: {
        recentMeetings: (guids: readonly string[], withinMs: number) =>
          recentMeetings(
            database.prisma,
            guids,
            periodSince(Date.now() - withinMs, { servedBefore: (at, ms) => at - ms }),
          ),
        create: unused,
      } as unknown as Matches,
      outages: { last: () => null },
      send: async () => {
        said += 1;
      },
      requireAccepted: async () => {},
      pluginVersions: async () => pluginVersions([PLUGIN_VERSION], []),
      shareConnections: unused,
      onPaired: unused,
      storePutOff: async () => undefined,
      isDraining: () => false,
    });
    return {
      round: async (forMs) => {
        const startedAt = performance.now();
        let ticks = 0;
        for (; performance.now() - startedAt < forMs; ticks += 1) await pairing.tick(lease);
        const rate = (ticks * 1000) / (performance.now() - startedAt);
        const left = await pairing.waiting();
        if (said > 0 || left !== WAITING) throw new Error(`${left} wait, ${said} were told something.`);
        return rate;
      },
      stop: async () => undefined,
    };
  },
});
