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

/** The stored version of a match and its players. */
export interface StoredPlace {
  matchGuid: string;
  sequence: number;
  version: number;
  redGuid: string;
  blueGuid: string;
}

const PLACE = '"matchGuid", sequence::float8 AS sequence, version, "redGuid", "blueGuid"';

/** The stored versions of these matches. */
export const placesOf = statement<StoredPlace, [matchGuids: readonly string[]]>(
  'places-of-matches',
  `SELECT ${PLACE} FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])`,
);

/**
 * The stored versions of the running matches of the players of one node, and of the matches in `watched`: an ended
 * match has no seats any more, and its end must be told, too.
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

/** Matches with the entries of their logs after these versions, from one snapshot, in the order they were made. */
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
