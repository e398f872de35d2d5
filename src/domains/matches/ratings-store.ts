import { isoTime } from '../../platform/clock.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';
import type { EndedMatch, LadderOf, ShownAgain } from '../ratings/index.ts';
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

/** Changes what matches show of some players' ratings. */
export async function changeRatings(db: Db, shown: readonly ShownAgain[]): Promise<void> {
  const rows = shown.map(({ matchGuid, ...ratings }) => ({ matchGuid, ratings }));
  await db.$executeRaw`
    UPDATE "Match" SET ratings = "Match".ratings || row.ratings
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("matchGuid" uuid, ratings jsonb)
    WHERE "Match"."matchGuid" = row."matchGuid" AND NOT "Match".ratings @> row.ratings`;
}

/** A match as its ladder sees it. */
export interface LadderMatch {
  matchGuid: string;
  endedAt: Date;
  redGuid: string;
  blueGuid: string;
  rated: boolean;
  outcome: Result['outcome'];
  winnerGuid: string | null;
}

/** Matches that are read at once. */
const SLICE = 2000;

const isAfter = ({ queueGuid, seasonGuid }: LadderOf, { at, matchGuid }: EndedMatch) =>
  Prisma.sql`"queueGuid" = ${queueGuid}::uuid AND "seasonGuid" = ${seasonGuid}::uuid
    AND ("endedAt", "matchGuid") > (${isoTime(at)}::timestamptz, ${matchGuid}::uuid)`;

/** The next matches of a ladder that ended after a match, in order of end, and before a time. */
export function endedAfter(
  db: Db,
  ladder: LadderOf,
  match: EndedMatch,
  until: number,
): Promise<LadderMatch[]> {
  const end = until === Number.POSITIVE_INFINITY ? 'infinity' : isoTime(until);
  return db.$queryRaw`
    SELECT "matchGuid"::text, "endedAt", "redGuid"::text, "blueGuid"::text, rated, outcome, "winnerGuid"::text FROM "Match"
    WHERE ${isAfter(ladder, match)} AND "endedAt" < ${end}::timestamptz
    ORDER BY "endedAt", "matchGuid" LIMIT ${SLICE}`;
}

/** How many matches of a ladder ended after a match; `most` + 1: more than `most`. */
export async function countAfter(db: Db, ladder: LadderOf, match: EndedMatch, most: number): Promise<number> {
  const [counted] = await db.$queryRaw<{ matches: number }[]>`
    SELECT count(*)::int AS matches FROM (SELECT FROM "Match" WHERE ${isAfter(ladder, match)} LIMIT ${most + 1}) AS later`;
  return counted?.matches ?? 0;
}
