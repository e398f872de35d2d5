import type pg from 'pg';
import type { Database, Db } from '../../platform/database/database.ts';
import { decodeCursor, type PageQuery, toPage } from '../../platform/http/schemas.ts';
import { jsonOf } from '../../platform/json.ts';
import { type MatchFilter, matchListKey } from './schemas.ts';
import {
  type Cause,
  type Effect,
  type MatchEvent,
  type MatchSetup,
  type MatchState,
  type Result,
  type SeatName,
  type Seats,
  type ShownState,
  settled,
} from './state.ts';
import type { MapUsage } from './usage.ts';
import type { ReplayVerdicts } from './view.ts';

/** Both players' shown rating before and after a match. */
export type ShownRatings = Seats<{ before: number; after: number }>;

export interface StoredMatch {
  state: MatchState;
  /** Grows with every match that is made, by the database's count: a player's matches come in this order. */
  sequence: number;
  /** null until the match ended. */
  ratings: ShownRatings | null;
  /** The verdicts that have come in: what the views show of them. */
  replays: ReplayVerdicts;
}

/** One change of a match as it is stored: the new state and its line in the log. */
export interface Step {
  event: MatchEvent | { type: 'created'; setup: MatchSetup };
  state: MatchState;
  cause: Cause;
  effects: Effect[];
}

export interface LogEntry {
  version: number;
  at: number;
  event: Step['event'];
  cause: Cause;
}

/** Where the hot statements run: the pool outside a transaction, Prisma's client inside one. */
type Executor = { pool: pg.Pool } | { db: Db };

const LOAD =
  'SELECT state, sequence::float8 AS sequence, ratings, replays FROM "Match" WHERE "matchGuid" = $1::uuid';

/** A match as it is now; null when there is none. Prepared by name: this is the hot path of every command. */
export async function loadMatch(database: Database, matchGuid: string): Promise<StoredMatch | null> {
  const { rows } = await database.pool.query<StoredMatch>({
    name: 'match-load',
    text: LOAD,
    values: [matchGuid],
  });
  const [found] = rows;
  return found ? { ...found, state: settled(found.state) } : null;
}

/**
 * One statement moves the match on and appends to its log: both or neither. It does so only from the
 * version the steps were made from, so of two writers one finds nothing to update and looks again.
 */
const COMMIT = `
  WITH moved AS (
    UPDATE "Match" SET state = $3::jsonb, version = $4::int, status = $5::text, "dueAt" = $6::timestamptz,
      "endedAt" = $7::timestamptz, outcome = $8::text, reason = $9::text, "winnerGuid" = $10::uuid,
      "scoredRounds" = $11::int
    WHERE "matchGuid" = $1::uuid AND version = $2::int
    RETURNING "matchGuid", replays
  )
  INSERT INTO "MatchEvent" ("matchGuid", version, at, event, cause)
  SELECT moved."matchGuid", $2::int + log.nth, log.at, log.event, log.cause
  FROM moved, ROWS FROM (jsonb_to_recordset($12::jsonb) AS (at timestamptz, event jsonb, cause jsonb))
    WITH ORDINALITY AS log(at, event, cause, nth)
  RETURNING (SELECT replays FROM moved) AS replays`;

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** What stores the steps made from `fromVersion`: it changes nothing when the match has moved on since. */
export function commitStatement(
  fromVersion: number,
  steps: readonly [Step, ...Step[]],
  at: number,
  dueAt: number | null,
): { text: string; values: (string | number | null)[] } {
  const { state } = steps.at(-1) ?? steps[0];
  const storedAt = time(at);
  const values = [
    state.matchGuid,
    fromVersion,
    jsonOf(state),
    state.version,
    state.status,
    time(dueAt),
    time(state.endedAt),
    state.result?.outcome ?? null,
    state.result?.reason ?? null,
    state.result?.winner ? state.seats[state.result.winner].playerGuid : null,
    state.rounds.filter((round) => !round.void).length,
    jsonOf(steps.map(({ event, cause }) => ({ at: storedAt, event, cause }))),
  ];
  return { text: COMMIT, values };
}

/** What stands beside a state that was just stored, and may have been changed by others. */
export type Moved = Pick<StoredMatch, 'replays'>;

/**
 * Carries out a {@link commitStatement}.
 * @returns null when nothing was stored: somebody else moved the match first.
 */
