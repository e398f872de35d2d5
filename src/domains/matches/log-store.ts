import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Cause } from './match-events.ts';
import { freezeParts } from './state.ts';
import type { Step, StoredMatch } from './store.ts';

export interface LogEntry {
  version: number;
  at: number;
  event: Step['event'];
  cause: Cause;
}

/** The whole log of a match in order. */
export async function logOf(db: Db, matchGuid: string): Promise<LogEntry[]> {
  const rows = await db.matchEvent.findMany({ where: { matchGuid }, orderBy: { version: 'asc' } });
  return rows.map((row) => ({
    version: row.version,
    at: row.at.getTime(),
    event: row.event as unknown as Step['event'],
    cause: row.cause as unknown as Cause,
  }));
}

/** Where a match stands, and who is to be told of it. */
export interface StoredPlace {
  matchGuid: string;
  sequence: number;
  version: number;
  redGuid: string;
  blueGuid: string;
}

const PLACE = '"matchGuid", sequence::float8 AS sequence, version, "redGuid", "blueGuid"';

/** Where these matches stand. */
export const placesOf = statement<StoredPlace, [matchGuids: readonly string[]]>(
  'places-of-matches',
  `SELECT ${PLACE} FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])`,
);

/**
 * Where the matches stand that players of one node sit in, and those in `watched`: a match that has ended
 * has no seats any more, and its end is to be told as well.
 */
export const placesOfNode = statement<StoredPlace, [nodeGuid: string, watched: readonly string[]]>(
  'places-of-node',
  `SELECT ${PLACE} FROM "Match"
   WHERE "matchGuid" IN (
     SELECT unnest($2::uuid[])
     UNION SELECT seat."matchGuid" FROM "PlayerConnection" JOIN "RunningSeat" AS seat USING ("playerGuid")
     WHERE "nodeGuid" = $1::uuid
   )`,
);

/** A match as it is stored, and the entries of its log after a version. */
export type ChangedMatch = StoredMatch & { events: LogEntry[] };

const selectChanges = statement<
  StoredMatch & { events: (Omit<LogEntry, 'at'> & { at: string })[] },
  [since: string]
>(
  'match-changes-since',
  `SELECT state, sequence::float8 AS sequence, ratings, replays, coalesce((
        SELECT jsonb_agg(jsonb_build_object('version', entry.version, 'at', entry.at, 'event', entry.event,
          'cause', entry.cause) ORDER BY entry.version)
        FROM "MatchEvent" AS entry
        WHERE entry."matchGuid" = "Match"."matchGuid" AND entry.version > told.version
      ), '[]') AS events
      FROM jsonb_to_recordset($1::jsonb) AS told("matchGuid" uuid, version int) JOIN "Match" USING ("matchGuid")
      ORDER BY sequence`,
);

/** Matches with what is new in their logs since these versions, in the order they were made; of one moment all of it. */
export async function changesSince(
  database: Database,
  since: readonly { matchGuid: string; version: number }[],
): Promise<ChangedMatch[]> {
  const rows = await selectChanges(database, JSON.stringify(since));
  return rows.map(({ state, events, ...row }) => ({
    ...row,
    state: freezeParts(state),
    events: events.map((entry) => ({ ...entry, at: Date.parse(entry.at) })),
  }));
}
