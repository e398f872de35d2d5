import { type Db, Prisma } from '../../platform/database/database.ts';
import { withMaps } from '../matches/index.ts';
import type { Part } from './kept.ts';

export type Row = Record<string, unknown>;

/** The person as stored; null when there is none. */
export const findPerson = (db: Db, playerGuid: string) => db.player.findUnique({ where: { playerGuid } });

/** A table or a column as SQL. */
export const named = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);

/** The rows of a part that name this person, as this reader sees them, ordered by its first two fields. */
export function rowsOf(db: Db, part: Part, playerGuid: string, readerGuid: string): Promise<Row[]> {
  const { table, person = 'playerGuid', fields, ofEndedMatches, about } = part;
  const ended = ofEndedMatches
    ? Prisma.sql`AND EXISTS (SELECT FROM "Match" m WHERE m."matchGuid" = kept."matchGuid" AND m."endedAt" IS NOT NULL)`
    : Prisma.empty;
  const others = about ? Prisma.sql`AND ${named(about)} <> ${readerGuid}::uuid` : Prisma.empty;
  return db.$queryRaw`
    SELECT ${Prisma.join(fields.map(named))} FROM ${named(table)} kept
    WHERE ${named(person)} = ${playerGuid}::uuid ${ended} ${others} ORDER BY 1, 2`;
}

/**
 * A person's part of each match, oldest first: the whole of it after the end. A running match shows everybody the scores of
 * finished rounds. Before both players have joined, it does not show that the person plays in it.
 */
export async function matchesOf(db: Db, playerGuid: string): Promise<Row[]> {
  const matches = await db.$queryRaw<(Row & { poolGuid: string })[]>`
    WITH own AS (
      SELECT *, CASE "redGuid" WHEN ${playerGuid}::uuid THEN 'red' ELSE 'blue' END AS seat FROM "Match"
      WHERE "redGuid" = ${playerGuid}::uuid OR "blueGuid" = ${playerGuid}::uuid
    )
    SELECT "matchGuid", "queueGuid", "seasonGuid", "poolGuid", status, rated, "startedAt", "endedAt", outcome, reason,
      CASE WHEN "winnerGuid" IS NOT NULL THEN "winnerGuid" = ${playerGuid}::uuid END AS won,
      CASE WHEN "endedAt" IS NOT NULL THEN ratings -> seat END AS rating,
      CASE WHEN "endedAt" IS NOT NULL THEN versions -> ${playerGuid} END AS versions,
      CASE WHEN "endedAt" IS NOT NULL THEN state -> 'seats' -> seat END AS seat,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('roundNumber', round -> 'roundNumber',
          'score', round -> 'scores' -> seat, 'accuracy', round -> 'accuracy' -> seat)), '[]')
        FROM jsonb_array_elements(state -> 'rounds') AS round) AS rounds
    FROM own WHERE status <> 'waiting_players' ORDER BY sequence`;
  const seats = matches.map(({ poolGuid, seat }) => ({ state: { poolGuid, seat } }));
  await withMaps(db, seats);
  return matches;
}
