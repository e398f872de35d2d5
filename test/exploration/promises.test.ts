import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkClosed } from '../../scripts/explore/closing.ts';
import { INVARIANTS } from '../../scripts/explore/invariants/all.ts';
import { Found, Search } from '../../scripts/explore/search.ts';
import { SETTINGS } from '../../scripts/explore/settings.ts';
import { storyOf } from '../../scripts/explore/story.ts';
import { LIFE } from '../../src/domains/matches/life.ts';
import { ENDED, RUNNING } from '../../src/domains/matches/state.ts';

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
  'the picture of the references shows the ways that were walked, and what led there',
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
