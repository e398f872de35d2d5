import { type Db, Prisma } from '../../platform/database/database.ts';
import { completeAmong } from '../matches/index.ts';
import { mayBe } from '../players/index.ts';
import type { Part } from './kept.ts';

export type Row = Record<string, unknown>;

/** A table or a column as SQL. */
export const named = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);

/** A part of a list: at most `most` rows that follow `after`, the last row of the part before. */
export interface Slice {
  after: Row | null;
  most: number;
}

/** The condition that a row of the table follows `after` in the order of these two columns. */
const follows = (
  table: string,
  [first, second]: readonly [string, string],
  after: Row | null,
): Prisma.Sql => {
  if (after === null) return Prisma.empty;
  const key = JSON.stringify({ [first]: after[first], [second]: after[second] });
  // The key has the types of the columns, so an index that begins with them is read from there.
  return Prisma.sql`AND (${named(first)}, ${named(second)}) > (
    SELECT ${named(first)}, ${named(second)} FROM jsonb_populate_record(NULL::${named(table)}, ${key}::jsonb))`;
};

/** A slice of the rows of a part that name this person, as this reader sees them, ordered by its first two fields. */
export function rowsOf(
  db: Db,
  part: Part,
  { playerGuid, readerGuid }: { playerGuid: string; readerGuid: string },
  { after, most }: Slice,
): Promise<Row[]> {
  const { table, person = 'playerGuid', fields, ofEndedMatches, about } = part;
  const ended = ofEndedMatches
    ? Prisma.sql`AND EXISTS (SELECT FROM "Match" m WHERE m."matchGuid" = kept."matchGuid" AND m."endedAt" IS NOT NULL)`
    : Prisma.empty;
  const others = about
    ? Prisma.sql`AND NOT ${mayBe(readerGuid, Prisma.sql`kept.${named(about)}`)}`
    : Prisma.empty;
  return db.$queryRaw`
    SELECT ${Prisma.join(fields.map(named))} FROM ${named(table)} kept
    WHERE ${named(person)} = ${playerGuid}::uuid ${ended} ${others} ${follows(table, [fields[0], fields[1]], after)}
    ORDER BY 1, 2 LIMIT ${most}`;
}

/**
 * A slice of a person's part of each match, oldest first: the whole of it after the end. A running match shows everybody the
 * scores of finished rounds. Before both players have joined, it does not show that the person plays in it.
 */
export async function matchesOf(db: Db, playerGuid: string, { after, most }: Slice): Promise<Row[]> {
  const inSeat = (seat: 'red' | 'blue') => Prisma.sql`(
    SELECT *, ${seat} AS seat FROM "Match"
    WHERE ${named(`${seat}Guid`)} = ${playerGuid}::uuid AND status <> 'waiting_players'
      ${follows('Match', ['startedAt', 'matchGuid'], after)}
    ORDER BY "startedAt", "matchGuid" LIMIT ${most})`;
  const matches = await db.$queryRaw<(Row & { poolGuid: string })[]>`
    WITH own AS (${inSeat('red')} UNION ALL ${inSeat('blue')} ORDER BY "startedAt", "matchGuid" LIMIT ${most})
    SELECT "startedAt", "matchGuid", "queueGuid", "seasonGuid", "poolGuid", status, rated, "endedAt", outcome, reason,
      CASE WHEN "winnerGuid" IS NOT NULL THEN "winnerGuid" = ${playerGuid}::uuid END AS won,
      CASE WHEN "endedAt" IS NOT NULL THEN ratings -> seat END AS rating,
      CASE WHEN "endedAt" IS NOT NULL THEN versions -> ${playerGuid} END AS versions,
      CASE WHEN "endedAt" IS NOT NULL THEN state -> 'seats' -> seat END AS seat,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('roundNumber', round -> 'roundNumber',
          'score', round -> 'scores' -> seat, 'accuracy', round -> 'accuracy' -> seat)), '[]')
        FROM jsonb_array_elements(state -> 'rounds') AS round) AS rounds
    FROM own ORDER BY "startedAt", "matchGuid"`;
  const seats = matches.map(({ poolGuid, seat }) => ({ state: { poolGuid, seat } }));
  // Where a state is incomplete, a card keeps the guid of its map.
  await completeAmong(db, seats);
  return matches;
}
