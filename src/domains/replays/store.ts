import { newGuid } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { decodeCursor, toPage } from '../../platform/http/schemas.ts';
import type { ReplayVerdicts } from '../matches/index.ts';
import type { Personal } from './blanking.ts';
import { type ResolveBody, type ReviewQuery, type ReviewReason, reviewKey } from './schemas.ts';
import type { Judgement } from './verdict.ts';

/** One player's part in a round: what a replay and a review are about. */
export interface Part {
  matchGuid: string;
  roundNumber: number;
  playerGuid: string;
}

export interface StoredReplay extends Part, Judgement {
  replayGuid: string;
  /** Milliseconds since 1970. */
  uploadedAt: number;
  size: number;
  sha256: string;
  personal: Personal;
  /** When its file was removed; null: it is there. */
  removedAt: number | null;
}

/** The verdicts of a match, and the version they were stored beside. */
export interface Shown {
  version: number;
  replays: ReplayVerdicts;
}

export interface StoredReview extends Part {
  reviewGuid: string;
  replayGuid: string | null;
  reason: ReviewReason;
  createdAt: number;
  decision: ResolveBody['decision'] | null;
  comment: string | null;
  resolvedByGuid: string | null;
  resolvedAt: number | null;
}

type ReplayRow = NonNullable<Awaited<ReturnType<Db['replay']['findUnique']>>>;
type ReviewRow = NonNullable<Awaited<ReturnType<Db['replayReview']['findUnique']>>>;

const replayOf = (row: ReplayRow): StoredReplay => ({
  ...row,
  verdict: row.verdict as Judgement['verdict'],
  checks: row.checks as unknown as Judgement['checks'],
  personal: row.personal as unknown as Personal,
  uploadedAt: row.uploadedAt.getTime(),
  removedAt: row.removedAt?.getTime() ?? null,
});

const reviewOf = (row: ReviewRow): StoredReview => ({
  ...row,
  reason: row.reason as ReviewReason,
  decision: row.decision as StoredReview['decision'],
  createdAt: row.createdAt.getTime(),
  resolvedAt: row.resolvedAt?.getTime() ?? null,
});

export async function findReplay(db: Db, replayGuid: string): Promise<StoredReplay | null> {
  const row = await db.replay.findUnique({ where: { replayGuid } });
  return row && replayOf(row);
}

/** The replay of a player's round; null while none was published. Prepared, as all that an upload needs. */
export async function replayOfPart(
  { pool }: Database,
  { matchGuid, roundNumber, playerGuid }: Part,
): Promise<StoredReplay | null> {
  const { rows } = await pool.query<ReplayRow>({
    name: 'replay-of-part',
    text: `
      SELECT * FROM "Replay"
      WHERE "matchGuid" = $1::uuid AND "roundNumber" = $2::int AND "playerGuid" = $3::uuid`,
    values: [matchGuid, roundNumber, playerGuid],
  });
  return rows[0] ? replayOf(rows[0]) : null;
}

/**
 * One statement records a replay, has the views of its match show the verdict (`Match.replays`), and lists it
 * for review where there is a reason: all of it or nothing.
 * @returns what the views of the match show now; a verdict leaves its version as it is
 * @throws a unique violation when one was published for this player's round already
 */
export async function insertReplay(
  { pool }: Database,
  replay: Omit<StoredReplay, 'removedAt'>,
  reason: ReviewReason | null,
): Promise<Shown> {
  const { replayGuid, matchGuid, roundNumber, playerGuid, verdict } = replay;
  const { rows } = await pool.query<Shown>({
    name: 'replay-insert',
    text: `
      WITH recorded AS (
        INSERT INTO "Replay" ("replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt", size, sha256,
          verdict, checks, personal)
        VALUES ($1::uuid, $2::uuid, $3::int, $4::uuid, $5::timestamptz, $6::int, $7::text, $8::text, $9::jsonb,
          $10::jsonb)
        RETURNING "replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt"
      ), ended AS (
        DELETE FROM "ReplayUpload" WHERE "replayGuid" IN (SELECT "replayGuid" FROM recorded)
      ), shown AS (
        UPDATE "Match" SET replays = replays || $11::jsonb
        WHERE "matchGuid" IN (SELECT "matchGuid" FROM recorded)
        RETURNING version, replays
      ), listed AS (
        INSERT INTO "ReplayReview" ("reviewGuid", "matchGuid", "roundNumber", "playerGuid", "replayGuid", reason,
          "createdAt")
        SELECT $12::uuid, "matchGuid", "roundNumber", "playerGuid", "replayGuid", $13::text, "uploadedAt"
        FROM recorded WHERE $13::text IS NOT NULL
        ON CONFLICT DO NOTHING
      )
      SELECT version, replays FROM shown`,
    values: [
      replayGuid,
      matchGuid,
      roundNumber,
      playerGuid,
      new Date(replay.uploadedAt).toISOString(),
      replay.size,
      replay.sha256,
      verdict,
      JSON.stringify(replay.checks),
      JSON.stringify(replay.personal),
      JSON.stringify([{ roundNumber, playerGuid, verdict }]),
      newGuid(),
      reason,
    ],
  });
  const [shown] = rows;
  if (!shown) throw new Error(`The match ${matchGuid} is gone.`);
  return shown;
}

export async function replaysByGuid(
  db: Db,
  replayGuids: readonly string[],
): Promise<Map<string, StoredReplay>> {
  const rows = await db.replay.findMany({ where: { replayGuid: { in: [...replayGuids] } } });
  return new Map(rows.map((row) => [row.replayGuid, replayOf(row)]));
}

/** What is known when an upload begins. */
interface Begun {
  /** What was published for this part before: then no upload was written down. */
  published: StoredReplay | null;
  /** Of the player's replays since then, in all, and when the first of them came. */
  bytes: number;
  firstAt: number | null;
}

