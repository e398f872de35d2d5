import type { Clock } from '../../platform/clock.ts';
import { newGuid } from '../../platform/clock.ts';
import { binaryFrame, type Peer } from '../../platform/http/web-sockets.ts';
import type { Redis, Subscription } from '../../platform/redis.ts';
import { decodeRelay, encodeRelay } from './relay.ts';

/** A second publisher took over. Codes from 4000 on are a service's own (RFC 6455, 7.4.2). */
const REPLACED = 4000;

/** For so long after somebody elsewhere asked for a stream it is sent there; they ask again every 10 s. */
const WANTED_MS = 25_000;

/** One publishing: it begins with a connection and ends with it. */
interface Stream {
  streamGuid: string;
  /** Its first frame, which a player needs to read the others; null until it came. */
  opening: Buffer | null;
}

interface ChannelOptions {
  platformId: string;
  /** Null: what is published on this node is seen on this node. */
  redis: Redis | null;
  clock: Clock;
  /** Counts what comes from publishers here, and what goes to spectators here, each of them. */
  tally: { framesPublished: number; framesSent: number };
}

export type Channel = ReturnType<typeof createChannel>;

/**
 * The play of one player as seen from this node: at most one publisher, here or on another node, and the
 * spectators that are here. Frames are passed on as they came; only the opening one is kept, and only in
 * memory, for those who come later.
 *
 * Between nodes: whoever has spectators and no publisher listens to the play and says that it is wanted; the
 * publisher's node listens for that, and sends nothing over the network while nobody wants it.
 */
export function createChannel({ platformId, redis, clock, tally }: ChannelOptions) {
  const playName = `live:${platformId}`;
  const wishName = `live:${platformId}:wishes`;
  const spectators = new Set<Peer>();
  let publisher: Peer | null = null;
  let stream: Stream | null = null;
  let wantedUntil = 0;
  let heardAt = 0;
  let play: Subscription | undefined;
  let wishes: Subscription | undefined;

  const deliver = (frame: Buffer): void => {
    for (const spectator of spectators) spectator.send(frame);
    tally.framesSent += spectators.size;
  };

  const want = (): void => void redis?.publish(wishName, encodeRelay('wanted'));

  /** Listens where the play of this player comes from elsewhere, and only there. */
  const listen = (): void => {
    const needed = publisher === null && spectators.size > 0;
    if (redis === null || needed === (play !== undefined)) return;
    if (!needed) {
      play?.end();
      play = undefined;
      if (publisher === null) stream = null;
      return;
    }
    play = redis.subscribe(playName, hearPlay);
    // Not before this node can hear the answer.
    play.ready.then(want, () => undefined);
  };

  const hearPlay = (message: Buffer): void => {
    const heard = decodeRelay(message);
    if (heard === null || publisher !== null) return;
    heardAt = clock.now();
    const { kind, streamGuid, frame } = heard;
    if (kind === 'opening') {
      // The one that is known, sent again for somebody else, or a late one of a publisher that was replaced.
      if (stream !== null && stream.streamGuid >= streamGuid) return;
      // It is kept, and what was received with it shall not be.
      stream = { streamGuid, opening: Buffer.from(frame) };
      deliver(frame);
    } else if (stream?.streamGuid === streamGuid) {
      if (kind === 'frame') deliver(frame);
      else stream = null;
    }
  };

  const hearWish = (message: Buffer): void => {
    const heard = decodeRelay(message);
    if (heard === null || stream === null) return;
    if (heard.kind === 'wanted') {
      wantedUntil = clock.now() + WANTED_MS;
      if (stream.opening !== null)
        redis?.publish(playName, encodeRelay('opening', stream.streamGuid, stream.opening));
    } else if (heard.kind === 'begun' && heard.streamGuid > stream.streamGuid) {
      replace();
      listen();
    }
  };

  /** The stream of this node is over. */
  const end = (): void => {
    if (publisher === null || stream === null) return;
    redis?.publish(playName, encodeRelay('ended', stream.streamGuid));
    publisher = null;
    stream = null;
    wishes?.end();
    wishes = undefined;
  };

  const replace = (): void => {
    const former = publisher;
    end();
    former?.close(REPLACED, 'Somebody else publishes this play now.');
  };

  return {
    platformId,

    /** Publishes from now on; whoever did before is told to go. */
    publish: (peer: Peer): void => {
      replace();
      const own: Stream = { streamGuid: newGuid(), opening: null };
      publisher = peer;
      stream = own;
      listen();
      wishes = redis?.subscribe(wishName, hearWish);
      redis?.publish(wishName, encodeRelay('begun', own.streamGuid));
      // Who waits elsewhere has no time to say so before the first frames come.
      wantedUntil = clock.now() + WANTED_MS;
      peer.onFrame((payload) => {
        if (publisher !== peer) return;
        tally.framesPublished += 1;
        const frame = binaryFrame(payload);
        const kind = own.opening === null ? 'opening' : 'frame';
        own.opening ??= frame;
        deliver(frame);
        if (clock.now() < wantedUntil) redis?.publish(playName, encodeRelay(kind, own.streamGuid, frame));
      });
      peer.onClose(() => {
        if (publisher !== peer) return;
        end();
        listen();
      });
    },

    /** Watches from now on: first the frame the stream began with, then what comes. */
    watch: (peer: Peer): void => {
      spectators.add(peer);
      if (stream?.opening) peer.send(stream.opening);
      listen();
      peer.onClose(() => {
        spectators.delete(peer);
        listen();
      });
    },

    /** Says again what is wanted here, and forgets a stream whose node fell silent. */
    keepUp: (): void => {
      if (play === undefined) return;
      if (stream !== null && clock.now() - heardAt > WANTED_MS) stream = null;
      want();
    },

    isEmpty: (): boolean => publisher === null && spectators.size === 0,
    spectators: (): number => spectators.size,
  };
}
