import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockQueue, shareQueue } from '../../src/domains/queues/store.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

test('ends of matches, new matches and joins of a queue do not wait for each other', async () => {
  const [ann, bea, cid, dan] = await Promise.all(
    ['ann', 'bea', 'cid', 'dan'].map((name) => service.connect(name)),
  );
  if (!ann || !bea || !cid || !dan) throw new Error('Somebody did not come.');
  const matchGuid = await meet(ann, bea, queueGuid);
  // A join that is still under way.
  await inTransaction(service.database, [], async (db) => {
    await shareQueue(db, queueGuid);
    await ann.do('forfeit', { matchGuid });
    // The end has put bea back into the queue.
    await bea.do('leaveQueue');
    await meet(cid, dan, queueGuid);
  });
  expect(ann.match.result).not.toBeNull();
  expect(cid.match.result).toBeNull();
});

test('draining a queue waits for joins that came before, and not for those that come later', async () => {
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const join = (name: string, until: Promise<void>) =>
    inTransaction(service.database, [], async (db) => {
      await shareQueue(db, queueGuid);
      order.push(name);
      await until;
    });
  const waiting = () => waitingForLocks(service.database);
  const before = join('join', first.promise);
  await expect.poll(() => order).toEqual(['join']);
  const drain = inTransaction(service.database, [], async (db) => {
    await lockQueue(db, queueGuid);
    order.push('drain');
  });
  await expect.poll(waiting).toBe(1);
  const after = join('crowd', Promise.resolve());
  await expect.poll(waiting).toBe(2);
  first.resolve();
  await Promise.all([before, drain, after]);
  expect(order).toEqual(['join', 'drain', 'crowd']);
});
