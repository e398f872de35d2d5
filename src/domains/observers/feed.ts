import { isoTime } from '../../platform/clock.ts';
import { type EventStream, eventText } from '../../platform/http/event-streams.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { inOwnMemory } from '../../platform/own-memory.ts';
import type { QueueView } from '../queues/index.ts';
import { createFeedState, type FeedStateOptions, type MatchNews } from './feed-state.ts';

const NEWEST = 20;
/** A queue is sent at most this often. */
const QUEUE_MS = 1000;
/** Events that are kept for readers who open a stream while they are sent. */
const RECENT = 512;
/** How long a snapshot is given to further readers, if nothing has changed. */
const SNAPSHOT_MS = 900;
/** How long the state is read after a request for a snapshot, also without a reader, so that the next reader need not wait. */
const KEPT_MS = 5000;

/** One event for everybody: of a queue, or of a match in it. */
interface FeedEvent {
  number: number;
  queueGuid: string;
  /** The state of the queue as sent; null: the event is of a match. */
  said: string | null;
  bytes: Buffer;
}

interface Snapshot {
  /** The number of the last event that it includes. */
  number: number;
  /** The state of each queue in it. */
  said: ReadonlyMap<string, string>;
  /** The number of reads when it was made. */
  reads: number;
  madeAt: number;
  bytes: Buffer;
}

/** One stream, and what waits until its reader has taken what was written. */
interface Reader {
  /** Null: of all queues. */
  queueGuid: string | null;
  /** The state of each queue that was given to it last. */
  said: Map<string, string>;
  /** The number of the last event that was given to it. */
  number: number;
  /** Null: nothing. */
  waiting: { queues: Map<string, Buffer>; matches: Buffer[] } | null;
}

/** The part of a queue whose changes are sent. */
const sentPartOf = ({ status, waiting, playing, name, poolGuid }: QueueView): string =>
  JSON.stringify([status, waiting, playing, name, poolGuid]);

interface FeedOptions extends Omit<FeedStateOptions, 'onMatches'> {
  inSlices(work: Iterator<unknown>): void;
}

