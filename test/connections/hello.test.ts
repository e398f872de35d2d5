import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingForLocks } from '../harness/database.ts';
import { loseTime } from '../harness/outages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, type SocketPlayer } from '../harness/socket-player.ts';
import { type SocketStatements, watchSocketStatements } from '../harness/socket-statements.ts';

let service: TestService;
let queueGuid: string;
let sent: SocketStatements;
beforeAll(async () => {
  sent = watchSocketStatements();
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(async () => {
  await service.stop();
  sent.restore();
});

const tokens = new Map<string, string>();
const statementsOf = new Map<SocketPlayer, string[]>();
/** Connects a player, each time with the same token. */
const connect = async (name: string): Promise<SocketPlayer> => {
  const token = tokens.get(name) ?? (await service.gameToken(name));
  tokens.set(name, token);
  const player = await service.connect(name, { token });
  statementsOf.set(player, sent.ofConnections.at(-1) ?? []);
  return player;
};

/** The answer of `hello`, and the number of statements that it needed. */
async function hello(player: SocketPlayer) {
  const statements = statementsOf.get(player) ?? [];
  const before = statements.length;
  const answer = await player.do('hello');
  return { answer, statements: statements.length - before };
}

/**
 * A new connection with its statements. The last one, of the `hello` that waits for its end, is left out, and so are the
 * served releases: they are read four times a second at most, for all connections together.
 */
async function connected(name: string) {
  const player = await connect(name);
  await player.do('hello');
  const statements = (statementsOf.get(player) ?? []).slice(0, -1);
  return { player, statements: statements.filter((text) => !text.includes('"PluginRelease"')) };
}

test('a connection sends one statement to be admitted and one to take its seat, also with a place in a queue', async () => {
  const once = [
    expect.stringMatching(/^SELECT .* FROM "Player" AS p WHERE "subject"/),
    expect.stringMatching(/^SELECT "claimSeat"/),
  ];
  const { prisma } = service.database;
  const newcomer = await connect('cleo');
  await newcomer.do('hello');
  newcomer.drop();
  await expect.poll(() => prisma.playerConnection.count()).toBe(0);
  const back = await connected('cleo');
  expect(back.statements).toEqual(once);
  await back.player.do('joinQueue', { queueGuid });
  back.player.drop();
  await expect.poll(() => prisma.queueEntry.count({ where: { disconnectedAt: { not: null } } })).toBe(1);
  const again = await connected('cleo');
  expect(again.statements).toEqual(once);
  expect(await prisma.queueEntry.count({ where: { disconnectedAt: null } })).toBe(1);
  await again.player.do('leaveQueue');
});

test('hello sends one statement, whether the player waits, plays, or has played', async () => {
  const [ann, bea] = [await connect('ann'), await connect('bea')];
  const nothing = { queueEntry: null, match: null, lastMatch: null, penalty: null };
  // A command waits for the end of the connect.
  await ann.do('hello');
  expect(await hello(ann)).toMatchObject({ answer: nothing, statements: 1 });

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

test('hello tells of the last match also when an outage made it longer than a day', async () => {
  const [ida, jan] = [await connect('ida'), await connect('jan')];
  const matchGuid = await meet(ida, jan, (await service.openQueue()).queueGuid);
  await service.database.pool.query(
    `UPDATE "Match" SET "startedAt" = "startedAt" - interval '3 days' WHERE "matchGuid" = $1`,
    [matchGuid],
  );
  await loseTime(service.database, 3 * 24 * 3_600_000);
  await ida.do('forfeit', { matchGuid });
  await jan.until(() => jan.match.result !== null);
  for (const player of [ida, jan])
    expect((await player.do('hello')).lastMatch).toMatchObject({ matchGuid, result: player.match.result });
});

test('hello and getMatchState are no older than an update before them, also when names are read for long', async () => {
  const [emma, finn] = [await connect('emma'), await connect('finn')];
  const matchGuid = await meet(emma, finn, (await service.openQueue()).queueGuid);
  /** Asks, and lets the answer wait for names until the other player has discarded. */
  const askDuringDiscard = async (asks: SocketPlayer, event: string, other: SocketPlayer) => {
    const { version } = asks.match;
    const held = await service.database.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('LOCK TABLE "Player" IN ACCESS EXCLUSIVE MODE');
      const answer = asks.do(event, event === 'hello' ? {} : { matchGuid });
      await expect.poll(() => waitingForLocks(service.database)).toBeGreaterThan(0);
      await other.do('discardMaps', { matchGuid, cardGuids: [] });
      await asks.until(() => asks.match.version > version);
      await held.query('COMMIT');
      expect((await answer).match.version).toBe(asks.match.version);
    } finally {
      held.release(true);
    }
  };
  // A new player makes the names in memory outdated.
  await connect('gwen');
  await askDuringDiscard(emma, 'hello', finn);
  await connect('hugh');
  await askDuringDiscard(finn, 'getMatchState', emma);
  await partWays(emma, finn, matchGuid);
});
