import type { ProgressReport } from '../matches/index.ts';
import type { QueueUpdate } from '../pairing/index.ts';
import type { NoticeType } from './events.ts';
import type { Notices } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

export type Messages = ReturnType<typeof createMessages>;

/**
 * The players whose last message is outdated: their place in a queue has changed since it was written. The node that changed
 * the place tells the player, perhaps before this message is read. The message would then put the old place after the new one.
 */
function outdatedIn(taken: readonly store.TakenMessage[]): ReadonlySet<string> {
  const outdated = new Set<string>();
  for (const { message, queueGuid } of taken)
    if (message.kind === 'send') {
      const told = message.payload.queueEntry?.queueGuid ?? null;
      if (told === queueGuid) outdated.delete(message.playerGuid);
      else outdated.add(message.playerGuid);
    }
  return outdated;
}

/**
 * Messages between nodes: each node has an inbox in the database. A message to a player goes to the inbox of the node
 * that holds the player's connection.
 */
export function createMessages(options: ConnectionsOptions, notices: Notices) {
  const { database, clock, logger, node, channel, matches } = options;
  const { prisma } = database;

  /** Posts to the nodes that hold the connections of these players, if those are other nodes. */
  const postToPlayers = async (playerGuids: readonly string[], message: store.PlayerMessage) => {
    if (playerGuids.length === 0) return;
    const [at, body] = [new Date(clock.now()), JSON.stringify(message)];
    const added = await store.addMessages(database, node().nodeGuid, playerGuids, body, at);
    for (const nodeGuid of new Set(added.map((one) => one.nodeGuid))) options.hint([nodeGuid]);
  };

  /** Never rejects: the messages after it were taken out of the inbox and must not be lost. */
  const catchUpWith = (playerGuid: string): Promise<void> =>
    matches.catchUpWith([playerGuid]).catch((error: unknown) => {
      logger.debug({ err: error, playerGuid }, 'changes could not be delivered before a message');
    });

  return {
    /**
     * Sends an event to players on any node. If it is lost, `hello` reads the same from the database. It is sent here and to
     * the inbox of the node that has the seat: the player may have connected to another node, and this node may not know yet
     * that its own connection ends.
     */
    send: async (playerGuids: readonly string[], event: 'queueUpdated', payload: QueueUpdate) => {
      for (const playerGuid of playerGuids) channel().send(playerGuid, event, payload);
      if (node().exclusivePeriod() !== null) return;
      await postToPlayers(playerGuids, { kind: 'send', event, payload }).catch((error: unknown) => {
        logger.error({ err: error, event }, 'a message could not be sent');
      });
    },

    /** Sends the progress of a download to a player who is connected to another node, where there is no Redis. */
    relayProgress: (playerGuid: string, report: ProgressReport) =>
      postToPlayers([playerGuid], { kind: 'progress', report }),

    /** Sends a connection on any node the reason why it ends, and ends it. */
    dismiss: async (
      { connectionGuid, nodeGuid }: Pick<store.Connection, 'connectionGuid' | 'nodeGuid'>,
      notice: NoticeType,
      message: string,
    ) => {
      if (nodeGuid === node().nodeGuid) return notices.dismiss(connectionGuid, notice, message);
      const body = { kind: 'dismiss', connectionGuid, notice, message } as const;
      await store.addMessage(prisma, nodeGuid, body, clock.now());
      options.hint([nodeGuid]);
    },

    /**
     * Handles the messages in the inbox of this node, and delivers the changes of matches that other nodes stored.
     * @param named guids of nodes, players and matches from a hint: only these are read; left out: everything
     */
    readInbox: async (named?: readonly string[]) => {
      const { nodeGuid } = node();
      // A player may get a new match by this read. Messages that were sent before the match are delivered before it.
      const mayBegin = (guid: string) => channel().holds(guid) && !matches.awaitsEnd(guid);
      const hasMessages = named === undefined || named.includes(nodeGuid) || named.some(mayBegin);
      const taken = hasMessages ? await store.takeMessages(database, nodeGuid) : [];
      const messages = taken.map(({ message }) => message);
      const outdated = outdatedIn(taken);
      const told = new Set<string>();
      for (const message of messages) {
        if (message.kind === 'send') {
          const { playerGuid } = message;
          if (outdated.has(playerGuid)) continue;
          // It may follow from the end of the player's match, which comes first.
          if (told.has(playerGuid) || matches.awaitsEnd(playerGuid)) await catchUpWith(playerGuid);
          told.add(playerGuid);
          channel().send(playerGuid, message.event, message.payload);
        } else if (message.kind === 'dismiss')
          notices.dismiss(message.connectionGuid, message.notice, message.message);
      }
      const reports = messages.filter((message) => message.kind === 'progress');
      // Progress comes after the change of the match that began the download.
      if (named === undefined) await matches.catchUp(nodeGuid);
      else await matches.catchUpWith([...named, ...reports.map(({ playerGuid }) => playerGuid)]);
      for (const { playerGuid, report } of reports) await matches.receiveProgress([playerGuid], report);
    },
  };
}
