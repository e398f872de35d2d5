import type { FastifyReply } from 'fastify';
import type { EventStream, EventStreams, StreamOwner } from '../../platform/http/event-streams.ts';
import type { Matches } from '../matches/index.ts';
import { createFeed } from './feed.ts';
import type { FeedStateOptions } from './feed-state.ts';
import { createMatchFeeds } from './matches.ts';
import { createOpenStreams } from './open-streams.ts';

export interface ObserversOptions extends Pick<FeedStateOptions, 'database' | 'clock' | 'queues'> {
  streams: EventStreams;
  /** Multiplies the limit of streams of an address; 0 switches it off. */
  rateLimitFactor: number;
  matches: Pick<Matches, 'following'>;
  isDraining(): boolean;
  /** Called with the code of each refusal of a stream. */
  onRefused(code: string): void;
}

export type Observers = ReturnType<typeof createService>;

/** Streams of what goes on, for everybody. */
export function createService(options: ObserversOptions) {
  const { streams, matches, queues } = options;
  const { following } = matches;
  const { inSlices } = streams;
  const openStreams = createOpenStreams(options);
  const matchFeeds = createMatchFeeds({ ...options, following, inSlices });
  const feed = createFeed({ ...options, following, inSlices });

  /** Answers with a stream. @throws TOO_MANY_STREAMS, SERVICE_UNAVAILABLE, DRAINING, VALIDATION_FAILED */
  const open = (reply: FastifyReply, owner: StreamOwner): EventStream | null => {
    const address = reply.request.ip;
    openStreams.enter(address);
    const onClosed = (stream: EventStream): void => {
      openStreams.leave(address);
      owner.onClosed(stream);
    };
    let stream: EventStream | null = null;
    try {
      stream = streams.open(reply.request, reply, { onTaken: owner.onTaken, onClosed });
    } finally {
      if (stream === null) openStreams.leave(address);
    }
    return stream;
  };

  return {
    /**
     * Answers with the stream of a match.
     * @param knownVersion as the reader says it; anything but the newest one counts as none
     * @returns false: the match has ended and the reader knows its last version; nothing was answered
     * @throws MATCH_NOT_FOUND, and what a stream is refused with
     */
    followMatch: (reply: FastifyReply, matchGuid: string, knownVersion: string | undefined) =>
      matchFeeds.with(matchGuid, Number(knownVersion ?? 0), (matchFeed, owner) => {
        const match = matchFeed.match();
        const known = match !== null && knownVersion === String(match.version);
        if (known && match.endedAt !== null) return false;
        const stream = open(reply, owner);
        if (stream !== null) matchFeed.join(stream, known);
        return true;
      }),

    /**
     * Answers with the stream of everything.
     * @param queueGuid of this queue alone; null: of all
     * @throws QUEUE_NOT_FOUND, and what a stream is refused with
     */
    followAll: async (reply: FastifyReply, queueGuid: string | null) => {
      if (queueGuid !== null) await queues.get(queueGuid, false);
      const snapshot = await feed.snapshot(queueGuid);
      const stream = open(reply, { onTaken: feed.taken, onClosed: feed.leave });
      if (stream !== null) feed.join(stream, queueGuid, snapshot);
    },

    isFollowed: matchFeeds.isFollowed,
    versionOf: matchFeeds.versionOf,
    onFollowed: matchFeeds.onFollowed,
    /** Sends the changes that other nodes have stored of the matches that are followed here. */
    catchUp: matchFeeds.catchUp,
    /** Sends changes of queues, and which matches have begun and ended. A repeated task. */
    publishChanges: feed.publishChanges,

    /** How many streams are open on this node. */
    count: openStreams.count,
    /** Ends all streams. */
    close: streams.close,
  };
}
