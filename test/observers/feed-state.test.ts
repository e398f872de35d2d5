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

test('an end that is stored long after its time is announced once', async () => {
  const clock = manualClock();
  const match = { matchGuid: newGuid(), queueGuid: newGuid(), startedAt: clock.now(), isKnown: true };
  let stored: MatchPhase = { ...match, endedAt: null };
  let mark = 0;
  const news: MatchNews[] = [];
  const state = createFeedState({
    clock,
    database: { changes: { watch: () => {}, mark: () => mark } },
    queues: { list: async () => ({ items: [], nextCursor: null }) },
    following: {
      runningPhases: async () => [stored],
      phasesSince: async (since: number, matchGuids: readonly string[]) =>
        (stored.endedAt ?? 0) > since || matchGuids.includes(match.matchGuid) ? [stored] : [],
      inFewWords: async (matchGuids: readonly string[]) =>
        matchGuids.map((matchGuid) => ({ matchGuid, endedAt: stored.endedAt }) as FeedMatch),
    },
    onMatches: (found: readonly MatchNews[]) => news.push(...found),
  } as unknown as FeedStateOptions);
  await state.refresh();
  const refreshAfter = async (ms: number) => {
    clock.advance(ms);
    mark += 1;
    await state.refresh();
  };
  await refreshAfter(30_000);
  stored = { ...stored, endedAt: clock.now() - 20_000 };
  for (let times = 0; times < 4; times++) await refreshAfter(2500);
  expect(news).toMatchObject([{ name: 'matchFinished', match: { matchGuid: match.matchGuid } }]);
});
