import { isoTime, isoTimeOrNull } from '../../platform/clock.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';
import { lastOf, type NonEmpty } from './play.ts';
import { STORED, type StoredMatch, type StoredStep, verdictsOf } from './store.ts';
import { completeAmong, rowText } from './stored-state.ts';
import type { ReplayVerdicts } from './view.ts';

/** A running match with the verdicts that are shown with it. */
export type RunningMatch = Pick<StoredMatch, 'state' | 'sequence' | 'replays'>;

/** Those of these matches that have not ended and can be changed. */
export async function runningMatches(db: Db, matchGuids: readonly string[]): Promise<RunningMatch[]> {
  if (matchGuids.length === 0) return [];
  const running = await db.$queryRaw<RunningMatch[]>`
    SELECT ${Prisma.raw(STORED)} FROM "Match"
    WHERE "matchGuid" = ANY(${matchGuids}::uuid[]) AND "endedAt" IS NULL`;
  return completeAmong(db, running);
}

/**
 * Claims running matches that were not yet compensated for this outage, by guid from `after` on. They are locked for
 * this transaction. Matches that another writer has locked are skipped: its change compensates them.
 * @returns those that can be changed, and the guid of the last claimed one
 * @param outage its `until` in milliseconds since 1970: later matches lost nothing
 */
export async function claimMatchesThatMissed(
  db: Db,
  outage: { number: number; until: number },
  after: string,
  most: number,
): Promise<{ matches: RunningMatch[]; last: string | undefined }> {
  const claimed = await db.$queryRaw<RunningMatch[]>`
    SELECT ${Prisma.raw(STORED)} FROM "Match"
    WHERE "endedAt" IS NULL AND "matchGuid" > ${after}::uuid AND "startedAt" < ${new Date(outage.until)}
      AND (state->>'lastOutage')::int < ${outage.number}
    ORDER BY "matchGuid" LIMIT ${most} FOR UPDATE SKIP LOCKED`;
  return { matches: await completeAmong(db, claimed), last: claimed.at(-1)?.state.matchGuid };
}

/** A match and changes after which it still runs. */
export interface Change {
  from: RunningMatch;
  steps: NonEmpty<StoredStep>;
  /** When its next limit passes. */
  dueAt: number | null;
}

/**
 * Stores the changes of many running matches in one statement, each with its lines of the log, unless another writer
 * was first.
 * @returns the matches that were changed, with their verdicts
 */
export async function commitChanges(
  db: Db,
  changes: readonly Change[],
  at: number,
): Promise<ReadonlyMap<string, ReplayVerdicts>> {
  if (changes.length === 0) return new Map();
  const storedAt = isoTime(at);
  const rows = changes.map(({ from, steps, dueAt }) => {
    const { state } = lastOf(steps);
    const log = steps.map(({ event, cause }) => ({ at: storedAt, event, cause }));
    const about = {
      matchGuid: state.matchGuid,
      from: from.state.version,
      version: state.version,
      status: state.status,
      due: isoTimeOrNull(dueAt),
      log,
    };
    return rowText(about, state);
  });
  const moved = await db.$queryRaw<{ matchGuid: string; replays: ReplayVerdicts }[]>`
    WITH change AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${`[${rows.join()}]`}::jsonb)
        AS ("matchGuid" uuid, "from" int, version int, status text, due timestamptz, log jsonb, state jsonb)
    ), moved AS (
      UPDATE "Match" SET state = change.state, version = change.version, status = change.status, "dueAt" = change.due
      FROM change WHERE "Match"."matchGuid" = change."matchGuid" AND "Match".version = change."from"
      RETURNING "Match"."matchGuid"
    ), logged AS (
      INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
      SELECT change."matchGuid", change."from" + line.nth, line.at, line.event, line.cause
      FROM moved JOIN change USING ("matchGuid"),
        ROWS FROM (jsonb_to_recordset(change.log) AS (at timestamptz, event jsonb, cause jsonb))
          WITH ORDINALITY AS line(at, event, cause, nth)
    )
    SELECT "matchGuid", ${Prisma.raw(verdictsOf('moved."matchGuid"'))} AS replays FROM moved`;
  return new Map(moved.map(({ matchGuid, replays }) => [matchGuid, replays]));
}