export async function commitSteps(
  executor: Executor,
  ...change: Parameters<typeof commitStatement>
): Promise<Moved | null> {
  const { text, values } = commitStatement(...change);
  const [moved = null] =
    'db' in executor
      ? await executor.db.$queryRawUnsafe<Moved[]>(text, ...values)
      : (await executor.pool.query<Moved>({ name: 'match-commit', text, values })).rows;
  return moved;
}

/**
 * The rules that every node knows, so that each can play a match that is made now.
 * @param newest those of this node
 */
export async function rulesForAll(db: Db, newest: number): Promise<number> {
  const { _min } = await db.serviceNode.aggregate({ _min: { rulesVersion: true } });
  return Math.min(newest, _min.rulesVersion ?? newest);
}

/** What a seat keeps of the queue entry it was made from. */
export interface RunningSeat {
  playerGuid: string;
  /** Since when the player had waited, milliseconds since 1970. */
  queuedSince: number;
  pluginVersion: string;
  gameVersion: string | null;
}

/**
 * Stores a new match with its first log entry and both seats.
 * @returns its place in the order of matches
 * @throws a unique violation when one of the players already sits in a running match.
 */
export async function insertMatch(
  db: Db,
  created: Step,
  dueAt: number | null,
  seats: readonly RunningSeat[],
): Promise<number> {
  const { state, event, cause } = created;
  const at = new Date(state.createdAt);
  const { sequence } = await db.match.create({
    data: {
      matchGuid: state.matchGuid,
      rulesVersion: state.rulesVersion,
      queueGuid: state.queueGuid,
      seasonGuid: state.seasonGuid,
      poolGuid: state.poolGuid,
      redGuid: state.seats.red.playerGuid,
      blueGuid: state.seats.blue.playerGuid,
      status: state.status,
      version: state.version,
      state: state as object,
      rated: state.rated,
      replaysRequired: state.replaysRequired,
      versions: versionsOf(seats),
      dueAt: dueAt === null ? null : new Date(dueAt),
      startedAt: at,
      events: { create: { version: state.version, at, event: event as object, cause: cause as object } },
      seats: { create: seats.map((seat) => ({ ...seat, queuedSince: new Date(seat.queuedSince) })) },
    },
    select: { sequence: true },
  });
  return Number(sequence);
}

/** The versions a player began a match with. */
export type PlayedVersions = Pick<RunningSeat, 'pluginVersion' | 'gameVersion'>;

/** By player. Seats are freed at the end, and a replay may come later. */
const versionsOf = (seats: readonly RunningSeat[]): Record<string, PlayedVersions> =>
  Object.fromEntries(
    seats.map(({ playerGuid, pluginVersion, gameVersion }) => [playerGuid, { pluginVersion, gameVersion }]),
  );

/** What a player began a match with, running or ended; null: there is no such match, or not with this player. */
export async function playedVersions(
  { pool }: Database,
  matchGuid: string,
  playerGuid: string,
): Promise<PlayedVersions | null> {
  const { rows } = await pool.query<{ versions: PlayedVersions | null }>({
    name: 'match-played-versions',
    text: 'SELECT versions -> $2::text AS versions FROM "Match" WHERE "matchGuid" = $1::uuid',
    values: [matchGuid, playerGuid],
  });
  return rows[0]?.versions ?? null;
}

/**
 * Ended matches whose rule demands replays, that ended before this time and were not looked at yet. They are
 * this transaction's: whoever else looks meanwhile finds others.
 */
export async function claimForReplayCheck(
  db: Db,
  endedBefore: number,
  now: number,
  most: number,
): Promise<StoredMatch[]> {
  return db.$queryRaw<StoredMatch[]>`
    UPDATE "Match" SET "replaysCheckedAt" = ${new Date(now)}
    WHERE "matchGuid" IN (
      SELECT "matchGuid" FROM "Match"
      WHERE "replaysRequired" AND "replaysCheckedAt" IS NULL AND "endedAt" < ${new Date(endedBefore)}
      ORDER BY "endedAt" LIMIT ${most} FOR UPDATE SKIP LOCKED
    )
    RETURNING state, sequence::float8 AS sequence, ratings, replays`;
}

