import { expect, test } from 'vitest';
import type { Answer, Problem, Shapes } from '../../src/console/api.ts';
import { move, START } from '../../src/console/pools/table/cursor.ts';
import { createLookups } from '../../src/console/pools/table/lookups.ts';
import { edgeOf, statisticsByMap } from '../../src/console/pools/table/statistics.ts';

/** How maps are looked up, where the keyboard goes, and what statistics say: without a browser. */

type LookUpAnswer = Answer<Shapes['LookedUpMap']>;
const problem = (kind: Problem['kind'], retryAfterMs = 1000): LookUpAnswer => ({
  data: null,
  etag: null,
  problem: { kind, code: '', message: kind, details: undefined, retryAfterMs },
});
const good = (key: string): LookUpAnswer => ({ data: { key } as never, etag: null, problem: null });

/** Look-ups whose answers and pauses are given by hand. */
function byHand() {
  const asked: { question: string; answer(given: LookUpAnswer): Promise<void> }[] = [];
  const learned: Record<string, string> = {};
  const pauses: { ms: number; end(): Promise<void> }[] = [];
  const waits: (string | null)[] = [];
  /** Lets everything go on that can. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const lookups = createLookups({
    ask: (question) =>
      new Promise((resolve) => {
        asked.push({
          question,
          answer: (given) => {
            resolve(given);
            return settle();
          },
        });
      }),
    learn: (question, lookup) => {
      learned[question] = lookup.state;
    },
    waits: (found) => waits.push(found?.kind ?? null),
    sleep: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({
        ms,
        end: () => {
          resolve();
          return settle();
        },
      });
      return { done: promise, wake: resolve };
    },
  });
  const next = () => asked.shift() ?? expect.unreachable();
  return { lookups, asked, learned, pauses, waits, next, settle };
}

test('six look-ups run at once, and the next begins when one is answered', async () => {
  const { lookups, asked, learned, next } = byHand();
  lookups.add(Array.from({ length: 10 }, (_, at) => `k${at}`));
  expect(asked.length).toBe(6);
  await next().answer(good('k0'));
  await next().answer(problem('refused'));
  expect([learned, asked.length]).toEqual([{ k0: 'found', k1: 'refused' }, 6]);
});

test.each(['busy', 'unreachable', 'signedOut'] as const)(
  'after %s the table waits for the given time, tries one row, and goes on',
  async (kind) => {
    const { lookups, asked, learned, pauses, waits, next } = byHand();
    lookups.add(Array.from({ length: 8 }, (_, at) => `k${at}`));
    for (let at = 0; at < 6; at++) await next().answer(problem(kind, 5000));
    expect([asked.length, pauses.map(({ ms }) => ms), waits]).toEqual([0, [5000], [kind]]);
    await pauses[0]?.end();
    // The first after a pause shows whether the others are of use.
    expect(asked.length).toBe(1);
    await next().answer(good('k6'));
    expect([asked.length, waits.at(-1)]).toEqual([6, null]);
    while (asked.length > 0) await next().answer(good(''));
    expect(Object.values(learned)).toEqual(Array(8).fill('found'));
  },
);

test('a pause ends early when it is cancelled, and no look-up begins or is noted after the end', async () => {
  const { lookups, asked, learned, next, settle } = byHand();
  lookups.add(['a', 'b']);
  await next().answer(problem('unreachable'));
  lookups.wake();
  await settle();
  expect(asked.length).toBe(1);
  lookups.stop();
  await next().answer(good('b'));
  expect([asked.length, learned]).toEqual([0, {}]);
});

test('a look-up that is never answered is given up while others are answered, and can be retried', async () => {
  const { lookups, asked, learned, pauses, next } = byHand();
  lookups.add(['bad', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
  let given = 0;
  while (asked.length > 0 && given < 50) {
    const { question, answer } = next();
    given++;
    await answer(question === 'bad' ? problem('unreachable') : good(question));
    if (asked.length === 0) await pauses.at(-1)?.end();
  }
  expect(learned.bad).toBe('refused');
  lookups.add(['bad']);
  await next().answer(good('bad'));
  expect(learned.bad).toBe('found');
});

const IDS = ['a', 'b', 'c', 'd'];
const COLUMNS = ['number', 'map', 'characteristic', 'difficulty', 'category', 'modifiers', 'notes'] as const;
const walk = (...steps: Parameters<typeof move>[1][]) =>
  steps.reduce((cursor, step) => move(cursor, step, IDS, COLUMNS), { ...START, row: 'a' as string | null });

test('the keyboard stays in the table, and selects ranges and single rows', () => {
  const down = { go: 'by', rows: 1, columns: 0 } as const;
  expect(walk({ go: 'by', rows: -1, columns: -5 })).toMatchObject({ row: 'a', column: 'number' });
  expect(walk({ go: 'by', rows: 9, columns: 9 })).toMatchObject({ row: 'd', column: 'notes' });
  expect([...walk(down, { ...down, isRange: true }, { ...down, isRange: true }).selected]).toEqual([
    'b',
    'c',
    'd',
  ]);
  expect([...walk(down, { ...down, isRange: true }, { ...down, rows: -2, isRange: true }).selected]).toEqual([
    'a',
    'b',
  ]);
  expect([
    ...walk({ go: 'select', row: 'c', how: 'toggle' }, { go: 'select', row: 'a', how: 'range' }).selected,
  ]).toEqual(['a', 'b', 'c']);
  expect(walk({ go: 'selectAll' }, { go: 'selectNone' }).selected.size).toBe(0);
  expect(walk({ go: 'by', rows: Infinity, columns: 0 })).toMatchObject({ row: 'd', column: 'map' });
});

test('Tab takes a value and goes to the next column with a choice, also in the next row', () => {
  const at = (column: 'modifiers' | 'category' | 'characteristic', row: string) =>
    ({ go: 'to', row, column }) as const;
  expect(walk(at('category', 'a'), { go: 'edited', by: 1 })).toMatchObject({ row: 'a', column: 'modifiers' });
  expect(walk(at('modifiers', 'a'), { go: 'edited', by: 1 })).toMatchObject({
    row: 'b',
    column: 'characteristic',
  });
  expect(walk(at('characteristic', 'b'), { go: 'edited', by: -1 })).toMatchObject({
    row: 'a',
    column: 'modifiers',
  });
  expect(walk(at('modifiers', 'd'), { go: 'edited', by: 1 })).toMatchObject({
    row: 'd',
    column: 'modifiers',
  });
  expect(walk({ go: 'edit', how: 'typed' }).editing).toBe('no');
});

test('the picker’s advantage has a margin by the number of rounds, and statistics are found by map and difficulty', () => {
  const map = (played: number, wonByPicker: number, expectedWonByPicker: number) =>
    ({
      key: '1',
      characteristic: 'Standard',
      difficulty: 'Hard',
      played,
      wonByPicker,
      expectedWonByPicker,
    }) as never;
  expect(edgeOf(map(0, 0, 0))).toBeNull();
  // 1.96 × √(0.5 × 0.5 / 100) = 0.098
  expect(edgeOf(map(100, 65, 50))).toEqual({
    edge: 0.15,
    margin: expect.closeTo(0.098, 10),
    isCertain: true,
  });
  expect(edgeOf(map(100, 55, 50))?.isCertain).toBe(false);
  const find = statisticsByMap({ poolGuid: 'origin', maps: [map(100, 65, 50)] });
  expect(find({ key: '1', characteristic: 'Standard', difficulty: 'Hard' })).not.toBeNull();
  expect(find({ key: '1', characteristic: 'Standard', difficulty: 'Easy' })).toBeNull();
});
