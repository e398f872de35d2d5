import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedPast } from '../../src/local/past.ts';
import { openMore, secondQueue, seed } from '../../src/local/seed.ts';
import { startTestService, type TestService } from '../harness/service.ts';

describe('a start of the local stack after one that was interrupted', () => {
  let service: TestService;
  let first: Awaited<ReturnType<typeof seed>>;
  let second: string;
  beforeAll(async () => {
    service = await startTestService();
    first = await seed(service);
    second = (await openMore(service, first.poolGuid)).secondQueueGuid;
    await start();
  });
  afterAll(() => service.stop());

  const start = async () => {
    const seeded = await seed(service);
    await seedPast({ ...service, databaseUrl: service.database.url }, seeded);
    return seeded;
  };
  const read = async (path: string) => (await service.request('admin', 'GET', path)).body;

  test('completes the seasons, ratings and matches of the past', async () => {
    expect(await secondQueue(service)).toBe(second);
    for (const queueGuid of [first.queueGuid, second])
      expect((await read(`/leaderboards/${queueGuid}`)).entries).not.toEqual([]);
    expect((await read('/seasons')).items).toHaveLength(3);
  });

  test('extends the season when it has ended, and opens its queues again', async () => {
    const [{ seasonGuid }] = (await read('/seasons')).items;
    const endsAt = new Date(Date.now() - 60_000).toISOString();
    expect((await service.request('admin', 'PATCH', `/seasons/${seasonGuid}`, { endsAt })).status).toBe(200);
    const statuses = async () =>
      (await read('/queues')).items.map(({ status }: { status: string }) => status);
    await expect.poll(statuses).toEqual(['closed', 'closed']);

    expect(await start()).toEqual({ ...first, isNew: false });
    expect(await secondQueue(service)).toBe(second);
    expect(await statuses()).toEqual(['open', 'open']);
    const [running] = (await read('/seasons')).items;
    expect(running.seasonGuid).toBe(seasonGuid);
    expect(Date.parse(running.endsAt)).toBeGreaterThan(Date.now());
  });
});
