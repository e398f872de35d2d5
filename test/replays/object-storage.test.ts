import { once } from 'node:events';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { readReplay } from '../../src/domains/replays/index.ts';
import { openStorage, type Storage } from '../../src/platform/storage/storage.ts';
import { letSilencePass } from '../harness/nodes.ts';
import { type ObjectStorage, startObjectStorage } from '../harness/object-storage.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { replaysAt } from './replays-at.ts';
import { incomingFiles, openUpload, playRound, publish } from './round.ts';

/** Replays in a bucket, from the upload to the end of their time, and what a crash in between leaves there. */

const DAY = 24 * 3_600_000;

let objectStorage: ObjectStorage;
let service: TestService;
let storage: Storage;
let queueGuid: string;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  objectStorage = await startObjectStorage();
  service = await startTestService({ environment: objectStorage.environment });
  ({ queueGuid } = await service.openQueue());
  storage = await openStorage({
    directory: service.environment.STORAGE_DIR as string,
    s3: objectStorage.options,
  });
});
afterAll(async () => {
  storage.close();
  await running?.kill();
  await service.stop();
  await objectStorage.stop();
});

const keys = () => objectStorage.keysIn('replays');
const download = async (replayGuid: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}/replays/${replayGuid}/download`, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

const tidyAt = (at: number): Promise<void> => replaysAt(at, { service, storage }).tidy();

test('a replay is stored in the bucket, read from there in parts, and removed there when its time is over', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  objectStorage.takeRequests();
  const published = await publish(service, round, a, a.play.replay);
  const ofReplays = (request: string) => request.includes('/replays/');
  expect(objectStorage.takeRequests().filter(ofReplays)).toEqual([expect.stringMatching(/^PUT /)]);
  expect([published.status, published.body.verdict ?? published.body.error]).toEqual([201, 'verified']);
  const { replayGuid } = published.body;
  expect(await keys()).toEqual([`replays/${replayGuid}`]);
  // Covers of the maps arrive in the same folder, whenever the map host answers.
  await expect.poll(async () => (await incomingFiles(service)).size).toBe(0);
  expect((await publish(service, round, a, a.play.replay)).status).toBe(200);
  await round.finish();

  const token = await service.identityProvider.accountToken('admin');
  const authorization = `Bearer ${token}`;
  expect((await download(replayGuid, { authorization })).bytes.equals(a.play.replay)).toBe(true);
  const { bytes } = await download(replayGuid);
  expect(readReplay(bytes).info).toMatchObject({ playerName: '', height: 0 });
  for (const [from, to] of [
    [0, 9],
    [60, 130],
    [bytes.length - 5000, bytes.length - 1],
  ] as const) {
    const part = await download(replayGuid, { range: `bytes=${from}-${to}` });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.length}`);
    expect(part.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
  }

  await tidyAt(Date.now() + 89 * DAY);
  expect(await keys()).toHaveLength(1);
  await tidyAt(Date.now() + 91 * DAY);
  expect(await keys()).toEqual([]);
  expect((await download(replayGuid)).status).toBe(410);
});

test('a crash leaves nothing visible, and its files are removed a day later', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  await round.finish();
  const nothing = async () => {
    expect(await service.database.prisma.replay.count({ where: { matchGuid: round.matchGuid } })).toBe(0);
  };
  // Its database and its bucket go on; processes of the service are killed in front of them.
  await service.service.stop();

  running = await startServiceProcess(service.environment);
  const request = openUpload(service, round, a, { 'content-length': String(a.play.replay.length) });
  const broken = once(request, 'error');
  request.write(a.play.replay.subarray(0, 10_000));
  await expect.poll(async () => (await incomingFiles(service)).size).toBe(1);
  await running.kill();
  await broken;
  await nothing();
  expect(await keys()).toEqual([]);

  // The next process dies when its object is stored and its row is not.
  await letSilencePass(service.database);
  running = await startServiceProcess(service.environment);
  const other = new pg.Client({ connectionString: service.database.url });
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE "Replay" IN EXCLUSIVE MODE');
    let answer: unknown = null;
    const lost = publish(service, round, a, a.play.replay)
      .catch((error: unknown) => error)
      .then((outcome) => {
        answer = outcome;
      });
    await expect
      .poll(async () => ({ keys: (await keys()).length, answer }))
      .toEqual({ keys: 1, answer: null });
    const waiting = `SELECT pid FROM pg_locks WHERE relation = '"Replay"'::regclass AND NOT granted`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    await running.kill();
    await lost;
    expect(answer).toBeInstanceOf(Error);
    // The database does not know that the process is dead, and would still commit.
    await other.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS dead`);
    await other.query('ROLLBACK');
  } finally {
    await other.end();
  }
  await nothing();

  const [orphan] = await keys();
  await letSilencePass(service.database);
  const config = loadConfig(service.environment);
  const next = await startObservedService(config, { logger: pino({ level: config.logLevel }) });
  const published = await publish(service, round, a, a.play.replay);
  expect([published.status, published.body.verdict ?? published.body.error]).toEqual([201, 'verified']);
  const own = `replays/${published.body.replayGuid}`;
  expect((await keys()).sort()).toEqual([orphan, own].sort());
  await tidyAt(Date.now() + 2 * DAY);
  expect(await keys()).toEqual([own]);
  expect(await service.database.prisma.replayUpload.count()).toBe(0);
  expect((await download(published.body.replayGuid)).status).toBe(200);
  await next.stop();
}, 180_000);
