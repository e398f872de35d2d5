import { expect, test } from 'vitest';
import type { FeedMatch, MatchPhase } from '../../src/domains/matches/index.ts';
import {
  createFeedState,
  type FeedStateOptions,
  type MatchNews,
} from '../../src/domains/observers/feed-state.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { manualClock } from '../harness/clock.ts';

test('a beginning or an end is announced although the first read of it failed', async () => {
  const clock = manualClock();
  const match = { matchGuid: newGuid(), queueGuid: newGuid(), startedAt: clock.now() };
  let phases: MatchPhase[] = [];
  let isBroken = false;
  let mark = 0;
  const news: MatchNews[] = [];
  const state = createFeedState({
    clock,
    database: { changes: { watch: () => {}, mark: () => mark } },
    queues: { list: async () => ({ items: [], nextCursor: null }) },
    following: {
      runningPhases: async () => [],
      phasesSince: async () => phases,
      inFewWords: async (matchGuids: readonly string[]) => {
        if (isBroken) throw new Error('The database is away.');
        return matchGuids.map((matchGuid) => ({ matchGuid, endedAt: null }) as FeedMatch);
      },
    },
    onMatches: (found: readonly MatchNews[]) => news.push(...found),
  } as unknown as FeedStateOptions);
  await state.refresh();

  for (const [endedAt, name] of [
    [null, 'matchStarted'],
    [clock.now(), 'matchFinished'],
  ] as const) {
    phases = [{ ...match, isKnown: true, endedAt } as MatchPhase];
    mark += 1;
    isBroken = true;
    await expect(state.refresh()).rejects.toThrow('away');
    isBroken = false;
    await state.refresh();
    mark += 1;
    await state.refresh();
    expect(news.splice(0)).toMatchObject([{ name, match: { matchGuid: match.matchGuid } }]);
  }
});
