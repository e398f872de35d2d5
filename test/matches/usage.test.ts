import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumUsage } from '../../src/domains/matches/usage-store.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound } from '../harness/socket-player.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('curators see how often each map was dealt, discarded, picked and won, whatever became of the result', async () => {
  const { queueGuid, poolGuid } = await service.openQueue({ maps: 20 });
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  const matchGuid = await meet(anna, bert, queueGuid);
  const [given] = anna.match.you.hand;
  await anna.do('discardMaps', { matchGuid, cardGuids: [given.cardGuid] });
  await bert.do('discardMaps', { matchGuid, cardGuids: [] });
  for (const round of [1, 2, 3]) {
    await playRound(anna, bert, 0.95, 0.6);
    await Promise.all(
      [anna, bert].map((one) => one.until(() => one.match.rounds.length === round, 'the round')),
    );
  }
  await Promise.all([anna.status('completed'), bert.status('completed')]);
  const { rounds, you } = anna.match;
  const statistics = async () =>
    (await service.request('pooler-one', 'GET', `/pools/${poolGuid}/statistics`)).body.maps;
  const maps = await statistics();
  expect(maps).toHaveLength(20);
  const sum = (name: string) => maps.reduce((total: number, map: any) => total + map[name], 0);
  expect([sum('dealt'), sum('discarded'), sum('picked'), sum('played')]).toEqual([11, 1, 3, 3]);
  const won = rounds.filter((round: any) => round.pickerGuid === round.winnerGuid).length;
  expect(sum('wonByPicker')).toBe(won);
  expect(maps.find((map: any) => map.mapGuid === given.map.mapGuid)).toMatchObject({ discarded: 1 });
  for (const { map, scores } of rounds) {
    const found = maps.find((one: any) => one.mapGuid === map.mapGuid);
    expect(found).toMatchObject({ picked: 1, played: 1 });
    expect(found.averageAccuracy).toBeCloseTo((scores[0].accuracy + scores[1].accuracy) / 2, 9);
  }
  expect(maps.filter((map: any) => map.played === 0).every((map: any) => map.averageAccuracy === null)).toBe(
    true,
  );
  expect(you.player.playerGuid).toBeTruthy();

  // Summed up, and once more by two tasks at once, it is the same.
  const { prisma } = service.database;
  expect(await sumUsage(prisma)).toBe(11);
  expect(await Promise.all([sumUsage(prisma), sumUsage(prisma)])).toEqual([0, 0]);
  expect(await statistics()).toEqual(maps);
  expect(await prisma.mapUsage.count({ where: { poolGuid } })).toBe(11);

  const { status } = await service.request('admin', 'POST', `/matches/${matchGuid}/undo`, { reason: 'test' });
  expect(status).toBe(200);
  expect(await statistics()).toEqual(maps);
  expect((await service.request(null, 'GET', `/pools/${poolGuid}/statistics`)).status).toBe(401);
  expect((await service.request('pooler-one', 'GET', `/pools/${matchGuid}/statistics`)).body.error.code).toBe(
    'POOL_NOT_FOUND',
  );
});
