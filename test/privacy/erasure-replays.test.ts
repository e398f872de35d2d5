import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createErasure, type ErasureOptions } from '../../src/domains/privacy/erasure.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase, waitingForLocks } from '../harness/database.ts';

/** The replays of somebody who has played for years are erased in many statements and one transaction. */

let database: TestDatabase;
let playerGuid: string;
let players = 0;
/** The files that an erasure removed. */
let removed: string[];
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('TRUNCATE "Replay", "ReplayUpload"');
  removed = [];
  playerGuid = newGuid();
  players += 1;
  const [subject, platformId] = [newGuid(), `76561190000${players}`];
  const at = new Date();
  await database.prisma.player.create({
    data: { playerGuid, subject, platformId, username: 'Long', joinedAt: at, tokenIssuedAt: at },
  });
});

const erase = (others: Partial<ErasureOptions> = {}) =>
  createErasure({
    database,
    clock: { now: Date.now },
    logger: pino({ level: 'silent' }),
    players: { refuseLastAdmin: async () => {} },
    replays: { removeFiles: async (guids) => void removed.push(...guids) },
    forgetPlayers: () => {},
    onErased: async () => {},
    ...others,
  })({ actorGuid: newGuid(), ifMatch: undefined }, playerGuid);

const addReplays = async (count: number) => {
  const { platformId } = await database.prisma.player.findUniqueOrThrow({ where: { playerGuid } });
  const check = { name: 'player', ok: true, decisive: true, expected: platformId, actual: platformId };
  await database.prisma.replay.createMany({
    data: Array.from({ length: count }, () => ({
      ...{ replayGuid: newGuid(), matchGuid: newGuid(), roundNumber: 1, playerGuid, uploadedAt: new Date() },
      ...{ size: 1, sha256: newGuid(), verdict: 'verified', checks: [check], personal: [] },
    })),
  });
};

/** How many replays there are, how many are without the platform id, and how many without a file. */
const counted = async () => {
  const { rows } = await database.pool.query(`
    SELECT count(*)::int AS all, count("removedAt")::int AS removed,
      count(*) FILTER (WHERE checks @> '[{"expected": "0", "actual": "0"}]')::int AS erased FROM "Replay"`);
  return rows[0];
};

test('no statement of an erasure changes more than a thousand replays, however many there are', async () => {
  await addReplays(2500);
  await database.pool.query(`
    CREATE FUNCTION "refuseMany"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) > 1000 FROM changed) THEN RAISE 'too many rows for one statement'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER "refuseMany" AFTER UPDATE ON "Replay" REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION "refuseMany"()`);
  await erase();
  await database.pool.query('DROP TRIGGER "refuseMany" ON "Replay"');
  expect(await counted()).toEqual({ all: 2500, removed: 2500, erased: 2500 });
  expect(new Set(removed).size).toBe(2500);
  expect(await database.prisma.replayUpload.count()).toBe(2500);
});

test('while replays are erased, their player and the roles are not locked, and replays that are published meanwhile are erased too', async () => {
  await addReplays(3);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM "Replay" LIMIT 1 FOR UPDATE');
  const erasing = erase();
  await expect.poll(() => waitingForLocks(database)).toBe(1);
  const other = await database.pool.connect();
  await other.query('BEGIN');
  await other.query('LOCK TABLE "RoleGrant" IN SHARE ROW EXCLUSIVE MODE NOWAIT');
  await other.query('SELECT FROM "Player" WHERE "playerGuid" = $1 FOR UPDATE NOWAIT', [playerGuid]);
  await other.query('COMMIT');
  other.release();
  await addReplays(2);
  await holder.query('COMMIT');
  holder.release();
  await erasing;
  expect(await counted()).toEqual({ all: 5, removed: 5, erased: 5 });
  expect(new Set(removed).size).toBe(5);
});

test('an erasure that is refused in the end changes no replay', async () => {
  await addReplays(3);
  const refuseLastAdmin = async () => {
    throw new Error('the last admin');
  };
  await expect(erase({ players: { refuseLastAdmin } })).rejects.toThrow('the last admin');
  expect(await counted()).toEqual({ all: 3, removed: 0, erased: 0 });
  expect([removed, await database.prisma.replayUpload.count()]).toEqual([[], 0]);
});
