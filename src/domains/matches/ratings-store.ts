import { type Db, Prisma } from '../../platform/database/database.ts';
import { type LadderOf, ofLadder, type ShownAgain } from '../ratings/index.ts';
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
  sequence: number;
  redGuid: string;
  blueGuid: string;
  rated: boolean;
  outcome: Result['outcome'];
  winnerGuid: string | null;
}

/** Matches that are read at once. */
const SLICE = 2000;

/** The place of a match in the order of all matches. */
export async function sequenceOf(db: Db, matchGuid: string): Promise<number> {
  const { sequence } = await db.match.findUniqueOrThrow({ where: { matchGuid }, select: { sequence: true } });
  return Number(sequence);
}

const isLater = (ladder: LadderOf, sequence: number) =>
  Prisma.sql`${ofLadder(ladder)} AND "endedAt" IS NOT NULL AND sequence > ${sequence}::bigint`;

/** The next matches of a ladder after this place that have ended, in order, without some. */
export const endedAfter = (
  db: Db,
  ladder: LadderOf,
  sequence: number,
  without: readonly string[],
): Promise<LadderMatch[]> => db.$queryRaw`
  SELECT "matchGuid"::text, sequence::float8 AS sequence, "redGuid"::text, "blueGuid"::text, rated, outcome, "winnerGuid"::text
  FROM "Match" WHERE ${isLater(ladder, sequence)} AND "matchGuid" <> ALL(${without}::uuid[])
  ORDER BY "Match".sequence LIMIT ${SLICE}`;

/** How many matches of a ladder after this place have ended; `most` + 1: more than `most`. */
export async function countAfter(db: Db, ladder: LadderOf, sequence: number, most: number): Promise<number> {
  const [counted] = await db.$queryRaw<{ matches: number }[]>`
    SELECT count(*)::int AS matches
    FROM (SELECT FROM "Match" WHERE ${isLater(ladder, sequence)} LIMIT ${most + 1}) AS later`;
  return counted?.matches ?? 0;
}