/** Frees the players of an ended match. @returns what their seats kept. */
export async function leaveSeats(db: Db, matchGuid: string): Promise<RunningSeat[]> {
  const rows = await db.$queryRaw<(Omit<RunningSeat, 'queuedSince'> & { queuedSince: Date })[]>`
    DELETE FROM "RunningSeat" WHERE "matchGuid" = ${matchGuid}::uuid
    RETURNING "playerGuid", "queuedSince", "pluginVersion", "gameVersion"`;
  return rows.map((row) => ({ ...row, queuedSince: row.queuedSince.getTime() }));
}

export async function saveRatings(db: Db, matchGuid: string, ratings: ShownRatings): Promise<void> {
  await db.match.update({ where: { matchGuid }, data: { ratings: ratings as object } });
}

/** What a match shows of both players' ratings; null while it runs. */
export async function loadRatings(db: Db, matchGuid: string): Promise<StoredMatch['ratings']> {
  const { ratings } = await db.match.findUniqueOrThrow({ where: { matchGuid }, select: { ratings: true } });
  return ratings as unknown as StoredMatch['ratings'];
}

/** {@link saveRatings} for many matches. */
export async function rewriteRatings(
  db: Db,
  shown: readonly ({ matchGuid: string } & ShownRatings)[],
): Promise<void> {
  const rows = shown.map(({ matchGuid, red, blue }) => ({ matchGuid, ratings: { red, blue } }));
  await db.$executeRaw`
    UPDATE "Match" SET ratings = row.ratings
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("matchGuid" uuid, ratings jsonb)
    WHERE "Match"."matchGuid" = row."matchGuid" AND "Match".ratings IS DISTINCT FROM row.ratings`;
}

/** A match as its ladder sees it. */
export interface LadderMatch {
  matchGuid: string;
  /** Milliseconds since 1970. */
  endedAt: number;
  redGuid: string;
  blueGuid: string;
  rated: boolean;
  outcome: Result['outcome'];
  winnerGuid: string | null;
}

/** The ended matches of a ladder in order of end, from this moment on. */
export async function ladderMatchesFrom(
  db: Db,
  { queueGuid, seasonGuid, endedAt }: { queueGuid: string; seasonGuid: string; endedAt: number },
): Promise<LadderMatch[]> {
  const rows = await db.match.findMany({
    where: { queueGuid, seasonGuid, endedAt: { gte: new Date(endedAt) } },
    orderBy: [{ endedAt: 'asc' }, { matchGuid: 'asc' }],
    select: {
      matchGuid: true,
      endedAt: true,
      redGuid: true,
      blueGuid: true,
      rated: true,
      outcome: true,
      winnerGuid: true,
    },
  });
  return rows.map((row) => ({
    ...row,
    endedAt: row.endedAt?.getTime() ?? endedAt,
    outcome: row.outcome as Result['outcome'],
  }));
}

/** The running match of a player with the plugin version it began with; null when there is none. */
export async function runningSeatOf(
  db: Db,
  playerGuid: string,
): Promise<{ matchGuid: string; pluginVersion: string } | null> {
  return db.runningSeat.findUnique({
    where: { playerGuid },
    select: { matchGuid: true, pluginVersion: true },
  });
}

/** The matches in which these players sit now, by player. */
export async function runningSeatsOf(
  db: Db,
  playerGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const seats = await db.runningSeat.findMany({
    where: { playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true, matchGuid: true },
  });
  return new Map(seats.map(({ playerGuid, matchGuid }) => [playerGuid, matchGuid]));
}

/**
 * Claims matches whose next limit has passed, soonest first, of those whose rules this node knows. Claiming pushes the time on by the lease, so
 * no other node takes them meanwhile; a node that dies holding a claim loses it when the lease is over.
 */
