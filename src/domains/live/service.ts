import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import { openWebSockets, type Peer, type WebSockets } from '../../platform/http/web-sockets.ts';
import type { Redis } from '../../platform/redis.ts';
import { authErrors, type GameSession } from '../auth/index.ts';
import type { Matches } from '../matches/index.ts';
import { createAudience } from './audience.ts';
import { liveErrors } from './errors.ts';
import { createLivePlay, type LivePlay } from './live-play.ts';

/** The match is over, or the player has no seat in it any more. */
const MATCH_OVER = 4001;

export interface LiveOptions {
  clock: Clock;
  logger: FastifyBaseLogger;
  redis: Redis | null;
  rateLimitFactor: number;
  nodeGuid(): string;
  matches: Pick<Matches, 'runningSeatOf' | 'runningSeatsOf'>;
  /** The checks of a connection to the socket channel. @throws ServiceError */
  admit(handshake: Record<string, unknown>): Promise<GameSession>;
  isDraining(): boolean;
  /** Called for every handshake. @param outcome `ok` or the code of the refusal */
  onHandshake(outcome: string): void;
}

/** A client that wants to publish or to watch. */
interface LiveClient {
  platformId: string;
  /** Null: to watch. */
  token: string | null;
  pluginVersion: string | undefined;
  /** The address of the client, with proxies in front taken into account. */
  address: string;
}

export type Live = ReturnType<typeof createService>;

/** Matches that can be watched: frames go from the player's plugin to all spectators. */
export function createService(options: LiveOptions) {
  const { clock, logger, redis, rateLimitFactor, nodeGuid, matches, admit, isDraining, onHandshake } =
    options;
  /** Since the start. Plain numbers: they grow with every frame. */
  const totals = { framesPublished: 0, framesSent: 0, spectatorsDropped: 0 };
  const webSockets = openWebSockets({
    rateLimitFactor,
    // Only spectators are sent anything.
    onTooSlow: () => {
      totals.spectatorsDropped += 1;
    },
  });
  const audience = createAudience({ redis, nodeGuid, logger });
  const plays = new Map<string, LivePlay>();
  /** Publishers of this node, each with the seat it publishes from. */
  const seats = new Map<Peer, { playerGuid: string; matchGuid: string }>();

  const playOf = (platformId: string) => {
    let play = plays.get(platformId);
    if (play === undefined) {
      play = createLivePlay({ platformId, redis, clock, counts: totals });
      plays.set(platformId, play);
    }
    return play;
  };
  const forgetWhenEmpty = (play: LivePlay) => {
    const { platformId } = play;
    if (play.isEmpty() && plays.get(platformId) === play) plays.delete(platformId);
  };

  /**
   * The seat that a client may publish from.
   * @throws as a connection to the socket channel, FORBIDDEN for another player's channel,
   * NOT_PLAYING without a running match
   */
  const seatOf = async ({ platformId, token, pluginVersion }: LiveClient) => {
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

  const publish = async (client: LiveClient, accept: Accept) => {
    const seat = await seatOf(client);
    const peer = accept(webSockets);
    if (peer === null) return;
    const play = playOf(client.platformId);
    seats.set(peer, seat);
    play.publish(peer);
    peer.onClose(() => {
      seats.delete(peer);
      forgetWhenEmpty(play);
    });
  };

  const watch = async ({ platformId, address }: LiveClient, accept: Accept) => {
    if (isDraining()) throw commonErrors.DRAINING();
    const uncount = await audience.add(platformId, address);
    let peer: Peer | null = null;
    try {
      peer = accept(webSockets);
    } finally {
      if (peer === null) uncount();
    }
    if (peer === null) return;
    const play = playOf(platformId);
    play.watch(peer);
    peer.onClose(() => {
      uncount();
      forgetWhenEmpty(play);
    });
  };

  return {
    /**
     * Admits a client: with a token to publish, without one to watch.
     * @param accept takes the connection over
     * @throws as a connection to the socket channel and as `accept`, FORBIDDEN, NOT_PLAYING, TOO_MANY_SPECTATORS, DRAINING
     */
    enter: async (client: LiveClient, accept: Accept) => {
      await (client.token === null ? watch(client, accept) : publish(client, accept));
      onHandshake('ok');
    },

    /** Counts a refusal, of this route or before it. @param code of the refusal */
    refused: onHandshake,

    /** The number of spectators of these players, on all nodes. */
    spectatorsOf: audience.count,

    /** Connections of this node, and what went over them since its start. */
    counts: () => ({
      ...totals,
      publishers: seats.size,
      spectators: [...plays.values()].reduce((sum, play) => sum + play.spectators(), 0),
    }),

    /** Closes every publisher of this node whose match is over. */
    endFinished: async () => {
      // A copy: a client that begins to publish during the query is not in its answer.
      const publishing = [...seats];
      if (publishing.length === 0) return;
      const running = await matches.runningSeatsOf(publishing.map(([, { playerGuid }]) => playerGuid));
      for (const [peer, { playerGuid, matchGuid }] of publishing)
        if (running.get(playerGuid) !== matchGuid) peer.close(MATCH_OVER, 'The match is over.');
    },

    /** Sends requests and numbers of spectators to the other nodes again, before they expire. */
    refresh: async () => {
      for (const play of plays.values()) play.refresh();
      await audience.refresh();
    },

    close: () => webSockets.close(),
  };
}

/** Takes a connection over; null when the client has gone. @throws UPGRADE_REQUIRED, VALIDATION_FAILED */
type Accept = (webSockets: WebSockets) => Peer | null;
