import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { repeat } from '../../src/platform/loop.ts';
import type { Storage } from '../../src/platform/storage/storage.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import type { TestService } from '../harness/service.ts';
import { replaysAt } from './replays-at.ts';

/** The removal of files whose time is over keeps up with what was published, and does not delay a stop. */

const DAY = 24 * 3_600_000;
const NOW = Date.now();

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE "Replay", "ReplayUpload"'));

const replaysWith = (remove: (key: string) => Promise<void>) =>
  replaysAt(NOW, {
    service: { url: '', database } as unknown as TestService,
    storage: { delete: remove } as Storage,
  });

/** Stores replays whose time is over. */
const addExpired = (count: number) =>
  database.prisma.replay.createMany({
    data: Array.from({ length: count }, (_, nth) => ({
      ...{ replayGuid: newGuid(), matchGuid: newGuid(), roundNumber: 1, playerGuid: newGuid() },
      uploadedAt: new Date(NOW - 91 * DAY - nth),
      ...{ size: 1, sha256: String(nth), verdict: 'verified', checks: [], personal: [] },
    })),
  });

/** Replays that are not removed, and files whose removal is recorded and not done. */
const left = async () => [
  await database.prisma.replay.count({ where: { removedAt: null } }),
  await database.prisma.replayUpload.count(),
];

test('one run removes all files whose time is over, several at once', async () => {
  await addExpired(4001);
  const removed = new Set<string>();
  let [underWay, most] = [0, 0];
  const replays = replaysWith(async (key) => {
    most = Math.max(most, ++underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    removed.add(key);
  });
  await replays.tidy();
  expect(removed.size).toBe(4001);
  expect(await left()).toEqual([0, 0]);
  expect(most).toBe(16);
});

test('one run removes all files of uploads that never ended', async () => {
  const startedAt = new Date(NOW - 2 * DAY);
  await database.prisma.replayUpload.createMany({
    data: Array.from({ length: 401 }, () => ({ replayGuid: newGuid(), startedAt })),
  });
  const removed: string[] = [];
  await replaysWith(async (key) => void removed.push(key)).tidy();
  expect(removed).toHaveLength(401);
  expect(await left()).toEqual([0, 0]);
});

test('a stop does not wait for files that are being removed, and the next run removes the rest', async () => {
  await addExpired(300);
  const begun = Promise.withResolvers<void>();
  const standing = Promise.withResolvers<void>();
  let begins = 0;
  const replays = replaysWith(() => {
    if (++begins === 16) begun.resolve();
    return standing.promise;
  });
  const loop = repeat('replay files', 60_000, replays.tidy, pino({ level: 'silent' }), 0);
  await begun.promise;
  await loop.stop();
  expect(begins).toBe(16);
  expect(await left()).toEqual([100, 200]);
  standing.resolve();

  const removed = new Set<string>();
  await replaysWith(async (key) => void removed.add(key)).tidy();
  expect(removed.size).toBe(300);
  expect(await left()).toEqual([0, 0]);
});

test('a file that cannot be removed does not delay the others, and only its removal stays recorded', async () => {
  await addExpired(100);
  let broken: string | undefined;
  const removed = new Set<string>();
  const replays = replaysWith(async (key) => {
    broken ??= key;
    if (key === broken) throw new Error('it is locked');
    removed.add(key);
  });
  await expect(replays.tidy()).rejects.toThrow('locked');
  expect(removed.size).toBe(99);
  await addExpired(100);
  await expect(replays.tidy()).rejects.toThrow('locked');
  expect(removed.size).toBe(199);
  expect(await left()).toEqual([0, 1]);
});

test('a run ends when the storage removes none of the first sixteen files', async () => {
  await addExpired(100);
  let times = 0;
  const replays = replaysWith(async () => {
    times += 1;
    throw new Error('the storage is away');
  });
  await expect(replays.tidy()).rejects.toThrow('away');
  expect(times).toBe(16);
  expect(await left()).toEqual([0, 100]);
});
