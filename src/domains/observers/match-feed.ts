import { type Clock, isoTime } from '../../platform/clock.ts';
import { type EventStream, eventHead, eventText } from '../../platform/http/event-streams.ts';
import { inOwnMemory } from '../../platform/own-memory.ts';
import type { FollowedMatch } from '../matches/index.ts';

/** An event is made anew when it is older: it says the time. */
const FRESH_MS = 900;
/** The progress of downloads is sent at most this often. */
const PROGRESS_MS = 1000;

/** An event with the time of sending, made once for all readers who get it within a second. */
interface TimedEvent {
  version: number;
  isEnd: boolean;
  bytes(now: number): Buffer;
}

/** @param hasId false: a reader that reconnects does not name it */
function eventOf({ match, cause }: FollowedMatch, hasId: boolean): TimedEvent {
  const { version, endedAt } = match;
  const head = eventHead('match', hasId ? version : undefined);
  const rest = `,"match":${JSON.stringify(match)},"cause":${JSON.stringify(cause)}}\n\n`;
  const end = endedAt === null ? '' : eventText('end', '{}');
  let made: { at: number; bytes: Buffer } | null = null;
  return {
    version,
    isEnd: endedAt !== null,
    bytes: (now) => {
      if (made === null || Math.abs(now - made.at) >= FRESH_MS)
        made = { at: now, bytes: inOwnMemory(`${head}{"time":"${isoTime(now)}"${rest}${end}`) };
      return made.bytes;
    },
  };
}

interface Reader {
  /** The last version that was written. */
  sent: number;
  /** A newer version waits until what was written is taken. */
  isBehind: boolean;
}

/** The newest version, as an event for those who see the change, and as the first one of a stream. */
interface Latest extends FollowedMatch {
  event: TimedEvent;
  opening: TimedEvent;
}

export type MatchFeed = ReturnType<typeof createMatchFeed>;

/** One match, and everybody of this node who follows it. */
export function createMatchFeed({
  clock,
  inSlices,
}: {
  clock: Clock;
  inSlices(work: Iterator<unknown>): void;
}) {
  const readers = new Map<EventStream, Reader>();
  let latest: Latest | null = null;
  /** Progress that waits to be told: for the time, or for its version. */
  let progress: FollowedMatch | null = null;
  let progressTimer: NodeJS.Timeout | undefined;
  let progressAt = Number.NEGATIVE_INFINITY;

  const send = (stream: EventStream, reader: Reader, event: TimedEvent) => {
    reader.sent = event.version;
    reader.isBehind = false;
    stream.write(event.bytes(clock.now()));
    if (event.isEnd) stream.end();
  };

  function* sendToAll(event: TimedEvent): Generator<undefined> {
    for (const [stream, reader] of readers) {
      if (event.version > reader.sent) {
        if (stream.isBusy()) reader.isBehind = true;
        else send(stream, reader, event);
      }
      yield;
    }
  }

  /** Skips readers who are slow, and readers who have another version. */
  function* sendProgress(event: TimedEvent): Generator<undefined> {
    for (const [stream, { sent }] of readers) {
      if (sent === event.version && !stream.isBusy()) stream.write(event.bytes(clock.now()));
      yield;
    }
  }

  const flushProgress = () => {
    progressTimer = undefined;
    if (progress === null || latest === null || progress.match.version > latest.match.version) return;
    const shown = progress;
    progress = null;
    if (shown.match.version < latest.match.version) return;
    progressAt = performance.now();
    inSlices(sendProgress(eventOf(shown, false)));
  };

  const awaitProgress = () => {
    const waitMs = Math.max(0, progressAt + PROGRESS_MS - performance.now());
    progressTimer ??= setTimeout(flushProgress, waitMs).unref();
  };

  return {
    /** Its newest version that is known here; null: none was read yet. */
    match: (): FollowedMatch['match'] | null => latest?.match ?? null,
    isEmpty: () => readers.size === 0,

    /** The match has a new version. An older one than the newest is not sent. */
    change: (followed: FollowedMatch) => {
      if (latest !== null && followed.match.version <= latest.match.version) return;
      const event = eventOf(followed, true);
      latest = { ...followed, event, opening: eventOf({ ...followed, cause: null }, true) };
      if (readers.size > 0) inSlices(sendToAll(event));
      if (progress !== null) awaitProgress();
    },

    /** The progress of a download, in the newest version or in one that is about to be told here. */
    progress: (shown: FollowedMatch) => {
      progress = shown;
      awaitProgress();
    },

    /** Adds a reader. @param known whether the reader knows the newest version */
    join: (stream: EventStream, known: boolean) => {
      if (latest === null) return;
      const reader = { sent: latest.match.version, isBehind: false };
      readers.set(stream, reader);
      if (!known) send(stream, reader, latest.opening);
    },

    taken: (stream: EventStream) => {
      const reader = readers.get(stream);
      if (reader?.isBehind && latest !== null) send(stream, reader, latest.event);
    },

    leave: (stream: EventStream) => {
      readers.delete(stream);
      if (readers.size > 0) return;
      clearTimeout(progressTimer);
      progressTimer = undefined;
    },
  };
}
