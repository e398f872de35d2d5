import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer } from '../harness/socket-player.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const guidOf = async (player: SocketPlayer): Promise<string> => (await player.do('hello')).player.playerGuid;

test('another node carries out bans and closed queues that a dead node stored', async () => {
  const [queue, other] = [await service.openQueue(), await service.openQueue()];
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  await meet(anna, bert, queue.queueGuid);
  const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
  await cara.do('joinQueue', { queueGuid: queue.queueGuid });
  await dirk.do('joinQueue', { queueGuid: other.queueGuid });

  const { prisma } = service.database;
  const now = new Date();
  const ban = { reason: 'Insults', createdByGuid: newGuid(), createdAt: now, until: null };
  await prisma.ban.createMany({
    data: [
      { ...ban, banGuid: newGuid(), playerGuid: await guidOf(anna) },
      { ...ban, banGuid: newGuid(), playerGuid: await guidOf(cara) },
    ],
  });
  await prisma.queue.update({ where: { queueGuid: other.queueGuid }, data: { status: 'closed' } });
  const seenAt = new Date(now.getTime() - 6000);
  await prisma.serviceNode.create({
    data: { nodeGuid: newGuid(), startedAt: seenAt, seenAt, rulesVersion: 2 },
  });

  for (const player of [anna, cara]) await player.until(() => !player.socket.connected, 'being disconnected');
  await bert.status('aborted');
  expect(bert.match.result).toMatchObject({ outcome: 'no_contest', reason: 'banned' });
  expect(cara.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'banned' });
  await dirk.until(() => dirk.queueUpdates.length > 1, 'the end of the queue');
  expect(dirk.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'queue_drained' });
});
