import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOUNDS } from '../../src/platform/limits.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { type Player, playRound, publish, type Round, refusal } from './round.ts';

/** How uploads are held to what the process can bear, as their clients see it. */

const MIB = 1024 * 1024;

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
}, 60_000);
afterAll(() => service.stop());

const incomingFolder = () => path.join(service.environment.STORAGE_DIR as string, '.incoming');
const incomingFiles = () => readdir(incomingFolder());
const incomingBytes = async (): Promise<number> => {
  const sizes = (await incomingFiles()).map(
    async (name) => (await stat(path.join(incomingFolder(), name))).size,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** Sends a part of a body, and the rest when it is told to. */
function beginUpload({ matchGuid }: Round, { token }: Player, part: Uint8Array) {
  const request = httpRequest(`${service.url}/matches/${matchGuid}/rounds/1/replay`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'x-service-plugin-version': '1.0.0',
    },
  });
  request.on('error', () => {});
  const answered = once(request, 'response').then(async ([answer]: IncomingMessage[]) => ({
    status: answer?.statusCode ?? 0,
    body: (await json(answer as IncomingMessage)) as any,
  }));
  request.write(part);
  return {
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

test('of one player two uploads wait for the one before, the next is refused', async () => {
  const round = await playRound(service, queueGuid);
  const [{ play }] = round.players;
  const first = beginUpload(round, round.players[0], play.replay.subarray(0, 10_000));
  await expect.poll(incomingFiles).toHaveLength(1);

  const others = [1, 2, 3].map(() => publish(service, round, round.players[0], play.replay));
  const refused = await Promise.race(others);
  expect(refusal(refused)).toBe('429 RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const { status, body } = await first.finish(play.replay.subarray(10_000));
  expect(status).toBe(201);
  // Those that waited are the same file again.
  const answers = await Promise.all(others);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 429]);
  for (const answer of answers) if (answer.status === 200) expect(answer.body).toEqual(body);
});

test('another file that waits for the first is told that there is one by then', async () => {
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  const first = beginUpload(round, a, a.play.replay.subarray(0, 10_000));
  await expect.poll(incomingFiles).toHaveLength(1);
  const other = publish(service, round, a, b.play.replay);
  // Somebody else does not wait.
  expect((await publish(service, round, b, b.play.replay)).status).toBe(201);
  expect((await first.finish(a.play.replay.subarray(10_000))).status).toBe(201);
  expect(refusal(await other)).toBe('409 REPLAY_EXISTS');
});

test('when all that arrive are 256 MiB the next is asked to come again, and taken once there is room', async () => {
  const rounds = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const late = await playRound(service, queueGuid);
  const [a, b] = late.players;
  // None of them is whole, so nobody knows yet that it is no replay.
  const begun = Buffer.alloc(BOUNDS.replaysAtOnce.value / 4 - MIB);
  const arriving = rounds.flatMap((round) =>
    round.players.map((player) => beginUpload(round, player, begun)),
  );
  try {
    await expect.poll(incomingBytes, { timeout: 60_000 }).toBe(4 * begun.length);
    const refused = await publish(service, late, a, Buffer.alloc(8 * MIB));
    expect(refusal(refused)).toBe('503 UPLOADS_BUSY');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // A small one still has room.
    expect((await publish(service, late, b, b.play.replay)).status).toBe(201);
  } finally {
    for (const one of arriving) one.cutOff();
  }
  await expect.poll(incomingFiles).toEqual([]);
  expect((await publish(service, late, a, a.play.replay)).status).toBe(201);
}, 120_000);
