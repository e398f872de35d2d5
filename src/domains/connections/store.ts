import type { Database, Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';
import { statement } from '../../platform/database/statement.ts';
import type { LatestMatches, ProgressReport } from '../matches/index.ts';
import type { QueueUpdate } from '../pairing/index.ts';
import type { ActiveBan } from '../players/index.ts';
import type { NoticeType } from './events.ts';

export type Connection = Prisma.PlayerConnectionGetPayload<object>;

/** A message that the node with the connection of a player passes on to that player. */
export type PlayerMessage =
  | { kind: 'send'; event: 'queueUpdated'; payload: QueueUpdate }
  | { kind: 'progress'; report: ProgressReport };

/** A request of one node to the node that holds a connection. */
type NodeMessage =
  | (PlayerMessage & { playerGuid: string })
  | { kind: 'dismiss'; connectionGuid: string; notice: NoticeType; message: string };

/** The live connection of a player; null when there is none. */
export const connectionOf = (db: Db, playerGuid: string): Promise<Connection | null> =>
  db.playerConnection.findUnique({ where: { playerGuid } });

/** The result of a claim of a player's seat. */
export type Claimed =
  /** The person was erased since the handshake. */
  | { isErased: true }
  /** A later connection has the seat: this claim waited for the database. */
  | { isErased: false; isLate: true }
  | ({
      isErased: false;
      isLate: false;
      /** The connection that had the seat; null when it was free. */
      replaced: Pick<Connection, 'connectionGuid' | 'nodeGuid'> | null;
      /** Whether this changed the player's queue entry: its player is connected again, perhaps with other versions. */
      isQueued: boolean;
      ban: ActiveBan | null;
    } & LatestMatches);

const claim = statement<
  { claimed: Claimed },
  [
    playerGuid: string,
    connectionGuid: string,
    nodeGuid: string,
    pluginVersion: string,
    gameVersion: string | null,
    connectedAt: Date,
    endedSince: Date,
  ]
>('claim-seat', 'SELECT "claimSeat"($1, $2, $3, $4, $5, $6, $7) AS claimed');

/**
 * Makes this the player's live connection, and reads everything that follows from it in the same statement. The comment
 * of the database function `claimSeat` lists the races with bans, pairing and losses.
 * @param endedSince ends of matches before this do not count, milliseconds since 1970
 */
export async function claimSeat(database: Database, seat: Connection, endedSince: number): Promise<Claimed> {
  const { playerGuid, connectionGuid, nodeGuid, pluginVersion, gameVersion, connectedAt } = seat;
  const [row] = await database.changes.writing(
    ['QueueEntry'],
    () =>
      claim(
        database,
        playerGuid,
        connectionGuid,
        nodeGuid,
        pluginVersion,
        gameVersion,
        connectedAt,
        new Date(endedSince),
      ),
    ([found]) => found?.claimed.isErased === false && !found.claimed.isLate && found.claimed.isQueued,
  );
  return (row as { claimed: Claimed }).claimed;
}

/**
 * Takes those of these seats that are free.
 * @returns the players whose seats were free, and those whose seats other connections have now
 */
export async function retakeSeats(
  db: Db,
  connections: Connection[],
): Promise<{ taken: Set<string>; lost: Set<string> }> {
  const select = { playerGuid: true } as const;
  const taken = await db.playerConnection.createManyAndReturn({
    data: connections,
    skipDuplicates: true,
    select,
  });
  const lost = await db.playerConnection.findMany({
    where: {
      playerGuid: { in: connections.map(({ playerGuid }) => playerGuid) },
      connectionGuid: { notIn: connections.map(({ connectionGuid }) => connectionGuid) },
    },
    select,
  });
  return { taken: playersIn(taken), lost: playersIn(lost) };
}

const playersIn = (rows: readonly { playerGuid: string }[]): Set<string> =>
  new Set(rows.map(({ playerGuid }) => playerGuid));

/** The seat of a player with the connection that has it. */
export type SeatHolder = Pick<Connection, 'playerGuid' | 'connectionGuid'>;

/** Seats that are freed, or taken again, in one transaction, at most. */
export const SEATS_AT_ONCE = 200;

const selectHolders = statement<Pick<Connection, 'connectionGuid'>, [playerGuids: readonly string[]]>(
  'seats-holders',
  'SELECT "connectionGuid" FROM "PlayerConnection" WHERE "playerGuid" = ANY($1::uuid[])',
);

/** The guids of the connections that have the seats of these players. */
export async function holdersOf(
  database: Database,
  players: readonly Pick<SeatHolder, 'playerGuid'>[],
): Promise<ReadonlySet<string>> {
  const rows = await selectHolders(
    database,
    players.map(({ playerGuid }) => playerGuid),
  );
  return new Set(rows.map(({ connectionGuid }) => connectionGuid));
}

/**
 * Locks the seats that these connections still have, until the end of the transaction. A player who is connected again
 * has another connection in the seat, so the seat is not among them. Found by the player, because an index on
 * connections would be another write of each connect.
 */
export const lockSeats = (db: Db, lost: readonly SeatHolder[]): Promise<SeatHolder[]> =>
  db.$queryRaw<SeatHolder[]>`
    SELECT "playerGuid", "connectionGuid" FROM "PlayerConnection"
    WHERE "playerGuid" = ANY(${lost.map(({ playerGuid }) => playerGuid)}::uuid[])
      AND "connectionGuid" = ANY(${lost.map(({ connectionGuid }) => connectionGuid)}::uuid[])
    ORDER BY "playerGuid" FOR UPDATE`;

/**
 * Locks the next seats of a dead node in the same way, and the node itself: its next heartbeat waits for the transaction.
 * @param silentMs how long the node must have been silent; 0: it is this one
 * @param except players whose seats are left out
 * @returns no seats when the node has sent a heartbeat meanwhile
 */
export async function lockSeatsOfNode(
  db: Db,
  nodeGuid: string,
  silentMs: number,
  except: readonly string[],
): Promise<SeatHolder[]> {
  const [node] = await db.$queryRaw<{ isGone: boolean }[]>`
    SELECT "seenAt" <= clock_timestamp() - ${silentMs}::int * interval '1 millisecond' AS "isGone"
    FROM "ServiceNode" WHERE "nodeGuid" = ${nodeGuid}::uuid FOR UPDATE`;
  if (node?.isGone === false) return [];
  return db.$queryRaw<SeatHolder[]>`
    SELECT "playerGuid", "connectionGuid" FROM "PlayerConnection"
    WHERE "nodeGuid" = ${nodeGuid}::uuid AND "playerGuid" <> ALL(${except}::uuid[])
    ORDER BY "playerGuid" LIMIT ${SEATS_AT_ONCE} FOR UPDATE`;
}

/** Gives up the seats of these players, which the transaction has locked. */
export async function giveUp(db: Db, playerGuids: readonly string[]): Promise<void> {
  await db.$executeRaw`DELETE FROM "PlayerConnection" WHERE "playerGuid" = ANY(${playerGuids}::uuid[])`;
}

/** Nodes that have seats and no row of their own: they wrote after `forget`. */
export async function unknownNodes(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ nodeGuid: string }[]>`
    SELECT DISTINCT "nodeGuid" FROM "PlayerConnection" AS seat
    WHERE NOT EXISTS (SELECT FROM "ServiceNode" WHERE "ServiceNode"."nodeGuid" = seat."nodeGuid")`;
  return rows.map((row) => row.nodeGuid);
}

