import type { Db } from '../../platform/database/database.ts';
import type { PeerMessage } from './peers.ts';

export interface Connection {
  playerGuid: string;
  connectionGuid: string;
  nodeGuid: string;
  pluginVersion: string;
  gameVersion: string | null;
  connectedAt: number;
}

/** The live connection of a player; null when there is none. */
export async function connectionOf(db: Db, playerGuid: string): Promise<Connection | null> {
  const row = await db.playerConnection.findUnique({ where: { playerGuid } });
  return row && { ...row, connectedAt: row.connectedAt.getTime() };
}

/** Makes this the player's live connection: the row is the seat, whoever writes last has it. */
export async function takeSeat(db: Db, connection: Connection): Promise<void> {
  const { playerGuid, ...rest } = { ...connection, connectedAt: new Date(connection.connectedAt) };
  await db.playerConnection.upsert({ where: { playerGuid }, create: { playerGuid, ...rest }, update: rest });
}

/** Takes seats again that others may have given up. @returns whose seat was free, and who has the others now. */
export async function retakeSeats(
  db: Db,
  connections: readonly Connection[],
): Promise<{ taken: Set<string>; others: Connection[] }> {
  const data = connections.map((one) => ({ ...one, connectedAt: new Date(one.connectedAt) }));
  const taken = await db.playerConnection.createManyAndReturn({
    data,
    skipDuplicates: true,
    select: { connectionGuid: true },
  });
  const rows = await db.playerConnection.findMany({
    where: {
      playerGuid: { in: connections.map(({ playerGuid }) => playerGuid) },
      connectionGuid: { notIn: connections.map(({ connectionGuid }) => connectionGuid) },
    },
  });
  return {
    taken: new Set(taken.map(({ connectionGuid }) => connectionGuid)),
    others: rows.map((row) => ({ ...row, connectedAt: row.connectedAt.getTime() })),
  };
}

/** The seat of a player with the connection that has it. */
export type SeatHolder = Pick<Connection, 'playerGuid' | 'connectionGuid'>;

/**
 * Those of these connections that still have their seats, which nobody takes before the transaction has ended: whoever
 * is back already has another connection and is not among them.
 */
export const lockSeats = (db: Db, connectionGuids: readonly string[]): Promise<SeatHolder[]> =>
  db.$queryRaw<SeatHolder[]>`
    SELECT "playerGuid", "connectionGuid" FROM "PlayerConnection"
    WHERE "connectionGuid" = ANY(${connectionGuids}::uuid[]) ORDER BY "playerGuid" FOR UPDATE`;

/**
 * The seats that a node left behind, held in the same way, and the node with them: it cannot come back before the
 * transaction has ended. None while another node is at it, or when the node has spoken again.
 * @param silentMs how long it must have been silent; 0: it is this one
 */
export async function lockSeatsOfNode(db: Db, nodeGuid: string, silentMs: number): Promise<SeatHolder[]> {
  const [node] = await db.$queryRaw<{ isGone: boolean }[]>`
    SELECT "seenAt" <= clock_timestamp() - ${silentMs}::int * interval '1 millisecond' AS "isGone"
    FROM "ServiceNode" WHERE "nodeGuid" = ${nodeGuid}::uuid FOR UPDATE`;
  if (node?.isGone === false) return [];
  return db.$queryRaw<SeatHolder[]>`
    SELECT "playerGuid", "connectionGuid" FROM "PlayerConnection" WHERE "nodeGuid" = ${nodeGuid}::uuid
    ORDER BY "playerGuid" FOR UPDATE`;
}

/** Gives up the seats of these players, which the transaction has locked. */
export async function giveUp(db: Db, playerGuids: readonly string[]): Promise<void> {
  await db.$executeRaw`DELETE FROM "PlayerConnection" WHERE "playerGuid" = ANY(${playerGuids}::uuid[])`;
}

/** Nodes that have seats and are not known: they wrote after they had been forgotten. */
export async function unknownNodes(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ nodeGuid: string }[]>`
    SELECT DISTINCT "nodeGuid" FROM "PlayerConnection"
    WHERE NOT EXISTS (SELECT FROM "ServiceNode" WHERE "ServiceNode"."nodeGuid" = "PlayerConnection"."nodeGuid")`;
  return rows.map((row) => row.nodeGuid);
}

/** Throws away what was left for a node that nobody reads any more. */
export async function dropMessages(db: Db, nodeGuid: string): Promise<void> {
  await db.peerMessage.deleteMany({ where: { nodeGuid } });
}

/** Which of these players have a live connection, on whatever node. */
export async function connectedAmong(db: Db, playerGuids: readonly string[]): Promise<Set<string>> {
  const rows = await db.playerConnection.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true },
  });
  return new Set(rows.map((row) => row.playerGuid));
}

/** Leaves a message for another node, which looks several times a second. */
export async function leaveMessage(db: Db, nodeGuid: string, body: PeerMessage, at: number): Promise<void> {
  await db.peerMessage.create({ data: { nodeGuid, body: body as object, at: new Date(at) } });
}

/** Takes what others left for this node, in the order it was left. */
export async function takeMessages(db: Db, nodeGuid: string): Promise<PeerMessage[]> {
  const rows = await db.$queryRaw<{ body: PeerMessage }[]>`
    WITH taken AS (
      DELETE FROM "PeerMessage" WHERE "nodeGuid" = ${nodeGuid}::uuid RETURNING sequence, body
    ) SELECT body FROM taken ORDER BY sequence`;
  return rows.map((row) => row.body);
}
