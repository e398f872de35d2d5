import type { Db } from '../../platform/database/database.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { matchErrors } from './errors.ts';
import type { Result } from './state.ts';
import type { Ratings } from './view.ts';

export async function saveRatings(db: Db, matchGuid: string, ratings: NonNullable<Ratings>): Promise<void> {
  await db.match.update({ where: { matchGuid }, data: { ratings: ratings as object } });
}

/** Both players' rating changes as the match shows them; null while it runs. */
export async function loadRatings(db: Db, matchGuid: string): Promise<Ratings> {
  const { ratings } = await db.match.findUniqueOrThrow({ where: { matchGuid }, select: { ratings: true } });
  return ratings as unknown as Ratings;
}

/** {@link saveRatings} for many matches. */
export async function rewriteRatings(
  db: Db,
  shown: readonly ({ matchGuid: string } & NonNullable<Ratings>)[],
): Promise<void> {
  const rows = shown.map(({ matchGuid, red, blue }) => ({ matchGuid, ratings: { red, blue } }));
  await db.$executeRaw`
    UPDATE "Match" SET ratings = row.ratings
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("matchGuid" uuid, ratings jsonb)
    WHERE "Match"."matchGuid" = row."matchGuid" AND "Match".ratings IS DISTINCT FROM row.ratings`;
}

/** A match as its ladder sees it. */
export interface LadderMatch {
  matchGuid: string;
  /** Milliseconds since 1970. */
  endedAt: number;
  redGuid: string;
  blueGuid: string;
  rated: boolean;
  outcome: Result['outcome'];
  winnerGuid: string | null;
}

/**
 * The ended matches of a ladder in order of end, from this moment on.
 * @throws TOO_MANY_LATER_MATCHES
 */
export async function ladderMatchesFrom(
  db: Db,
  { queueGuid, seasonGuid, endedAt }: { queueGuid: string; seasonGuid: string; endedAt: number },
): Promise<LadderMatch[]> {
  const rows = await db.match.findMany({
    where: { queueGuid, seasonGuid, endedAt: { gte: new Date(endedAt) } },
    orderBy: [{ endedAt: 'asc' }, { matchGuid: 'asc' }],
    take: BOUNDS.laterMatches.value + 2,
    select: {
      matchGuid: true,
      endedAt: true,
      redGuid: true,
      blueGuid: true,
      rated: true,
      outcome: true,
      winnerGuid: true,
    },
  });
  // The first one is the match itself.
  if (rows.length > BOUNDS.laterMatches.value + 1) throw matchErrors.TOO_MANY_LATER_MATCHES();
  return rows.map((row) => ({
    ...row,
    endedAt: row.endedAt?.getTime() ?? endedAt,
    outcome: row.outcome as Result['outcome'],
  }));
}
