import { isoTime, isoTimeOrNull } from '../../platform/clock.ts';
import { type Database, type Db, Prisma } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { jsonOf } from '../../platform/json.ts';
import { SILENT_MS } from '../../platform/node.ts';
import type { Cause, TransitionEvent } from './match-events.ts';
import { lastOf, type NonEmpty } from './play.ts';
import { scoredRounds } from './rounds.ts';
import type { RunningSeat } from './seats-store.ts';
import { freezeParts, type MatchSetup, type MatchState } from './state.ts';
import { completeAmong, rowText, storedText, withMaps } from './stored-state.ts';
import type { Ratings, ReplayVerdicts } from './view.ts';

export interface StoredMatch {
  state: MatchState;
  /** Grows with every match that is made, by the database's count: a player's matches come in this order. */
  sequence: number;
  /** null until the match ended. */
  ratings: Ratings;
  /** The verdicts so far, as the views show them. */
  replays: ReplayVerdicts;
  /** The version it ended with; null or left out when nothing has changed it since. */
  endVersion?: number | null;
}

/** The setup of a match as its log stores it: without the maps, which the pool keeps. Older logs have them. */
type StoredSetup = Omit<MatchSetup, 'pool'> & Partial<Pick<MatchSetup, 'pool'>>;

/** One change of a match as it is stored: the new state and its line in the log. */
export interface StoredStep {
  event: TransitionEvent | { type: 'created'; setup: StoredSetup };
  state: MatchState;
  cause: Cause;
}

/**
 * The verdicts of a match, as the views show them: an expression of SQL. They are rows of their own, so a replay that is
 * stored and a change of the match do not wait for each other.
 * @param matchGuid the expression that names the match
 */
