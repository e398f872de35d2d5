import type { Clock } from '../../platform/clock.ts';
import { binaryFrame, type Peer } from '../../platform/http/web-sockets.ts';
import { inOwnMemory } from '../../platform/own-memory.ts';
import type { Redis, Subscription } from '../../platform/redis.ts';
import { decodeRelay, encodeRelay } from './relay.ts';

/** Another connection publishes this play. Codes from 4000 on are free for services (RFC 6455, 7.4.2). */
const REPLACED = 4000;

/** How long frames are sent to another node after its last request. Nodes with spectators ask again every 10 s. */
const REQUESTED_MS = 25_000;

/** The play that one connection publishes. */
interface Stream {
  streamId: string;
  /** Its first frame, which spectators need to read the others; null until it came. */
  opening: Buffer | null;
}

interface LivePlayOptions {
  platformId: string;
  /** Null: what is published on this node is seen on this node. */
  redis: Redis | null;
  clock: Clock;
  /** Frames from publishers of this node, and frames to its spectators, one for each. */
  counts: { framesPublished: number; framesSent: number };
}

/**
 * A new identifier of a stream, as long as a UUID: the time at which it begins, then random bits.
 * @param now milliseconds since 1970 by the clock that all nodes share, because those of their machines may differ
 */
export const newStreamId = (now: number): string =>
  `${Math.trunc(now).toString(16).padStart(12, '0')}-${crypto.randomUUID().slice(0, 23)}`;

export type LivePlay = ReturnType<typeof createLivePlay>;

/**
 * The play of one player as this node sees it: at most one publisher, here or on another node, and the spectators of
 * this node. Frames are passed on unchanged; the opening one is kept in memory for spectators who come later.
 *
 * Between nodes: a node with spectators and without the publisher subscribes to the play and requests it. The node of
 * the publisher subscribes to requests, and sends frames over the network only while there are some.
 */
export function createLivePlay({ platformId, redis, clock, counts }: LivePlayOptions) {
  const playName = `live:${platformId}`;
  const requestsName = `live:${platformId}:requests`;
  const spectators = new Set<Peer>();
  let publisher: Peer | null = null;
  let stream: Stream | null = null;
  let requestedUntil = 0;
  let receivedAt = 0;
  let play: Subscription | undefined;
  let requests: Subscription | undefined;

  const deliver = (frame: Buffer) => {
    for (const spectator of spectators) spectator.send(frame);
    counts.framesSent += spectators.size;
  };

  const request = (): void => void redis?.publish(requestsName, encodeRelay('request'));

  /** Subscribes to the play while it has spectators here and no publisher here. */
  const updateSubscription = () => {
    const needed = publisher === null && spectators.size > 0;
    if (redis === null || needed === (play !== undefined)) return;
    if (!needed) {
      play?.end();
      play = undefined;
      if (publisher === null) stream = null;
      return;
    }
    play = redis.subscribe(playName, onPlay);
    // The answer must find the subscription.
    void play.ready.then(request);
  };

  const onPlay = (message: Buffer) => {
    const decoded = decodeRelay(message);
    if (decoded === null || publisher !== null) return;
    receivedAt = clock.now();
    const { kind, streamId, frame } = decoded;
    if (kind === 'opening') {
      // It is known and was sent again for another node, or it is a late one of a publisher that was replaced.
      if (stream !== null && stream.streamId >= streamId) return;
      // A copy: the frame shares memory with everything that was received with it.
      stream = { streamId, opening: inOwnMemory(frame) };
      deliver(frame);
    } else if (stream?.streamId === streamId) {
      if (kind === 'frame') deliver(frame);
      else stream = null;
    }
  };

  const onRequest = (message: Buffer) => {
    const decoded = decodeRelay(message);
    if (decoded === null || stream === null) return;
    if (decoded.kind === 'request') {
      requestedUntil = clock.now() + REQUESTED_MS;
      if (stream.opening !== null)
        redis?.publish(playName, encodeRelay('opening', stream.streamId, stream.opening));
    } else if (decoded.kind === 'begun' && decoded.streamId > stream.streamId) {
      replace();
      updateSubscription();
    }
  };

  /** Ends the stream of this node. */
  const end = () => {
    if (publisher === null || stream === null) return;
    redis?.publish(playName, encodeRelay('ended', stream.streamId));
    publisher = null;
    stream = null;
    requests?.end();
    requests = undefined;
  };

  const replace = () => {
    const former = publisher;
    end();
    former?.close(REPLACED, 'Somebody else publishes this play now.');
  };

  return {
    platformId,

    /** Publishes from now on. The former publisher is closed. */
    publish: (peer: Peer) => {
      replace();
      const own: Stream = { streamId: newStreamId(clock.now()), opening: null };
      publisher = peer;
      stream = own;
      updateSubscription();
      requests = redis?.subscribe(requestsName, onRequest);
      redis?.publish(requestsName, encodeRelay('begun', own.streamId));
      // Other nodes have no time to request the play before its first frames come.
      requestedUntil = clock.now() + REQUESTED_MS;
      peer.onFrame((payload) => {
        if (publisher !== peer) return;
        counts.framesPublished += 1;
        const frame = binaryFrame(payload);
        const kind = own.opening === null ? 'opening' : 'frame';
        own.opening ??= inOwnMemory(frame);
        deliver(frame);
        if (clock.now() < requestedUntil) redis?.publish(playName, encodeRelay(kind, own.streamId, frame));
      });
      peer.onClose(() => {
        if (publisher !== peer) return;
        end();
        updateSubscription();
      });
    },

    /** Watches from now on: gets the opening frame, then the next ones. */
    watch: (peer: Peer) => {
      spectators.add(peer);
      if (stream?.opening) peer.send(stream.opening);
      updateSubscription();
      peer.onClose(() => {
        spectators.delete(peer);
        updateSubscription();
      });
    },

    /** Requests the play again, and forgets a stream whose node is silent. */
    refresh: () => {
      if (play === undefined) return;
      if (stream !== null && clock.now() - receivedAt > REQUESTED_MS) stream = null;
      request();
    },

    isEmpty: () => publisher === null && spectators.size === 0,
    spectators: () => spectators.size,
  };
}
