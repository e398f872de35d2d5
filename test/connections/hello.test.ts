import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer } from '../harness/socket-player.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

/** What `hello` answers, and how many statements about this player it sent to the database. */
async function hello(player: SocketPlayer) {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const answer = await player.do('hello');
    const { playerGuid } = answer.player;
    const asked = spy.mock.calls as unknown as { values?: unknown[] }[][];
    const statements = asked.filter(([query]) => query?.values?.flat().includes(playerGuid));
    return { answer, statements: statements.length };
  } finally {
    spy.mockRestore();
  }
}

test('hello sends one statement, whether the player waits, plays, or has played', async () => {
  const [ann, bea] = [await service.connect('ann'), await service.connect('bea')];
  const nothing = { queueEntry: null, match: null, lastMatch: null, penalty: null };
  // The last statements of the new connection may still be on their way.
  await expect.poll(async () => (await hello(ann)).statements).toBe(1);
  const first = await hello(ann);
  expect(first).toMatchObject({ answer: nothing, statements: 1 });

  await ann.do('joinQueue', { queueGuid });
  const waiting = await hello(ann);
  const { queueEntry } = waiting.answer;
  expect(queueEntry).toMatchObject({ queueGuid, rating: 1000 });
  expect(queueEntry.gap).toBeGreaterThan(0);
  expect(Math.abs(Date.parse(queueEntry.joinedAt) - Date.parse(waiting.answer.time))).toBeLessThan(10_000);
  expect(waiting.statements).toBe(1);
  await ann.do('leaveQueue');

  const matchGuid = await meet(ann, bea, queueGuid);
  // The names of both players are in memory since the match began.
  const playing = await hello(ann);
  expect(playing).toMatchObject({ answer: { ...nothing, match: { matchGuid } }, statements: 1 });
  expect(playing.answer.match).toMatchObject({ you: ann.match.you, opponent: ann.match.opponent });

  await ann.do('forfeit', { matchGuid });
  await bea.until(() => bea.match.result !== null);
  const [lost, won] = [await hello(ann), await hello(bea)];
  expect(lost.answer.lastMatch).toMatchObject({ matchGuid, result: ann.match.result });
  expect(won.answer.lastMatch).toMatchObject({ matchGuid, result: bea.match.result });
  expect(won.answer.lastMatch.result.reason).toBe('left_before_first_pick');
  expect(lost.answer.penalty.reason).toBe('left_before_first_pick');
  expect(Date.parse(lost.answer.penalty.until)).toBeGreaterThan(Date.parse(lost.answer.time));
  expect([lost.statements, won.statements]).toEqual([1, 1]);
});
