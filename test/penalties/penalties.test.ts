import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  countEarlyLeaves,
  type PenaltyReason,
  penalizedAmong,
  recordOffence,
} from '../../src/domains/penalties/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
let playerGuid: string;
beforeAll(async () => {
  database = await cloneDatabase();
});
beforeEach(() => {
  playerGuid = newGuid();
});
afterAll(() => database.drop());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-03-01T12:00:00.000Z');

const offend = (now: number, reason: PenaltyReason = 'disconnected', matchGuid = newGuid()) =>
  inTransaction(database, [], (db) =>
    recordOffence(db, { playerGuid, matchGuid, reason, now, firstMs: 5 * MINUTE }),
  );

const isPenalized = async (now: number) =>
  (await penalizedAmong(database.prisma, [playerGuid], now)).has(playerGuid);

test('a penalty doubles with each offence of the last 14 days, up to a day', async () => {
  const minutes: number[] = [];
  for (let n = 0; n < 11; n++) minutes.push(((await offend(START + n)).until - START - n) / MINUTE);
  expect(minutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
});

test('an offence no longer counts after 14 days', async () => {
  await offend(START);
  expect((await offend(START + 14 * DAY - 1)).until).toBe(START + 14 * DAY - 1 + 10 * MINUTE);
  expect((await offend(START + 14 * DAY)).until, 'the first no longer counts').toBe(
    START + 14 * DAY + 10 * MINUTE,
  );
});

test('a player has one offence in a match, however often the offence is recorded', async () => {
  const matchGuid = newGuid();
  const first = await offend(START, 'not_joined', matchGuid);
  expect(await offend(START + 1000, 'disconnected', matchGuid)).toEqual(first);
  expect((await offend(START + 2000)).until).toBe(START + 2000 + 10 * MINUTE);
});

test('offences of one player at the same time count one after the other', async () => {
  const matches = Array.from({ length: 6 }, () => newGuid());
  const both = await Promise.all(
    [...matches, ...matches].map((matchGuid) => offend(START, 'not_ready', matchGuid)),
  );
  const lengths = [...new Set(both.map(({ until }) => (until - START) / MINUTE))].sort((a, b) => a - b);
  expect(lengths).toEqual([5, 10, 20, 40, 80, 160]);
  expect(await database.prisma.penalty.count({ where: { playerGuid } })).toBe(6);
});

test('a player is penalized until the longest of several penalties ends', async () => {
  expect(await isPenalized(START)).toBe(false);
  await offend(START, 'not_joined');
  const { until } = await offend(START + 1, 'disconnected');
  expect(await isPenalized(START + 2)).toBe(true);
  expect(await isPenalized(until - 1)).toBe(true);
  expect(await isPenalized(until)).toBe(false);
});

test('leaving before the first pick and dodging count as early leaves for 14 days', async () => {
  await offend(START, 'left_before_first_pick');
  await offend(START + 1, 'disconnected');
  await offend(START + 2, 'dodged');
  const leftAt = async (now: number) =>
    (await countEarlyLeaves(database.prisma, [playerGuid], now)).get(playerGuid) ?? 0;
  expect(await leftAt(START + 3)).toBe(2);
  expect(await leftAt(START + 14 * DAY)).toBe(1);
  expect(await leftAt(START + 14 * DAY + 2)).toBe(0);
});

test('an offence is not recorded when its transaction fails', async () => {
  const doomed = inTransaction(database, [], async (db) => {
    await recordOffence(db, {
      playerGuid,
      matchGuid: newGuid(),
      reason: 'dodged',
      now: START,
      firstMs: MINUTE,
    });
    throw new Error('the end of the match failed');
  });
  await expect(doomed).rejects.toThrow('the end of the match failed');
  expect(await isPenalized(START)).toBe(false);
});
