import { expect, test } from 'vitest';
import type { PoolMap, Values } from '../../src/console/pools/table/edits.ts';
import { HARDEST } from '../../src/console/pools/table/edits.ts';
import { keptEdits } from '../../src/console/pools/table/keep.ts';
import type { Lookup, TableState } from '../../src/console/pools/table/model.ts';
import { meanwhileOf, rowsOf } from '../../src/console/pools/table/rows.ts';
import { MOST_ROWS, nextBatch, problemsOf } from '../../src/console/pools/table/save.ts';
import { type Action, initialState, reduce } from '../../src/console/pools/table/state.ts';

/** Rows, steps, saving, and what somebody else changes meanwhile: without a browser. */

const mapOf = (mapGuid: string, changes: Partial<PoolMap> = {}): PoolMap => ({
  mapGuid,
  key: mapGuid,
  hash: mapGuid.toUpperCase().padStart(40, '0'),
  name: `Song ${mapGuid}`,
  characteristic: 'Standard',
  difficulty: 'Hard',
  categoryGuid: 'speed',
  modifiers: [],
  durationSeconds: 100,
  maxScore: 1,
  coverUrl: null,
  stale: false,
  addedAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});
const CATEGORIES = [
  { categoryGuid: 'speed', name: 'Speed' },
  { categoryGuid: 'tech', name: 'Tech' },
];
const pasted = (key: string, changes = {}) => ({
  key,
  hash: '',
  characteristic: '',
  difficulty: 'Hard',
  category: 'tech',
  modifiers: [],
  ...changes,
});
const found = (key: string, difficulties = ['Hard', 'Expert'], characteristic = 'Standard'): Lookup => ({
  state: 'found',
  map: {
    key,
    hash: key.toUpperCase().padStart(40, '0'),
    name: `Song ${key}`,
    durationSeconds: 90,
    coverUrl: null,
    difficulties: difficulties.map((difficulty) => ({
      characteristic,
      difficulty,
      maxScore: 1,
      playable: true,
    })) as never,
  },
});
const start = (...maps: PoolMap[]): TableState => initialState({ maps, revision: 1, etag: '"1"' });
const after = (state: TableState, ...actions: Action[]): TableState => actions.reduce(reduce, state);
const add = (...rows: ReturnType<typeof pasted>[]): Action => ({ do: 'add', rows, categories: CATEGORIES });
const learn = (question: string, lookup = found(question)): Action => ({ do: 'lookedUp', question, lookup });
const set = (ids: string[], values: Partial<Values>): Action => ({
  do: 'set',
  ids: new Set(ids),
  field: 'categoryGuid',
  valuesOf: () => values,
});
const remove = (...ids: string[]): Action => ({ do: 'remove', ids: new Set(ids) });
const read = (revision: number, ...maps: PoolMap[]): Action => ({
  do: 'read',
  pool: { maps, revision, etag: `"${revision}"` },
});
const shown = (state: TableState) =>
  rowsOf(state).map(({ id, kind, categoryGuid }) => `${id} ${kind} ${categoryGuid}`);
const missing = (state: TableState) => rowsOf(state).map((row) => row.missing);

