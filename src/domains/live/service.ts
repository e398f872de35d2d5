import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import { openWebSockets, type Peer, type WebSockets } from '../../platform/http/web-sockets.ts';
import { BOUNDS, RATES } from '../../platform/limits.ts';
import type { Redis } from '../../platform/redis.ts';
import { authErrors, type GameSession } from '../auth/index.ts';
import type { Matches } from '../matches/index.ts';
import { createAudience } from './audience.ts';
import { type Channel, createChannel } from './channel.ts';
import { liveErrors } from './errors.ts';

/** The match is over, or the player has no seat in it any more. */
const MATCH_OVER = 4001;

const WEB_SOCKET_LIMITS = {
  messageBytes: BOUNDS.liveMessage.value,
  messagesPerSecond: RATES.liveMessages.most,
  bytesPerSecond: RATES.liveBytes.most,
  waitingBytes: BOUNDS.liveWaiting.value,
};

export interface LiveOptions {
  clock: Clock;
  logger: FastifyBaseLogger;
  redis: Redis | null;
  rateLimitFactor: number;
  nodeGuid(): string;
  matches: Pick<Matches, 'runningSeatOf' | 'runningSeatsOf'>;
  /** The checks of the socket channel's door. @throws ServiceError */
  admit(handshake: Record<string, unknown>): Promise<GameSession>;
  isDraining(): boolean;
  /** Told of every connection that is asked for. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
}

/** Who comes to a channel, and how the connection is taken over once it may. */
export interface Visitor {
  platformId: string;
  /** Null: to watch. */
  token: string | null;
  pluginVersion: string | undefined;
  /** Of the client, proxies in front taken into account. */
  address: string;
}

export type Live = ReturnType<typeof createService>;

/** Matches that can be watched: frames go from the player's plugin to everybody who looks. */
export function createService(options: LiveOptions) {
  const { clock, logger, redis, rateLimitFactor, nodeGuid, matches, admit, isDraining, onHandshake } =
    options;
  /** Since the start: plain numbers, because they grow with every frame. */
  const tally = { framesPublished: 0, framesSent: 0, spectatorsDropped: 0 };
  const webSockets: WebSockets = openWebSockets({
    clock,
    limits: WEB_SOCKET_LIMITS,
    rateLimitFactor,
    // Publishers are sent nothing.
    onTooSlow: () => {
      tally.spectatorsDropped += 1;
    },
  });
  const audience = createAudience({ redis, nodeGuid, logger });
  const channels = new Map<string, Channel>();
  /** Publishers of this node, each with the seat it publishes from. */
  const seats = new Map<Peer, { playerGuid: string; matchGuid: string }>();

  const channelOf = (platformId: string): Channel => {
    let channel = channels.get(platformId);
    if (channel === undefined) {
      channel = createChannel({ platformId, redis, clock, tally });
      channels.set(platformId, channel);
    }
    return channel;
  };
  const forgetWhenEmpty = (channel: Channel): void => {
    const { platformId } = channel;
    if (channel.isEmpty() && channels.get(platformId) === channel) channels.delete(platformId);
  };

  /**
   * The seat somebody may publish from.
   * @throws what the socket channel refuses a connection with, FORBIDDEN for another player's channel,
   * NOT_PLAYING without a running match
   */
  const seatOf = async ({ platformId, token, pluginVersion }: Visitor) => {
    const session = await admit({ token, pluginVersion }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'PLATFORM_ID_TAKEN')
        throw authErrors.FORBIDDEN({ message: error.message, cause: error });
      throw error;
    });
    if (session.platformId !== platformId)
      throw authErrors.FORBIDDEN({ message: 'This is the channel of another player.' });
    const seat = await matches.runningSeatOf(session.playerGuid);
    if (seat === null) throw liveErrors.NOT_PLAYING();
    return { playerGuid: session.playerGuid, matchGuid: seat.matchGuid };
  };

  const publish = async (visitor: Visitor, accept: Accept): Promise<void> => {
    const seat = await seatOf(visitor);
    const peer = accept(webSockets);
    if (peer === null) return;
    const channel = channelOf(visitor.platformId);
    seats.set(peer, seat);
    channel.publish(peer);
    peer.onClose(() => {
      seats.delete(peer);
      forgetWhenEmpty(channel);
    });
  };

  const watch = async ({ platformId, address }: Visitor, accept: Accept): Promise<void> => {
    if (isDraining()) throw commonErrors.DRAINING();
    const leave = await audience.enter(platformId, address);
    let peer: Peer | null = null;
    try {
      peer = accept(webSockets);
    } finally {
      if (peer === null) leave();
    }
    if (peer === null) return;
    const channel = channelOf(platformId);
    channel.watch(peer);
    peer.onClose(() => {
      leave();
      forgetWhenEmpty(channel);
    });
  };

  return {
    /**
     * Lets somebody in: with a token to publish, without one to watch.
     * @param accept takes the connection over
     * @throws as the socket channel's door, FORBIDDEN, NOT_PLAYING, TOO_MANY_SPECTATORS, DRAINING
     */
    enter: async (visitor: Visitor, accept: Accept): Promise<void> => {
      await (visitor.token === null ? watch(visitor, accept) : publish(visitor, accept));
      onHandshake('ok');
    },

    /** Somebody was refused, here or before. @param code of the refusal */
    refused: (code: string): void => onHandshake(code),

    /** How many watch these players, on all nodes. */
    spectatorsOf: audience.watching,

    /** Connections of this node, and what went over them since its start. */
    counts: () => ({
      ...tally,
      publishers: seats.size,
      spectators: [...channels.values()].reduce((sum, channel) => sum + channel.spectators(), 0),
    }),

    /** Ends every publishing of this node whose match is over, by whatever end. */
    endFinished: async (): Promise<void> => {
      // Who begins to publish while the query runs is not in its answer.
      const publishing = [...seats];
      if (publishing.length === 0) return;
      const running = await matches.runningSeatsOf(publishing.map(([, { playerGuid }]) => playerGuid));
      for (const [peer, { playerGuid, matchGuid }] of publishing)
        if (running.get(playerGuid) !== matchGuid) peer.close(MATCH_OVER, 'The match is over.');
    },

    /** Tells other nodes again what is wanted and who watches here. */
    keepUp: async (): Promise<void> => {
      for (const channel of channels.values()) channel.keepUp();
      await audience.refresh();
    },

    close: (): Promise<void> => webSockets.close(),
  };
}

/** Takes a connection over; null when the client has gone. @throws UPGRADE_REQUIRED, VALIDATION_FAILED */
type Accept = (webSockets: WebSockets) => Peer | null;
