import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { loadPoolMaps } from '../pools/index.ts';
import type { LoggedEvent } from './log-schemas.ts';
import type { Cause } from './match-events.ts';
import { freezeParts, type MatchMap } from './state.ts';
import type { Step, StoredMatch } from './store.ts';

export interface LogEntry {
  version: number;
  at: number;
  event: LoggedEvent;
  cause: Cause;
}
type StoredEntry = Omit<LogEntry, 'event'> & Pick<Step, 'event'>;

/** The maps of a pool as a match is made from them. Those of a published or retired pool never change. */
export const matchMapsOf = async (db: Db, poolGuid: string): Promise<MatchMap[]> =>
  (await loadPoolMaps(db, poolGuid)).map(({ stale: _, ...map }) => map);

/**
 * Adds the maps of the pool to the first entry of a log, which stores only the guid of the pool.
 * @param pools those that were read already, by guid
 */
async function withPool(
  db: Db,
  entries: readonly StoredEntry[],
  pools = new Map<string, MatchMap[]>(),
): Promise<LogEntry[]> {
  const complete: LogEntry[] = [];
  for (const { event, ...entry } of entries) {
    if (event.type !== 'created') complete.push({ ...entry, event });
    else {
      const { poolGuid } = event.setup;
      const pool = event.setup.pool ?? pools.get(poolGuid) ?? (await matchMapsOf(db, poolGuid));
      if (event.setup.pool === undefined) pools.set(poolGuid, pool);
      complete.push({ ...entry, event: { ...event, setup: { ...event.setup, pool } } });
    }
  }
  return complete;
}

/** The whole log of a match in order. */
export async function logOf(db: Db, matchGuid: string): Promise<LogEntry[]> {
  const rows = await db.matchEvent.findMany({ where: { matchGuid }, orderBy: { version: 'asc' } });
  return withPool(
    db,
    rows.map((row) => ({ ...(row as unknown as StoredEntry), at: row.at.getTime() })),
  );
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
  StoredMatch & { events: (Omit<StoredEntry, 'at'> & { at: string })[] },
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
  const pools = new Map<string, MatchMap[]>();
  const changed: ChangedMatch[] = [];
  for (const { state, events, ...row } of rows) {
    const entries = events.map((entry) => ({ ...entry, at: Date.parse(entry.at) }));
    const complete = await withPool(database.prisma, entries, pools);
    changed.push({ ...row, state: freezeParts(state), events: complete });
  }
  return changed;
}
