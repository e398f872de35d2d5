import { afterAll, beforeAll, expect, test } from 'vitest';
import { noUsage, usageOf } from '../../src/domains/matches/usage.ts';
import { addUsage, medianGapsOf, sumUsage } from '../../src/domains/matches/usage-store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound } from '../harness/socket-player.ts';
import { Game, SECOND } from './game.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('everybody sees how often each map was dealt, discarded, picked and won, whatever became of the result', async () => {
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
  const { rounds } = anna.match;
  const statistics = async () =>
    (await service.request(null, 'GET', `/pools/${poolGuid}/statistics`)).body.maps;
  const maps = await statistics();
  expect(maps).toHaveLength(20);
  const sum = (name: string) => maps.reduce((total: number, map: any) => total + map[name], 0);
  expect([sum('dealt'), sum('discarded'), sum('picked'), sum('played')]).toEqual([11, 1, 3, 3]);
  const won = rounds.filter((round: any) => round.pickerGuid === round.winnerGuid).length;
  expect(sum('wonByPicker')).toBe(won);
  // Newcomers are expected to win half of the rounds.
  expect(sum('expectedWonByPicker')).toBeCloseTo(1.5, 9);
  for (const { dealt, kept, discarded } of maps) expect(kept + discarded).toBe(dealt);
  expect(maps.find((map: any) => map.mapGuid === given.map.mapGuid)).toMatchObject({ discarded: 1 });
  for (const { map, scores } of rounds) {
    const found = maps.find((one: any) => one.mapGuid === map.mapGuid);
    expect(found).toMatchObject({ picked: 1, played: 1, expectedWonByPicker: 0.5 });
    expect(found.medianGap).toBe(Math.abs(scores[0].accuracy - scores[1].accuracy));
    expect(found.averageAccuracy).toBeCloseTo((scores[0].accuracy + scores[1].accuracy) / 2, 9);
  }
  for (const { played, averageAccuracy, medianGap } of maps)
    if (played === 0) expect([averageAccuracy, medianGap]).toEqual([null, null]);

  // Summed up, and once more by two tasks at once, it is the same.
  const { prisma } = service.database;
  expect(await sumUsage(prisma)).toBe(11);
  expect(await Promise.all([sumUsage(prisma), sumUsage(prisma)])).toEqual([0, 0]);
  expect(await statistics()).toEqual(maps);
  expect(await prisma.mapUsage.count({ where: { poolGuid } })).toBe(11);

  const { status } = await service.request('admin', 'POST', `/matches/${matchGuid}/undo`, { reason: 'test' });
  expect(status).toBe(200);
  expect(await statistics()).toEqual(maps);
  expect((await service.request('pooler-one', 'GET', `/pools/${matchGuid}/statistics`)).body.error.code).toBe(
    'POOL_NOT_FOUND',
  );
});

test('statistics are public once the pool was published, and a match counts from its end', async () => {
  const { queueGuid, poolGuid, seasonGuid } = await service.openQueue({ maps: 12 });
  const drafted = await service.request('admin', 'POST', '/pools', { seasonGuid, name: 'Draft' });
  const draft = `/pools/${drafted.body.poolGuid}/statistics`;
  expect((await service.request(null, 'GET', draft)).body.error.code).toBe('POOL_NOT_FOUND');
  expect((await service.request('pooler-one', 'GET', draft)).body).toEqual({
    poolGuid: drafted.body.poolGuid,
    maps: [],
  });
  const dealt = async () =>
    (await service.request(null, 'GET', `/pools/${poolGuid}/statistics`)).body.maps.reduce(
      (sum: number, map: any) => sum + map.dealt,
      0,
    );
  const [cara, dora] = [await service.connect('Cara'), await service.connect('Dora')];
  const matchGuid = await meet(cara, dora, queueGuid);
  expect(await dealt()).toBe(0);
  await cara.do('forfeit', { matchGuid });
  expect(await dealt()).toBe(10);
  await service.request('admin', 'POST', `/pools/${poolGuid}/retire`);
  expect(await dealt()).toBe(10);
});

test('a round that was lost by not being ready has no gap', () => {
  const game = new Game().toPreparing();
  game.red.isReady();
  game.wait(120 * SECOND);
  const [round] = game.state.rounds;
  const usage = usageOf(game.state, 0.5).find(({ mapGuid }) => mapGuid === round?.card.map.mapGuid);
  expect(usage).toMatchObject({ played: 1, wonByPicker: 1, gaps: [], expectedWonByPicker: 0.5 });
});

test('the median gap is exact, for any gaps, before and after they are summed up', async () => {
  const { database } = service;
  const poolGuid = newGuid();
  const gapsOf = new Map<string, number[]>();
  // At and beside the bounds of buckets, all equal, and anywhere.
  const kinds = [
    () => Math.floor(Math.random() * 5) / 128,
    () => 0.29,
    () => Math.random(),
    () => Math.random() / 100,
    () => (Math.random() < 0.5 ? 0 : 1),
  ];
  const median = (gaps: readonly number[]): number => {
    const sorted = gaps.toSorted((a, b) => a - b);
    const [low, high] = [Math.floor((gaps.length - 1) / 2), Math.floor(gaps.length / 2)];
    return ((sorted[low] as number) + (sorted[high] as number)) / 2;
  };
  const expectExact = async () => {
    const found = await medianGapsOf(database.prisma, poolGuid);
    for (const [mapGuid, gaps] of gapsOf) expect([gaps, found.get(mapGuid)]).toEqual([gaps, median(gaps)]);
    expect(found.size).toBe(gapsOf.size);
  };
  const maps = kinds.flatMap((kind) => [1, 2, 7, 30].map((most) => ({ mapGuid: newGuid(), kind, most })));
  const ends = Array.from({ length: 15 }, () => async () => {
    const usage = maps.flatMap(({ mapGuid, kind, most }) => {
      const known = gapsOf.get(mapGuid) ?? [];
      const gaps = Array.from({ length: Math.min(Math.floor(Math.random() * 4), most - known.length) }, kind);
      if (gaps.length === 0) return [];
      gapsOf.set(mapGuid, [...known, ...gaps]);
      return [{ ...noUsage(mapGuid), gaps }];
    });
    await inTransaction(database, ['MapUsage', 'MapGap'], (db) => addUsage(db, poolGuid, usage));
  });
  for (let at = 0; at < ends.length; at += 5) {
    await Promise.all(ends.slice(at, at + 5).map((end) => end()));
    await expectExact();
    await Promise.all([sumUsage(database.prisma), sumUsage(database.prisma)]);
    await expectExact();
  }
});
