import { expect, test } from 'vitest';
import { openCommandQueue } from '../../src/platform/socket/command-queue.ts';

/** A queue of one connection, and when each of its commands began. */
function openQueue(repeatMs: number) {
  const queue = openCommandQueue(Promise.resolve(), { ordinary: 100, merged: 100, repeatMs }, () => true);
  const begunAt: number[] = [];
  const execute = (readKey: string | null) =>
    new Promise((resolve) => {
      const run = async () => {
        begunAt.push(performance.now());
        return { ok: true as const, data: null };
      };
      const refuse = () => expect.fail('The queue is not full.');
      queue.add({ run, readKey, isMerged: false, refuse }, resolve);
    });
  return { execute, begunAt };
}

test('the same read of a connection begins again only after the least time between repeats', async () => {
  const { execute, begunAt } = openQueue(50);
  await execute('hello');
  await Promise.all([execute('hello'), execute('hello')]);
  await execute('hello');
  expect(begunAt).toHaveLength(3);
  const between = begunAt.slice(1).map((at, nth) => at - (begunAt[nth] ?? 0));
  // Timers count in whole milliseconds.
  expect(Math.min(...between)).toBeGreaterThan(48);
});

test('a repeat delays neither another read nor a change', async () => {
  const { execute, begunAt } = openQueue(3_600_000);
  for (const readKey of ['hello', 'getMatchState', null, 'hello', null]) await execute(readKey);
  expect(begunAt).toHaveLength(5);
});