/**
 * Writes down that a file is on its way, before its first byte is stored, unless the part has its replay.
 * Nobody waits for the disk here: only a power cut within the same second can make the note forgotten, and
 * then a file without a name stays behind.
 */
export async function beginUpload(
  { pool }: Database,
  {
    replayGuid,
    matchGuid,
    roundNumber,
    playerGuid,
    at,
    since,
  }: Part & Record<'at' | 'since', number> & { replayGuid: string },
): Promise<Begun> {
  const { rows } = await pool.query<ReplayRow & { bytes: number; firstAt: Date | null }>({
    name: 'replay-begin',
    text: `
      WITH published AS (
        SELECT * FROM "Replay"
        WHERE "matchGuid" = $1::uuid AND "roundNumber" = $2::int AND "playerGuid" = $3::uuid
      ), begun AS (
        INSERT INTO "ReplayUpload" ("replayGuid", "startedAt")
        SELECT $4::uuid, $5::timestamptz WHERE NOT EXISTS (SELECT 1 FROM published)
      ), unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value)
      SELECT (SELECT value FROM unhurried), published.*, used.* FROM (
        SELECT coalesce(sum(size), 0)::float8 AS bytes, min("uploadedAt") AS "firstAt" FROM "Replay"
        WHERE "playerGuid" = $3::uuid AND "uploadedAt" >= $6::timestamptz
      ) AS used LEFT JOIN published ON true`,
    values: [
      matchGuid,
      roundNumber,
      playerGuid,
      replayGuid,
      new Date(at).toISOString(),
      new Date(since).toISOString(),
    ],
  });
  const [found] = rows;
  if (!found) throw new Error('A sum is one row.');
  const { bytes, firstAt, ...row } = found;
  return {
    published: row.replayGuid === null ? null : replayOf(row),
    bytes,
    firstAt: firstAt?.getTime() ?? null,
  };
}

/**
 * Takes the files of replays from the record whose time is over, the oldest first. What is under review, or was
 * decided against a player, is evidence and stays. They are written down like those that nobody recorded, so
 * that they go also when they cannot be removed now.
 * @returns whose files are to be removed
 */
export async function expireReplays(
  db: Db,
  { uploadedBefore, now, most }: { uploadedBefore: number; now: number; most: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ replayGuid: string }[]>`
    WITH expired AS (
      UPDATE "Replay" SET "removedAt" = ${new Date(now)}
      WHERE "replayGuid" IN (
        SELECT "replayGuid" FROM "Replay"
        WHERE "removedAt" IS NULL AND "uploadedAt" < ${new Date(uploadedBefore)} AND NOT EXISTS (
          SELECT 1 FROM "ReplayReview" AS review
          WHERE review."matchGuid" = "Replay"."matchGuid" AND review."roundNumber" = "Replay"."roundNumber"
            AND (review."resolvedAt" IS NULL OR review.decision = 'upheld')
        )
        ORDER BY "uploadedAt" LIMIT ${most} FOR UPDATE SKIP LOCKED
      )
      RETURNING "replayGuid"
    ), written_down AS (
      INSERT INTO "ReplayUpload" ("replayGuid", "startedAt") SELECT "replayGuid", ${new Date(now)} FROM expired
    )
    SELECT "replayGuid" FROM expired`;
  return rows.map(({ replayGuid }) => replayGuid);
}

/** The file is gone. */
export async function endUpload(db: Db, replayGuid: string): Promise<void> {
  await db.replayUpload.deleteMany({ where: { replayGuid } });
}

/** Names of files that have been written down since before this time. */
export async function uploadsBefore(db: Db, at: number): Promise<string[]> {
  const rows = await db.replayUpload.findMany({ where: { startedAt: { lt: new Date(at) } } });
  return rows.map(({ replayGuid }) => replayGuid);
}

/** Lists something for review; once for one reason, however often it is found. */
export async function listForReview(
  db: Db,
  review: Part & { replayGuid: string | null; reason: ReviewReason; now: number },
): Promise<void> {
  const { now, ...about } = review;
  await db.replayReview.createMany({
    data: [{ ...about, reviewGuid: newGuid(), createdAt: new Date(now) }],
    skipDuplicates: true,
  });
}

export async function findReview(db: Db, reviewGuid: string): Promise<StoredReview | null> {
  const row = await db.replayReview.findUnique({ where: { reviewGuid } });
  return row && reviewOf(row);
}

/** Decides a review that nobody has decided. @returns whether it was still open */
export async function resolveReview(
  db: Db,
  reviewGuid: string,
  resolution: ResolveBody & { resolvedByGuid: string; at: number },
): Promise<boolean> {
  const { at, ...rest } = resolution;
  const { count } = await db.replayReview.updateMany({
    where: { reviewGuid, resolvedAt: null },
    data: { ...rest, resolvedAt: new Date(at) },
  });
  return count === 1;
}

/** Reviews, the one that waits longest first. */
export async function listReviews(db: Db, query: ReviewQuery) {
  const { limit, cursor, status, ...equal } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, reviewKey);
  const rows = await db.replayReview.findMany({
    where: {
      ...equal,
      ...(status && { resolvedAt: status === 'open' ? null : { not: null } }),
      ...(after && {
        OR: [
          { createdAt: { gt: new Date(after[0]) } },
          { createdAt: new Date(after[0]), reviewGuid: { gt: after[1] } },
        ],
      }),
    },
    orderBy: [{ createdAt: 'asc' }, { reviewGuid: 'asc' }],
    take: limit + 1,
  });
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.reviewGuid]);
  return { items: items.map(reviewOf), nextCursor };
}
