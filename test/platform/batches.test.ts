import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { eachOnItsOwn, inBatches } from '../../src/platform/batches.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { repeat } from '../../src/platform/loop.ts';

test('batches go on until one is not full', async () => {
  let left = 305;
  await inBatches(10, async (most) => {
    const found = Math.min(most, left);
    left -= found;
    return found;
  });
  expect(left).toBe(0);
});

test('a task that is told to stop begins no other batch', async () => {
  const second = Promise.withResolvers<void>();
  let batches = 0;
  const endless = () =>
    inBatches(1, async () => {
      if (++batches === 2) second.resolve();
      return 1;
    });
  const loop = repeat('endless', 60_000, endless, pino({ level: 'silent' }), 0);
  await second.promise;
  await loop.stop();
  expect(batches).toBe(2);
});

test('an item that fails keeps no other one from the work, unless the database is out of reach', async () => {
  const worked = vi.fn(async (item: string) => {
    if (item.startsWith('bad')) throw new Error(item);
    if (item === 'away') throw new OutOfReach(new Error('a test'));
  });
  await expect(eachOnItsOwn(['bad 1', 'bad 2', 'good'], worked)).rejects.toThrow('bad 1');
  expect(worked).toHaveBeenCalledTimes(3);
  await expect(eachOnItsOwn(['bad', 'away', 'good'], worked)).rejects.toThrow('out of reach');
  expect(worked).toHaveBeenCalledTimes(5);
});
