import { expect, test, vi } from 'vitest';
import type { FeedMatch, MatchSpan } from '../../src/domains/matches/index.ts';
import { createFeed } from '../../src/domains/observers/feed.ts';
import {
  createFeedState,
  type FeedStateOptions,
  type MatchNews,
} from '../../src/domains/observers/feed-state.ts';
import { newGuid } from '../../src/platform/clock.ts';
import type { EventStream } from '../../src/platform/http/event-streams.ts';
import { manualClock } from '../harness/clock.ts';

/** A database whose changes the test counts, and no queues. */
const around = (mark: () => number) => ({
  database: { changes: { watch: () => {}, mark } },
  queues: { list: async () => ({ items: [], nextCursor: null }) },
});

test('a beginning or an end is announced although the first read of it failed', async () => {
  const clock = manualClock();
  const match = { matchGuid: newGuid(), queueGuid: newGuid(), startedAt: clock.now() };
  let spans: MatchSpan[] = [];
  let isBroken = false;
  let mark = 0;
  const news: MatchNews[] = [];
  const state = createFeedState({
    clock,
    ...around(() => mark),
    following: {
      runningSpans: async () => [],
      spansSince: async () => spans,
      summaries: async (matchGuids: readonly string[]) => {
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
    spans = [{ ...match, isKnown: true, endedAt } as MatchSpan];
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
  let stored: MatchSpan = { ...match, endedAt: null };
  let mark = 0;
  const news: MatchNews[] = [];
  const state = createFeedState({
    clock,
    ...around(() => mark),
    following: {
      runningSpans: async () => [stored],
      spansSince: async (since: number, matchGuids: readonly string[]) =>
        (stored.endedAt ?? 0) > since || matchGuids.includes(match.matchGuid) ? [stored] : [],
      summaries: async (matchGuids: readonly string[]) =>
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

test('a beginning is told to a reader whose first snapshot takes longer than a feed without readers is kept', async () => {
  const clock = manualClock();
  const match = { matchGuid: newGuid(), queueGuid: newGuid(), startedAt: clock.now() };
  let spans: MatchSpan[] = [];
  let mark = 0;
  let isFirst = true;
  const slow = Promise.withResolvers<FeedMatch[]>();
  const feed = createFeed({
    clock,
    ...around(() => mark),
    following: {
      runningSpans: async () => [],
      spansSince: async () => spans,
      summaries: async (matchGuids: readonly string[]) => {
        if (isFirst) {
          isFirst = false;
          return slow.promise;
        }
        return matchGuids.map((matchGuid) => ({ matchGuid, queueGuid: match.queueGuid }) as FeedMatch);
      },
    },
    inSlices: (work: Iterator<unknown>) => {
      while (!work.next().done);
    },
  } as unknown as Parameters<typeof createFeed>[0]);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  try {
    const snapshot = feed.snapshot(null);
    await expect.poll(() => isFirst).toBe(false);
    now.mockReturnValue(60_000);
    spans = [{ ...match, isKnown: true, endedAt: null } as MatchSpan];
    mark += 1;
    await feed.publishChanges();
    slow.resolve([]);
    const written: string[] = [];
    const stream = { write: (bytes: Buffer) => written.push(String(bytes)), isBusy: () => false };
    feed.join(stream as unknown as EventStream, null, await snapshot);
    expect(written.map((event) => /^event: (\w+)/m.exec(event)?.[1])).toEqual(['snapshot', 'matchStarted']);
  } finally {
    now.mockRestore();
  }
});
