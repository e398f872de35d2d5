import { describe, expect, test } from 'vitest';
import { checkHistory } from './check.ts';
import { Model } from './model.ts';
import type { Note } from './recording.ts';
import { shownTo } from './shown.ts';

/** The checker names single faults in the history of a short match, each with a sentence. */

const WITHIN_MS = 5000;

/** A match whose players are connected and know of it. */
function modelWithHello(): Model {
  const model = new Model();
  for (const client of Object.values(model.clients)) {
    client.connect();
    client.hearsAll();
  }
  return model;
}

/** Both join, red discards nothing, blue gives up; both are told of everything and leave. */
function shortMatch(): Model {
  const model = modelWithHello();
  const { red, blue } = model.clients;
  red.does('joinMatch');
  blue.does('joinMatch');
  red.does('discardMaps', { cardGuids: [] });
  blue.does('getMatchState');
  blue.does('forfeit');
  for (const client of [red, blue]) client.leaves();
  return model;
}

const check = (model: Model, notes: readonly Note[], about = {}): string[] =>
  checkHistory(notes, [model.stored], { withinMs: WITHIN_MS, ...about }).map((problem) =>
    problem.replace(`match ${model.state.matchGuid}: `, ''),
  );

/** Where the answer to the only question of this kind is among the notes, and the question itself. */
function question({ notes }: Model, event: string, player: string): { asked: number; answered: number } {
  const connection = notes.findIndex((note) => note.kind === 'opened' && note.player === player);
  const opened = notes[connection];
  const asked = notes.findIndex(
    (note) =>
      note.kind === 'asked' &&
      note.event === event &&
      opened?.kind === 'opened' &&
      note.connection === opened.connection,
  );
  const answered = notes.findIndex((note) => {
    const before = notes[asked];
    return note.kind === 'answered' && before?.kind === 'asked' && note.question === before.question;
  });
  return { asked, answered };
}

/** Where a player was told of a version. */
function told({ notes, state }: Model, seat: 'red' | 'blue', version: number): number {
  const { playerGuid } = state.seats[seat];
  return notes.findIndex(
    (note) => note.kind === 'told' && note.shown.playerGuid === playerGuid && note.shown.version === version,
  );
}

const without = (notes: readonly Note[], ...places: number[]): Note[] =>
  notes.filter((_, place) => !places.includes(place));
const withNote = (notes: readonly Note[], place: number, note: Note): Note[] => notes.with(place, note);

test('a short correct match is accepted', () => {
  const model = shortMatch();
  expect(model.state.status).toBe('aborted');
  expect(check(model, model.notes)).toEqual([]);
});

