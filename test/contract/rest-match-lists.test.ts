import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const encoded = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
const GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';

test.each([[[1e300, GUID]], [[-9e15, GUID]], [[1, 'x']], ['x'], [null]])(
  'a made-up cursor of the matches (%j) is refused',
  async (key) => {
    const answer = await service.request(null, 'GET', `/matches?cursor=${encoded(key)}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  },
);

test('the matches of a player nobody knows are not found', async () => {
  const answer = await service.request(null, 'GET', `/players/${GUID}/matches`);
  expect([answer.status, answer.body.error.code]).toEqual([404, 'PLAYER_NOT_FOUND']);
});

test('somebody who never played has no matches', async () => {
  const anna = await service.connect('Anna');
  const { player } = await anna.do('hello');
  const answer = await service.request(null, 'GET', `/players/${player.playerGuid}/matches`);
  expect(answer.body).toEqual({ items: [], nextCursor: null });
  anna.leave();
});
