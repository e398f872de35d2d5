import { existsSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReplay } from '../../src/domains/replays/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { openStorage, type Storage } from '../../src/platform/storage/storage.ts';
import type { ManualClock } from '../harness/clock.ts';
import { refusal } from '../harness/curation.ts';
import { loseTime } from '../harness/outages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { replaysAt } from './replays-at.ts';
import { answerTo, fetchNoCovers, incomingFiles, openUpload, playRound, publish } from './round.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Runs like the real clock, because countdowns are waited for, and is moved forward by hand. */
let ahead = 0;
const clock: ManualClock = {
  now: () => Date.now() + ahead,
  advance: (milliseconds) => {
    ahead += milliseconds;
  },
  set: (at) => {
    ahead = at - Date.now();
  },
};

let service: TestService;
let queueGuid: string;
let storage: Storage;

beforeAll(async () => {
  service = await startTestService({ clock, environment: { REPLAY_QUOTA_MIB: '1' } });
  ({ queueGuid } = await service.openQueue({ rules: { replaysRequired: true } }));
  storage = await openStorage({ directory: service.environment.STORAGE_DIR as string });
});
afterAll(async () => {
  storage.close();
  await service.stop();
});

const reviewsOf = async (matchGuid: string) =>
  (await service.request('admin', 'GET', `/replay-reviews?matchGuid=${matchGuid}`)).body.items;

const jobsAt = (at: number, others: Parameters<typeof replaysAt>[2] = {}) =>
  replaysAt(at, { service, storage }, others);

const fileOf = (replayGuid: string): string =>
  path.join(service.environment.STORAGE_DIR as string, 'replays', replayGuid);

test('a round without the replay its queue demands is listed 15 minutes after the match, once', async () => {
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
  await round.finish();
  clock.advance(14 * MINUTE);
  await jobsAt(clock.now()).listMissing();
  expect(await reviewsOf(round.matchGuid)).toEqual([]);
  clock.advance(2 * MINUTE);
  // As two nodes would, beside the one that runs.
  await Promise.all([1, 2].map(() => jobsAt(clock.now()).listMissing()));
  await expect.poll(() => reviewsOf(round.matchGuid)).toHaveLength(1);
  expect(await reviewsOf(round.matchGuid)).toMatchObject([
    {
      reason: 'missing',
      status: 'open',
      player: { playerGuid: b.guid },
      replay: null,
      score: { rawScore: b.play.rawScore },
    },
  ]);
  // A first replay comes too late now; a published one may be sent again at any time.
  expect(refusal(await publish(service, round, b, b.play.replay))).toBe('409 REPLAY_TOO_LATE');
  expect((await publish(service, round, a, a.play.replay)).status).toBe(200);
});

test('an outage after the end of a match uses up nothing of the time for its replays', async () => {
  const earlier = await playRound(service, queueGuid);
  await earlier.finish();
  clock.advance(10 * MINUTE);
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  await round.finish();
  // In steps: the service lists the replays on its own, and has to learn of each outage before the time seems to be over.
  for (let times = 0; times < 3; times++) {
    clock.advance(4 * MINUTE);
    await loseTime(service.database, 4 * MINUTE);
  }
  expect(await reviewsOf(earlier.matchGuid)).toEqual([]);
  clock.advance(6 * MINUTE);
  await expect.poll(() => reviewsOf(earlier.matchGuid), { timeout: 20_000 }).toHaveLength(2);
  expect(await reviewsOf(round.matchGuid)).toEqual([]);
  expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
  clock.advance(10 * MINUTE);
  expect(refusal(await publish(service, round, b, b.play.replay))).toBe('409 REPLAY_TOO_LATE');
  await expect.poll(() => reviewsOf(round.matchGuid), { timeout: 20_000 }).toHaveLength(1);
});

test('a replay whose upload began in time is no longer listed as missing once it has arrived', async () => {
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  await round.finish();
  const { replay } = a.play;
  await fetchNoCovers(service);
  const before = (await incomingFiles(service)).size;
  const upload = openUpload(service, round, a, { 'content-length': String(replay.length) });
  upload.write(replay.subarray(0, 1000));
  await expect.poll(async () => (await incomingFiles(service)).size).toBe(before + 1);
  clock.advance(16 * MINUTE);
  await jobsAt(clock.now()).listMissing();
  await expect.poll(() => reviewsOf(round.matchGuid)).toHaveLength(2);
  upload.end(replay.subarray(1000));
  expect(await answerTo(upload)).toMatchObject({ status: 201, body: { verdict: 'verified' } });
  expect(await reviewsOf(round.matchGuid)).toMatchObject([
    { reason: 'missing', player: { playerGuid: b.guid } },
  ]);
});

test('a replay of a round without a score is kept as evidence and listed', async () => {
  const round = await playRound(service, queueGuid, { submit: false });
  const [a, b] = round.players;
  const early = await publish(service, round, b, b.play.replay);
  expect(refusal(early)).toBe('409 WRONG_PHASE');
  expect(early.body.error.details).toEqual({ status: 'playing' });
  await round.submitScore(a);
  // A player whose own score has arrived does not wait for the other's.
  expect((await publish(service, round, a, a.play.replay)).body.verdict).toBe('verified');
  clock.advance(1.5 * round.map.durationSeconds * 1000 + MINUTE);
  await a.socket.until(() => a.socket.match.rounds.length > 0, 'the end of the round', 20_000);
  const { status, body } = await publish(service, round, b, b.play.replay);
  expect([status, body.verdict]).toEqual([201, 'mismatch']);
  expect(await reviewsOf(round.matchGuid)).toMatchObject([
    { reason: 'no_score', score: null, replay: { replayGuid: body.replayGuid } },
  ]);
  await round.finish();
});

