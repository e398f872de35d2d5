import type { Database } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { SHOWN, type ShownMatch } from './list-store.ts';
import type { Cause } from './match-events.ts';
import { completeAmong } from './stored-state.ts';

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
  completeAmong(database.prisma, await selectChanged(database, JSON.stringify(known)));

/** When a match began and ended, and whether its players are shown. */
export interface MatchSpan {
  matchGuid: string;
  queueGuid: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number | null;
  /** Whether both players have joined. Before, the names are hidden. */
  isKnown: boolean;
}

const SPAN = `"matchGuid", "queueGuid", (extract(epoch FROM "startedAt") * 1000)::float8 AS "startedAt",
  (extract(epoch FROM "endedAt") * 1000)::float8 AS "endedAt"`;

/** All running matches. */
export const runningSpans = statement<MatchSpan, []>(
  'matches-running-spans',
  `SELECT ${SPAN}, status <> 'waiting_players' AS "isKnown" FROM "Match" WHERE "endedAt" IS NULL`,
);

/** Bounds the read. Fewer matches end in the few seconds since `since`. */
const MOST_ENDS = 1000;

/** The running matches made and those ended after a time, and these matches. */
export const spansSince = statement<MatchSpan, [since: Date, matchGuids: readonly string[]]>(
  'matches-spans-since',
  `SELECT ${SPAN}, CASE WHEN "endedAt" IS NULL THEN status <> 'waiting_players'
     ELSE (state #>> '{seats,red,joined}')::boolean AND (state #>> '{seats,blue,joined}')::boolean END AS "isKnown"
   FROM "Match" WHERE "matchGuid" IN (
     SELECT "matchGuid" FROM "Match" WHERE "endedAt" IS NULL AND "startedAt" > $1::timestamptz
     UNION ALL (SELECT "matchGuid" FROM "Match" WHERE "endedAt" > $1::timestamptz ORDER BY "endedAt" DESC LIMIT ${MOST_ENDS})
     UNION ALL SELECT unnest($2::uuid[])
   ) ORDER BY "startedAt", "matchGuid"`,
);
