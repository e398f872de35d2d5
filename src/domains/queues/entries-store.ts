import { type Db, Prisma } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';

/**
 * Queue entries: at most one per player over all queues. They are part of this domain, not of pairing, because
 * matches also add entries: the innocent player of a match that ended early is queued again.
 */

export interface QueueEntry {
  playerGuid: string;
  queueGuid: string;
  /** Since when the player waits, milliseconds since 1970. */
  joinedAt: number;
  /** As shown when the player joined. */
  rating: number;
  pluginVersion: string;
  gameVersion: string | null;
  /** Since when the player has no connection; null while connected. */
  disconnectedAt: number | null;
}

type Row = Prisma.QueueEntryGetPayload<object>;
const fromRow = ({ joinedAt, disconnectedAt, ...row }: Row): QueueEntry => ({
  ...row,
  joinedAt: joinedAt.getTime(),
  disconnectedAt: disconnectedAt?.getTime() ?? null,
});

/** Puts a player into a queue. @returns false, and does nothing, when the player already waits somewhere. */
export async function addEntry(db: Db, entry: QueueEntry): Promise<boolean> {
  const { count } = await db.queueEntry.createMany({
    data: {
      ...entry,
      joinedAt: new Date(entry.joinedAt),
      disconnectedAt: entry.disconnectedAt === null ? null : new Date(entry.disconnectedAt),
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/** The entries of those of these players who wait, with the rules of their queues as stored. */
export async function loadEntries(
  db: Db,
  playerGuids: readonly string[],
): Promise<(QueueEntry & { rules: unknown })[]> {
  const found = await db.queueEntry.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    include: { queue: { select: { rules: true } } },
  });
  return found.map(({ queue, ...row }) => ({ ...fromRow(row), rules: queue.rules }));
}

/** The entries of one queue whose players are connected. */
export async function connectedEntriesOf(db: Db, queueGuid: string): Promise<QueueEntry[]> {
  const rows = await db.queueEntry.findMany({ where: { queueGuid, disconnectedAt: null } });
  return rows.map(fromRow);
}

/**
 * Claims the entries of these players who are connected and wait in this queue. Entries that are being removed or
 * marked by somebody else are left out.
 */
export async function claimEntries(
  db: Db,
  queueGuid: string,
  playerGuids: readonly string[],
): Promise<QueueEntry[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT * FROM "QueueEntry"
    WHERE "playerGuid" = ANY(${[...playerGuids]}::uuid[]) AND "queueGuid" = ${queueGuid}::uuid AND "disconnectedAt" IS NULL
    FOR UPDATE SKIP LOCKED`;
  return rows.map(fromRow);
}

/** The entries of one queue with one plugin version. */
export interface WaitingGroup {
  queueGuid: string;
  pluginVersion: string;
  /** How many of the players are connected. */
  connected: number;
  /** Since when the first of the others is away, extensions added, milliseconds since 1970; null: all are connected. */
  awaySince: number | null;
}

/** Everybody who waits, by queue and plugin version. */
export const loadWaitingGroups = statement<WaitingGroup, []>(
  'queue-waiting',
  `SELECT "queueGuid", "pluginVersion", count(*) FILTER (WHERE "disconnectedAt" IS NULL)::int AS connected,
     (extract(epoch FROM min("disconnectedAt" + "extendedMs" * interval '1 millisecond')) * 1000)::float8 AS "awaySince"
   FROM "QueueEntry" GROUP BY "queueGuid", "pluginVersion"`,
);

/** @returns the removed entries */
async function removeWhere(db: Db, condition: Prisma.Sql): Promise<QueueEntry[]> {
  const rows = await db.$queryRaw<Row[]>`DELETE FROM "QueueEntry" WHERE ${condition} RETURNING *`;
  return rows.map(fromRow);
}

/** @returns the removed entries */
export const removeEntries = (db: Db, playerGuids: readonly string[]) =>
  removeWhere(db, Prisma.sql`"playerGuid" = ANY(${playerGuids}::uuid[])`);

/** Empties queues. @returns the removed entries */
export const removeEntriesOfQueues = (db: Db, queueGuids: readonly string[]) =>
  removeWhere(db, Prisma.sql`"queueGuid" = ANY(${queueGuids}::uuid[])`);

/** Empties those of these queues that are not open: one may have been opened again. @returns the removed entries */
export const removeEntriesOfStopped = (db: Db, queueGuids: readonly string[]) =>
  removeWhere(
    db,
    Prisma.sql`"queueGuid" IN
      (SELECT "queueGuid" FROM "Queue" WHERE "queueGuid" = ANY(${queueGuids}::uuid[]) AND status <> 'open')`,
  );

/** Removes the entries with one of these plugin versions. @returns the removed entries */
export const removeEntriesOfVersions = (db: Db, pluginVersions: readonly string[]) =>
  removeWhere(db, Prisma.sql`"pluginVersion" = ANY(${pluginVersions}::text[])`);

/** Removes the entries of players who disconnected before `before`, extensions added. @returns the removed entries */
export const removeAbandoned = (db: Db, before: number) =>
  removeWhere(
    db,
    Prisma.sql`"disconnectedAt" + "extendedMs" * interval '1 millisecond' < ${new Date(before)}`,
  );

/** These players are connected, perhaps with other versions than before. */
export async function markConnected(
  db: Db,
  players: readonly Pick<QueueEntry, 'playerGuid' | 'pluginVersion' | 'gameVersion'>[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE "QueueEntry" AS entry
    SET "disconnectedAt" = NULL, "extendedMs" = 0, "pluginVersion" = player.plugin, "gameVersion" = player.game
    FROM unnest(
      ${players.map(({ playerGuid }) => playerGuid)}::uuid[],
      ${players.map(({ pluginVersion }) => pluginVersion)}::text[],
      ${players.map(({ gameVersion }) => gameVersion)}::text[]
    ) AS player (guid, plugin, game)
    WHERE entry."playerGuid" = player.guid`;
}

/** Stores that players lost their connections. */
export async function markDisconnected(db: Db, playerGuids: readonly string[], at: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "QueueEntry" SET "disconnectedAt" = ${new Date(at)}, "extendedMs" = 0
    WHERE "playerGuid" = ANY(${playerGuids}::uuid[])`;
}

/** Extends the places of those of these players who are away, once in each absence. */
export async function extendPlaces(db: Db, playerGuids: readonly string[], byMs: number): Promise<void> {
  await db.queueEntry.updateMany({
    where: { playerGuid: { in: [...playerGuids] }, disconnectedAt: { not: null }, extendedMs: 0 },
    data: { extendedMs: byMs },
  });
}

/** The number of entries in all queues. */
export const countEntries = (db: Db): Promise<number> => db.queueEntry.count();
