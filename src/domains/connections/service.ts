import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { type Clock, isoTime, type Randomness } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { DEAD_MS, type ServiceNode } from '../../platform/node.ts';
import type { Channel } from '../../platform/socket/channel.ts';
import { reconnectDelay } from '../../platform/socket/door.ts';
import { banRefusal } from '../auth/index.ts';
import type { Matches, ProgressReport } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import type { Pairing } from '../pairing/index.ts';
import { activePenalty } from '../penalties/index.ts';
import { bansSince, lockPlayers } from '../players/index.ts';
import { isAccepted, notAccepted, type PluginVersions } from '../releases/index.ts';
import type { NoticeType } from './events.ts';
import { createLosses } from './losses.ts';
import type { PeerMessage } from './peers.ts';
import { createPutOff } from './put-off.ts';
import { createSessions, type Session } from './sessions.ts';
import * as store from './store.ts';

/** What a connection is told whose player has a newer one. */
const REPLACED = ['sessionReplaced', 'You connected from somewhere else.'] as const;
/** What a node stored longer before its last sign of life it had carried out by then. */
const CARRIED_OUT_WITHIN_MS = 60_000;

export interface ConnectionsOptions {
  config: Pick<Config, 'maintenance'>;
  database: Database;
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  node: () => ServiceNode;
  channel: () => Channel;
  matches: Matches;
  outages: Pick<Outages, 'last'>;
  pairing: Pairing;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
  /** A message for a connection of that node has been left where the node will look. */
  onLeftForNode(nodeGuid: string): void;
  /** Which plugin versions are accepted now, and the newest published one. */
  pluginVersions(): Promise<PluginVersions>;
}

export type Connections = ReturnType<typeof createService>;

/**
 * Who is there: one live connection per player, a newer one takes the seat over. The row in the database
 * is the seat, so a late disconnect of the older connection finds nothing to give up.
 */
