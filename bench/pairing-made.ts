import pino from 'pino';
import type { Config } from '../src/config.ts';
import { connectedAmong } from '../src/domains/connections/store.ts';
import { RULEBOOK } from '../src/domains/matches/index.ts';
import { createService as createMatches } from '../src/domains/matches/service.ts';
import { createService } from '../src/domains/pairing/service.ts';
import { pluginVersions } from '../src/domains/releases/rules.ts';
import { PLUGIN_VERSION } from '../src/local/surroundings.ts';
import { newGuid, systemClock, systemRandomness } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Variant } from './harness.ts';
import { RULES } from './pairing-crowds.ts';

/** Matches of a crowd: from the tick that pairs everybody to the update that the last player gets. */

const PLAYERS = 600;
const MAPS = 60;

/** A crowd of one rating, connected to this node, and an open queue with a pool of 60 maps. */
async function fill({ pool }: Database, nodeGuid: string) {
  const [season, poolGuid, queueGuid, actor] = [newGuid(), newGuid(), newGuid(), newGuid()];
  const players = Array.from({ length: PLAYERS }, newGuid);
  await pool.query(
    `INSERT INTO "Season" VALUES ($1, 'Season of crowds', now() + interval '2 days', now() + interval '3 days')`,
    [season],
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
     SELECT guid, guid::text, row_number() OVER (), 'Player ' || guid, now(), '{}', now() FROM unnest($1::uuid[]) AS guid`,
    [players],
  );
  await pool.query(
    `INSERT INTO "PlayerConnection" ("playerGuid", "connectionGuid", "nodeGuid", "pluginVersion", "connectedAt")
     SELECT guid, gen_random_uuid(), $2, $3, now() FROM unnest($1::uuid[]) AS guid`,
    [players, nodeGuid, PLUGIN_VERSION],
  );
  await pool.query('ANALYZE');
  return { queueGuid, players };
}

export const matchesOfCrowd = (database: Database, config: Config): Variant => ({
  name: `matches of a crowd made and told, a pool of ${MAPS} maps`,
  start: async () => {
    const { pool, prisma } = database;
    const lease = { task: 'pairing', nodeGuid: newGuid(), epoch: 1 };
    await prisma.lease.create({ data: lease });
    const { queueGuid, players } = await fill(database, lease.nodeGuid);
    const told = new Set<string>();
    const common = { config, database, clock: systemClock, logger: pino({ level: 'silent' }) };
    const matches = createMatches({
      ...common,
      randomness: systemRandomness,
      rulebook: RULEBOOK,
      exclusivePeriod: () => null,
      confirm: async () => {},
      outages: { missedBy: () => [] },
      storePutOff: async () => {},
      // As it goes onto a connection.
      send: (playerGuid, _event, payload) => void (JSON.stringify(payload) && told.add(playerGuid)),
      notifyOtherNodes: () => {},
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
      connectedAmong: (guids) => connectedAmong(prisma, guids),
      onPaired: () => {},
      storePutOff: async () => undefined,
      isDraining: () => false,
    });
    /** Everybody waits again, with a new connection. */
    const begin = async () => {
      for (const table of ['RunningSeat', 'MatchEvent', 'Match'])
        await pool.query(
          `DELETE FROM "${table}" WHERE "matchGuid" IN (SELECT "matchGuid" FROM "Match" WHERE "queueGuid" = $1)`,
          [queueGuid],
        );
      await pool.query(
        `INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion")
         SELECT guid, $2, now(), 1000, $3 FROM unnest($1::uuid[]) AS guid`,
        [players, queueGuid, PLUGIN_VERSION],
      );
      for (const player of players) await matches.connected(player, { runningGuid: null, lastEnded: null });
      told.clear();
    };
    return {
      round: async () => {
        await begin();
        const startedAt = performance.now();
        await pairing.tick(lease);
        const seconds = (performance.now() - startedAt) / 1000;
        if (told.size !== PLAYERS) throw new Error(`${told.size} of ${PLAYERS} were told of a match.`);
        return PLAYERS / 2 / seconds;
      },
      stop: async () => matches.stopLimits(),
    };
  },
});
