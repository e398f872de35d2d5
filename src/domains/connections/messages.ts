import type { ProgressReport } from '../matches/index.ts';
import type { QueueUpdate } from '../pairing/index.ts';
import type { NoticeType } from './events.ts';
import type { Notices } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

export type Messages = ReturnType<typeof createMessages>;

/**
 * Messages between nodes: each node has an inbox in the database. A message to a player goes to the inbox of the node
 * that holds the player's connection. `inbox.ts` reads them.
 * @param toldHere gets the players to whom this node itself sends a place
 */
export function createMessages(options: ConnectionsOptions, notices: Notices, toldHere: Set<string>) {
  const { database, clock, logger, node, channel } = options;
  const { prisma } = database;

  /** Posts to the nodes that hold the connections of these players, if those are other nodes. */
  const postToPlayers = async (playerGuids: readonly string[], message: store.PlayerMessage) => {
    if (playerGuids.length === 0) return;
    const [at, body] = [new Date(clock.now()), JSON.stringify(message)];
    const added = await store.addMessages(database, node().nodeGuid, playerGuids, body, at);
    for (const nodeGuid of new Set(added.map((one) => one.nodeGuid))) options.hint([nodeGuid]);
  };

  return {
    /**
     * Sends a change of their places to players on any node. If it is lost, `hello` reads the same from the database. It is
     * sent here and to the inbox of the node that has the seat: the player may have connected to another node, and this node
     * may not know yet that its own connection ends.
     */
    send: async (playerGuids: readonly string[], payload: QueueUpdate) => {
      const event = 'queueUpdated';
      for (const playerGuid of playerGuids) {
        channel().send(playerGuid, event, payload);
        toldHere.add(playerGuid);
      }
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
  };
}
