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

/** Gives up a connection. @returns false when a newer one has taken the seat meanwhile. */
export async function giveUp(db: Db, connectionGuid: string): Promise<boolean> {
  const { count } = await db.playerConnection.deleteMany({ where: { connectionGuid } });
  return count === 1;
}

/** Everything that is connected to a node. */
export async function connectionsOfNode(
  db: Db,
  nodeGuid: string,
): Promise<Pick<Connection, 'playerGuid' | 'connectionGuid'>[]> {
  return db.playerConnection.findMany({
    where: { nodeGuid },
    select: { playerGuid: true, connectionGuid: true },
  });
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
