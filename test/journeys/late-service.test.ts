import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, type SocketPlayer, toFirstPick } from '../harness/socket-player.ts';

/** The service is so late that it executes commands long after they arrived. */

const JOIN_MS = 4000;
const PICK_MS = 1500;

let service: TestService;
let second: SecondNode;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService({
    environment: { JOIN_SECONDS: String(JOIN_MS / 1000), PICK_SECONDS: String(PICK_MS / 1000) },
  });
  second = await startSecondNode(service);
  ({ queueGuid } = await service.openQueue());
});
afterAll(async () => {
  await second?.service.stop();
  await service?.stop();
});

/** Blocks joining and leaving queues until the returned function is called: commands wait behind the first one. */
async function lockQueues(): Promise<() => Promise<void>> {
  const client = await service.database.pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE "QueueEntry" IN EXCLUSIVE MODE');
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
}

const afterDeadline = (player: SocketPlayer, ms: number) =>
  sleep(Date.parse(player.match.deadlineAt) + ms - Date.now());

/** Waits until every node knows that it has read what arrived before the limit: until its second heartbeat after it. */
async function limitWasRead(player: SocketPlayer): Promise<void> {
  const beats = () => service.database.prisma.serviceNode.findMany({ orderBy: { nodeGuid: 'asc' } });
  let before = (await beats()).map(() => Date.parse(player.match.deadlineAt));
  for (let times = 0; times < 2; times++) {
    const haveAllBeaten = async () =>
      (await beats()).every(({ seenAt }, at) => seenAt.getTime() > (before[at] ?? 0));
    await expect.poll(haveAllBeaten).toBe(true);
    before = (await beats()).map(({ seenAt }) => seenAt.getTime());
  }
}

describe.each([
  ['one node', 1],
  ['two nodes', 2],
])('players on %s', (_where, nodes) => {
  const connect = async (name: string, other: string): Promise<[SocketPlayer, SocketPlayer]> => [
    await service.connect(`${name}${nodes}`),
    await (nodes === 1 ? service : second).connect(`${other}${nodes}`),
  ];

  test('a pick that arrived before the limit counts', async () => {
    const [anna, bert] = await connect('anna', 'bert');
    const matchGuid = await meet(anna, bert, queueGuid);
    const [picker, waiter] = await toFirstPick(anna, bert, matchGuid);
    const unlock = await lockQueues();
    const left = picker.do('leaveQueue');
    const { cardGuid, map } = picker.match.you.hand[3];
    const picked = picker.do('selectMap', { matchGuid, cardGuid });
    await afterDeadline(picker, 1200);
    expect((await waiter.do('getMatchState', { matchGuid })).match.status).toBe('awaiting_pick');
    await unlock();
    await Promise.all([left, picked]);
    expect((await waiter.status('preparing')).currentMap).toEqual(map);
    await partWays(anna, bert, matchGuid);
  });

  test('a pick that arrived too late is refused, also before the limit has selected a card', async () => {
    const [cara, dirk] = await connect('cara', 'dirk');
    const matchGuid = await meet(cara, dirk, queueGuid);
    const [picker, waiter] = await toFirstPick(cara, dirk, matchGuid);
    const unlock = await lockQueues();
    const left = picker.do('leaveQueue');
    const [first, , , last] = picker.match.you.hand;
    await limitWasRead(picker);
    const refused = picker.refused('selectMap', { matchGuid, cardGuid: last.cardGuid });
    await sleep(300);
    expect((await waiter.do('getMatchState', { matchGuid })).match.status).toBe('awaiting_pick');
    await unlock();
    await left;
    expect(await refused).toBe('WRONG_PHASE');
    expect((await waiter.status('preparing')).currentMap).toEqual(first.map);
    await partWays(cara, dirk, matchGuid);
  });

  test('a player who got the match too late to join it is not penalised and waits again', async () => {
    const [emil, fred] = await connect('emil', 'fred');
    await emil.do('joinQueue', { queueGuid });
    await fred.do('joinQueue', { queueGuid });
    const [{ matchGuid }] = await Promise.all([
      emil.status('waiting_players'),
      fred.status('waiting_players'),
    ]);
    const { prisma } = service.database;
    const toldTimes = async () => {
      const seats = await prisma.runningSeat.findMany({ where: { matchGuid } });
      return seats.map(({ toldAt }) => toldAt?.getTime() ?? Number.NaN);
    };
    await expect.poll(toldTimes).toEqual([expect.closeTo(Date.now(), -4), expect.closeTo(Date.now(), -4)]);
    const { you } = emil.match;
    const { playerGuid } = you.player;
    const toldAt = new Date(Date.parse(emil.match.deadlineAt) - JOIN_MS / 2 + 100);
    await prisma.runningSeat.update({ where: { playerGuid }, data: { toldAt } });
    await Promise.all([emil.status('aborted'), fred.status('aborted')]);
    await emil.until(() => emil.queueUpdates.at(-1)?.reason === 'requeued', 'being queued again');
    expect((await emil.do('hello')).penalty).toBeNull();
    expect((await fred.do('hello')).penalty.reason).toBe('not_joined');
    await emil.do('leaveQueue');
  });
});