/** Removes messages from before a time. A message that was sent to a node after its end is never read. */
export const expireMessages = expiryOf('PeerMessage', 'at');

/**
 * Empties the inbox of a dead node. One that has sent a heartbeat meanwhile reads its messages itself.
 * @param silentMs how long the node must have been silent; 0: it is this one
 */
export async function emptyInbox(db: Db, nodeGuid: string, silentMs: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "PeerMessage" WHERE "nodeGuid" = ${nodeGuid}::uuid AND NOT EXISTS (
      SELECT FROM "ServiceNode" WHERE "nodeGuid" = ${nodeGuid}::uuid
        AND "seenAt" > clock_timestamp() - ${silentMs}::int * interval '1 millisecond'
    )`;
}

/**
 * Locks the connections of these players, on whatever node, until the end of the transaction: their loss waits for that.
 * @returns those who are connected, and those who have no connection. In neither: whose loss is being stored
 */
export async function shareConnections(
  db: Db,
  playerGuids: readonly string[],
): Promise<{ connected: Set<string>; absent: string[] }> {
  const connected = await db.$queryRaw<{ playerGuid: string }[]>`
    SELECT "playerGuid" FROM "PlayerConnection"
    WHERE "playerGuid" = ANY(${playerGuids}::uuid[]) FOR KEY SHARE SKIP LOCKED`;
  const absent = await db.$queryRaw<{ playerGuid: string }[]>`
    SELECT guid AS "playerGuid" FROM unnest(${playerGuids}::uuid[]) AS guid
    WHERE NOT EXISTS (SELECT FROM "PlayerConnection" WHERE "playerGuid" = guid)`;
  return { connected: playersIn(connected), absent: [...playersIn(absent)] };
}

/** Puts a message into the inbox of a node. */
export async function addMessage(db: Db, nodeGuid: string, body: NodeMessage, at: number): Promise<void> {
  await db.peerMessage.create({ data: { nodeGuid, body: body as object, at: new Date(at) } });
}

/**
 * Puts a message to each of these players into the inbox of the node that holds the player's connection, except this one.
 * @returns these nodes
 */
export const addMessages = statement<
  { nodeGuid: string },
  [ownNodeGuid: string, playerGuids: readonly string[], message: string, at: Date]
>(
  'messages-to-players',
  `INSERT INTO "PeerMessage" ("nodeGuid", body, at)
   SELECT "nodeGuid", $3::jsonb || jsonb_build_object('playerGuid', "playerGuid"), $4::timestamptz
   FROM "PlayerConnection" WHERE "playerGuid" = ANY($2::uuid[]) AND "nodeGuid" <> $1::uuid
   RETURNING "nodeGuid"`,
);

/** A message of an inbox, with the queue in which its player waits now; null: in none. */
export interface InboxMessage {
  sequence: string;
  message: NodeMessage;
  queueGuid: string | null;
}

/** The messages in the inbox of a node, oldest first. */
export const readMessages = statement<InboxMessage, [nodeGuid: string]>(
  'inbox-read',
  `SELECT inbox.sequence::text AS sequence, body AS message, "queueGuid"
   FROM "PeerMessage" AS inbox LEFT JOIN "QueueEntry" ON "QueueEntry"."playerGuid" = (body ->> 'playerGuid')::uuid
   WHERE "nodeGuid" = $1::uuid ORDER BY inbox.sequence`,
);

/** Removes messages that were handled. */
export const removeMessages = statement<never, [sequences: readonly string[]]>(
  'inbox-remove',
  'DELETE FROM "PeerMessage" WHERE sequence = ANY($1::bigint[])',
);
