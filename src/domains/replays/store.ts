import type { Database, Db, Prisma } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { ERASED, playerErrors } from '../players/index.ts';
import type { Personal } from './blanking.ts';
import type { ReviewReason } from './schemas.ts';
import type { Verification } from './verdict.ts';

/** Names one player's part in a round, which a replay or a review is about. */
export interface PartKey {
  matchGuid: string;
  roundNumber: number;
  playerGuid: string;
}

type ReplayRow = Prisma.ReplayGetPayload<object>;

const replayOf = (row: ReplayRow) => ({
  ...row,
  verdict: row.verdict as Verification['verdict'],
  checks: row.checks as unknown as Verification['checks'],
  personal: row.personal as unknown as Personal,
});
export type StoredReplay = ReturnType<typeof replayOf>;

export async function findReplay(db: Db, replayGuid: string): Promise<StoredReplay | null> {
  const row = await db.replay.findUnique({ where: { replayGuid } });
  return row && replayOf(row);
}

/** The replay of a player's round; null while none was published. */
export async function replayOfPart(db: Db, part: PartKey): Promise<StoredReplay | null> {
  const { matchGuid, roundNumber, playerGuid } = part;
  const row = await db.replay.findFirst({ where: { matchGuid, roundNumber, playerGuid } });
  return row && replayOf(row);
}

/** The replays of a match, by round: at most one for each player of each. */
export async function replaysOfMatch(
  db: Db,
  matchGuid: string,
  after: [roundNumber: number, playerGuid: string] | undefined,
  limit: number,
): Promise<StoredReplay[]> {
  const rows = await db.replay.findMany({
    where: {
      matchGuid,
      OR: after && [
        { roundNumber: { gt: after[0] } },
        { roundNumber: after[0], playerGuid: { gt: after[1] } },
      ],
    },
    orderBy: [{ roundNumber: 'asc' }, { playerGuid: 'asc' }],
    take: limit,
  });
  return rows.map(replayOf);
}

/** A replay before it is stored. */
type NewReplay = Omit<StoredReplay, 'uploadedAt' | 'copyOfGuid' | 'removedAt'>;

type Stored = { refusal: 'PLAYER_NOT_FOUND' } | { refusal: null; isRemoved: boolean };

const publish = statement<
  { stored: Stored },
  [replay: string, checksOfErased: string, reason: ReviewReason | null, now: Date]
>('publish-replay', 'SELECT "publishReplay"($1::jsonb, $2::jsonb, $3, $4) AS stored', ['Replay']);

/**
 * Stores a replay with its verdict, which the views of the match show, and lists it for review where there is a reason, or
 * where another player has published the same bytes or cuts before. The comments of the database function
 * `publishReplay` say how races with copies and erasures end.
 * @param now milliseconds since 1970
 * @returns the replay as stored. A copy of a play of somebody erased is stored without a file, which is to be removed
 * @throws PLAYER_NOT_FOUND when the player was erased meanwhile
 * @throws a unique violation when this player's round has a replay already
 */
export async function insertReplay(
  database: Database,
  replay: NewReplay,
  { reason, now }: { reason: ReviewReason | null; now: number },
): Promise<NewReplay & { isRemoved: boolean }> {
  const ofErased = { ...replay, checks: replay.checks.map(withoutClaim) };
  const [row] = await publish(
    database,
    JSON.stringify(replay),
    JSON.stringify(ofErased.checks),
    reason,
    new Date(now),
  );
  const { stored } = row as { stored: Stored };
  if (stored.refusal !== null) throw playerErrors.PLAYER_NOT_FOUND();
  return { ...(stored.isRemoved ? ofErased : replay), isRemoved: stored.isRemoved };
}

/** A check without the platform id of somebody else. */
const withoutClaim = (check: Verification['checks'][number]) =>
  check.name === 'player' && !check.ok ? { ...check, actual: ERASED.platformId } : check;