test('steps are undone and redone, and a new step clears the steps to redo', () => {
  const begun = start(mapOf('a'), mapOf('b'));
  const done = after(
    begun,
    add(pasted('c')),
    set(['a', 'new-1'], { categoryGuid: 'speed' }),
    set(['b'], { categoryGuid: 'tech' }),
    remove('a'),
  );
  expect(shown(done)).toEqual(['a removed speed', 'b changed tech', 'new-1 new speed']);
  const back = after(done, { do: 'undo' }, { do: 'undo' }, { do: 'undo' });
  expect(shown(back)).toEqual(['a kept speed', 'b kept speed', 'new-1 new tech']);
  expect(shown(after(back, { do: 'redo' }, { do: 'redo' }, { do: 'redo' }, { do: 'redo' }))).toEqual(
    shown(done),
  );
  expect(shown(after(back, { do: 'undo' }, { do: 'undo' }))).toEqual(['a kept speed', 'b kept speed']);
  const other = after(back, set(['a'], { categoryGuid: 'tech' }), { do: 'redo' });
  expect(shown(other)).toEqual(['a changed tech', 'b kept speed', 'new-1 new tech']);
  expect(shown(after(done, { do: 'discard' }))).toEqual(['a kept speed', 'b kept speed']);
  expect(shown(after(done, { do: 'discard' }, { do: 'undo' }))).toEqual(shown(done));
  expect(done.past.at(-1)?.name).toEqual({ kind: 'remove', rows: 1 });
});

test('what changes nothing is no step: nothing more can be undone, and what was undone can be redone', () => {
  const begun = start(mapOf('a'), mapOf('b'));
  const undone = after(begun, remove('b'), set(['a'], { categoryGuid: 'tech' }), { do: 'undo' });
  const restore: Action = { do: 'restore', ids: new Set(['a']) };
  for (const nothing of [set(['a'], { categoryGuid: 'speed' }), restore, remove('b'), set(['b'], {})])
    expect(after(undone, nothing)).toBe(undone);
  const added = after(begun, add(pasted('c')));
  expect(after(added, set(['new-1'], { categoryGuid: 'tech' }))).toBe(added);
});

test('a value that a map already has is no change, and setting the old value again removes the change', () => {
  const begun = start(mapOf('a', { modifiers: ['NF', 'SN'] }));
  expect(after(begun, set(['a'], { modifiers: ['SN', 'NF'] })).edits.changes.size).toBe(0);
  const changed = after(begun, set(['a'], { categoryGuid: 'tech' }), set(['a'], { categoryGuid: 'speed' }));
  expect(changed.edits.changes.size).toBe(0);
  expect(after(begun, remove('a'), { do: 'restore', ids: new Set(['a']) }).edits.changes.size).toBe(0);
});

test('a row says what is missing until it can be saved', () => {
  let state = after(start(), add(pasted('c', { difficulty: '', category: 'nowhere' })));
  expect(missing(state)).toEqual(['lookup']);
  state = after(state, learn('c', { state: 'refused', message: 'No such map.' }));
  expect(missing(state)).toEqual(['refused']);
  state = after(state, learn('c'));
  expect(missing(state)).toEqual(['difficulty']);
  expect(rowsOf(state)[0]?.unknownCategory).toBe('nowhere');
  state = after(state, set(['new-1'], { difficulty: 'ExpertPlus' }));
  expect(missing(state)).toEqual(['notThere']);
  state = after(state, set(['new-1'], { difficulty: HARDEST }));
  expect([missing(state), rowsOf(state)[0]?.difficulty]).toEqual([['category'], 'Expert']);
  state = after(state, set(['new-1'], { categoryGuid: 'tech', modifiers: ['XX'] }));
  expect(missing(state)).toEqual(['modifiers']);
  state = after(state, set(['new-1'], { modifiers: ['SS', 'FS'] }));
  expect([missing(state), nextBatch(state)]).toEqual([['speeds'], null]);
  state = after(state, set(['new-1'], { modifiers: ['NF'] }));
  expect([missing(state), nextBatch(state)?.body.maps.length]).toEqual([[null], 1]);
});

test('the only playable difficulty is chosen automatically', () => {
  const state = after(
    start(),
    add(pasted('c', { difficulty: '' }), pasted('d', { difficulty: '' })),
    learn('c', found('c', ['Easy'])),
    learn('d', found('d', ['Expert'], 'OneSaber')),
  );
  expect(rowsOf(state).map(({ characteristic, difficulty }) => [characteristic, difficulty])).toEqual([
    ['Standard', 'Easy'],
    ['OneSaber', 'Expert'],
  ]);
});

