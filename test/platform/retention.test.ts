import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { createRetention } from '../../src/retention.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

/** Rows with a retention are removed after it, in batches, by any number of nodes. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const open = () =>
  createRetention({
    database,
    clock: { now: () => NOW },
    auditRetentionDays: 30,
    penaltyRetentionDays: 20,
    reportRetentionDays: 15,
    mapHostRetentionDays: 10,
  });
const auditEntry = (at: number) => ({ auditGuid: newGuid(), at: new Date(at), action: 'test', target: '/' });

test('rows are removed when their time is over, and not a moment before', async () => {
  const { prisma } = database;
  const player = { subject: 'one', username: 'One', joinedAt: new Date(), tokenIssuedAt: new Date() };
  const { playerGuid } = await prisma.player.create({ data: { playerGuid: newGuid(), ...player } });
  const url = { coverUrl: null, downloadUrl: 'http://127.0.0.1/' };
  const version = {
    key: 'a',
    name: '',
    songName: '',
    levelAuthorName: '',
    durationSeconds: 1,
    difficulties: [],
  };
  /** By table: how long its rows are kept, and a row whose time is `at`. */
  const rows: [keptMs: number, table: { count(): Promise<number> }, add: (at: Date) => Promise<unknown>][] = [
    [30 * DAY, prisma.auditEntry, (at) => prisma.auditEntry.create({ data: auditEntry(at.getTime()) })],
    [
      20 * DAY,
      prisma.penalty,
      (at) =>
        prisma.penalty.create({
          data: { penaltyGuid: newGuid(), playerGuid, matchGuid: newGuid(), reason: 'dodged', at, until: at },
        }),
    ],
    [
      15 * DAY,
      prisma.report,
      (at) =>
        prisma.report.create({
          data: {
            reportGuid: newGuid(),
            matchGuid: newGuid(),
            reporterGuid: playerGuid,
            playerGuid,
            reason: 'other',
            status: 'open',
            at,
          },
        }),
    ],
    [
      10 * DAY,
      prisma.hostMapVersion,
      (fetchedAt) =>
        prisma.hostMapVersion.create({ data: { hash: newGuid(), ...version, ...url, fetchedAt } }),
    ],
    [
      10 * DAY,
      prisma.hostMapKey,
      (fetchedAt) => prisma.hostMapKey.create({ data: { key: newGuid(), fetchedAt } }),
    ],
    [10 * DAY, prisma.hostMapCheck, (at) => prisma.hostMapCheck.create({ data: { key: newGuid(), at } })],
    [
      0,
      prisma.pendingLogin,
      (expiresAt) =>
        prisma.pendingLogin.create({
          data: { stateHash: newGuid(), verifierHash: '', returnTo: '/', expiresAt },
        }),
    ],
    [
      0,
      prisma.loginSession,
      (endsAt) =>
        prisma.loginSession.create({
          data: {
            sessionGuid: newGuid(),
            tokenHash: newGuid(),
            playerGuid,
            startedAt: endsAt,
            endsAt,
            accessToken: '',
            accessExpiresAt: endsAt,
            renewAt: endsAt,
            version: 1,
          },
        }),
    ],
    [
      0,
      prisma.hostMapQuestion,
      (until) => prisma.hostMapQuestion.create({ data: { key: newGuid(), claimGuid: newGuid(), until } }),
    ],
    [
      DAY,
      prisma.platformIdRefusal,
      (loggedAt) =>
        prisma.platformIdRefusal.create({ data: { platformId: newGuid(), subject: 'one', loggedAt } }),
    ],
    [
      HOUR,
      prisma.peerMessage,
      (at) => prisma.peerMessage.create({ data: { nodeGuid: newGuid(), body: {}, at } }),
    ],
  ];
  for (const [keptMs, , add] of rows)
    for (const at of [NOW - keptMs - 1, NOW - keptMs]) await add(new Date(at));
  await open().removeExpired();
  expect(await Promise.all(rows.map(([, table]) => table.count()))).toEqual(rows.map(() => 1));
});

test('two nodes at once remove a long history in batches, and skip locked rows', async () => {
  const { prisma, pool } = database;
  await prisma.auditEntry.deleteMany();
  const old = Array.from({ length: 2500 }, (_, nth) => auditEntry(NOW - 31 * DAY - nth));
  await prisma.auditEntry.createMany({ data: [...old, auditEntry(NOW)] });
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT 1 FROM "AuditEntry" ORDER BY at LIMIT 1 FOR UPDATE');
  expect(rows).toHaveLength(1);
  await Promise.all([open().removeExpired(), open().removeExpired()]);
  expect(await prisma.auditEntry.count()).toBe(2);
  await client.query('COMMIT');
  client.release();
  await open().removeExpired();
  expect(await prisma.auditEntry.count()).toBe(1);
});

test('a table whose rows cannot be removed keeps no other one from it', async () => {
  const { prisma, pool } = database;
  await prisma.auditEntry.create({ data: auditEntry(NOW - 31 * DAY) });
  await prisma.hostMapCheck.create({ data: { key: 'old', at: new Date(NOW - 11 * DAY) } });
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it is damaged'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON "AuditEntry" FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await expect(open().removeExpired()).rejects.toThrow('it is damaged');
  expect(await prisma.hostMapCheck.count({ where: { key: 'old' } })).toBe(0);
  await pool.query('DROP TRIGGER refuse ON "AuditEntry"');
});
