import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BOUNDS } from '../../src/platform/limits.ts';
import { CommandQueue, type QueuedCommand } from '../../src/platform/socket/command-queue.ts';

/** A queue of one connection, and when each of its commands began. */
function openQueue(repeatMs: number) {
  const queue = new CommandQueue(
    Promise.resolve(),
    { ordinary: 100, merged: 100, repeatMs },
    { isOpen: () => true },
  );
  const begunAt: number[] = [];
  const execute = (readKey: string | null) =>
    new Promise((resolve) => {
      const run = async () => {
        begunAt.push(performance.now());
        return { ok: true as const, data: null };
      };
      const refuse = () => expect.fail('The queue is not full.');
      const expire = () => expect.fail('Its turn came in time.');
      queue.add({ run, readKey, isMerged: false, refuse, expire }, resolve);
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

test('a read after a change is no repeat: the changes behind it do not wait', async () => {
  const { execute, begunAt } = openQueue(3_600_000);
  for (const readKey of ['hello', null, 'hello', null]) await execute(readKey);
  expect(begunAt).toHaveLength(4);
});

describe('a queue in which nothing moves', () => {
  afterEach(() => void vi.useRealTimers());

  const BOUNDS_OF_QUEUE = { ordinary: 10, merged: 10, repeatMs: 0 };
  let executed: string[] = [];
  let answers: unknown[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    executed = [];
    answers = [];
  });

  const command = (name: string, about: Partial<QueuedCommand> = {}): QueuedCommand => ({
    readKey: null,
    isMerged: false,
    run: async () => {
      executed.push(name);
      return { ok: true, data: name };
    },
    refuse: () => ({ ok: false, error: { code: 'RATE_LIMITED', message: name } }),
    expire: () => ({ ok: false, error: { code: 'SERVICE_UNAVAILABLE', message: name } }),
    ...about,
  });
  const refusalOf = (name: string) => ({ ok: false, error: { code: 'SERVICE_UNAVAILABLE', message: name } });

  test('refuses a command whose turn does not come in time and never executes it; the next one is executed', async () => {
    const first = Promise.withResolvers<void>();
    const queue = new CommandQueue(first.promise, BOUNDS_OF_QUEUE, { isOpen: () => true });
    const early = queue.add(command('early'), (answer) => answers.push(answer));
    await vi.advanceTimersByTimeAsync(BOUNDS.command.value - 1);
    expect(answers).toEqual([]);
    const late = queue.add(command('late'), (answer) => answers.push(answer));
    await vi.advanceTimersByTimeAsync(1);
    await early;
    expect(answers).toEqual([refusalOf('early')]);
    first.resolve();
    await late;
    await queue.done();
    expect(executed).toEqual(['late']);
    expect(answers).toEqual([refusalOf('early'), { ok: true, data: 'late' }]);
  });

  test('refuses identical reads together', async () => {
    const queue = new CommandQueue(new Promise(() => undefined), BOUNDS_OF_QUEUE, { isOpen: () => true });
    for (let times = 0; times < 2; times++)
      void queue.add(command('hello', { readKey: 'hello' }), (answer) => answers.push(answer));
    await vi.advanceTimersByTimeAsync(BOUNDS.command.value);
    expect(answers).toEqual([refusalOf('hello'), refusalOf('hello')]);
    // There is room again, and a later read is another one.
    void queue.add(command('hello', { readKey: 'hello' }), (answer) => answers.push(answer));
    await vi.advanceTimersByTimeAsync(BOUNDS.command.value - 1);
    expect(answers.length).toBe(2);
  });
});