test('the same map and difficulty twice is a problem; another difficulty of the map is a warning', () => {
  const state = after(
    start(mapOf('c')),
    add(pasted('c'), pasted('c', { difficulty: 'Expert' }), pasted('c', { difficulty: 'Expert' })),
    learn('c'),
  );
  expect(rowsOf(state).map(({ twin, sibling }) => [twin, sibling])).toEqual([
    [null, null],
    [1, null],
    [null, 1],
    [3, null],
  ]);
  expect(nextBatch(state)?.body.maps.map(({ difficulty }) => difficulty)).toEqual(['Expert']);
  // The place of a map that goes is free.
  expect(missing(after(state, remove('c')))).toEqual([null, null, null, 'twin']);
});

test('batches have at most as many rows as the service takes, removals first, additions last', () => {
  const many = Array.from({ length: MOST_ROWS + 1 }, (_, at) => (0x100 + at).toString(16));
  const maps = many.map((key) => mapOf(`m${key}`));
  let state = after(
    start(...maps, mapOf('x')),
    set(['x'], { categoryGuid: 'tech' }),
    remove(...maps.map(({ mapGuid }) => mapGuid)),
    add(...many.map((key) => pasted(key))),
    ...many.map((key) => learn(key)),
  );
  const sizes: number[][] = [];
  for (let batch = nextBatch(state); batch !== null; batch = nextBatch(state)) {
    const { body, sent } = batch;
    sizes.push([body.removals.length, body.changes.length, body.maps.length]);
    const added = sent.additions.map(({ id, key, difficulty, categoryGuid }) =>
      mapOf(id, { key, hash: key, difficulty: difficulty as never, categoryGuid }),
    );
    const changed = body.changes.map(({ mapGuid, ...values }) => mapOf(mapGuid, values as Partial<PoolMap>));
    state = after(state, { do: 'saved', sent, answer: { maps: added, changed, removed: body.removals } });
  }
  expect(sizes).toEqual([
    [200, 0, 0],
    [1, 1, 200],
    [0, 0, 1],
  ]);
  expect(rowsOf(state).every(({ kind }) => kind === 'kept')).toBe(true);
  expect([state.maps.length, state.revision, state.past, meanwhileOf(state)]).toEqual([
    MOST_ROWS + 2,
    4,
    [],
    null,
  ]);
});

test('values typed while a batch is sent are not lost', () => {
  const state = after(
    start(mapOf('a'), mapOf('b')),
    add(pasted('c'), pasted('d')),
    learn('c'),
    learn('d'),
    set(['a', 'b'], { categoryGuid: 'tech' }),
  );
  const batch = nextBatch(state);
  if (batch === null) throw new Error('There is nothing to save.');
  const typed = after(
    state,
    set(['new-1'], { categoryGuid: 'speed' }),
    set(['a'], { modifiers: ['NF'] }),
    remove('new-2'),
  );
  const done = after(typed, {
    do: 'saved',
    sent: batch.sent,
    answer: {
      maps: [mapOf('c', { categoryGuid: 'tech' }), mapOf('d', { categoryGuid: 'tech' })],
      changed: [mapOf('a', { categoryGuid: 'tech' }), mapOf('b', { categoryGuid: 'tech' })],
      removed: [],
    },
  });
  expect(shown(done)).toEqual(['a changed tech', 'b kept tech', 'c changed speed', 'd removed tech']);
  expect(nextBatch(done)?.body).toEqual({
    removals: ['d'],
    changes: [
      { mapGuid: 'a', modifiers: ['NF'] },
      { mapGuid: 'c', categoryGuid: 'speed' },
    ],
    maps: [],
  });
});

