import { constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaySections } from '../../src/domains/replays/index.ts';
import { refusal } from '../harness/curation.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { draft } from './plays.ts';
import {
  answerTo,
  fetchNoCovers,
  incomingFiles,
  openUpload,
  type Player,
  playRound,
  publish,
  type Round,
} from './round.ts';

/** The limits of uploads, as clients see them. */

const MIB = 1024 * 1024;

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
  await fetchNoCovers(service);
});
afterAll(() => service.stop());

const arriving = async (): Promise<number> => (await incomingFiles(service)).size;
const arrivedBytes = async (): Promise<number> =>
  [...(await incomingFiles(service)).values()].reduce((sum, size) => sum + size, 0);

/**
 * Waits until the first part of a file has arrived, of which one block of 8 KiB is written. Covers of maps arrive in the
 * same folder.
 */
const hasBegun = () => expect.poll(async () => [...(await incomingFiles(service)).values()]).toContain(8192);

/** Sends a part of a body, and the rest with `finish`. */
function beginUpload(round: Round, player: Player, part: Uint8Array, encoding = 'identity') {
  const request = openUpload(service, round, player, { 'content-encoding': encoding });
  const answered = answerTo(request);
  request.write(part);
  return {
    answered,
    finish: (rest: Uint8Array) => {
      request.end(rest);
      return answered;
    },
    cutOff: () => {
      answered.catch(() => {});
      request.destroy();
    },
  };
}

test('of three uploads that a player sends during another one, two wait and one is refused', async () => {
  const round = await playRound(service, queueGuid);
  const [{ play }] = round.players;
  const first = beginUpload(round, round.players[0], play.replay.subarray(0, 10_000));
  await hasBegun();

  const others = [1, 2, 3].map(() => publish(service, round, round.players[0], play.replay));
  const refused = await Promise.race(others);
  expect(refusal(refused)).toBe('429 RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const { status, body } = await first.finish(play.replay.subarray(10_000));
  expect(status).toBe(201);
  // The two that waited have the same file.
  const answers = await Promise.all(others);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 429]);
  for (const answer of answers) if (answer.status === 200) expect(answer.body).toEqual(body);
});

test('another file that waits for the first is refused with REPLAY_EXISTS', async () => {
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  const first = beginUpload(round, a, a.play.replay.subarray(0, 10_000));
  await hasBegun();
  const other = publish(service, round, a, b.play.replay);
  // Somebody else does not wait.
  expect((await publish(service, round, b, b.play.replay)).status).toBe(201);
  expect((await first.finish(a.play.replay.subarray(10_000))).status).toBe(201);
  expect(refusal(await other)).toBe('409 REPLAY_EXISTS');
});

/** Forces out what was packed so far, as a client that then sends nothing more. */
const packed = (file: Uint8Array): Buffer => gzipSync(file, { finishFlush: constants.Z_SYNC_FLUSH });

test('a body that is no replay is refused at its first bytes', async () => {
  const round = await playRound(service, queueGuid);
  const [a] = round.players;
  const head = a.play.replay.subarray(0, 5);
  const cases: [Buffer, number][] = [
    [Buffer.from('MZ-no-replay'), 0],
    [Buffer.concat([head.subarray(0, 4), Buffer.of(2)]), 4],
    [Buffer.concat([head, Buffer.of(7)]), 5],
  ];
  for (const encoding of ['identity', 'gzip'])
    for (const [part, byteOffset] of cases) {
      const upload = beginUpload(round, a, encoding === 'gzip' ? packed(part) : part, encoding);
      const { status, body } = await upload.answered;
      expect([status, body.error.code, body.error.details]).toEqual([
        422,
        'REPLAY_UNREADABLE',
        { byteOffset },
      ]);
      upload.cutOff();
    }
  await expect.poll(arriving).toBe(0);
  expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
});

test('four stalled uploads that unpack to 240 MiB do not prevent other uploads', async () => {
  const rounds = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const late = await playRound(service, queueGuid);
  const [head, info] = replaySections(draft()) as [Buffer, Buffer];
  const frames = 60 * MIB - 5;
  const section = Buffer.alloc(5 + frames);
  section.writeUInt8(1);
  section.writeInt32LE(700_000, 1);
  const begun = Buffer.concat([head, info, section]);
  const uploads = rounds.flatMap((round) =>
    round.players.map((player) => beginUpload(round, player, packed(begun), 'gzip')),
  );
  try {
    // Written in blocks: what does not fill one is not there yet.
    await expect.poll(arrivedBytes, { timeout: 60_000 }).toBeGreaterThan(4 * (begun.length - MIB));
    for (const player of late.players)
      expect((await publish(service, late, player, player.play.replay)).status).toBe(201);
    expect(await arriving()).toBe(4);
  } finally {
    for (const upload of uploads) upload.cutOff();
  }
  await expect.poll(arriving).toBe(0);
}, 120_000);
