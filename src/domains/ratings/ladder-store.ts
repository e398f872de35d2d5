import { type Db, Prisma } from '../../platform/database/database.ts';
import type { PlayerRating } from '../players/index.ts';
import { isProvisional, type Strength, type Tally } from './rules.ts';
import type { LadderKey } from './schemas.ts';
import { type LadderOf, ofLadder, onLadder } from './store.ts';

/** Reads of a ladder: pages, positions and ranks. */

interface LadderRow extends Pick<Strength, 'sigma'>, Tally {
  playerGuid: string;
  rating: number;
}

/** Rows of a ladder after the given key; undefined: from the top on. */
export function ladderRows(
  db: Db,
  ladder: LadderOf,
  after: LadderKey | undefined,
  limit: number,
): Promise<LadderRow[]> {
  // The condition on the rating alone is the start of the index scan; the other one filters equal ratings.
  const following =
    after === undefined
      ? Prisma.sql`TRUE`
      : Prisma.sql`"rating" <= ${after[0]} AND ("rating" < ${after[0]} OR "playerGuid" > ${after[1]}::uuid)`;
  return db.$queryRaw`
    SELECT "playerGuid"::text, "rating", "sigma", "wins", "losses", "draws", "winStreak" FROM "Rating" AS r
    WHERE ${onLadder(ladder)} AND ${following}
    ORDER BY r."rating" DESC, r."playerGuid" LIMIT ${limit}`;
}

/**
 * The number of players before a position of the ladder: with a higher rating, and in all. Reads one count for each
 * rating instead of one row for each player.
 */
export async function countBefore(
  db: Db,
  ladder: LadderOf,
  [rating, playerGuid]: LadderKey,
): Promise<{ better: number; before: number }> {
  const [counts] = await db.$queryRaw<{ better: number; equal: number }[]>`
    SELECT (
      SELECT coalesce(sum("players"), 0)::int FROM "LadderCount"
      WHERE ${ofLadder(ladder)} AND "rating" > ${rating}
    ) AS "better", (
      SELECT count(*)::int FROM "Rating"
      WHERE ${onLadder(ladder)} AND "rating" = ${rating} AND "playerGuid" < ${playerGuid}::uuid
    ) AS "equal"`;
  const { better = 0, equal = 0 } = counts ?? {};
  return { better, before: better + equal };
}

/** The key of a player's row on a ladder; null when the player is not on it. */
export async function keyOf(db: Db, ladder: LadderOf, playerGuid: string): Promise<LadderKey | null> {
  const [row] = await db.$queryRaw<{ rating: number }[]>`
    SELECT "rating" FROM "Rating" WHERE ${onLadder(ladder)} AND "playerGuid" = ${playerGuid}::uuid`;
  return row === undefined ? null : [row.rating, playerGuid];
}

/** The key of the row `steps` above a position; undefined: there are fewer. */
export async function keyAbove(
  db: Db,
  ladder: LadderOf,
  [rating, playerGuid]: LadderKey,
  steps: number,
): Promise<LadderKey | undefined> {
  const rows = await db.$queryRaw<{ rating: number; playerGuid: string }[]>`
    SELECT "rating", "playerGuid"::text FROM "Rating" AS r
    WHERE ${onLadder(ladder)} AND "rating" >= ${rating} AND ("rating" > ${rating} OR "playerGuid" < ${playerGuid}::uuid)
    ORDER BY r."rating", r."playerGuid" DESC LIMIT ${steps}`;
  const above = rows[steps - 1];
  return above && [above.rating, above.playerGuid];
}

/** A player's rating in every queue and season that has one; the season that was created last comes first. */
export async function ratingsOfPlayer(db: Db, playerGuid: string): Promise<PlayerRating[]> {
  const rows = await db.$queryRaw<(Omit<PlayerRating, 'provisional'> & Pick<Strength, 'sigma'>)[]>`
    SELECT r."queueGuid"::text, r."seasonGuid"::text, r."sigma", r."rating", r."wins", r."losses", r."draws",
      CASE WHEN r."wins" + r."losses" + r."draws" > 0 THEN (
        SELECT coalesce(sum(c."players"), 0)::int + 1 FROM "LadderCount" AS c
        WHERE c."queueGuid" = r."queueGuid" AND c."seasonGuid" = r."seasonGuid" AND c."rating" > r."rating"
      ) END AS "rank"
    FROM "Rating" AS r WHERE r."playerGuid" = ${playerGuid}::uuid
    ORDER BY r."seasonGuid" DESC, r."queueGuid"`;
  return rows.map(({ sigma, ...row }) => ({ ...row, provisional: isProvisional({ sigma }) }));
}

/** Changes that are summed up in one transaction. */
export const CHANGES_AT_ONCE = 5000;

/**
 * Sums the changes of counts up, so that a rank reads one row for each rating. Readers see the rows before or after,
 * which give the same sum; nobody waits.
 * @returns how many changes there were
 */
export async function sumCounts(db: Db): Promise<number> {
  const [{ changes } = { changes: 0 }] = await db.$queryRaw<{ changes: number }[]>`
    WITH changes AS (
      SELECT "queueGuid", "seasonGuid", "rating" FROM "LadderCount" WHERE NOT "isSum" ORDER BY "id" LIMIT ${CHANGES_AT_ONCE}
    ), summed AS (
      DELETE FROM "LadderCount" USING (SELECT DISTINCT * FROM changes) AS changed
      WHERE "LadderCount"."queueGuid" = changed."queueGuid" AND "LadderCount"."seasonGuid" = changed."seasonGuid"
        AND "LadderCount"."rating" = changed."rating"
      RETURNING "LadderCount".*
    ), sums AS (
      INSERT INTO "LadderCount" ("queueGuid", "seasonGuid", "rating", "players", "isSum")
      SELECT "queueGuid", "seasonGuid", "rating", sum("players"), true FROM summed
      GROUP BY 1, 2, 3 HAVING sum("players") <> 0
    )
    SELECT count(*)::int AS changes FROM changes`;
  return changes;
}