test('problems of a refused batch stay in their rows until the rows are changed', () => {
  const state = after(
    start(mapOf('a')),
    add(pasted('c'), pasted('d')),
    learn('c'),
    learn('d'),
    set(['a'], { categoryGuid: 'tech' }),
  );
  const batch = nextBatch(state);
  if (batch === null) throw new Error('There is nothing to save.');
  const details = {
    rows: [{ index: 1, code: 'MAP_ALREADY_IN_POOL', message: 'It is there.' }],
    changes: [{ mapGuid: 'a', code: 'MAP_STALE', message: 'It is stale.' }],
    fields: [{ path: 'maps.0.modifiers', message: 'must not repeat a code' }],
  };
  const problems = problemsOf({ details } as never, batch);
  const told = after(state, { do: 'refused', problems });
  expect(rowsOf(told).map(({ problem }) => problem)).toEqual([
    'It is stale.',
    'must not repeat a code',
    'It is there.',
  ]);
  expect(
    rowsOf(after(told, set(['new-2'], { categoryGuid: 'speed' }))).map(({ problem }) => problem),
  ).toEqual(['It is stale.', 'must not repeat a code', null]);
});

test('a change by another person is shown with both versions, and typed values stay', () => {
  const begun = start(mapOf('a'), mapOf('b'), mapOf('c'), mapOf('d'));
  const typed = after(
    begun,
    set(['a', 'b', 'c'], { categoryGuid: 'tech' }),
    add(pasted('e')),
    learn('e'),
    remove('d'),
  );
  const merged = after(
    typed,
    read(
      2,
      mapOf('a', { categoryGuid: 'accuracy' }),
      mapOf('b', { modifiers: ['NF'] }),
      mapOf('d', { difficulty: 'Easy' }),
      mapOf('f'),
    ),
  );
  const meanwhile = meanwhileOf(merged);
  expect(meanwhile?.added.map(({ mapGuid }) => mapGuid)).toEqual(['f']);
  expect(meanwhile?.removed.map(({ mapGuid }) => mapGuid)).toEqual(['c']);
  expect(meanwhile?.changed.map(({ after: { mapGuid }, fields }) => [mapGuid, fields])).toEqual([
    ['a', ['categoryGuid']],
    ['b', ['modifiers']],
    ['d', ['difficulty']],
  ]);
  expect(
    rowsOf(merged).map(({ id, kind, categoryGuid, modifiers, theirs, mark }) => [
      id,
      kind,
      categoryGuid,
      modifiers,
      theirs?.categoryGuid ?? null,
      mark,
    ]),
  ).toEqual([
    ['a', 'changed', 'tech', [], 'accuracy', 'changed'],
    ['b', 'changed', 'tech', ['NF'], null, 'changed'],
    ['d', 'removed', 'speed', [], 'speed', 'changed'],
    ['f', 'kept', 'speed', [], null, 'added'],
    ['c', 'lost', 'tech', [], null, null],
    ['new-1', 'new', 'tech', [], null, null],
  ]);
  // On top: the own values where both changed the same, and what was removed is added again.
  const decided = after(
    merged,
    { do: 'keep', id: 'a' },
    { do: 'take', id: 'd' },
    { do: 'addAgain', id: 'c' },
    learn('c'),
    { do: 'know' },
  );
  expect(meanwhileOf(decided)).toBeNull();
  expect(rowsOf(decided).every(({ theirs, mark }) => theirs === null && mark === null)).toBe(true);
  expect(nextBatch(decided)?.body).toMatchObject({
    removals: [],
    changes: [
      { mapGuid: 'a', categoryGuid: 'tech' },
      { mapGuid: 'b', categoryGuid: 'tech' },
    ],
    maps: [
      { key: 'e', categoryGuid: 'tech' },
      { key: 'c', categoryGuid: 'tech' },
    ],
  });
  expect(merged.etag).toBe('"2"');
  expect(after(merged, read(1, mapOf('a')))).toBe(merged);
});