const begin = statement<
  ReplayRow & { bytes: number; firstAt: Date | null; platformId: string | null },
  [matchGuid: string, roundNumber: number, playerGuid: string, replayGuid: string, at: Date, since: Date]
>(
  'begin-replay-upload',
  `WITH published AS (
    SELECT "replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt", size, sha256, "publicSha256", "cutsSha256",
      "copyOfGuid", verdict, checks, personal, "removedAt"
    FROM "Replay" WHERE "matchGuid" = $1::uuid AND "roundNumber" = $2::int AND "playerGuid" = $3::uuid
  ), begun AS (
    INSERT INTO "ReplayUpload" ("replayGuid", "startedAt")
    SELECT $4::uuid, $5::timestamptz WHERE NOT EXISTS (SELECT 1 FROM published)
  ), asynchronous AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value)
  SELECT (SELECT value FROM asynchronous), (SELECT "platformId" FROM "Player" WHERE "playerGuid" = $3::uuid),
    published.*, used.* FROM (
    SELECT coalesce(sum(size), 0)::float8 AS bytes, min("uploadedAt") AS "firstAt" FROM "Replay"
    WHERE "playerGuid" = $3::uuid AND "uploadedAt" >= $6::timestamptz
  ) AS used LEFT JOIN published ON true`,
);

/**
 * Records that a file is on its way, before its first byte is stored, unless the part has its replay. The commit does
 * not wait for the disk: after a power failure within the same second a file without a row can stay behind.
 * @returns `published`: the replay of this part, if there was one before; then no upload is recorded. `bytes` and `firstAt`:
 *   the size of all replays of the player since `since`, and the time of the first of them
 */
export async function beginUpload(
  database: Database,
  upload: PartKey & { replayGuid: string; at: number; since: number },
) {
  const { matchGuid, roundNumber, playerGuid, replayGuid } = upload;
  const [at, since] = [new Date(upload.at), new Date(upload.since)];
  const [found] = await begin(database, matchGuid, roundNumber, playerGuid, replayGuid, at, since);
  if (!found) throw new Error('A sum is one row.');
  const { bytes, firstAt, platformId, ...row } = found;
  return {
    published: row.replayGuid === null ? null : replayOf(row),
    bytes,
    firstAt: firstAt?.getTime() ?? null,
    platformId,
  };
}

/**
 * Marks replays whose time is over as removed, the oldest first, and records their files as uploads that began long ago:
 * a file that cannot be removed now is removed in the next run. A replay that is under review or was upheld is evidence and
 * stays; so does the original of such a copy.
 * @returns the replays whose files are to be removed
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
        ) AND NOT EXISTS (
          SELECT 1 FROM "Replay" AS copy JOIN "ReplayReview" AS review USING ("replayGuid")
          WHERE copy."copyOfGuid" = "Replay"."replayGuid"
            AND (review."resolvedAt" IS NULL OR review.decision = 'upheld')
        )
        ORDER BY "uploadedAt" LIMIT ${most} FOR UPDATE SKIP LOCKED
      )
      RETURNING "replayGuid"
    ), written_down AS (
      INSERT INTO "ReplayUpload" ("replayGuid", "startedAt") SELECT "replayGuid", to_timestamp(0) FROM expired
    )
    SELECT "replayGuid" FROM expired`;
  return rows.map(({ replayGuid }) => replayGuid);
}

/** Forgets uploads whose files are gone. */
export async function endUploads(db: Db, replayGuids: readonly string[]): Promise<void> {
  await db.replayUpload.deleteMany({ where: { replayGuid: { in: [...replayGuids] } } });
}

/**
 * Files that were recorded before this time and are to be removed.
 * @returns `isRemoval`: it was recorded for that; otherwise its upload never ended
 */
export async function uploadsBefore(db: Db, at: number, most: number) {
  const rows = await db.replayUpload.findMany({ where: { startedAt: { lt: new Date(at) } }, take: most });
  return rows.map(({ replayGuid, startedAt }) => ({ replayGuid, isRemoval: startedAt.getTime() === 0 }));
}
