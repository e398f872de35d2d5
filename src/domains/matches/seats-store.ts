import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { lockPlayers } from '../players/index.ts';
import type { Seat } from './state.ts';

/** The members of a queue entry that are kept while its player sits in a match. */
export interface RunningSeat {
  playerGuid: string;
  /** Since when the player had waited, milliseconds since 1970. */
  queuedSince: number;
  pluginVersion: string;
  gameVersion: string | null;
}

/** The running match of a player with the plugin version it began with; null when there is none. */
export async function runningSeatOf(
  db: Db,
  playerGuid: string,
): Promise<{ matchGuid: string; pluginVersion: string } | null> {
  return db.runningSeat.findUnique({
    where: { playerGuid },
    select: { matchGuid: true, pluginVersion: true },
  });
}

/** The matches in which these players sit now, by player. */
export async function runningSeatsOf(
  db: Db,
  playerGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const seats = await db.runningSeat.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true, matchGuid: true },
  });
  return new Map(seats.map(({ playerGuid, matchGuid }) => [playerGuid, matchGuid]));
}

/**
 * Locks the players who are away. A new connection takes the same lock: either it is found here, or it finds what this
 * transaction has stored.
 * @returns those without a new connection, with the time when they lost the old one, milliseconds since 1970
 */
export async function lockAwayPlayers(
  db: Db,
  seats: readonly Pick<Seat, 'playerGuid' | 'presence'>[],
): Promise<ReadonlyMap<string, number>> {
  const since = new Map<string, number>();
  for (const { playerGuid, presence } of seats)
    if (presence.kind === 'away') since.set(playerGuid, presence.since);
  if (since.size === 0) return since;
  await lockPlayers(db, [...since.keys()]);
  const returned = await db.playerConnection.findMany({ where: { playerGuid: { in: [...since.keys()] } } });
  for (const { playerGuid } of returned) since.delete(playerGuid);
  return since;
}

/** A seat that was given up, with the time when the match was delivered to its player (column `toldAt`); null: never. */
export type FormerSeat = RunningSeat & { deliveredAt: number | null };

/** Frees the players of an ended match. @returns their seats, by player */
export async function freeSeats(db: Db, matchGuid: string): Promise<ReadonlyMap<string, FormerSeat>> {
  type Row = Omit<RunningSeat, 'queuedSince'> & { queuedSince: Date; deliveredAt: Date | null };
  const rows = await db.$queryRaw<Row[]>`
    DELETE FROM "RunningSeat" WHERE "matchGuid" = ${matchGuid}::uuid
    RETURNING "playerGuid", "queuedSince", "toldAt" AS "deliveredAt", "pluginVersion", "gameVersion"`;
  return new Map(
    rows.map((row) => [
      row.playerGuid,
      { ...row, queuedSince: row.queuedSince.getTime(), deliveredAt: row.deliveredAt?.getTime() ?? null },
    ]),
  );
}

/** Stores when these players got the match in which they sit, unless a time is stored already. */
export const markDelivered = statement<never, [playerGuids: readonly string[], at: Date]>(
  'seats-mark-delivered',
  `UPDATE "RunningSeat" SET "toldAt" = $2 WHERE "playerGuid" = ANY($1::uuid[]) AND "toldAt" IS NULL`,
);

/**
 * Marks the matches of these players as not delivered, because the service lost their connections or put them off. The next
 * delivery stores its time.
 */
export async function unmarkDelivered(db: Db, playerGuids: readonly string[]): Promise<void> {
  await db.runningSeat.updateMany({
    where: { playerGuid: { in: [...playerGuids] } },
    data: { toldAt: null },
  });
}

/** The versions that a player began a match with. */
export type PlayedVersions = Pick<RunningSeat, 'pluginVersion' | 'gameVersion'>;

const selectVersions = statement<
  { versions: PlayedVersions | null },
  [matchGuid: string, playerGuid: string]
>(
  'match-played-versions',
  'SELECT versions -> $2::text AS versions FROM "Match" WHERE "matchGuid" = $1::uuid',
);

/** The versions that a player began a running or ended match with; null when the player was in no such match. */
export async function playedVersions(
  database: Database,
  matchGuid: string,
  playerGuid: string,
): Promise<PlayedVersions | null> {
  const [row] = await selectVersions(database, matchGuid, playerGuid);
  return row?.versions ?? null;
}
