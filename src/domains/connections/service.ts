import { isoTime } from '../../platform/clock.ts';
import { banRefusalOf } from '../auth/index.ts';
import { LAST_MATCH_MS, lastMatchFor, periodSince } from '../matches/index.ts';
import { MAINTENANCE_MESSAGE } from '../pairing/index.ts';
import type { ActiveBan } from '../players/index.ts';
import type { NoticeType } from './events.ts';
import { helloDataOf } from './hello-store.ts';
import { createInbox } from './inbox.ts';
import { createLocalConnections, type Session } from './local-connections.ts';
import { createLosses } from './losses.ts';
import { createMessages } from './messages.ts';
import { createNotices, ERASED_MESSAGE } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import { createPutOff } from './put-off.ts';
import { createRecovery } from './recovery.ts';
import { createSeats } from './seats.ts';
import * as store from './store.ts';

export type Connections = ReturnType<typeof createService>;

/** The connections of players: who is connected, on which node, and what follows when that changes. */
export function createService(options: ConnectionsOptions) {
  const { config, database, clock, line, matches, outages, pairing, isDraining } = options;
  const { prisma } = database;
  const connections = createLocalConnections();
  const notices = createNotices(options, connections);
  const toldHere = new Set<string>();
  const { dismiss, ...messages } = createMessages(options, notices, toldHere);
  const losses = createLosses(options);
  const putOff = createPutOff({ ...options, lostPlayers: losses.players });
  let isShuttingDown = false;
  /** A node that stops ends its connections itself, and stores their losses together in `finishShutdown`. */
  const lose = async (session: Session) => {
    if (!isShuttingDown) await losses.record(session, isDraining() ? 'nodeLost' : 'disconnected');
  };
  const { claim, ...seats } = createSeats(options, connections, dismiss, lose);

  const dismissPlayer = async (playerGuid: string, notice: NoticeType, message: string): Promise<void> => {
    const connection = await store.connectionOf(prisma, playerGuid);
    if (connection) await dismiss(connection, notice, message);
  };

  /** Ends everything that a banned player has running. The match first, because its end may queue its players again. */
  const banned = async (playerGuid: string, ban: ActiveBan): Promise<void> => {
    await matches.banned(playerGuid);
    await pairing.banned(playerGuid);
    await dismissPlayer(playerGuid, 'banned', banRefusalOf(ban).message);
  };

  /** Ends the connection of a person who was erased. Everything else has ended in the same transaction. */
  const erased = (playerGuid: string) => dismissPlayer(playerGuid, 'erased', ERASED_MESSAGE);

  /** Reads what `hello` answers, and reads it again when a later change was delivered to the player during the read. */
  const readFor = async (playerGuid: string) => {
    for (;;) {
      const now = clock.now();
      const period = periodSince(now - LAST_MATCH_MS, outages);
      const { running, ...data } = await helloDataOf(database, playerGuid, now, period);
      const match = running && (await matches.viewOf(running, playerGuid));
      if (running === null || !matches.hasToldLater(playerGuid, running)) return { ...data, match };
    }
  };

  return {
    ...messages,
    ...seats,
    ...createInbox(options, notices, toldHere),
    ...createRecovery(options, losses, { banned, erased }),
    banned,
    erased,
    /** Players who were put off (`put-off.ts`). */
    putOff,
    announceStop: notices.announceStop,
    dismissExpired: notices.dismissExpired,
    notifyRetiredVersions: notices.notifyRetiredVersions,
    /** Stores the lost connections that could not be stored while the database was out of reach. */
    storeLosses: losses.flush,
    shareConnections: store.shareConnections,

    connected: async (session: Session) => {
      // Read before the first await: a connection that was open when the stop was announced has the notice already.
      const isLate = isDraining();
      connections.add(session);
      await line.follow(() => claim(session));
      if (isLate) notices.announceStopTo(session.connectionGuid);
      if (config.maintenance) notices.notify(session.connectionGuid, 'maintenance', MAINTENANCE_MESSAGE);
    },

    disconnected: async (session: Session) => {
      if (connections.remove(session)) matches.connectionClosed(session.playerGuid);
      await lose(session);
    },

    /** From now on this node ends its connections itself. */
    beginShutdown: () => {
      isShuttingDown = true;
    },

    /** Everything a client needs after it connected. */
    hello: async (session: Session) => {
      const { playerGuid } = session;
      const { match, queueEntry, lastEnded, penalty } = await readFor(playerGuid);
      return {
        player: {
          playerGuid,
          platformId: session.platformId,
          username: session.username,
          avatarUrl: session.avatarUrl,
          roles: [...session.roles].sort(),
        },
        queueEntry: queueEntry && pairing.viewOf(queueEntry),
        match,
        lastMatch: lastEnded && lastMatchFor(lastEnded, playerGuid),
        penalty: penalty && { reason: penalty.reason, until: isoTime(penalty.until) },
        time: isoTime(clock.now()),
      };
    },
  };
}
