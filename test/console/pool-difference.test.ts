import { expect, test } from 'vitest';
import { allOf } from '../../src/console/pools/all.ts';
import { differenceOf, isSame } from '../../src/console/pools/difference.ts';
import {
  bodyOf,
  EMPTY,
  isWritten,
  withComment,
  withoutRow,
  withRow,
} from '../../src/console/pools/review-draft.ts';

type Map = Parameters<typeof differenceOf>[0][number];

let guids = 0;
/** A row of a pool. Each call gives it another `mapGuid`, as a copy does. */
const map = (key: string, change: Partial<Map> = {}): Map => ({
  mapGuid: `guid-${++guids}`,
  key,
  hash: `hash-${key}`,
  name: `Map ${key}`,
  characteristic: 'Standard',
  difficulty: 'Expert',
  categoryGuid: 'tech',
  modifiers: [],
  durationSeconds: 100,
  maxScore: 1000,
  coverUrl: null,
  stale: false,
  addedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});
const keys = (maps: readonly Map[]): string[] => maps.map(({ key }) => key);

test('a copy of a pool has no differences, whatever the order of its rows and of its modifiers', () => {
  const difference = differenceOf(
    [map('a', { modifiers: ['NF', 'GN'] }), map('b')],
    [map('b'), map('a', { modifiers: ['GN', 'NF'] })],
  );
  expect(isSame(difference)).toBe(true);
  expect(difference.same).toBe(2);
});

test('rows are added, removed and changed', () => {
  const difference = differenceOf(
    [map('a'), map('b'), map('c'), map('d')],
    [map('d'), map('e'), map('c', { modifiers: ['SS'] }), map('b', { categoryGuid: 'speed' })],
  );
  expect(keys(difference.added)).toEqual(['e']);
  expect(keys(difference.removed)).toEqual(['a']);
  expect(difference.changed.map(({ after, fields }) => [after.key, fields])).toEqual([
    ['c', ['modifiers']],
    ['b', ['category']],
  ]);
  expect(difference.same).toBe(1);
});

test('another upload or another difficulty of a map is a change of its row', () => {
  const difference = differenceOf(
    [map('a'), map('b'), map('c')],
    [
      map('a', { hash: 'new' }),
      map('b', { difficulty: 'Hard' }),
      map('c', { hash: 'other', difficulty: 'Easy' }),
    ],
  );
  expect(difference.changed.map(({ fields }) => fields)).toEqual([
    ['upload'],
    ['difficulty'],
    ['upload', 'difficulty'],
  ]);
  expect([...difference.added, ...difference.removed]).toEqual([]);
});

test('rows of one map with the same difficulty are paired first', () => {
  const before = [map('a', { difficulty: 'Easy' }), map('a', { difficulty: 'Hard' })];
  const after = [map('a', { difficulty: 'Expert' }), map('a', { difficulty: 'Easy' })];
  const { changed, same } = differenceOf(before, after);
  expect(same).toBe(1);
  expect(changed).toMatchObject([{ before: before[1], after: after[0], fields: ['difficulty'] }]);
  const more = differenceOf(before.slice(0, 1), [...after, map('a', { difficulty: 'Normal' })]);
  expect(more.added.map(({ difficulty }) => difficulty)).toEqual(['Expert', 'Normal']);
});

test('rows of one pool at two times are paired by their id, also when two exchanged their difficulties', () => {
  const easy = map('a', { difficulty: 'Easy' });
  const hard = map('a', { difficulty: 'Hard' });
  const { changed } = differenceOf(
    [easy, hard],
    [
      { ...easy, difficulty: 'Hard' },
      { ...hard, difficulty: 'Easy' },
    ],
  );
  expect(changed).toHaveLength(2);
  expect(differenceOf([], [])).toEqual({ added: [], removed: [], changed: [], same: 0 });
});

test('a comment on a map is begun once, and is sent only while the map is in the pool', () => {
  const [here, gone, empty] = [map('a'), map('b'), map('c')];
  let draft = [here, gone, empty, here].reduce(withRow, EMPTY);
  expect(draft.rows.map(({ name }) => name)).toEqual([
    'Map a · Standard Expert',
    'Map b · Standard Expert',
    'Map c · Standard Expert',
  ]);
  expect(isWritten(draft)).toBe(false);
  draft = withComment(withComment(draft, here.mapGuid, ' Too long. '), gone.mapGuid, 'Lost');
  expect(isWritten(draft)).toBe(true);
  expect(bodyOf({ ...draft, comment: '  ', verdict: 'approve' }, [here, empty])).toEqual({
    verdict: 'approve',
    comment: null,
    rows: [{ mapGuid: here.mapGuid, comment: 'Too long.' }],
  });
  expect(withoutRow(draft, here.mapGuid).rows).toHaveLength(2);
});

test('all pages of a list are read, and a problem ends the reading', async () => {
  const asked: (string | undefined)[] = [];
  const all = await allOf<number>(async (cursor) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    return { data: { items: [at], nextCursor: at < 2 ? String(at + 1) : null }, etag: null, problem: null };
  });
  expect([all.data, asked]).toEqual([
    [0, 1, 2],
    [undefined, '1', '2'],
  ]);
  const problem = {
    kind: 'busy',
    code: 'RATE_LIMITED',
    message: '',
    details: undefined,
    retryAfterMs: 1,
  } as const;
  expect(await allOf(async () => ({ data: null, etag: null, problem }))).toMatchObject({ problem });
});
