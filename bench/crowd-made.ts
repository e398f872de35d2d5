import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Config } from '../src/config.ts';
import { shareConnections } from '../src/domains/connections/store.ts';
import { RULEBOOK } from '../src/domains/matches/index.ts';
import { createService as createMatches } from '../src/domains/matches/service.ts';
import { createService } from '../src/domains/pairing/service.ts';
import { pluginVersions } from '../src/domains/releases/rules.ts';
import { PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { newGuid, systemClock, systemRandomness } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/database.ts';
import { createArrivals } from '../src/platform/socket/arrivals.ts';
import type { Variant } from './harness.ts';
import { RULES } from './pairing-crowds.ts';

/** Matches of a crowd: from the tick that pairs everybody to the update that the last player gets. */

const PLAYERS = 600;
const MAPS = 60;
const JOINING = 2000;
const JOINING_MS = 10_000;

/** A crowd of one rating, connected to this node, and an open queue with a pool of 60 maps. */
async function fill({ pool }: Database, nodeGuid: string, size: number) {
  const [season, poolGuid, queueGuid, actor] = [newGuid(), newGuid(), newGuid(), newGuid()];
  const players = Array.from({ length: size }, newGuid);
  await pool.query(
    `INSERT INTO "Season" VALUES ($1, 'Season of crowds', now() + $2 * interval '1 day', now() + ($2 + 1) * interval '1 day')`,
    [season, size],
  );
  await pool.query(
    `INSERT INTO "Pool" ("poolGuid", "seasonGuid", name, status, revision, "createdAt", "publishedAt")
     VALUES ($1, $2, 'Pool', 'published', 1, now(), now())`,
    [poolGuid, season],
  );
  const category = newGuid();
  await pool.query(
    `INSERT INTO "MapCategory" ("categoryGuid", name, position, color) VALUES ($1, $2, 1, '#ffffff')`,
    [category, category],
  );
  await pool.query(
    `INSERT INTO "PoolMap" ("mapGuid", "poolGuid", "categoryGuid", key, hash, name, "songName", "levelAuthorName",
       characteristic, difficulty, modifiers, "durationSeconds", "maxScore", "coverUrl", "downloadUrl", stale, "addedAt",
       "addedByGuid")
     SELECT gen_random_uuid(), $1, $2, to_hex(n), upper(md5(n::text)) || '00000000', 'Song ' || n || ' - Somebody', 'Song ' || n,
       'Somebody', 'Standard', 'ExpertPlus', '{}', 180, 1000000, 'https://maps.example/' || md5(n::text) || '.jpg',
       'https://maps.example/' || n, false, now(), $3
     FROM generate_series(1, $4) AS n`,
    [poolGuid, category, actor, MAPS],
  );
  await pool.query(`INSERT INTO "Queue" VALUES ($1, 'Queue of crowds', $2, 'open', $3, now(), now())`, [
    queueGuid,
    poolGuid,
    { maxDiscards: 2, pairing: RULES, replaysRequired: false },
  ]);
  await pool.query(
    `INSERT INTO "Player" ("playerGuid", subject, "platformId", username, "joinedAt", "providerRoles", "tokenIssuedAt")
     SELECT guid, guid::text, $2::bigint + row_number() OVER (), 'Player ' || guid, now(), '{}', now() FROM unnest($1::uuid[]) AS guid`,
    [players, size * 1000],
  );
  await pool.query(
    `INSERT INTO "PlayerConnection" ("playerGuid", "connectionGuid", "nodeGuid", "pluginVersion", "connectedAt")
     SELECT guid, gen_random_uuid(), $2, $3, now() FROM unnest($1::uuid[]) AS guid`,
    [players, nodeGuid, PLUGIN_VERSION],
  );
  await pool.query('ANALYZE');
  return { queueGuid, players };
}

/** A node that pairs a crowd, and the players to whom it delivered a match. */
async function openCrowd(database: Database, config: Config, size: number) {
  const { pool, prisma } = database;
  const lease = { task: 'pairing', nodeGuid: newGuid(), epoch: 1 };
  await prisma.lease.deleteMany();
  await prisma.lease.create({ data: lease });
  const { queueGuid, players } = await fill(database, lease.nodeGuid, size);
  /** When the match was delivered to each player, by `performance.now()`. */
  const told = new Map<string, number>();
  const common = { config, database, clock: systemClock, logger: pino({ level: 'silent' }) };
  const matches = createMatches({
    ...common,
    redis: null,
    randomness: systemRandomness,
    rulebook: RULEBOOK,
    arrivals: createArrivals(systemClock),
    nodeGuid: () => lease.nodeGuid,
    exclusivePeriod: () => null,
    untilInService: async () => {},
    outages: { missedBy: () => [], servedBefore: (at, ms) => at - ms },
    storePutOff: async () => {},
    // Serialised, as for a connection.
    send: (playerGuid, _event, payload) =>
      void (JSON.stringify(payload) && told.set(playerGuid, performance.now())),
    hint: () => {},
    isFollowed: () => false,
    followedVersion: () => null,
    onFollowed: () => {},
    relayProgress: async () => {},
    spectatorsOf: async () => 0,
    onRequeued: async () => {},
  });
  const pairing = createService({
    ...common,
    matches,
    outages: { last: () => null },
    send: async () => {},
    requireAccepted: async () => {},
    pluginVersions: async () => pluginVersions([PLUGIN_VERSION], []),
    shareConnections,
    onPaired: () => {},
    storePutOff: async () => undefined,
    isDraining: () => false,
  });
  return {
    queueGuid,
    players,
    told,
    pairing,
    tick: () => pairing.tick(lease),
    /** Deletes all matches and connects every player again. */
    begin: async () => {
      for (const table of ['RunningSeat', 'MatchEvent', 'Match'])
        await pool.query(
          `DELETE FROM "${table}" WHERE "matchGuid" IN (SELECT "matchGuid" FROM "Match" WHERE "queueGuid" = $1)`,
          [queueGuid],
        );
      for (const player of players) await matches.connected(player, { runningGuid: null, lastEnded: null });
      told.clear();
    },
    close: () => matches.stopLimits(),
  };
}

/** One tick that pairs everybody. */
export const matchesOfCrowd = (database: Database, config: Config): Variant => ({
  name: `matches of a crowd made and told, a pool of ${MAPS} maps`,
  start: async () => {
    const { queueGuid, players, told, begin, tick, close } = await openCrowd(database, config, PLAYERS);
    return {
      round: async () => {
        await begin();
        await database.pool.query(
          `INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion")
           SELECT guid, $2, now(), 1000, $3 FROM unnest($1::uuid[]) AS guid`,
          [players, queueGuid, PLUGIN_VERSION],
        );
        const startedAt = performance.now();
        await tick();
        const seconds = (performance.now() - startedAt) / 1000;
        if (told.size !== PLAYERS) throw new Error(`${told.size} of ${PLAYERS} were told of a match.`);
        return PLAYERS / 2 / seconds;
      },
      stop: close,
    };
  },
});

/**
 * 2,000 players of one rating join within ten seconds, while the service pairs once a second.
 * @returns the seconds from a join to the update with the match, for the player who waited longest
 */
export async function longestWaitOfCrowd(database: Database, config: Config): Promise<number> {
  const { queueGuid, players, told, pairing, begin, tick, close } = await openCrowd(
    database,
    config,
    JOINING,
  );
  await begin();
  const joinedAt = new Map<string, number>();
  const endsAt = performance.now() + 6 * JOINING_MS;
  const ticks = async () => {
    while (told.size < JOINING && performance.now() < endsAt) {
      await tick();
      await sleep(1000);
    }
  };
  const join = async (playerGuid: string, nth: number) => {
    await sleep((nth * JOINING_MS) / JOINING);
    joinedAt.set(playerGuid, performance.now());
    await pairing.join({ playerGuid, pluginVersion: PLUGIN_VERSION, gameVersion: null }, queueGuid);
  };
  await Promise.all([ticks(), ...players.map(join)]);
  await close();
  if (told.size !== JOINING) throw new Error(`${told.size} of ${JOINING} were told of a match.`);
  return Math.max(...players.map((one) => (told.get(one) ?? 0) - (joinedAt.get(one) ?? 0))) / 1000;
}
