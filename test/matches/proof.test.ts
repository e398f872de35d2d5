import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProven, type MatchLog, matchLog, proveMatch } from '../../src/domains/matches/index.ts';
import { EVENT_MEMBERS } from '../../src/domains/matches/log-line.ts';
import { isoTime } from '../../src/platform/clock.ts';

/** Every line of every kept log, changed in every way: each change is found. */

const FOLDER = path.join(import.meta.dirname, 'logs');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
);
const read = (file: string): MatchLog =>
  matchLog.parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));

type Lines = MatchLog['events'];
const changes: Record<string, (lines: Lines, at: number) => Lines> = {
  'left out': (lines, at) => lines.toSpliced(at, 1),
  repeated: (lines, at) => lines.toSpliced(at, 0, lines[at] as Lines[number]),
  'of the other seat': (lines, at) =>
    lines.map((line, index) =>
      index === at && 'seat' in line.event
        ? { ...line, event: { ...line.event, seat: line.event.seat === 'red' ? 'blue' : 'red' } }
        : line,
    ),
  'another event': (lines, at) =>
    lines.map((line, index) =>
      index === at ? { ...line, event: { type: 'forfeit' as const, seat: 'red' as const } } : line,
    ),
};

/** Events from whose times no limit follows. */
const TIMELESS = ['disconnected', 'submitScore'];
const MOVES = ['joinMatch', 'discardMaps', 'selectMap', 'setReady', 'submitScore'];

/** Versions that have no gap, as somebody would write them who wants to hide a change. */
const numbered = (log: MatchLog, lines: Lines): MatchLog => ({
  ...log,
  events: lines.map((line, index) => ({ ...line, version: index + 1 })),
  version: lines.length,
});

test('the kept logs have lines of every kind that the tests below change', () => {
  const types = new Set(files.flatMap((file) => read(file).events.map(({ event }) => event.type)));
  expect([...types]).toEqual(expect.arrayContaining(['limitPassed', ...TIMELESS, ...MOVES]));
});

describe.each(files)('%s', (file) => {
  const log = read(file);

  test('plays every line again', () => {
    const { steps, refused } = proveMatch(log);
    expect(refused).toBeNull();
    expect(steps.map(({ state }) => state.version)).toEqual(log.events.map(({ version }) => version));
    expect(steps.at(-1)?.state.status).toBe(log.status);
  });

  test.each(Object.entries(changes))('is broken by a line that is %s', (_how, change) => {
    for (const at of log.events.keys()) {
      const lines = change(log.events, at);
      if (JSON.stringify(lines) === JSON.stringify(log.events)) continue;
      const proof = proveMatch(numbered(log, lines));
      expect(isProven(proof), `line ${at + 1}`).toBe(false);
      // Lines before the change are not blamed.
      if (proof.refused !== null) expect(proof.refused.line).toBeGreaterThan(at);
    }
  });

  test('is broken at the line of a limit that passed too early', () => {
    for (const [at, line] of log.events.entries()) {
      if (line.event.type !== 'limitPassed') continue;
      const early = { ...line, at: log.events[at - 1]?.at ?? '' };
      expect(proveMatch({ ...log, events: log.events.with(at, early) }).refused).toEqual({
        line: at + 1,
        type: 'limitPassed',
        reason: `It changes nothing in version ${at}.`,
      });
    }
  });

  test('is broken at the line of a time that goes back', () => {
    for (const [at, line] of log.events.entries()) {
      if (at === 0) continue;
      const early = { ...line, at: isoTime(Date.parse(log.events[0]?.at ?? '') - 3_600_000) };
      const { refused } = proveMatch({ ...log, events: log.events.with(at, early) });
      expect(refused).toMatchObject({ line: at + 1, reason: 'It is earlier than the line before it.' });
    }
  });

  // No limit follows from the times of these lines; a match that ends early has none.
  const timeless = [...log.events.entries()].filter(([, { event }]) => TIMELESS.includes(event.type));
  test.runIf(timeless.length > 0)('is not broken by the clock of the database, which may be set back', () => {
    for (const [at, line] of timeless) {
      const early = { ...line, at: isoTime(Date.parse(line.at) - 10_000) };
      const { refused } = proveMatch({ ...log, events: log.events.with(at, early) });
      expect(refused?.line, `line ${at + 1}`).not.toBe(at + 1);
    }
  });

  test('is broken at the line of a command long after its limit', () => {
    for (const [at, line] of log.events.entries()) {
      if (!MOVES.includes(line.event.type)) continue;
      const late = { ...line, at: isoTime(Date.parse(line.at) + 3 * 3_600_000) };
      const { refused } = proveMatch({ ...log, events: log.events.with(at, late) });
      expect(refused).toMatchObject({
        line: at + 1,
        reason: 'It came after the time for it had passed.',
      });
    }
  });

  test('is broken at the line that says something unknown', () => {
    for (const [at, line] of log.events.entries()) {
      const more = [
        { ...line, event: { ...line.event, cheat: true } },
        { ...line, cheat: true },
      ] as unknown as Lines;
      for (const one of more)
        expect(proveMatch({ ...log, events: log.events.with(at, one) }).refused).toMatchObject({
          line: at + 1,
          reason: 'It has the unknown member cheat.',
        });
    }
  });

  test.each<[string, unknown, string]>([
    ['nothing', null, '(no event): It is no line of a log.'],
    ['a text', 'line', '(no event): It is no line of a log.'],
    ['no event', { version: 3, at: '2026-01-01T00:00:00.000Z' }, '(no event): It is no line of a log.'],
    [
      'an unknown event',
      { ...log.events[2], event: { type: 'zzz' } },
      '(zzz): There is no event of this type.',
    ],
    [
      'the name of what every object has',
      { ...log.events[2], event: { type: 'toString' } },
      '(toString): There is no event of this type.',
    ],
    ['no time', { ...log.events[2], at: 'yesterday' }, 'It does not say its time.'],
    [
      'an event without its members',
      { ...log.events[2], event: { type: 'connected' } },
      '(connected): It has no form that can be read.',
    ],
  ])('is broken at a line that is %s', (_what, line, reason) => {
    const events = log.events.with(2, line as Lines[number]);
    const { checks, refused } = proveMatch({ ...log, events });
    expect(refused?.line).toBe(3);
    expect(checks.map(({ problem }) => problem).join(' ')).toContain(reason);
  });
});

test.each([null, undefined, 'log', 7, [], {}, { events: null }, { events: [] }, { events: [null] }])(
  'what is no log is broken, and said in words: %j',
  (log) => {
    const proof = proveMatch(log as unknown as MatchLog);
    expect(isProven(proof)).toBe(false);
    for (const { problem } of proof.checks) expect(problem ?? '').not.toMatch(/Error|Cannot|reading/);
  },
);

test('every event may have the members that it has in a log, and no others', () => {
  const events = matchLog.shape.events.element.shape.event.options;
  const members = Object.fromEntries(
    events.map(({ shape }) => [shape.type.value, Object.keys(shape).filter((name) => name !== 'type')]),
  );
  expect(EVENT_MEMBERS).toEqual(members);
});