test('a player publishes at most REPLAY_QUOTA_MIB in a day', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  await service.database.prisma.replay.create({
    data: {
      replayGuid: newGuid(),
      matchGuid: newGuid(),
      roundNumber: 1,
      playerGuid: a.guid,
      uploadedAt: new Date(clock.now() - DAY + 60_000),
      size: 1024 * 1024,
      sha256: '',
      verdict: 'verified',
      checks: [],
      personal: {},
      removedAt: new Date(),
    },
  });
  const answer = await publish(service, round, a, a.play.replay);
  expect(refusal(answer)).toBe('429 REPLAY_QUOTA_EXCEEDED');
  const retryAfter = Number(answer.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
  clock.advance(2 * MINUTE);
  expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
  await round.finish();
});

test('files are removed after their time, except evidence of open and of upheld reviews', async () => {
  const cheated = { changes: { claim: (score: number) => score - 1 } };
  const published = async (changes: Parameters<typeof playRound>[2]) => {
    const round = await playRound(service, queueGuid, changes);
    const [a] = round.players;
    const { replayGuid } = (await publish(service, round, a, a.play.replay)).body;
    await round.finish();
    return { ...round, replayGuid: replayGuid as string };
  };
  const decided = async (decision: string) => {
    const round = await published(cheated);
    const [review] = await reviewsOf(round.matchGuid);
    await service.request('admin', 'POST', `/replay-reviews/${review.reviewGuid}/resolve`, {
      decision,
      comment: 'Looked at.',
    });
    return round;
  };
  const guids = [
    await published({}),
    await decided('dismissed'),
    await decided('upheld'),
    await published(cheated),
  ].map(({ replayGuid }) => replayGuid);
  await jobsAt(clock.now() + 89 * DAY).tidy();
  expect(guids.map((guid) => existsSync(fileOf(guid)))).toEqual([true, true, true, true]);
  await jobsAt(clock.now() + 91 * DAY).tidy();
  expect(guids.map((guid) => existsSync(fileOf(guid)))).toEqual([false, false, true, true]);
  const shown = await service.request(null, 'GET', `/replays/${guids[0]}`);
  expect(shown.body).toMatchObject({ verdict: 'verified', downloadUrl: null });
  expect(refusal(await service.request(null, 'GET', `/replays/${guids[0]}/download`))).toBe(
    '410 REPLAY_REMOVED',
  );
});

test('a file that the storage has lost is answered with REPLAY_FILE_MISSING, and logged once', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  const { replayGuid } = (await publish(service, round, a, a.play.replay)).body;
  await round.finish();
  const url = `/replays/${replayGuid}/download`;
  const { headers } = await service.request(null, 'GET', url);
  await rm(fileOf(replayGuid));
  for (const account of [null, 'admin'])
    expect(refusal(await service.request(account, 'GET', url))).toBe('404 REPLAY_FILE_MISSING');
  const blank = readReplay(a.play.replay).personal.playerName.at;
  // A range from the first byte on, then one that begins with blanked data, which no file holds.
  for (const range of ['bytes=0-', `bytes=${blank}-`])
    expect((await fetch(service.url + url, { headers: { range } })).status, range).toBe(404);
  const known = await fetch(service.url + url, { headers: { 'if-none-match': headers.etag as string } });
  expect(known.status, 'who has the file needs no storage').toBe(304);
  expect((await service.request(null, 'GET', `/replays/${replayGuid}`)).body.verdict).toBe('verified');

  const lines: any[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const matches = { stored: async () => ({ state: { seats: {}, endedAt: 1 } }) } as never;
  const { file } = jobsAt(clock.now(), { logger, matches });
  for (let times = 0; times < 3; times++)
    await expect((await file(replayGuid, null)).read()).rejects.toMatchObject({
      code: 'REPLAY_FILE_MISSING',
    });
  expect(lines).toEqual([
    expect.objectContaining({ level: 50, replayGuid, msg: 'the file of a replay is missing' }),
  ]);
});

test('a file that could not be removed when its time was over is removed in the next run', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  const { replayGuid } = (await publish(service, round, a, a.play.replay)).body;
  await round.finish();
  const away: Storage = {
    ...storage,
    delete: async () => {
      throw new Error('the storage is away');
    },
  };
  const over = clock.now() + 91 * DAY;
  await expect(jobsAt(over, { storage: away }).tidy()).rejects.toThrow('away');
  expect(existsSync(fileOf(replayGuid))).toBe(true);
  await jobsAt(over + 10 * MINUTE).tidy();
  expect(existsSync(fileOf(replayGuid))).toBe(false);
});

test('a file of a process that died before it was recorded is removed a day later, and no other file', async () => {
  const [old, young, foreign] = [newGuid(), newGuid(), newGuid()];
  for (const guid of [old, young, foreign]) await writeFile(fileOf(guid), 'left behind');
  const longAgo = new Date(Date.now() - 2 * DAY);
  await utimes(fileOf(foreign), longAgo, longAgo);
  await service.database.prisma.replayUpload.createMany({
    data: [
      { replayGuid: old, startedAt: new Date(clock.now() - 2 * DAY) },
      { replayGuid: young, startedAt: new Date(clock.now()) },
    ],
  });
  await jobsAt(clock.now()).tidy();
  expect([old, young, foreign].map((guid) => existsSync(fileOf(guid)))).toEqual([false, true, true]);
  expect(await service.database.prisma.replayUpload.findMany({ select: { replayGuid: true } })).toEqual([
    { replayGuid: young },
  ]);
});
