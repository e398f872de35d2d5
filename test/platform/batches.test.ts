import pino from 'pino';
import { expect, test } from 'vitest';
import { inBatches } from '../../src/platform/batches.ts';
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