export function createService(options: ConnectionsOptions) {
  const {
    config,
    database,
    clock,
    randomness,
    logger,
    node,
    channel,
    matches,
    outages,
    pairing,
    isDraining,
  } = options;
  const { prisma } = database;
  const sessions = createSessions();
  /** Connections that know that their plugin version is not accepted any more. */
  const retired = new Set<string>();
  let isClosing = false;

  /** Asks the node that holds a connection to do something. */
  const leave = async (nodeGuid: string, message: PeerMessage): Promise<void> => {
    await store.leaveMessage(prisma, nodeGuid, message, clock.now());
    options.onLeftForNode(nodeGuid);
  };

  /** Sends to a player wherever the player is connected. */
  const send = async (playerGuid: string, event: string, payload: unknown): Promise<void> => {
    if (channel().send(playerGuid, event, payload)) return;
    const connection = await store.connectionOf(prisma, playerGuid);
    if (connection === null || connection.nodeGuid === node().nodeGuid) return;
    await leave(connection.nodeGuid, { kind: 'send', playerGuid, event, payload });
  };

  /** How far a download is, for a player who may be connected to another node. */
  const passProgressOn = async (playerGuid: string, report: ProgressReport): Promise<void> => {
    const connection = await store.connectionOf(prisma, playerGuid);
    if (connection === null || connection.nodeGuid === node().nodeGuid) return;
    await leave(connection.nodeGuid, { kind: 'progress', playerGuid, report });
  };

  const notice = (type: NoticeType, message: string, retryAfterMs: number | null = null) => ({
    type,
    message,
    retryAfterMs,
  });
  const notify = (connectionGuid: string, type: NoticeType, message: string): void =>
    channel().sendTo(connectionGuid, 'serverNotice', notice(type, message));

  /** Tells a connection of this node why, then ends it for good. */
  const dismissHere = (connectionGuid: string, type: NoticeType, message: string): void => {
    notify(connectionGuid, type, message);
    channel().disconnect(connectionGuid);
  };

  /** The same, wherever the connection is held. */
  const dismiss = async (
    { connectionGuid, nodeGuid }: Pick<store.Connection, 'connectionGuid' | 'nodeGuid'>,
    notice: NoticeType,
    message: string,
  ): Promise<void> => {
    if (nodeGuid === node().nodeGuid) dismissHere(connectionGuid, notice, message);
    else await leave(nodeGuid, { kind: 'dismiss', connectionGuid, notice, message });
  };

  const losses = createLosses({ database, logger, matches, pairing });
  const putOff = createPutOff({ database, clock, logger, matches, outages, pairing });

  /** The number of the last outage that every match has been given back. */
  let givenBack = 0;
  let givingBack: Promise<void> | undefined;
  const giveBackLast = async (): Promise<void> => {
    const last = outages.last();
    if (last === null || last.number === givenBack) return;
    const count = await matches.giveBack(last);
    givenBack = last.number;
    if (count > 0)
      logger.info({ outage: last.number, matches: count }, 'gave matches back the time of an outage');
  };
  /** Gives every match the time back in which nobody was there. */
  const giveBack = (): Promise<void> => {
    givingBack ??= giveBackLast().finally(() => {
      givingBack = undefined;
    });
    return givingBack;
  };

  /** A ban ends everything a player has running. The match first: the end of one may put its players into a queue. */
  const banned = async (playerGuid: string, reason: string): Promise<void> => {
    await matches.banned(playerGuid);
    await pairing.banned(playerGuid);
    const connection = await store.connectionOf(prisma, playerGuid);
    if (connection) await dismiss(connection, 'banned', `You are banned: ${reason}`);
  };

  /** Does again what a node may have stored and not carried out before it died; what it had done stays as it is. */
  const carryOut = async (since: number): Promise<void> => {
    for (const { playerGuid, reason } of await bansSince(prisma, since, clock.now()))
      await banned(playerGuid, reason);
    await pairing.emptyStopped();
  };

  /**
   * Takes a player's seat, unless a later connection has it: a claim waits for the database, and the player
   * may have come again meanwhile.
   */
  const claim = async (session: Session): Promise<void> => {
    const { other, isLate } = await inTransaction(database, async (db) => {
      // Two newcomers at once: the lock makes one the older, who is then told.
      await lockPlayers(db, [session.playerGuid]);
      const current = await store.connectionOf(db, session.playerGuid);
      const other = current?.connectionGuid === session.connectionGuid ? null : current;
      // Guids of one node grow with time; of two nodes, whose clocks differ, the one that comes last counts.
      const isLater = ({ nodeGuid, connectionGuid }: store.Connection) =>
        nodeGuid === node().nodeGuid && connectionGuid > session.connectionGuid;
      const isLate = other !== null && isLater(other);
      if (!isLate)
        await store.takeSeat(db, {
          playerGuid: session.playerGuid,
          connectionGuid: session.connectionGuid,
          nodeGuid: node().nodeGuid,
          pluginVersion: session.pluginVersion,
          gameVersion: session.gameVersion,
          connectedAt: clock.now(),
        });
      return { other, isLate };
    });
    const replaced = isLate ? { ...session, nodeGuid: node().nodeGuid } : other;
    if (replaced) await dismiss(replaced, ...REPLACED);
    if (!isLate) await Promise.all([pairing.connected(session), matches.connected(session.playerGuid)]);
  };

  return {
    connected: async (session: Session): Promise<void> => {
      sessions.add(session);
      await claim(session);
      // A ban that fell between the checks at the door and this found no connection to end.
      const ban = await banRefusal(prisma, session.playerGuid, clock.now());
      if (ban !== null) return dismissHere(session.connectionGuid, 'banned', ban.message);
      if (config.maintenance)
        notify(
          session.connectionGuid,
          'maintenance',
          'The service is in maintenance; no new matches are made.',
        );
    },

    disconnected: async (session: Session): Promise<void> => {
      retired.delete(session.connectionGuid);
      if (sessions.remove(session)) matches.gone(session.playerGuid);
      // The connections that a stopping node takes down with it are stored together.
      if (!isClosing) await losses.record(session.connectionGuid, isDraining() ? 'nodeLost' : 'disconnected');
    },

    /** Stores what was lost while the database was out of reach: else those players would wait for ever. */
    recordLosses: losses.flush,

    /** Players who were refused because the database was full. */
    putOff,

    /** Everything a client needs after it connected. */
    hello: async (session: Session) => {
      const [queueEntry, match, lastMatch, penalty] = await Promise.all([
        pairing.entryFor(session.playerGuid),
        matches.runningFor(session.playerGuid),
        matches.lastFor(session.playerGuid),
        activePenalty(prisma, session.playerGuid, clock.now()),
      ]);
      return {
        player: {
          playerGuid: session.playerGuid,
          platformId: session.platformId,
          username: session.username,
          avatarUrl: session.avatarUrl,
          roles: [...session.roles].sort(),
        },
        queueEntry,
        match,
        lastMatch,
        penalty: penalty && { reason: penalty.reason, until: isoTime(penalty.until) },
        time: isoTime(clock.now()),
      };
    },

    connectedAmong: (playerGuids: readonly string[]) => store.connectedAmong(prisma, playerGuids),

    banned,

    /**
     * Makes up for nodes that died and for time in which nobody was there. A death is forgotten only when everything
     * is done, so a node that dies over it leaves the work to the next.
     * @param silentMs how long a node must have been silent to be dead
     */
    recover: async (silentMs = DEAD_MS): Promise<void> => {
      const dead = await node().deadNodes(silentMs);
      for (const { nodeGuid } of dead) {
        await losses.ofNode(nodeGuid, silentMs);
        await store.dropMessages(prisma, nodeGuid);
      }
      await giveBack();
      if (dead.length === 0) return;
      const silent = Math.max(...dead.map(({ silentForMs }) => silentForMs));
      await carryOut(clock.now() - silent - CARRIED_OUT_WITHIN_MS);
      for (const { nodeGuid } of dead) await node().forget(nodeGuid, silentMs);
      for (const nodeGuid of await store.unknownNodes(prisma)) await losses.ofNode(nodeGuid, silentMs);
    },

    giveBack,

    /** This node ends, and its connections have: stores that, so that nobody has to find it out. */
    leave: async (): Promise<void> => {
      const { nodeGuid } = node();
      await losses.flush();
      await losses.ofNode(nodeGuid, 0);
      await store.dropMessages(prisma, nodeGuid);
      await node().forget(nodeGuid, 0);
    },

    /** Ends connections whose token expired, once they have no match to lose by it. */
    dismissExpired: async (): Promise<void> => {
      for (const session of sessions.all()) {
        if (session.tokenExpiresAt > clock.now() || (await matches.runningSeatOf(session.playerGuid)))
          continue;
        dismissHere(session.connectionGuid, 'tokenExpired', 'Your sign-in expired. Sign in again.');
      }
    },

    /**
     * Tells connections, once each, that their plugin version is not accepted any more: a running match is
     * finished with it, the next one needs another.
     */
    tellRetired: async (): Promise<void> => {
      if (sessions.isEmpty()) return;
      const versions = await options.pluginVersions();
      for (const { connectionGuid, pluginVersion } of sessions.all()) {
        if (isAccepted(versions, pluginVersion)) retired.delete(connectionGuid);
        else if (!retired.has(connectionGuid)) {
          retired.add(connectionGuid);
          const { message } = notAccepted(versions, pluginVersion);
          notify(connectionGuid, 'pluginVersionRetired', message);
        }
      }
    },

    /** Claims every connection of this node again, after others may have taken it for dead. */
    reclaim: async (): Promise<void> => {
      const { nodeGuid } = node();
      const mine = sessions.newest();
      if (mine.size === 0) return;
      const connectedAt = clock.now();
      const seats = [...mine.values()].map(({ playerGuid, connectionGuid, pluginVersion, gameVersion }) => ({
        playerGuid,
        connectionGuid,
        nodeGuid,
        pluginVersion,
        gameVersion,
        connectedAt,
      }));
      const { taken, others } = await store.retakeSeats(prisma, seats);
      // Whoever has the seat now came later.
      for (const { playerGuid } of others) {
        const session = mine.get(playerGuid);
        if (session) dismissHere(session.connectionGuid, ...REPLACED);
      }
      for (const session of mine.values()) {
        if (!taken.has(session.connectionGuid)) continue;
        await Promise.all([pairing.connected(session), matches.returned(session.playerGuid)]);
      }
    },

    /** From now on lost connections are this node's doing, and are stored together. */
    letGo: (): void => {
      isClosing = true;
    },

    /** Tells everybody here that this node is about to stop. */
    announceStop: (): void => {
      channel().broadcast('serverNotice', () =>
        notice(
          'draining',
          'This server restarts. You will be connected again in a moment.',
          reconnectDelay(randomness),
        ),
      );
    },

    send,
    passProgressOn,

    /** Hands on what other nodes left for connections of this one, and tells what they stored. */
    hearPeers: async (): Promise<void> => {
      const { nodeGuid } = node();
      const messages = await store.takeMessages(prisma, nodeGuid);
      for (const message of messages) {
        if (message.kind === 'send') channel().send(message.playerGuid, message.event, message.payload);
        else if (message.kind === 'dismiss')
          dismissHere(message.connectionGuid, message.notice, message.message);
      }
      await matches.catchUp(nodeGuid);
      // After the change it belongs to: the beginning of the download.
      for (const message of messages)
        if (message.kind === 'progress') await matches.hearProgress(message.playerGuid, message.report);
    },
  };
}