test('a change that another person has made too is no change any more, and steps can still be undone', () => {
  const typed = after(start(mapOf('a'), mapOf('b')), set(['a'], { categoryGuid: 'tech' }), remove('b'));
  const merged = after(typed, read(2, mapOf('a', { categoryGuid: 'tech' })));
  expect([merged.edits.changes.size, shown(merged)]).toEqual([0, ['a kept tech']]);
  expect(shown(after(merged, { do: 'undo' }))).toEqual(['a kept tech']);
});

test('maps that this person imports are not shown as those of somebody else, whose changes are told', () => {
  const imported: Action = { do: 'imported', imported: { revision: 1, maps: [mapOf('c'), mapOf('d')] } };
  const theirs = [mapOf('a', { modifiers: ['NF'] }), mapOf('b'), mapOf('c', { categoryGuid: 'tech' })];
  const now = read(2, ...theirs, mapOf('e'));
  const begun = start(mapOf('a'), mapOf('b'));
  const own = after(begun, imported);
  expect([shown(own), meanwhileOf(own)]).toEqual([
    ['a', 'b', 'c', 'd'].map((id) => `${id} kept speed`),
    null,
  ]);
  expect(meanwhileOf(after(own, read(2, mapOf('a'), mapOf('b'), mapOf('c'), mapOf('d'))))).toBeNull();
  // In whatever order the table learns of them.
  for (const state of [after(begun, imported, now), after(begun, now, imported)]) {
    expect(state.maps.map(({ mapGuid }) => mapGuid)).toEqual(['a', 'b', 'c', 'e']);
    expect(meanwhileOf(state)).toMatchObject({
      added: [{ mapGuid: 'e' }],
      removed: [{ mapGuid: 'd' }],
      changed: [{ fields: ['modifiers'] }, { fields: ['categoryGuid'] }],
    });
  }
});

test('rows of a batch whose answer was lost are found in the pool, and not added twice', () => {
  const state = after(start(mapOf('a')), add(pasted('c'), pasted('d')), learn('c'), learn('d'));
  const batch = nextBatch(state);
  if (batch === null) throw new Error('There is nothing to save.');
  const pool = { maps: [mapOf('a'), mapOf('c', { categoryGuid: 'tech' })], revision: 2, etag: '"2"' };
  const again = after(state, { do: 'unanswered', sent: batch.sent }, { do: 'read', pool });
  expect(shown(again)).toEqual(['a kept speed', 'c kept tech', 'new-2 new tech']);
  expect(meanwhileOf(again)).toBeNull();
  expect([again.unanswered, again.saved]).toEqual([[], 1]);
});

test('changes and removals of a batch whose answer was lost are not shown as those of somebody else', () => {
  const state = after(
    start(mapOf('a'), mapOf('b'), mapOf('c')),
    set(['a', 'c'], { categoryGuid: 'tech' }),
    remove('b'),
  );
  const batch = nextBatch(state);
  if (batch === null) throw new Error('There is nothing to save.');
  const lost = after(state, { do: 'unanswered', sent: batch.sent });
  const saved = after(
    lost,
    read(2, mapOf('a', { categoryGuid: 'tech' }), mapOf('c', { categoryGuid: 'tech' })),
  );
  expect(shown(saved)).toEqual(['a kept tech', 'c kept tech']);
  expect(meanwhileOf(saved)).toBeNull();
  // It was not saved, and somebody else changed something.
  const refused = after(lost, read(2, mapOf('a'), mapOf('b'), mapOf('c', { categoryGuid: 'accuracy' })));
  expect(nextBatch(refused)?.body).toMatchObject({
    removals: ['b'],
    changes: [{ mapGuid: 'a' }, { mapGuid: 'c' }],
  });
  expect(meanwhileOf(refused)?.changed.map(({ after: { mapGuid } }) => mapGuid)).toEqual(['c']);
});

