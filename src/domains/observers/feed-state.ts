import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { singleFlight } from '../../platform/loop.ts';
import type { FeedMatch, Following, MatchSpan } from '../matches/index.ts';
import type { Queues, QueueView } from '../queues/index.ts';

/** A match that began or ended since the last read. */
export interface MatchNews {
  name: 'matchStarted' | 'matchFinished';
  match: FeedMatch;
}

export interface FeedStateOptions {
  database: Pick<Database, 'changes'>;
  clock: Clock;
  queues: Pick<Queues, 'list' | 'get'>;
  following: Pick<Following, 'runningSpans' | 'spansSince' | 'summaries'>;
  /** Called with everything that is new, in order. */
  onMatches(news: readonly MatchNews[]): void;
}

const TABLES = ['Queue', 'QueueEntry', 'Pool', 'Season', 'Match', 'Player'] as const;
/** Without a change that this node heard of, it is read again after this time. */
const LIFETIME_MS = 5000;
/** A match is stored at most this long after the time of its beginning or its end, apart from rare exceptions. */
const LATE_MS = 10_000;
const PAGE = 100;

/** A match as it was when both had joined: the one that was found has ended meanwhile. */
const atItsStart = (match: FeedMatch): FeedMatch => ({
  ...match,
  status: 'awaiting_discards',
  health: [1, 1],
  roundNumber: 0,
  endedAt: null,
  result: null,
});

/** The public state of the whole service. It is read again when something has changed. */
export function createFeedState({ database, clock, queues, following, onMatches }: FeedStateOptions) {
  const { changes } = database;
  changes.watch(TABLES);
  /** The queues that everybody sees, and those that were closed since. */
  let shownQueues = new Map<string, QueueView>();
  /** The running matches. */
  let running = new Map<string, MatchSpan>();
  /** Those that have ended lately, with the time of the end. */
  const ended = new Map<string, number>();
  /** Matches that began or ended after this time are read; milliseconds since 1970. */
  let since = 0;
  /** When all running matches were read last. One whose end was stored late is not among those that changed since `since`. */
  let askedAllAt = 0;
  /** The last read: its mark of the changes and its time; null: there is none. */
  let read: { mark: number; at: number } | null = null;
  let reads = 0;

  const readQueues = async () => {
    const found = new Map<string, QueueView>();
    let cursor: string | undefined;
    do {
      const page = await queues.list({ limit: PAGE, cursor }, false);
      for (const queue of page.items) found.set(queue.queueGuid, queue);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    // A queue that was closed is kept: a state is sent at most once a second, so its end may be sent after further reads.
    for (const [queueGuid, queue] of shownQueues)
      if (!found.has(queueGuid))
        found.set(queueGuid, queue.status === 'closed' ? queue : await queues.get(queueGuid, true));
    shownQueues = found;
  };

  /** The news about a match that is not noted yet. */
  const newsOf = ({ matchGuid, endedAt, isKnown }: MatchSpan): MatchNews['name'][] => {
    if (!isKnown || ended.has(matchGuid)) return [];
    const started: MatchNews['name'][] = running.get(matchGuid)?.isKnown ? [] : ['matchStarted'];
    return endedAt === null ? started : [...started, 'matchFinished'];
  };

  /** Notes where a match is now. */
  const note = (span: MatchSpan): void => {
    const { matchGuid, endedAt } = span;
    if (endedAt === null) running.set(matchGuid, span);
    else {
      running.delete(matchGuid);
      ended.set(matchGuid, endedAt);
    }
  };

  const readMatches = async () => {
    const now = clock.now();
    const next = now - LATE_MS;
    const isFirst = read === null;
    if (isFirst) {
      running = new Map((await following.runningSpans()).map((span) => [span.matchGuid, span]));
      ended.clear();
      since = next;
      askedAllAt = now;
    }
    const asksAll = now - askedAllAt >= LIFETIME_MS;
    const asked = [...running.values()].filter(({ isKnown }) => asksAll || !isKnown);
    const spans = await following.spansSince(
      since,
      asked.map(({ matchGuid }) => matchGuid),
    );
    // The first read finds the matches that are there already. It sends no events.
    const news = isFirst
      ? []
      : spans.flatMap((span) => newsOf(span).map((name) => ({ name, matchGuid: span.matchGuid })));
    // Read before anything is noted: after a failure the next read finds the same news.
    const matches =
      news.length === 0 ? [] : await following.summaries(news.map(({ matchGuid }) => matchGuid));
    for (const span of spans) note(span);
    since = next;
    if (asksAll) askedAllAt = now;
    for (const [matchGuid, endedAt] of ended) if (endedAt < since - LATE_MS) ended.delete(matchGuid);
    const byGuid = new Map(matches.map((match) => [match.matchGuid, match]));
    onMatches(
      news.flatMap(({ name, matchGuid }) => {
        const match = byGuid.get(matchGuid);
        if (match === undefined) return [];
        return { name, match: name === 'matchStarted' && match.endedAt !== null ? atItsStart(match) : match };
      }),
    );
  };

  const readAll = singleFlight(async () => {
    const now = { mark: changes.mark(TABLES), at: performance.now() };
    await readMatches();
    await readQueues();
    read = now;
    reads += 1;
  });
  const isOld = (mark: number): boolean =>
    read === null || read.mark < mark || performance.now() - read.at > LIFETIME_MS;

  return {
    /** Reads what has changed until now. */
    refresh: async () => {
      const mark = changes.mark(TABLES);
      if (isOld(mark)) await readAll();
      // A read that was under way may have begun before the change.
      while (read === null || read.mark < mark) await readAll();
    },
    /** Drops the last read, because nobody follows the feed now. */
    forget: () => {
      read = null;
      shownQueues = new Map();
    },
    /** The number of reads. Anything made from a read is current until this changes. */
    reads: () => reads,
    queues: () => [...shownQueues.values()],
    /** The newest running matches with known players, newest first. @param queueGuid null: of all queues */
    newest: async (queueGuid: string | null, most: number) => {
      const newest = [...running.values()]
        .filter((span) => span.isKnown && (queueGuid === null || span.queueGuid === queueGuid))
        .toSorted((a, b) => b.startedAt - a.startedAt || (a.matchGuid < b.matchGuid ? 1 : -1))
        .slice(0, most);
      const matches = await following.summaries(newest.map(({ matchGuid }) => matchGuid));
      return matches.filter(({ endedAt }) => endedAt === null);
    },
  };
}
