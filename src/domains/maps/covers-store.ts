import type { Db } from '../../platform/database/database.ts';

/** A map that may need a cover. */
export interface CoverSource {
  /** Upper case. */
  hash: string;
  /** Where the map host says that the picture is. */
  coverUrl: string | null;
}

/**
 * Notes maps whose covers are wanted. A cover that is there already, or was tried at the same address, is not due again.
 * @param at milliseconds since 1970
 * @param isLookUp staff may see the cover for an hour although the map is in no pool
 */
export async function noteCovers(
  db: Db,
  sources: readonly CoverSource[],
  { at, isLookUp }: { at: number; isLookUp: boolean },
): Promise<void> {
  if (sources.length === 0) return;
  const now = new Date(at);
  await db.$executeRaw`
    INSERT INTO "MapCover" AS cover ("hash", "sourceUrl", "lookedUpAt", "tryAt")
    SELECT DISTINCT ON ("hash") "hash", "coverUrl", ${isLookUp ? now : null}::timestamptz,
      CASE WHEN "coverUrl" IS NOT NULL THEN ${now}::timestamptz END
    FROM jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) AS given("hash" text, "coverUrl" text)
    ORDER BY "hash"
    ON CONFLICT ("hash") DO UPDATE SET "lookedUpAt" = greatest(cover."lookedUpAt", excluded."lookedUpAt"),
      "sourceUrl" = coalesce(excluded."sourceUrl", cover."sourceUrl"),
      "tryAt" = CASE WHEN cover."fileGuid" IS NULL AND excluded."sourceUrl" <> coalesce(cover."sourceUrl", '')
        THEN excluded."tryAt" ELSE cover."tryAt" END`;
}

/** Maps of pools that were added before covers were fetched, or by a node that died too soon. */
export const mapsWithoutCover = (db: Db, most: number): Promise<CoverSource[]> =>
  db.$queryRaw`
    SELECT "hash", max("coverUrl") AS "coverUrl" FROM "PoolMap" map
    WHERE "coverUrl" IS NOT NULL AND NOT EXISTS (SELECT FROM "MapCover" cover WHERE cover."hash" = map."hash")
    GROUP BY "hash" LIMIT ${most}`;

/**
 * Claims covers that are due, the latest request first. A claim sets a later time to try, so another node tries then if
 * this one dies.
 * @param now milliseconds since 1970
 */
export const claimCovers = (
  db: Db,
  { now, until, most }: { now: number; until: number; most: number },
): Promise<{ hash: string; sourceUrl: string }[]> =>
  db.$queryRaw`
    UPDATE "MapCover" SET "tryAt" = ${new Date(until)} WHERE "hash" = ANY(ARRAY(
      SELECT "hash" FROM "MapCover" WHERE "tryAt" <= ${new Date(now)} ORDER BY "tryAt" DESC LIMIT ${most}
      FOR UPDATE SKIP LOCKED
    )) RETURNING "hash", "sourceUrl"`;

/** Puts off the next attempt for a cover that is not there. */
export async function putOffCover(db: Db, hash: string, tryAt: number): Promise<void> {
  await db.mapCover.updateMany({ where: { hash, fileGuid: null }, data: { tryAt: new Date(tryAt) } });
}

/** Stores that a file will be written. */
export async function beginCover(db: Db, fileGuid: string, at: number): Promise<void> {
  await db.coverUpload.create({ data: { fileGuid, startedAt: new Date(at) } });
}

/** Forgets files that were removed. */
export async function endCovers(db: Db, fileGuids: readonly string[]): Promise<void> {
  await db.coverUpload.deleteMany({ where: { fileGuid: { in: [...fileGuids] } } });
}

/**
 * Stores that a cover has this file, and that its writing has ended: a file is listed as begun until a cover names it.
 * @returns false when the cover is stored already or was removed
 */
export async function storeCover(
  db: Db,
  hash: string,
  { fileGuid, type }: { fileGuid: string; type: string },
): Promise<boolean> {
  const stored = await db.$executeRaw`
    WITH cover AS (
      UPDATE "MapCover" SET "fileGuid" = ${fileGuid}::uuid, type = ${type}, "tryAt" = NULL
      WHERE "hash" = ${hash} AND "fileGuid" IS NULL RETURNING "hash"
    ), ended AS (
      DELETE FROM "CoverUpload" WHERE "fileGuid" = ${fileGuid}::uuid AND EXISTS (SELECT FROM cover)
    )
    SELECT FROM cover`;
  return stored === 1;
}

/** The storage has lost the file: it is fetched again. */
export async function forgetCover(db: Db, fileGuid: string, at: number): Promise<void> {
  await db.mapCover.updateMany({
    where: { fileGuid },
    data: { fileGuid: null, type: null, tryAt: new Date(at) },
  });
}

export interface FoundCover {
  /** The map is in a pool that is or was published. */
  isPublic: boolean;
  /** The map is in some pool. */
  isInPool: boolean;
  lookedUpAt: Date | null;
  /** Null: the cover is not there. */
  fileGuid: string | null;
  type: string | null;
}

export async function findCover(db: Db, hash: string): Promise<FoundCover> {
  const [row] = await db.$queryRaw<FoundCover[]>`
    SELECT "lookedUpAt", "fileGuid"::text, "type",
      EXISTS (SELECT FROM "PoolMap" WHERE "hash" = ${hash}) AS "isInPool",
      EXISTS (SELECT FROM "PoolMap" JOIN "Pool" USING ("poolGuid")
        WHERE "hash" = ${hash} AND "publishedAt" IS NOT NULL) AS "isPublic"
    FROM (SELECT) AS always LEFT JOIN "MapCover" ON "hash" = ${hash}`;
  return row as FoundCover;
}

/**
 * Removes covers of maps that are in no pool and were looked up before a time. Their files are listed as to be removed.
 * @returns how many were removed
 */
export const dropCovers = (db: Db, lookedUpBefore: number, most: number): Promise<number> =>
  db.$executeRaw`
    WITH dropped AS (
      DELETE FROM "MapCover" WHERE "hash" = ANY(ARRAY(
        SELECT "hash" FROM "MapCover" cover
        WHERE ("lookedUpAt" IS NULL OR "lookedUpAt" < ${new Date(lookedUpBefore)})
          AND NOT EXISTS (SELECT FROM "PoolMap" map WHERE map."hash" = cover."hash")
        LIMIT ${most} FOR UPDATE SKIP LOCKED
      )) RETURNING "fileGuid"
    ), file AS (
      INSERT INTO "CoverUpload" ("fileGuid", "startedAt")
      SELECT "fileGuid", to_timestamp(0) FROM dropped WHERE "fileGuid" IS NOT NULL
    )
    SELECT FROM dropped`;

/** Files that no cover names and whose writing began before a time. */
export async function coverFilesBefore(db: Db, at: number): Promise<string[]> {
  const rows = await db.coverUpload.findMany({
    where: { startedAt: { lt: new Date(at) } },
    select: { fileGuid: true },
  });
  return rows.map(({ fileGuid }) => fileGuid);
}