export const verdictsOf = (matchGuid: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('roundNumber', replay."roundNumber", 'playerGuid', replay."playerGuid",
      'verdict', replay.verdict) ORDER BY replay."uploadedAt", replay."replayGuid"), '[]')
    FROM "Replay" AS replay WHERE replay."matchGuid" = ${matchGuid})`;

/** Selects a {@link StoredMatch} of the table of matches. */
export const STORED = `state, sequence::float8 AS sequence, ratings, "endVersion", ${verdictsOf('"Match"."matchGuid"')} AS replays`;

const selectMatch = statement<StoredMatch, [matchGuid: string]>(
  'match-load',
  `SELECT ${STORED} FROM "Match" WHERE "matchGuid" = $1::uuid`,
);

/** A match as it is now; null when there is none. */
export async function loadMatch(database: Database, matchGuid: string): Promise<StoredMatch | null> {
  const [found] = await selectMatch(database, matchGuid);
  if (!found) return null;
  await withMaps(database.prisma, [found]);
  return { ...found, state: freezeParts(found.state) };
}

const selectNewest = statement<unknown, [matchGuid: string, version: number, verdicts: number]>(
  'match-newest',
  `SELECT 1 FROM "Match" WHERE "matchGuid" = $1::uuid AND version = $2::int
     AND (SELECT count(*) FROM "Replay" WHERE "matchGuid" = $1::uuid) = $3::int`,
);

/** Whether a match that was read before is what is stored now. Verdicts are only added. */
export async function isNewest(database: Database, { state, replays }: StoredMatch): Promise<boolean> {
  return (await selectNewest(database, state.matchGuid, state.version, replays.length)).length > 0;
}

/**
 * One statement moves the match on and appends to its log: both or neither. It does so only from the
 * version the steps were made from, so that of two writers one finds nothing to update and tries again.
 */
export const commitStatement = statement<Committed, (string | number | null)[]>(
  'match-commit',
  `WITH moved AS (
    UPDATE "Match" SET state = $3::jsonb, version = $4::int, status = $5::text, "dueAt" = $6::timestamptz,
      "endedAt" = $7::timestamptz, outcome = $8::text, reason = $9::text, "winnerGuid" = $10::uuid,
      "scoredRounds" = $11::int, "isArchived" = false, "isReplayed" = false,
      "endVersion" = CASE WHEN "endedAt" IS NOT NULL THEN coalesce("endVersion", version) END
    WHERE "matchGuid" = $1::uuid AND version = $2::int
    RETURNING "matchGuid", "endVersion"
  )
  INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
  SELECT moved."matchGuid", $2::int + log.nth, log.at, log.event, log.cause
  FROM moved, ROWS FROM (jsonb_to_recordset($12::jsonb) AS (at timestamptz, event jsonb, cause jsonb))
    WITH ORDINALITY AS log(at, event, cause, nth)
  RETURNING ${verdictsOf('$1::uuid')} AS replays, (SELECT "endVersion" FROM moved) AS "endVersion"`,
  ['Match', 'MatchEvent'],
);

/** The values of {@link commitStatement} for the steps made from `fromVersion`. */
export function commitValues(
  fromVersion: number,
  steps: NonEmpty<StoredStep>,
  at: number,
  dueAt: number | null,
): (string | number | null)[] {
  const { state } = lastOf(steps);
  const storedAt = isoTime(at);
  return [
    state.matchGuid,
    fromVersion,
    storedText(state),
    state.version,
    state.status,
    isoTimeOrNull(dueAt),
    isoTimeOrNull(state.endedAt),
    state.result?.outcome ?? null,
    state.result?.reason ?? null,
    state.result?.winner ? state.seats[state.result.winner].playerGuid : null,
    scoredRounds(state),
    jsonOf(steps.map(({ event, cause }) => ({ at: storedAt, event, cause }))),
  ];
}

/** Data stored with a state that was just committed; others may have changed the verdicts. */
export type Committed = Pick<StoredMatch, 'replays' | 'endVersion'>;

/**
 * Carries out a {@link commitStatement}.
 * @returns null when nothing was stored because another writer was first
 */
export async function commitSteps(
  on: Database | Db,
  ...change: Parameters<typeof commitValues>
): Promise<Committed | null> {
  const [committed = null] = await commitStatement(on, ...commitValues(...change));
  return committed;
}

/**
 * The rules that every node knows, so that each can play a match that is made now.
 * @param newest those of this node
 */
export async function rulesForAll(db: Db, newest: number): Promise<number> {
  const { _min } = await db.serviceNode.aggregate({ _min: { rulesVersion: true } });
  return Math.min(newest, _min.rulesVersion ?? newest);
}

/** A match to store: its first step, the time of its next limit, and its players. */
export interface NewMatch {
  created: StoredStep;
  dueAt: number | null;
  seats: readonly RunningSeat[];
}

/**
 * Stores new matches with the first lines of their logs and all seats, in one statement.
 * @returns the place of each in the order of matches, by its guid
 * @throws a unique violation when one of the players already sits in a running match; none is stored then
 */
export async function insertMatches(
  db: Db,
  matches: readonly NewMatch[],
): Promise<ReadonlyMap<string, number>> {
  const rows = matches.map(({ created: { state, event, cause }, dueAt, seats }) => {
    const about = {
      redGuid: state.seats.red.playerGuid,
      blueGuid: state.seats.blue.playerGuid,
      versions: Object.fromEntries(
        seats.map(({ playerGuid, pluginVersion, gameVersion }) => [
          playerGuid,
          { pluginVersion, gameVersion },
        ]),
      ),
      dueAt: isoTimeOrNull(dueAt),
      startedAt: isoTime(state.createdAt),
      event,
      cause,
      seats: seats.map((seat) => ({ ...seat, queuedSince: isoTime(seat.queuedSince) })),
    };
    return rowText(about, state);
  });
  const stored = await db.$queryRaw<{ matchGuid: string; sequence: number }[]>`
    WITH made AS MATERIALIZED (
      SELECT one.*, "matchGuid", "rulesVersion", "queueGuid", "seasonGuid", "poolGuid", status, version, rated,
        "replaysRequired"
      FROM jsonb_to_recordset(${`[${rows.join()}]`}::jsonb) AS one("redGuid" uuid, "blueGuid" uuid, versions jsonb,
          "dueAt" timestamptz, "startedAt" timestamptz, event jsonb, cause jsonb, seats jsonb, state jsonb),
        jsonb_to_record(state) AS own("matchGuid" uuid, "rulesVersion" int, "queueGuid" uuid, "seasonGuid" uuid,
          "poolGuid" uuid, status text, version int, rated boolean, "replaysRequired" boolean)
    ), logged AS (
      INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
      SELECT "matchGuid", version, "startedAt", event, cause FROM made
    ), seated AS (
      INSERT INTO "RunningSeat" ("playerGuid", "matchGuid", "queuedSince", "pluginVersion", "gameVersion")
      SELECT seat."playerGuid", "matchGuid", seat."queuedSince", seat."pluginVersion", seat."gameVersion"
      FROM made, jsonb_to_recordset(seats) AS seat("playerGuid" uuid, "queuedSince" timestamptz, "pluginVersion" text,
        "gameVersion" text)
    )
    INSERT INTO "Match" ("matchGuid", "rulesVersion", "queueGuid", "seasonGuid", "poolGuid", "redGuid", "blueGuid", status,
      version, state, rated, "replaysRequired", versions, "dueAt", "startedAt")
    SELECT "matchGuid", "rulesVersion", "queueGuid", "seasonGuid", "poolGuid", "redGuid", "blueGuid", status, version,
      state, rated, "replaysRequired", versions, "dueAt", "startedAt" FROM made
    RETURNING "matchGuid", sequence::float8 AS sequence`;
  return new Map(stored.map(({ matchGuid, sequence }) => [matchGuid, sequence]));
}

/** A match whose limit has passed, with its players and the limit, milliseconds since 1970. */
export interface DueMatch {
  matchGuid: string;
  version: number;
  redGuid: string;
  blueGuid: string;
  dueAt: number;
}

/**
 * Claims matches whose next limit has passed, the earliest first, if this node knows their rules. A match whose players
 * are not both connected to this node is left alone while another node with a heartbeat within {@link SILENT_MS} may
 * have a command that came before the limit. A claim moves the time on, so that no other node claims them before; the
 * claim of a node that dies ends by itself.
 */
export const claimDue = statement<
  DueMatch,
  [now: Date, claimedUntil: Date, most: number, rulesVersions: readonly number[], nodeGuid: string]
>(
  'match-claim-due',
  `UPDATE "Match" SET "dueAt" = $2::timestamptz
   FROM (
     SELECT "matchGuid", "dueAt" FROM "Match" AS due
     WHERE "endedAt" IS NULL AND "dueAt" <= $1::timestamptz AND "rulesVersion" = ANY($4::int[]) AND (
       "dueAt" <= coalesce((
         SELECT min("doneUntil") FROM "ServiceNode"
         WHERE "nodeGuid" <> $5::uuid AND "seenAt" > clock_timestamp() - interval '${SILENT_MS} milliseconds'
       ), 'infinity')
       OR NOT EXISTS (
         SELECT FROM "RunningSeat" AS seat LEFT JOIN "PlayerConnection" AS connection USING ("playerGuid")
         WHERE seat."matchGuid" = due."matchGuid" AND connection."nodeGuid" IS DISTINCT FROM $5::uuid
       )
     )
     ORDER BY "dueAt" LIMIT $3 FOR UPDATE OF due SKIP LOCKED
   ) AS passed
   WHERE "Match"."matchGuid" = passed."matchGuid"
   RETURNING "Match"."matchGuid", version, "redGuid", "blueGuid",
     (extract(epoch FROM passed."dueAt") * 1000)::float8 AS "dueAt"`,
  ['Match'],
);

/**
 * Claims ended matches that demand replays, ended before this time and were not checked yet. They are locked for this
 * transaction; others skip them.
 */
export async function claimForReplayCheck(
  db: Db,
  endedBefore: number,
  now: number,
  most: number,
): Promise<StoredMatch[]> {
  const claimed = await db.$queryRaw<StoredMatch[]>`
    UPDATE "Match" SET "replaysCheckedAt" = ${new Date(now)}
    WHERE "matchGuid" IN (
      SELECT "matchGuid" FROM "Match"
      WHERE "replaysRequired" AND "replaysCheckedAt" IS NULL AND "endedAt" < ${new Date(endedBefore)}
      ORDER BY "endedAt" LIMIT ${most} FOR UPDATE SKIP LOCKED
    )
    RETURNING ${Prisma.raw(STORED)}`;
  return completeAmong(db, claimed);
}

export const countRunning = (db: Db): Promise<number> => db.match.count({ where: { endedAt: null } });
