import { deflateSync, inflateSync } from 'node:zlib';
import { isGuid } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { MatchEvent } from './log-schemas.ts';
import type { Cause, LogLine } from './match-events.ts';
import { freezeParts } from './state.ts';
import { STORED, type StoredMatch, type StoredStep } from './store.ts';
import { completeAmong, matchMapsOf } from './stored-state.ts';

/** A line of the log, with the version of the match that follows from it and the cause that players are told. */
export interface VersionLine extends LogLine {
  version: number;
  cause: Cause;
}
/** A line without the maps of the pool. */
export type StoredLine = Omit<VersionLine, 'event'> & Pick<StoredStep, 'event'>;

/** Adds the maps of the pool to the first line of a log, which stores only the guid of the pool. */
async function withPool(db: Db, lines: readonly StoredLine[]): Promise<VersionLine[]> {
  const complete: VersionLine[] = [];
  for (const { event, ...line } of lines) {
    if (event?.type === 'created' && isGuid(event.setup?.poolGuid ?? '')) {
      const { setup } = event;
      const pool = setup.pool ?? [...(await matchMapsOf(db, setup.poolGuid)).values()];
      complete.push({ ...line, event: { type: 'created', setup: { ...setup, pool } } });
    } else {
      // The rules refuse a damaged setup later.
      complete.push({ ...line, event: event as MatchEvent });
    }
  }
  return complete;
}

/** The archive's form of a log: a list in JSON, compressed by zlib, which also notices a damaged byte. */
export const packed = (lines: readonly StoredLine[]): Buffer => deflateSync(JSON.stringify(lines));
/** @returns null when the archive is damaged */
function unpacked(log: Uint8Array): StoredLine[] | null {
  try {
    const lines: unknown = JSON.parse(inflateSync(log).toString());
    const isLog = Array.isArray(lines) && lines.every((one) => typeof one === 'object' && one !== null);
    return isLog ? lines : null;
  } catch {
    return null;
  }
}

/** A log as it is stored: the lines that were moved into the archive, and those added since. */
interface StoredLog {
  archived: Uint8Array | null;
  events: (Omit<StoredLine, 'at'> & { at: string })[];
}

/**
 * Selects a {@link StoredLog} for the row `since` of a match and a version. Both parts are of one snapshot, so a log
 * that is moved meanwhile is read before or after.
 */
const LOG = `(SELECT log FROM "MatchArchive" WHERE "matchGuid" = since."matchGuid") AS archived, coalesce((
    SELECT jsonb_agg(jsonb_build_object('version', line.version, 'at', line.at, 'event', line.event,
      'cause', line.cause) ORDER BY line.version)
    FROM "MatchEvent" AS line
    WHERE line."matchGuid" = since."matchGuid" AND line.version > since.version
  ), '[]') AS events
  FROM jsonb_to_recordset($1::jsonb) AS since("matchGuid" uuid, version int)`;

/** The lines after a version, in order; null: they cannot be read. */
function linesAfter(after: number, { archived, events }: StoredLog): StoredLine[] | null {
  const moved = archived === null ? [] : unpacked(archived);
  return (
    moved && [
      ...moved.filter(({ version }) => version > after),
      ...events.map((line) => ({ ...line, at: Date.parse(line.at) })),
    ]
  );
}

const selectLogs = statement<StoredLog & { matchGuid: string }, [since: string]>(
  'match-logs',
  `SELECT since."matchGuid", ${LOG}`,
);

/** The logs of these matches in order, without the maps of their pools; null: the log cannot be read. */
export async function storedLogs(
  on: Database | Db,
  matchGuids: readonly string[],
): Promise<{ matchGuid: string; lines: StoredLine[] | null }[]> {
  const rows = await selectLogs(
    on,
    JSON.stringify(matchGuids.map((matchGuid) => ({ matchGuid, version: 0 }))),
  );
  return rows.map(({ matchGuid, ...log }) => ({ matchGuid, lines: linesAfter(0, log) }));
}

/** The whole log of a match in order; empty when it cannot be read. */
export async function logOf(database: Database, matchGuid: string): Promise<VersionLine[]> {
  const [log] = await storedLogs(database, [matchGuid]);
  return withPool(database.prisma, log?.lines ?? []);
}

/** The stored version of a match and its players. */
export interface StoredVersion {
  matchGuid: string;
  sequence: number;
  version: number;
  redGuid: string;
  blueGuid: string;
}

const VERSION = '"matchGuid", sequence::float8 AS sequence, version, "redGuid", "blueGuid"';

/**
 * The stored versions of the matches of the players of one node, those that run and those that ended after a time, and of
 * the matches in `watched`, whose end must be delivered however long ago it was.
 */
export const versionsOfNode = statement<
  StoredVersion,
  [nodeGuid: string, watched: readonly string[], endedAfter: Date]
>(
  'versions-of-node',
  `SELECT ${VERSION} FROM "Match"
   WHERE "matchGuid" IN (
     SELECT unnest($2::uuid[])
     UNION SELECT seat."matchGuid" FROM "PlayerConnection" JOIN "RunningSeat" AS seat USING ("playerGuid")
     WHERE "nodeGuid" = $1::uuid
     UNION SELECT ended."matchGuid" FROM "Match" AS ended JOIN "PlayerConnection" AS connection
       ON connection."playerGuid" IN (ended."redGuid", ended."blueGuid")
     WHERE ended."endedAt" > $3::timestamptz AND "nodeGuid" = $1::uuid
   )`,
);

/** The same for these players, on whichever node they are. */
export const versionsOfPlayers = statement<
  StoredVersion,
  [playerGuids: readonly string[], watched: readonly string[], endedAfter: Date]
>(
  'versions-of-players',
  `SELECT ${VERSION} FROM "Match"
   WHERE "matchGuid" IN (
     SELECT unnest($2::uuid[])
     UNION SELECT "matchGuid" FROM "RunningSeat" WHERE "playerGuid" = ANY($1::uuid[])
     UNION SELECT "matchGuid" FROM "Match"
     WHERE "endedAt" > $3::timestamptz AND ("redGuid" = ANY($1::uuid[]) OR "blueGuid" = ANY($1::uuid[]))
   )`,
);

/** A match as it is stored, and the lines of its log after a version. */
export type ChangedMatch = StoredMatch & { events: VersionLine[] };

const selectChanges = statement<StoredMatch & StoredLog & { since: number }, [since: string]>(
  'match-changes-since',
  `SELECT ${STORED}, since.version AS since, ${LOG}
   JOIN "Match" USING ("matchGuid") ORDER BY sequence`,
);

/**
 * Matches with the lines of their logs after these versions, from one snapshot, in the order they were made. A log that
 * cannot be read has none.
 */
export async function changesSince(
  database: Database,
  since: readonly { matchGuid: string; version: number }[],
): Promise<ChangedMatch[]> {
  const rows = await completeAmong(database.prisma, await selectChanges(database, JSON.stringify(since)));
  const changed: ChangedMatch[] = [];
  for (const { state, sequence, ratings, replays, since: version, ...log } of rows) {
    const events = await withPool(database.prisma, linesAfter(version, log) ?? []);
    changed.push({ state: freezeParts(state), sequence, ratings, replays, events });
  }
  return changed;
}
