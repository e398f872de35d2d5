import type { Db } from '../../platform/database/database.ts';

/** No match lasts this long: a bound for the index of the players, which is ordered by the start. */
const LONGEST_MATCH_MS = 7 * 24 * 3_600_000;

/** How often each of these players forfeited before any scored round since `since`; others are left out. */
export async function countEarlyForfeits(
  db: Db,
  playerGuids: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const guids = [...playerGuids];
  const startedAfter = new Date(since - LONGEST_MATCH_MS);
  const rows = await db.$queryRaw<{ playerGuid: string; count: number }[]>`
    SELECT "playerGuid", count(*)::int AS count FROM (
      SELECT "redGuid" AS "playerGuid", "blueGuid" AS "opponentGuid", * FROM "Match"
      WHERE "redGuid" = ANY(${guids}::uuid[]) AND "startedAt" > ${startedAfter}
      UNION ALL SELECT "blueGuid", "redGuid", * FROM "Match"
      WHERE "blueGuid" = ANY(${guids}::uuid[]) AND "startedAt" > ${startedAfter}
    ) AS played
    WHERE "endedAt" >= ${new Date(since)} AND reason = 'forfeit' AND "scoredRounds" = 0
      AND "winnerGuid" = "opponentGuid"
    GROUP BY "playerGuid"`;
  return new Map(rows.map(({ playerGuid, count }) => [playerGuid, count]));
}

/**
 * The ends of matches between any two of these players since `since`. The guids are passed as arrays, so the statement is the
 * same for any number of players.
 */
export async function recentMeetings(
  db: Db,
  playerGuids: readonly string[],
  since: number,
): Promise<{ redGuid: string; blueGuid: string; endedAt: number }[]> {
  const rows = await db.$queryRaw<{ redGuid: string; blueGuid: string; endedAt: Date }[]>`
    SELECT "redGuid", "blueGuid", "endedAt" FROM "Match"
    WHERE "endedAt" >= ${new Date(since)}
      AND "redGuid" = ANY(${[...playerGuids]}::uuid[]) AND "blueGuid" = ANY(${[...playerGuids]}::uuid[])`;
  return rows.map((row) => ({ ...row, endedAt: row.endedAt.getTime() }));
}

/** The matches between any two of these players that were played to a result since `since`, one element for each. */
export async function recentlyCompleted(
  db: Db,
  playerGuids: readonly string[],
  since: number,
): Promise<{ redGuid: string; blueGuid: string }[]> {
  const guids = [...playerGuids];
  return db.$queryRaw`
    SELECT "redGuid", "blueGuid" FROM "Match"
    WHERE "redGuid" = ANY(${guids}::uuid[]) AND "blueGuid" = ANY(${guids}::uuid[])
      AND "startedAt" > ${new Date(since - LONGEST_MATCH_MS)}
      AND status = 'completed' AND "endedAt" >= ${new Date(since)}`;
}