/** A table with two rows to add, a change and a removal, its batch, and the pool when that was saved. */
function lostScene() {
  const state = after(
    start(mapOf('a'), mapOf('b')),
    add(pasted('c'), pasted('d')),
    learn('c'),
    learn('d'),
    set(['a'], { categoryGuid: 'tech' }),
    remove('b'),
  );
  const sent = nextBatch(state)?.sent;
  if (sent === undefined) throw new Error('There is nothing to save.');
  const saved = ['a', 'c', 'd'].map((guid) => mapOf(guid, { categoryGuid: 'tech' }));
  return { state, sent, saved };
}

test('what is typed between a lost answer and the next read of the pool is not lost', () => {
  const { state, sent, saved } = lostScene();
  const typed = after(
    state,
    { do: 'unanswered', sent },
    set(['new-1'], { categoryGuid: 'speed' }),
    remove('new-2'),
    set(['a'], { modifiers: ['NF'] }),
    { do: 'restore', ids: new Set(['b']) },
  );
  const merged = after(typed, read(2, ...saved));
  expect(shown(merged)).toEqual(['a changed tech', 'c changed speed', 'd removed tech', 'new-3 new speed']);
  expect(nextBatch(after(merged, learn('b')))?.body).toMatchObject({
    removals: ['d'],
    changes: [
      { mapGuid: 'a', modifiers: ['NF'] },
      { mapGuid: 'c', categoryGuid: 'speed' },
    ],
    maps: [{ key: 'b', categoryGuid: 'speed' }],
  });
  expect([merged.saved, merged.past, meanwhileOf(merged)]).toEqual([4, [], null]);
});

test('a row of another person with other values is not taken for one of the lost batch', () => {
  const { state, sent } = lostScene();
  const lost = after(state, { do: 'unanswered', sent });
  const merged = after(lost, read(2, mapOf('a'), mapOf('b'), mapOf('c', { categoryGuid: 'speed' })));
  expect(shown(merged)).toEqual([
    'a changed tech',
    'b removed speed',
    'c kept speed',
    'new-1 new tech',
    'new-2 new tech',
  ]);
  expect(meanwhileOf(merged)?.added.map(({ mapGuid }) => mapGuid)).toEqual(['c']);
  expect([merged.saved, merged.unanswered, merged.past.length]).toEqual([0, [], 3]);
});

test('values that others have changed after a batch whose answer was lost are shown as theirs', () => {
  const { state, sent, saved } = lostScene();
  const [, c = mapOf('c'), d = mapOf('d')] = saved;
  const theirs = mapOf('a', { categoryGuid: 'tech', modifiers: ['NF'] });
  const merged = after(state, { do: 'unanswered', sent }, read(3, theirs, c, d));
  expect(meanwhileOf(merged)).toMatchObject({
    added: [],
    removed: [],
    changed: [{ after: theirs, fields: ['modifiers'] }],
  });
});

test('of several batches without an answer, the one that was saved is found', () => {
  const { state, sent, saved } = lostScene();
  const typed = after(state, { do: 'unanswered', sent }, set(['new-1'], { categoryGuid: 'speed' }));
  const second = nextBatch(typed)?.sent;
  if (second === undefined) throw new Error('There is nothing to save.');
  const lost = after(typed, { do: 'unanswered', sent: second }, read(1, mapOf('a'), mapOf('b')));
  expect(lost.unanswered).toEqual([sent, second]);
  expect(shown(after(lost, read(2, ...saved)))).toEqual(['a kept tech', 'c changed speed', 'd kept tech']);
  const [a = mapOf('a'), , d = mapOf('d')] = saved;
  const other = after(lost, read(2, a, mapOf('c', { categoryGuid: 'speed' }), d));
  expect([shown(other), other.edits.changes.size]).toEqual([
    ['a kept tech', 'c kept speed', 'd kept tech'],
    0,
  ]);
});

