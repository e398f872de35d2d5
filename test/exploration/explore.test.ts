import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeeping } from '../../scripts/explore/keeping.ts';
import { Search } from '../../scripts/explore/search.ts';
import { SETTINGS, type Setting } from '../../scripts/explore/settings.ts';
import { lastOf, play } from '../../src/domains/matches/play.ts';

/** States with the same canonical form have the same next states, and an interrupted exploration can be resumed. */

const depth = Error.stackTraceLimit;
beforeAll(() => {
  // A refusal is made a million times, and nobody reads where.
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = depth;
});

/** Expects both values to be the same. So many calls of `expect` take long: only a failure makes one. */
const expectSame = (actual: unknown, expected: unknown): void => {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
};

/**
 * Random ways through the real match and, beside it, through the state that stands for it: both allow the same, answer the
 * same and go on to the same. So nothing that the canonical form leaves out makes a difference.
 */
test.each(SETTINGS.map((setting) => [setting.name, setting] as const))(
  'a state of %s goes on as its canonical form does',
  (_, setting) => {
    const search = new Search(setting, []);
    const { canonical, machine } = search;
    const rowOf = (state: Parameters<typeof canonical.encode>[0], now: number) =>
      canonical.encode(state, now).join();
    let compared = 0;
    fc.assert(
      fc.property(
        fc.nat(setting.beginnings.length - 1),
        fc.array(fc.nat(10_000), { minLength: 5, maxLength: 40, size: 'max' }),
        (beginning, picks) => {
          const walk = search.walk({ beginning, choices: [] });
          for (const pick of picks) {
            const twin = canonical.decode(canonical.encode(walk.state, walk.now));
            expectSame(rowOf(twin.state, twin.now), rowOf(walk.state, walk.now));
            const [mine, theirs] = [search.eventsOf(walk), search.eventsOf(twin)];
            expectSame(theirs.length, mine.length);
            const goesOn: number[] = [];
            for (const [index, next] of mine.entries()) {
              const other = theirs[index];
              expectSame(other?.at, next.at - walk.now + twin.now);
              if (next.event === null || !other?.event) {
                goesOn.push(index);
                continue;
              }
              const [one, two] = [
                play(walk.state, next.event, next.at, machine),
                play(twin.state, other.event, other.at, machine),
              ];
              // Only the answer to a repeat depends on what was said before the last report.
              if (setting.remembersReports || next.event.type !== 'setReady') expectSame(two.kind, one.kind);
              expectSame(two.kind === 'changed', one.kind === 'changed');
              if (one.kind !== 'changed' || two.kind !== 'changed') continue;
              goesOn.push(index);
              const told = two.steps.map(({ cause, effects }) => ({ cause, effects }));
              const due = one.steps.map(({ cause, effects }) => ({ cause, effects }));
              if (!isDeepStrictEqual(told, due)) expect(told).toEqual(due);
              expectSame(rowOf(lastOf(two.steps).state, other.at), rowOf(lastOf(one.steps).state, next.at));
              compared += 1;
            }
            const chosen = mine[goesOn[pick % goesOn.length] as number];
            if (chosen === undefined || walk.state.endedAt !== null) break;
            walk.now = chosen.at;
            if (chosen.event !== null) walk.happens(chosen.event);
          }
        },
      ),
      { numRuns: 15, seed: 20261122 },
    );
    expect(compared).toBeGreaterThan(100);
  },
);

test('an exploration that was interrupted goes on to the same end', () => {
  const map = SETTINGS.find(({ name }) => name === 'small-map');
  if (map === undefined) throw new Error('There is no such setting.');
  const setting: Setting = { ...map, reports: ['ready'], accuracies: [90] };
  const folder = mkdtempSync(path.join(tmpdir(), 'explore-'));
  try {
    const whole = new Search(setting, []);
    while (whole.layer());
    const interrupted = new Search(setting, []);
    for (let layer = 0; layer < 6; layer++) interrupted.layer();
    createKeeping(folder).write(interrupted);
    const resumed = new Search(setting, []);
    const keeping = createKeeping(folder);
    expect(keeping.read(resumed)).toBe(true);
    expect(resumed.size).toBe(interrupted.size);
    while (resumed.layer());
    keeping.write(resumed);
    expect(resumed.rowOf('digests')).toEqual(whole.rowOf('digests'));
    expect(resumed.rowOf('parents')).toEqual(whole.rowOf('parents'));
    expect(resumed.transitions).toBe(whole.transitions);
    expect(resumed.ways).toEqual(whole.ways);
    const other = new Search({ ...setting, accuracies: [0] }, []);
    expect(createKeeping(folder).read(other)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
