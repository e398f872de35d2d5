import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkClosed } from '../../scripts/explore/closing.ts';
import { INVARIANTS } from '../../scripts/explore/invariants/all.ts';
import type { Invariant } from '../../scripts/explore/invariants/kinds.ts';
import { Found, Search } from '../../scripts/explore/search.ts';
import { SETTINGS, type Setting, TICK } from '../../scripts/explore/settings.ts';
import { storyOf } from '../../scripts/explore/story.ts';
import { LIFE } from '../../src/domains/matches/life.ts';
import { ENDED, type Limits, type MatchState, RUNNING } from '../../src/domains/matches/state.ts';

/**
 * Every state of small matches keeps every promise, and the picture of a match shows what was walked. From
 * this file `npm run mutation -- --by explore` runs only the promises, which compare nothing with kept numbers or texts.
 */

const depth = Error.stackTraceLimit;
beforeAll(() => {
  // A refusal is made a million times, and nobody reads where.
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = depth;
});

/** The events that led from one status to another, in every state of small matches. */
const ways = new Map<string, Set<string>>();

const promisesAlone = process.env.PROMISES_ALONE !== undefined;
const walked = SETTINGS.filter(({ isSmall, forMutants }) => isSmall || (promisesAlone && forMutants));

test.each(walked.map((setting) => [setting.name, setting] as const))(
  'every state of %s keeps every promise',
  (_, setting) => {
    const search = new Search(setting, INVARIANTS);
    try {
      while (search.layer());
      checkClosed(search, setting.longestMs);
    } catch (error) {
      if (error instanceof Found) throw new Error(storyOf(search, error.violation));
      throw error;
    }
    expect(search.expanded).toBe(search.size);
    expect(search.replayed).toBeGreaterThan(0);
    for (const way of search.ways.keys()) {
      const [from, to, by] = way.split(' ') as [string, string, string];
      ways.set(`${from} ${to}`, (ways.get(`${from} ${to}`) ?? new Set()).add(by));
    }
  },
);

test.skipIf(promisesAlone)(
  'the picture of the references shows the ways that were walked, and the events that led there',
  () => {
    const endOf = (way: string): string => way.split(' ')[1] as string;
    const isEnd = (status: string) => ENDED.some((end) => end === status);
    const byPlay = (by: ReadonlySet<string> | undefined) =>
      [...(by ?? [])].filter((event) => !event.endsWith('ByStaff')).sort();
    for (const { from, to, by } of LIFE.ways)
      expect({ from, to, by: byPlay(ways.get(`${from} ${to}`)) }).toEqual({ from, to, by });
    const shown = LIFE.ways.map(({ from, to }) => `${from} ${to}`);
    const between = [...ways.keys()].filter((way) => !isEnd(endOf(way)));
    expect(between.filter((way) => !shown.some((one) => one === way))).toEqual([]);
    const ends = [...ways].filter(([way]) => isEnd(endOf(way))).flatMap(([, by]) => byPlay(by));
    expect([...new Set(ends)].sort()).toEqual(LIFE.endedBy);
    expect(RUNNING.filter((status) => ENDED.every((end) => !ways.has(`${status} ${end}`)))).toEqual([]);
  },
);

/** How long a limit of the picture is, for maps of 20 s. */
function lengthOf(limit: string, limits: Limits): number | undefined {
  const [, map, name = ''] = /^(the map \+ )?([A-Z_]+)_SECONDS$/.exec(limit) ?? [];
  const member = name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return limits[`${member}Ms` as keyof Limits] + (map === undefined ? 0 : 30_000);
}

test.skipIf(promisesAlone)('the picture of the references shows the limits that were walked', () => {
  const rounds = SETTINGS.find(({ name }) => name === 'brief-rounds') as Setting;
  // Each limit has another length.
  const limits: Limits = {
    ...rounds.limits,
    joinMs: 2 * TICK,
    discardMs: 3 * TICK,
    pickMs: 4 * TICK,
    prepareMs: 5 * TICK,
    scoreGraceMs: 6 * TICK,
    roundResultsMs: 7 * TICK,
  };
  const lengths = new Map<string, Set<number>>();
  const note = ({ status, deadlineAt, startsAt }: MatchState, at: number): void => {
    const length = (deadlineAt ?? 0) - (status === 'playing' ? (startsAt ?? 0) : at);
    lengths.set(status, (lengths.get(status) ?? new Set()).add(length));
  };
  const watch: Invariant = {
    name: 'limits',
    says: 'What the limits of the phases are is noted.',
    step: ({ before, state, at }) => {
      if (state.status !== before.status && state.endedAt === null) note(state, at);
      return null;
    },
  };
  const search = new Search({ ...rounds, limits, prefix: () => undefined }, [watch]);
  const { state, now } = search.walk({ beginning: 0, choices: [] });
  note(state, now);
  // Three rounds.
  for (let layer = 0; layer < 30; layer++) search.layer();
  const shown = Object.entries(LIFE.limits).map(
    ([status, limit]) => [status, new Set([lengthOf(limit, limits)])] as const,
  );
  expect(lengths).toEqual(new Map(shown));
});
