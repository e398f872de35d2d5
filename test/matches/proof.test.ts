import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProven, type MatchLog, matchLog, proveMatch } from '../../src/domains/matches/index.ts';
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

/** Versions that have no gap, as somebody would write them who wants to hide a change. */
const numbered = (log: MatchLog, lines: Lines): MatchLog => ({
  ...log,
  events: lines.map((line, index) => ({ ...line, version: index + 1 })),
  version: lines.length,
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
      const early = { ...line, at: isoTime(Date.parse(line.at) - 3_600_000) };
      expect(proveMatch({ ...log, events: log.events.with(at, early) }).refused).toEqual({
        line: at + 1,
        type: 'limitPassed',
        reason: `It changes nothing in version ${at}.`,
      });
    }
  });
});
