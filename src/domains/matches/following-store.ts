import type { Database } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { SHOWN, type ShownMatch } from './list-store.ts';
import type { Cause } from './match-events.ts';
import { withMaps } from './stored-state.ts';

/** A match as it is stored now, and the cause of its last change; null when that is archived. */
export type ChangedShownMatch = ShownMatch & { cause: Cause | null };

const selectChanged = statement<ChangedShownMatch, [known: string]>(
  'matches-changed',
  `SELECT ${SHOWN},
     (SELECT cause FROM "MatchEvent" AS line WHERE line."matchGuid" = "Match"."matchGuid"
       AND line.version = coalesce("endVersion", "Match".version)) AS cause
   FROM "Match" JOIN jsonb_to_recordset($1::jsonb) AS known("matchGuid" uuid, version int) USING ("matchGuid")
   WHERE coalesce("endVersion", "Match".version) > known.version`,
);

/** Those of these matches that have a greater version than the known one. */
export const changedMatches = async (
  database: Database,
  known: readonly { matchGuid: string; version: number }[],
): Promise<ChangedShownMatch[]> =>
  withMaps(database.prisma, await selectChanged(database, JSON.stringify(known)));

/** The public part of the state of a match. */
export interface MatchPhase {
  matchGuid: string;
  queueGuid: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number | null;
  /** Whether both players have joined. Before, the names are hidden. */
  isKnown: boolean;
}

const PHASE = `"matchGuid", "queueGuid", (extract(epoch FROM "startedAt") * 1000)::float8 AS "startedAt",
  (extract(epoch FROM "endedAt") * 1000)::float8 AS "endedAt"`;

const selectRunning = statement<MatchPhase, []>(
  'matches-running-phases',
  `SELECT ${PHASE}, status <> 'waiting_players' AS "isKnown" FROM "Match" WHERE "endedAt" IS NULL`,
);

/** All running matches. */
export const runningPhases = (database: Database): Promise<MatchPhase[]> => selectRunning(database);

/** Bounds the read. Fewer matches end in the few seconds since `since`. */
const MOST_ENDS = 1000;

const selectPhases = statement<MatchPhase, [since: Date, matchGuids: readonly string[]]>(
  'matches-phases-since',
  `SELECT ${PHASE}, CASE WHEN "endedAt" IS NULL THEN status <> 'waiting_players'
     ELSE (state #>> '{seats,red,joined}')::boolean AND (state #>> '{seats,blue,joined}')::boolean END AS "isKnown"
   FROM "Match" WHERE "matchGuid" IN (
     SELECT "matchGuid" FROM "Match" WHERE "endedAt" IS NULL AND "startedAt" > $1::timestamptz
     UNION ALL (SELECT "matchGuid" FROM "Match" WHERE "endedAt" > $1::timestamptz ORDER BY "endedAt" DESC LIMIT ${MOST_ENDS})
     UNION ALL SELECT unnest($2::uuid[])
   ) ORDER BY "startedAt", "matchGuid"`,
);

/** The running matches made and those ended after a time, and these matches. */
export const phasesSince = (
  database: Database,
  since: number,
  matchGuids: readonly string[],
): Promise<MatchPhase[]> => selectPhases(database, new Date(since), matchGuids);