test('a read that overtakes the answer of a batch, or its loss, shows no row twice', () => {
  const { state, sent, saved } = lostScene();
  const [a = mapOf('a'), c = mapOf('c'), d = mapOf('d')] = saved;
  const overtaken = after(state, read(2, ...saved));
  const answered: Action = { do: 'saved', sent, answer: { maps: [c, d], changed: [a], removed: ['b'] } };
  for (const end of [answered, { do: 'unanswered', sent } as const]) {
    const done = after(overtaken, end);
    expect(shown(done)).toEqual(['a kept tech', 'c kept tech', 'd kept tech']);
    expect([done.revision, done.past, meanwhileOf(done)]).toEqual([2, [], null]);
    expect(after(done, read(2, ...saved)).etag).toBe('"2"');
  }
  // Somebody else has changed one of the rows before the answer came.
  const theirs = mapOf('c', { categoryGuid: 'speed' });
  const newer = after(state, read(3, a, theirs, d), answered);
  expect(shown(newer)).toEqual(['a kept tech', 'c kept speed', 'd kept tech']);
  expect([newer.revision, meanwhileOf(newer)?.changed]).toMatchObject([3, [{ before: c, after: theirs }]]);
});

test('kept rows that the pool has already are not shown as unsaved when the table begins', () => {
  const state = after(
    start(mapOf('a'), mapOf('b'), mapOf('e')),
    add(pasted('c', { difficulty: HARDEST }), pasted('d'), pasted('f')),
    learn('c'),
    learn('d'),
    set(['a', 'e'], { categoryGuid: 'tech' }),
    remove('b'),
  );
  const sent = nextBatch(state)?.sent;
  if (sent === undefined) throw new Error('There is nothing to save.');
  const kept = after(state, { do: 'sent', sent }).edits;
  const tech = { categoryGuid: 'tech' };
  const stored = [mapOf('a', tech), mapOf('e'), mapOf('c', { ...tech, difficulty: 'Expert' }), mapOf('d')];
  const begun = initialState({ maps: stored, revision: 2, etag: null }, kept);
  expect(shown(begun)).toEqual([
    'a kept tech',
    'e changed tech',
    'c kept tech',
    'd kept speed',
    // It is there with another category.
    'new-2 new tech',
    // It was not looked up yet, so it was not sent.
    'new-3 new tech',
  ]);
});

test('a kept row in place of a map that is to be removed stays', () => {
  const map = mapOf('c');
  const state = after(start(map), remove('c'), add(pasted('c', { category: 'speed' })), learn('c'));
  const sent = nextBatch(state)?.sent;
  if (sent === undefined) throw new Error('There is nothing to save.');
  const kept = after(state, { do: 'sent', sent }).edits;
  const begun = initialState({ maps: [map], revision: 1, etag: null }, kept);
  expect(shown(begun)).toEqual(['c removed speed', 'new-1 new speed']);
});

test('unsaved changes are kept for each person and pool; a broken entry counts as none, and a full store is reported', () => {
  const items = new Map<string, string>();
  const store = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  const state = after(start(mapOf('a')), add(pasted('c')), set(['a'], { categoryGuid: 'tech' }));
  const kept = keptEdits(store, 'me', 'pool');
  expect(kept.write(state.edits)).toBe(true);
  expect(kept.read()).toEqual(state.edits);
  expect(keptEdits(store, 'you', 'pool').read().changes.size).toBe(0);
  const next = after(
    initialState({ maps: [mapOf('a')], revision: 1, etag: null }, kept.read()),
    add(pasted('d')),
  );
  expect(shown(next)).toEqual(['a changed tech', 'new-1 new tech', 'new-2 new tech']);
  kept.write({ additions: [], changes: new Map() });
  expect(items.size).toBe(0);
  items.set('pool-edits/me/pool', '{broken');
  expect(kept.read().additions).toEqual([]);
  const full = {
    ...store,
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(keptEdits(full, 'me', 'pool').write(state.edits)).toBe(false);
});
