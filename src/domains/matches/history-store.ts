import type { Db } from '../../platform/database/database.ts';
import type { Outages } from '../outages/index.ts';

/** No match lasts this long while the service is there. */
const LONGEST_MATCH_MS = 24 * 3_600_000;

/** Times in milliseconds since 1970. */
export interface Period {
  endedSince: number;
  /** Before the start of each match that ended since: a bound for the index of the players, which is ordered by the start. */
  startedSince: number;
}

/** The matches that ended since this time. Outages, which limits move by, make matches longer. */
export const periodSince = (endedSince: number, outages: Pick<Outages, 'servedBefore'>): Period => ({
  endedSince,
  startedSince: outages.servedBefore(endedSince, LONGEST_MATCH_MS),
});

/** How often each of these players forfeited before any scored round in this period; others are left out. */
export async function countEarlyForfeits(
  db: Db,
  playerGuids: readonly string[],
  { endedSince, startedSince }: Period,
): Promise<ReadonlyMap<string, number>> {
  const guids = [...playerGuids];
  const startedAfter = new Date(startedSince);
  const rows = await db.$queryRaw<{ playerGuid: string; count: number }[]>`
    SELECT "playerGuid", count(*)::int AS count FROM (
      SELECT "redGuid" AS "playerGuid", "blueGuid" AS "opponentGuid", * FROM "Match"
      WHERE "redGuid" = ANY(${guids}::uuid[]) AND "startedAt" > ${startedAfter}
      UNION ALL SELECT "blueGuid", "redGuid", * FROM "Match"
      WHERE "blueGuid" = ANY(${guids}::uuid[]) AND "startedAt" > ${startedAfter}
    ) AS played
    WHERE "endedAt" >= ${new Date(endedSince)} AND reason = 'forfeit' AND "scoredRounds" = 0
      AND "winnerGuid" = "opponentGuid"
    GROUP BY "playerGuid"`;
  return new Map(rows.map(({ playerGuid, count }) => [playerGuid, count]));
}

/** A match between two players that has ended. */
export interface Meeting {
  redGuid: string;
  blueGuid: string;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** Whether it was played to a result. */
  isCompleted: boolean;
}

/**
 * The matches between any two of these players that ended in this period. The guids are passed as arrays, so the statement is
 * the same for any number of players.
 */
export async function recentMeetings(
  db: Db,
  playerGuids: readonly string[],
  { endedSince, startedSince }: Period,
): Promise<Meeting[]> {
  const guids = [...playerGuids];
  const rows = await db.$queryRaw<(Omit<Meeting, 'endedAt'> & { endedAt: Date })[]>`
    SELECT "redGuid", "blueGuid", "endedAt", status = 'completed' AS "isCompleted" FROM "Match"
    WHERE "redGuid" = ANY(${guids}::uuid[]) AND "blueGuid" = ANY(${guids}::uuid[])
      AND "startedAt" > ${new Date(startedSince)} AND "endedAt" >= ${new Date(endedSince)}`;
  return rows.map((row) => ({ ...row, endedAt: row.endedAt.getTime() }));
}
