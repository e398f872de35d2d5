import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareQueue } from '../../src/domains/queues/index.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays } from '../harness/socket-player.ts';

/** A queue gets another pool while players wait, are paired and play. */

let service: TestService;
let queueGuid: string;
/** Two published pools of one season; the queue begins with the first. */
let pools: readonly [string, string];
const mapsOf = new Map<string, Set<string>>();
beforeAll(async () => {
  service = await startTestService();
  const [one, two] = [await service.openQueue(), await service.openQueue()];
  queueGuid = one.queueGuid;
  pools = [one.poolGuid, two.poolGuid];
  for (const poolGuid of pools) {
    const { maps } = (await service.request(null, 'GET', `/pools/${poolGuid}/maps`)).body;
    mapsOf.set(poolGuid, new Set(maps.map((map: { mapGuid: string }) => map.mapGuid)));
  }
});
afterAll(() => service.stop());

const change = (poolGuid: string) => service.request('admin', 'PATCH', `/queues/${queueGuid}`, { poolGuid });
const poolOf = async (matchGuid: string): Promise<string> =>
  (await service.request(null, 'GET', `/matches/${matchGuid}`)).body.poolGuid;

test('a waiting player keeps the place in the queue, and the next match is dealt from the new pool', async () => {
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  await anna.do('joinQueue', { queueGuid });
  const before = (await anna.do('hello')).queueEntry;
  expect((await change(pools[1])).status).toBe(200);
  expect((await anna.do('hello')).queueEntry).toMatchObject({ queueGuid, joinedAt: before.joinedAt });
  const matchGuid = await meet(anna, bert, queueGuid);
  expect(await poolOf(matchGuid)).toBe(pools[1]);
  expect(anna.match.you.hand).toHaveLength(5);
  for (const { map } of anna.match.you.hand) expect(mapsOf.get(pools[1])).toContain(map.mapGuid);

  // A match that runs goes on with the pool it was dealt from.
  expect((await change(pools[0])).status).toBe(200);
  expect(await poolOf(matchGuid)).toBe(pools[1]);
  await partWays(anna, bert, matchGuid);
});

test('a change waits for the matches that are being made', async () => {
  const { promise: made, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isShared, resolve: shared } = Promise.withResolvers<string | undefined>();
  const pairing = inTransaction(service.database, [], async (db) => {
    shared((await shareQueue(db, queueGuid))?.poolGuid);
    await made;
  });
  expect(await isShared).toBe(pools[0]);
  let isAnswered = false;
  const changed = change(pools[1]).finally(() => {
    isAnswered = true;
  });
  await expect.poll(() => waitingForLocks(service.database)).toBe(1);
  expect(isAnswered).toBe(false);
  commit();
  await pairing;
  expect((await changed).status).toBe(200);
  expect((await change(pools[0])).status).toBe(200);
});

test('players who are paired while the pool changes get all their cards from one pool', async () => {
  for (const [turn, next] of [pools[1], pools[0]].entries()) {
    const [cara, dora] = [await service.connect(`C${turn}`), await service.connect(`D${turn}`)];
    const [, matchGuid] = await Promise.all([change(next), meet(cara, dora, queueGuid)]);
    const dealtFrom = mapsOf.get(await poolOf(matchGuid));
    for (const player of [cara, dora]) {
      expect(player.match.you.hand).toHaveLength(5);
      for (const { map } of player.match.you.hand) expect(dealtFrom).toContain(map.mapGuid);
    }
    await partWays(cara, dora, matchGuid);
  }
});

test('after its season a queue stays readable, can go on in the next season, and keeps its older ladder', async () => {
  const [eva, finn] = [await service.connect('Eva'), await service.connect('Finn')];
  const matchGuid = await meet(eva, finn, queueGuid);
  await service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
    outcome: 'draw',
    winnerGuid: null,
    reason: 'A test.',
  });
  const read = async (path: string) => (await service.request(null, 'GET', path)).body;
  const [{ seasonGuid: first }] = (await read('/seasons')).items;
  const now = new Date().toISOString();
  expect((await service.request('admin', 'PATCH', `/seasons/${first}`, { endsAt: now })).status).toBe(200);
  await expect
    .poll(async () => (await read(`/queues/${queueGuid}`)).status, { timeout: 20_000 })
    .toBe('closed');

  const ofQueue = async () =>
    (await read('/leaderboards')).items
      .filter((ladder: any) => ladder.queueGuid === queueGuid)
      .map(({ seasonGuid, players, running, queueStatus }: any) => [
        seasonGuid,
        players,
        running,
        queueStatus,
      ]);
  expect(await ofQueue()).toEqual([[first, 2, false, 'closed']]);
  const endsAt = new Date(Date.now() + 86_400_000).toISOString();
  const season = { name: 'Next', startsAt: now, endsAt };
  const next = (await service.request('admin', 'POST', '/seasons', season)).body.seasonGuid;
  const ladder = `/leaderboards/${queueGuid}`;
  expect((await read(`${ladder}?seasonGuid=${next}`)).error.code).toBe('SEASON_NOT_FOUND');
  const { poolGuid } = await service.openQueue();
  expect((await change(poolGuid)).body).toMatchObject({ poolGuid, seasonGuid: next, status: 'closed' });
  expect((await service.request('admin', 'POST', `/queues/${queueGuid}/open`)).status).toBe(200);
  expect(await ofQueue()).toEqual([
    [next, 0, true, 'open'],
    [first, 2, false, 'open'],
  ]);
  expect((await read(`${ladder}?seasonGuid=${first}`)).entries).toHaveLength(2);
  for (const query of ['', `?seasonGuid=${next}`])
    expect(await read(ladder + query)).toEqual({ entries: [], nextCursor: null });
  expect((await read(`/leaderboards/${poolGuid}?seasonGuid=${next}`)).error.code).toBe('QUEUE_NOT_FOUND');
});
