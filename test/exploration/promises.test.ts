import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkClosed } from '../../scripts/explore/closing.ts';
import { INVARIANTS } from '../../scripts/explore/invariants/all.ts';
import { Found, Search } from '../../scripts/explore/search.ts';
import { SETTINGS } from '../../scripts/explore/settings.ts';
import { storyOf } from '../../scripts/explore/story.ts';

/**
 * Every state of small matches keeps every promise. `npm run mutation -- --by explore` runs this file alone, so it
 * compares nothing with numbers or texts that were kept.
 */

const depth = Error.stackTraceLimit;
beforeAll(() => {
  // A refusal is made a million times, and nobody reads where.
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = depth;
});

test.each(SETTINGS.filter(({ isSmall }) => isSmall).map((setting) => [setting.name, setting] as const))(
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
  },
);