export async function claimDue(
  database: Database,
  now: number,
  leaseMs: number,
  most: number,
  rulesVersions: readonly number[],
): Promise<{ matchGuid: string; version: number }[]> {
  const { rows } = await database.pool.query<{ matchGuid: string; version: number }>({
    name: 'match-claim-due',
    text: `
      UPDATE "Match" SET "dueAt" = $2::timestamptz
      WHERE "matchGuid" IN (
        SELECT "matchGuid" FROM "Match" WHERE "dueAt" <= $1::timestamptz AND "rulesVersion" = ANY($4::int[])
        ORDER BY "dueAt" LIMIT $3 FOR UPDATE SKIP LOCKED
      )
      RETURNING "matchGuid", version`,
    values: [time(now), time(now + leaseMs), most, rulesVersions],
  });
  return rows;
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
export async function placesOf({ pool }: Database, matchGuids: readonly string[]): Promise<StoredPlace[]> {
  const { rows } = await pool.query<StoredPlace>({
    name: 'places-of-matches',
    text: `SELECT ${PLACE} FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])`,
    values: [matchGuids],
  });
  return rows;
}

/**
 * Where the matches stand that players of one node sit in, and those in `watched`: a match that has ended
 * has no seats any more, and its end is to be told as well.
 */
export async function placesOfNode(
  database: Database,
  nodeGuid: string,
  watched: readonly string[],
): Promise<StoredPlace[]> {
  const { rows } = await database.pool.query<StoredPlace>({
    name: 'places-of-node',
    text: `
      SELECT ${PLACE} FROM "Match"
      WHERE "matchGuid" = ANY($2::uuid[]) OR "matchGuid" IN (
        SELECT seat."matchGuid" FROM "PlayerConnection" JOIN "RunningSeat" AS seat USING ("playerGuid")
        WHERE "nodeGuid" = $1::uuid
      )`,
    values: [nodeGuid, watched],
  });
  return rows;
}

/** A match as it is stored, and the entries of its log after a version. */
export type ChangedMatch = StoredMatch & { events: LogEntry[] };

/** Matches with what is new in their logs since these versions, in the order they were made; of one moment all of it. */
export async function changesSince(
  { pool }: Database,
  since: readonly { matchGuid: string; version: number }[],
): Promise<ChangedMatch[]> {
  const { rows } = await pool.query<StoredMatch & { events: (Omit<LogEntry, 'at'> & { at: string })[] }>({
    name: 'match-changes-since',
    text: `
      SELECT state, sequence::float8 AS sequence, ratings, replays, coalesce((
        SELECT jsonb_agg(jsonb_build_object('version', entry.version, 'at', entry.at, 'event', entry.event,
          'cause', entry.cause) ORDER BY entry.version)
        FROM "MatchEvent" AS entry
        WHERE entry."matchGuid" = "Match"."matchGuid" AND entry.version > told.version
      ), '[]') AS events
      FROM jsonb_to_recordset($1::jsonb) AS told("matchGuid" uuid, version int) JOIN "Match" USING ("matchGuid")
      ORDER BY sequence`,
    values: [JSON.stringify(since)],
  });
  return rows.map(({ state, events, ...row }) => ({
    ...row,
    state: settled(state),
    events: events.map((entry) => ({ ...entry, at: Date.parse(entry.at) })),
  }));
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

/** The player's last ended match since `since`; null when there is none. */
export async function lastEndedMatchOf(
  db: Db,
  playerGuid: string,
  since: number,
): Promise<StoredMatch | null> {
  const row = await db.match.findFirst({
    where: { OR: [{ redGuid: playerGuid }, { blueGuid: playerGuid }], endedAt: { gte: new Date(since) } },
    orderBy: { sequence: 'desc' },
    select: { state: true, sequence: true, ratings: true, replays: true },
  });
  return row && ({ ...row, sequence: Number(row.sequence) } as unknown as StoredMatch);
}

/** How often a player forfeited before any scored round since `since`. */
export async function countEarlyForfeits(db: Db, playerGuid: string, since: number): Promise<number> {
  return db.match.count({
    where: {
      OR: [{ redGuid: playerGuid }, { blueGuid: playerGuid }],
      endedAt: { gte: new Date(since) },
      reason: 'forfeit',
      scoredRounds: 0,
      NOT: { winnerGuid: playerGuid },
    },
  });
}

/** The ends of matches between any two of these players since `since`. One parameter, however many wait. */
export async function recentMeetings(
  db: Db,
  playerGuids: readonly string[],
  since: number,
): Promise<{ redGuid: string; blueGuid: string; endedAt: number }[]> {
  const rows = await db.$queryRaw<{ redGuid: string; blueGuid: string; endedAt: Date }[]>`
    SELECT "redGuid", "blueGuid", "endedAt" FROM "Match"
    WHERE "endedAt" >= ${new Date(since)}
      AND "redGuid" = ANY(${[...playerGuids]}::uuid[]) AND "blueGuid" = ANY(${[...playerGuids]}::uuid[])`;
  return rows.map((row) => ({ ...row, endedAt: row.endedAt.getTime() }));
}

/** How many matches of these two were played to a result since `since`. */
export async function countMeetings(db: Db, a: string, b: string, since: number): Promise<number> {
  return db.match.count({
    where: {
      OR: [
        { redGuid: a, blueGuid: b },
        { redGuid: b, blueGuid: a },
      ],
      status: 'completed',
      endedAt: { gte: new Date(since) },
    },
  });
}

/**
 * Adds what a match says of its maps. In order of the mapGuid: two matches that end at once wait for each
 * other row by row instead of in a circle.
 */
export async function addUsage(db: Db, poolGuid: string, usage: readonly MapUsage[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "MapUsage" AS total ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played",
      "wonByPicker", "scores", "accuracySum")
    SELECT "mapGuid", ${poolGuid}::uuid, "dealt", "discarded", "picked", "played", "wonByPicker", "scores",
      "accuracySum"
    FROM jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) AS one("mapGuid" uuid, "dealt" int, "discarded" int,
      "picked" int, "played" int, "wonByPicker" int, "scores" int, "accuracySum" float8)
    ORDER BY "mapGuid"
    ON CONFLICT ("mapGuid") DO UPDATE SET "dealt" = total."dealt" + excluded."dealt",
      "discarded" = total."discarded" + excluded."discarded", "picked" = total."picked" + excluded."picked",
      "played" = total."played" + excluded."played",
      "wonByPicker" = total."wonByPicker" + excluded."wonByPicker",
      "scores" = total."scores" + excluded."scores",
      "accuracySum" = total."accuracySum" + excluded."accuracySum"`;
}

/** What all ended matches say of the maps of a pool; maps that nobody met are left out. */
export async function usageOfPool(db: Db, poolGuid: string): Promise<MapUsage[]> {
  const rows = await db.mapUsage.findMany({ where: { poolGuid } });
  return rows.map(({ poolGuid: _, ...usage }) => usage);
}

/** A match as everybody may see it: neither hands nor the deck have left the database. */
export type ShownMatch = Pick<StoredMatch, 'ratings' | 'replays'> & { state: ShownState };

/** Matches, newest first. */
export async function listMatches(
  db: Db,
  filter: MatchFilter,
  { limit, cursor }: PageQuery,
): Promise<{ items: ShownMatch[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor, matchListKey);
  const rows = await db.match.findMany({
    where: {
      ...(filter.status && { status: filter.status }),
      ...(filter.state && { endedAt: filter.state === 'running' ? null : { not: null } }),
      ...(filter.queueGuid && { queueGuid: filter.queueGuid }),
      ...(filter.seasonGuid && { seasonGuid: filter.seasonGuid }),
      startedAt: {
        ...(filter.since && { gte: new Date(filter.since) }),
        ...(filter.until && { lt: new Date(filter.until) }),
      },
      AND: [
        // Who sits in a match is hidden until both have joined, so a search by player must not find it.
        filter.playerGuid
          ? {
              OR: [{ redGuid: filter.playerGuid }, { blueGuid: filter.playerGuid }],
              status: { not: 'waiting_players' },
            }
          : {},
        after
          ? {
              OR: [
                { startedAt: { lt: new Date(after[0]) } },
                { startedAt: new Date(after[0]), matchGuid: { lt: after[1] } },
              ],
            }
          : {},
      ],
    },
    orderBy: [{ startedAt: 'desc' }, { matchGuid: 'desc' }],
    take: limit + 1,
    select: { startedAt: true, matchGuid: true },
  });
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.startedAt.getTime(), row.matchGuid]);
  const guids = items.map((row) => row.matchGuid);
  const shown = await db.$queryRaw<ShownMatch[]>`
    SELECT ratings, replays, state - '{limits,reserve,current}'::text[]
      #- '{seats,red,hand}' #- '{seats,red,discarded}' #- '{seats,blue,hand}' #- '{seats,blue,discarded}' AS state
    FROM "Match" WHERE "matchGuid" = ANY(${guids}::uuid[])
    ORDER BY "startedAt" DESC, "matchGuid" DESC`;
  return { items: shown, nextCursor };
}

export const seatOf = (state: MatchState, playerGuid: string): SeatName | null =>
  state.seats.red.playerGuid === playerGuid
    ? 'red'
    : state.seats.blue.playerGuid === playerGuid
      ? 'blue'
      : null;

export const countRunning = (db: Db): Promise<number> => db.match.count({ where: { endedAt: null } });