describe('answers', () => {
  test('a missing acknowledgement on a connection that lived is a fault', () => {
    const model = shortMatch();
    const { answered } = question(model, 'discardMaps', 'red');
    expect(check(model, without(model.notes, answered))).toEqual([
      expect.stringMatching(
        /^red: discardMaps, sent at .* s, was never acknowledged, though the connection lived/,
      ),
    ]);
  });

  test('an acknowledgement lost with its connection is no fault, whether the command took effect or not', () => {
    const model = modelWithHello();
    const { red, blue } = model.clients;
    red.asks('joinMatch', {});
    red.isHeard();
    red.loses();
    red.connect();
    red.hearsAll();
    red.does('joinMatch');
    blue.asks('joinMatch', {});
    blue.requests = [];
    blue.loses();
    blue.connect();
    blue.hearsAll();
    blue.does('forfeit');
    for (const client of [red, blue]) client.leaves();
    expect(check(model, model.notes)).toEqual([]);
  });

  test('an acknowledged command that is not in the log is a fault', () => {
    const model = shortMatch();
    const { asked } = question(model, 'getMatchState', 'blue');
    const payload = { matchGuid: model.state.matchGuid, cardGuid: 'a card' };
    const command = { ...(model.notes[asked] as Note & { kind: 'asked' }), event: 'selectMap', payload };
    expect(check(model, withNote(model.notes, asked, command))).toEqual([
      expect.stringMatching(
        /^selectMap of blue, sent at .* answered with version 5: it had taken no effect by then\.$/,
      ),
    ]);
  });

  test('a refused command that is in the log is a fault', () => {
    const model = shortMatch();
    const { answered } = question(model, 'discardMaps', 'red');
    const refused = { ...(model.notes[answered] as Note & { kind: 'answered' }) };
    refused.answer = { ok: false, code: 'WRONG_PHASE' };
    expect(check(model, withNote(model.notes, answered, refused))).toEqual([
      expect.stringMatching(/\(discardMaps of red\) comes from no command that was sent by then/),
    ]);
  });

  describe('a command that is refused as too late before a forfeit ends its phase', () => {
    /** @param afterLimitMs when the service decides the forfeit */
    const problemsOf = (afterLimitMs: number): string[] => {
      const model = modelWithHello();
      const { red, blue } = model.clients;
      red.does('joinMatch');
      blue.does('joinMatch');
      red.asks('forfeit', {});
      blue.does('getMatchState');
      // Shows that the forfeit has not taken effect yet.
      blue.does('hello');
      model.now = (model.state.deadlineAt ?? 0) + afterLimitMs;
      red.hearsAll();
      for (const client of [red, blue]) client.leaves();
      const { asked, answered } = question(model, 'getMatchState', 'blue');
      const payload = { matchGuid: model.state.matchGuid, cardGuids: [] };
      const late = { ...(model.notes[asked] as Note & { kind: 'asked' }), event: 'discardMaps', payload };
      const refused = { ...(model.notes[answered] as Note & { kind: 'answered' }) };
      refused.answer = { ok: false, code: 'WRONG_PHASE' };
      return check(model, withNote(withNote(model.notes, asked, late), answered, refused));
    };

    test('is no fault when the limit has passed', () => {
      expect(problemsOf(500)).toEqual([]);
    });

    test('is a fault before the limit', () => {
      expect(problemsOf(-500)).toEqual([
        expect.stringMatching(/^hello of blue, .* had been seen before that/),
      ]);
    });
  });

  test('a command whose outcome the service did not know may have taken effect', () => {
    const model = shortMatch();
    const { answered } = question(model, 'discardMaps', 'red');
    const failed = { ...(model.notes[answered] as Note & { kind: 'answered' }) };
    failed.answer = { ok: false, code: 'INTERNAL_ERROR' };
    expect(check(model, withNote(model.notes, answered, failed))).toEqual([]);
  });

  test('an entry of the log without a request is a fault', () => {
    const model = shortMatch();
    const { asked, answered } = question(model, 'discardMaps', 'red');
    expect(check(model, without(model.notes, asked, answered))).toEqual([
      expect.stringMatching(/\(discardMaps of red\) comes from no command/),
    ]);
  });

  test('an effect that is stored twice is a fault', () => {
    const model = shortMatch();
    const line = model.log.find(({ event }) => event.type === 'discardMaps');
    if (line) model.log.splice(model.log.indexOf(line) + 1, 0, line);
    expect(check(model, model.notes)).toEqual([
      expect.stringMatching(/^its log does not replay: discardMaps changes nothing/),
    ]);
  });

  test('a read that shows an older version than was seen before is a fault', () => {
    const model = shortMatch();
    const { answered } = question(model, 'getMatchState', 'blue');
    const read = model.notes[answered] as Note & { kind: 'answered' };
    const old = shownTo(model.states[1] as (typeof model.states)[number], 'blue');
    const stale: Note = { ...read, answer: { ok: true, shown: old } };
    expect(check(model, withNote(model.notes, answered, stale))).toEqual([
      expect.stringMatching(
        /^getMatchState of blue, sent at .* answered with version 2: version 5 had been seen before that\.$/,
      ),
    ]);
  });
});