/** The feed of all queues and matches, for its readers on this node. */
export function createFeed(options: FeedOptions) {
  const { clock, inSlices } = options;
  const readers = new Map<EventStream, Reader>();
  const snapshots = new Map<string, Snapshot>();
  const recent: FeedEvent[] = [];
  /**
   * The last state of each queue that was sent, and its time by `performance.now()`. `said` is null when a snapshot had another
   * state since: then the next state is sent, whatever it is.
   */
  const sent = new Map<string, { said: string | null; at: number }>();
  let number = 0;
  let isKept = false;
  let askedAt = 0;
  /** Snapshots that are being read: their readers want every change since then. */
  let asking = 0;

  const keep = (stream: EventStream, reader: Reader, { queueGuid, said, bytes }: FeedEvent) => {
    reader.waiting ??= { queues: new Map(), matches: [] };
    if (said !== null) reader.waiting.queues.set(queueGuid, bytes);
    else if (reader.waiting.matches.push(bytes) > BOUNDS.waitingMatchEvents.value) {
      readers.delete(stream);
      stream.end();
    }
  };

  const give = (stream: EventStream, reader: Reader, event: FeedEvent) => {
    if (event.number <= reader.number) return;
    reader.number = event.number;
    if (reader.queueGuid !== null && reader.queueGuid !== event.queueGuid) return;
    if (event.said !== null) {
      // An event of a queue may wait for its second, and then come after a snapshot that has the change already.
      if (reader.said.get(event.queueGuid) === event.said) return;
      reader.said.set(event.queueGuid, event.said);
    }
    if (stream.isBusy() || reader.waiting !== null) keep(stream, reader, event);
    else stream.write(event.bytes);
  };

  function* sendToAll(event: FeedEvent): Generator<undefined> {
    for (const [stream, reader] of readers) {
      give(stream, reader, event);
      yield;
    }
  }

  const publish = (name: string, data: object, about: Pick<FeedEvent, 'queueGuid' | 'said'>) => {
    number += 1;
    const event = { ...about, number, bytes: inOwnMemory(eventText(name, JSON.stringify(data))) };
    recent.push(event);
    if (recent.length > RECENT) recent.shift();
    inSlices(sendToAll(event));
  };

  const publishQueues = () => {
    const now = performance.now();
    for (const queue of state.queues()) {
      const before = sent.get(queue.queueGuid);
      const said = sentPartOf(queue);
      if (before?.said === said || (before !== undefined && now - before.at < QUEUE_MS)) continue;
      const { queueGuid } = queue;
      publish('queue', queue, { queueGuid, said });
      sent.set(queueGuid, { said, at: now });
    }
  };

  const state = createFeedState({
    ...options,
    onMatches: (news: readonly MatchNews[]) => {
      for (const { name, match } of news) publish(name, match, { queueGuid: match.queueGuid, said: null });
    },
  });

  /** Begins to follow. Changes from before the first reader are not sent. */
  const begin = async () => {
    await state.refresh();
    if (isKept) return;
    isKept = true;
    sent.clear();
    for (const queue of state.queues())
      sent.set(queue.queueGuid, { said: sentPartOf(queue), at: Number.NEGATIVE_INFINITY });
  };

  const read = async (queueGuid: string | null): Promise<Snapshot> => {
    await begin();
    const known = snapshots.get(queueGuid ?? '');
    const now = clock.now();
    const reads = state.reads();
    if (known?.reads === reads && Math.abs(now - known.madeAt) < SNAPSHOT_MS) return known;
    const before = number;
    const queues = state
      .queues()
      .filter((queue) => (queueGuid === null ? queue.status !== 'closed' : queue.queueGuid === queueGuid));
    const matches = await state.newest(queueGuid, NEWEST);
    const madeAt = clock.now();
    const json = JSON.stringify({ time: isoTime(madeAt), queues, matches });
    const said = new Map(queues.map((queue) => [queue.queueGuid, sentPartOf(queue)]));
    // The state in this snapshot was not sent. If the queue changes back to the last sent state, nothing would be sent, but
    // the readers of this snapshot have the state between. So the next state is sent in any case.
    for (const [queue, inSnapshot] of said) {
      const last = sent.get(queue);
      if (last !== undefined && last.said !== inSnapshot) last.said = null;
    }
    const made = { number: before, said, reads, madeAt, bytes: inOwnMemory(eventText('snapshot', json)) };
    snapshots.set(queueGuid ?? '', made);
    return made;
  };

  return {
    /** The first event of a stream. @param queueGuid null: of all queues */
    snapshot: async (queueGuid: string | null): Promise<Snapshot> => {
      asking += 1;
      try {
        return await read(queueGuid);
      } finally {
        asking -= 1;
        askedAt = performance.now();
      }
    },

    /** Adds a reader: sends the snapshot, and the events since it was made. */
    join: (stream: EventStream, queueGuid: string | null, snapshot: Snapshot) => {
      const reader = { queueGuid, said: new Map(snapshot.said), number: snapshot.number, waiting: null };
      readers.set(stream, reader);
      stream.write(snapshot.bytes);
      for (const event of recent) give(stream, reader, event);
    },

    taken: (stream: EventStream) => {
      const reader = readers.get(stream);
      if (!reader?.waiting) return;
      const { queues, matches } = reader.waiting;
      reader.waiting = null;
      stream.write(Buffer.concat([...queues.values(), ...matches]));
    },

    leave: (stream: EventStream): void => void readers.delete(stream),

    /** Sends what has changed. A repeated task. */
    publishChanges: async () => {
      if (readers.size > 0 || (isKept && (asking > 0 || performance.now() - askedAt < KEPT_MS))) {
        await state.refresh();
        publishQueues();
        return;
      }
      if (!isKept) return;
      isKept = false;
      snapshots.clear();
      recent.length = 0;
      state.forget();
    },
  };
}