describe('updates', () => {
  test('one that was delivered twice is a fault', () => {
    const model = shortMatch();
    const at = told(model, 'red', 3);
    const twice = model.notes.toSpliced(at, 0, model.notes[at] as Note);
    expect(check(model, twice)).toEqual([expect.stringMatching(/^red was told of version 3 twice at /)]);
  });

  test('one that was not delivered is a fault', () => {
    const model = shortMatch();
    expect(check(model, without(model.notes, told(model, 'blue', 3)))).toEqual([
      expect.stringMatching(/^blue was not told of version 3 before version 4 at /),
    ]);
  });

  test('two in the wrong order are a fault', () => {
    const model = shortMatch();
    const [first, next] = [told(model, 'red', 3), told(model, 'red', 4)];
    const { notes } = model;
    const turned = withNote(withNote(notes, first, notes[next] as Note), next, notes[first] as Note);
    expect(check(model, turned)).toEqual([
      expect.stringMatching(/^red was not told of version 3 before version 4/),
      expect.stringMatching(/^red was told of version 3 after version 4/),
    ]);
  });

  test('an end that was not delivered is a fault', () => {
    const model = shortMatch();
    const last = told(model, 'red', model.states.length);
    expect(check(model, without(model.notes, last))).toEqual([
      expect.stringMatching(/^red was not told of version \d+, the last of which is the end, before leaving/),
    ]);
  });

  test('one that was not delivered to a living connection in time is a fault, unless the service was stopped', () => {
    const model = shortMatch();
    const last = told(model, 'red', model.states.length);
    const { at } = model.notes[last] as Note;
    const connection = (model.notes[last] as Note & { kind: 'told' }).connection;
    const lost = without(model.notes, last).map((note) =>
      note.kind === 'closed' && note.connection === connection
        ? { ...note, at: at + 2 * WITHIN_MS, how: 'lost' as const }
        : note,
    );
    expect(check(model, lost)).toEqual([
      expect.stringMatching(/^red was not told of version \d+, which was seen at .* s, by /),
    ]);
    expect(check(model, lost, { disturbed: [{ from: at, to: at + 2 * WITHIN_MS }] })).toEqual([]);
  });

  test('progress of a download repeats a version as often as it was reported', () => {
    const model = modelWithHello();
    const { red, blue } = model.clients;
    for (const client of [red, blue]) client.does('joinMatch');
    for (const client of [red, blue]) client.does('discardMaps', { cardGuids: [] });
    const picker = model.state.pickerSeat === 'red' ? red : blue;
    picker.does('selectMap', { cardGuid: model.state.seats[picker.seat].hand[0]?.cardGuid });
    const { roundNumber } = model.state;
    red.does('setReady', { roundNumber, state: 'downloading', progress: 0.1 });
    model.tell({ type: 'readyChanged', seat: 'red' });
    red.hearsAll();
    // The first report changed the version, so one report leaves room for one repetition.
    expect(check(model, model.notes)).toEqual([]);
    model.tell({ type: 'readyChanged', seat: 'red' });
    red.hearsAll();
    expect(check(model, model.notes)).toEqual([
      expect.stringMatching(/^red was told of version \d+ twice/),
      expect.stringMatching(/^blue was told of version \d+ twice/),
    ]);
  });
});

test('a hello that overtakes updates is accepted; one that hides a gap is refused', () => {
  const model = modelWithHello();
  const { red, blue } = model.clients;
  red.does('joinMatch');
  // Blue's join is decided, and a hello is answered before the updates of it arrive.
  blue.asks('joinMatch', {});
  blue.isHeard();
  red.asks('hello', {});
  red.isHeard();
  red.isAnswered();
  blue.hearsAll();
  blue.does('forfeit');
  for (const client of [red, blue]) client.leaves();
  expect(check(model, model.notes)).toEqual([]);
  const gap = without(model.notes, told(model, 'red', model.states.length - 1));
  expect(check(model, gap)).toEqual([expect.stringMatching(/^red was not told of version/)]);
});

test('a state that is shown and not stored is a fault', () => {
  const model = shortMatch();
  const at = told(model, 'red', 3);
  const note = model.notes[at] as Note & { kind: 'told' };
  const content = { ...note.shown.content, status: 'completed' };
  expect(check(model, withNote(model.notes, at, { ...note, shown: { ...note.shown, content } }))).toEqual([
    expect.stringMatching(/^version 3 was shown to red at .* with another status than is stored/),
  ]);
  expect(check(model, withNote(model.notes, at, { ...note, shown: { ...note.shown, version: 99 } }))).toEqual(
    [expect.stringMatching(/^version 99 was shown at .* and is not stored/)],
  );
  expect(checkHistory(model.notes, [], { withinMs: WITHIN_MS })).toEqual([
    `match ${model.state.matchGuid}: it was shown and is not stored`,
  ]);
});
