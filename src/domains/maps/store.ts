import { type Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';
import { isHash } from './rules.ts';
import { hostDifficulties, type MapVersion } from './schemas.ts';

/** The earliest time of a valid answer, milliseconds since 1970. */
export interface Freshness {
  since: number;
  /** The same for "no such map". */
  unknownSince: number;
}

/**
 * Cached answers of the map host.
 * @param asked keys in lower case, hashes in upper case
 * @returns the upload of each, null for "no such map"; those without a valid answer are left out
 */
export async function findKnown(
  db: Db,
  asked: readonly string[],
  { since, unknownSince }: Freshness,
): Promise<Map<string, MapVersion | null>> {
  const rows = await db.$queryRaw<({ asked: string } & (MapVersion | { hash: null }))[]>`
    SELECT answer."key" AS "asked", version."key", version."hash", "name", "songName", "levelAuthorName",
      "durationSeconds", "difficulties", "coverUrl", "downloadUrl"
    FROM "HostMapKey" answer LEFT JOIN "HostMapVersion" version USING ("hash")
    WHERE answer."key" = ANY(${asked}) AND (answer."hash" IS NULL) = (version."hash" IS NULL)
      AND answer."fetchedAt" >
        CASE WHEN answer."hash" IS NULL THEN ${new Date(unknownSince)}::timestamptz ELSE ${new Date(since)}::timestamptz END`;
  return new Map(
    rows.map(({ asked, ...row }) => [asked, row.hash === null ? null : versionFrom(asked, row)]),
  );
}

const versionFrom = (asked: string, version: MapVersion): MapVersion => ({
  ...version,
  key: isHash(asked) ? version.key : asked,
  difficulties: hostDifficulties.parse(version.difficulties),
});

/**
 * Stores answers of the map host: the uploads, and which of them is the published one.
 * @param answers by key or hash; null for "no such map"
 */
export async function saveAnswers(
  db: Db,
  answers: ReadonlyMap<string, MapVersion | null>,
  at: number,
): Promise<void> {
  if (answers.size === 0) return;
  const fetchedAt = new Date(at);
  // Every statement writes rows in the same order, so two nodes cannot deadlock.
  const keys = [...answers].map(([key, version]) => ({ key, hash: version?.hash ?? null }));
  const versions = new Map([...answers.values()].flatMap((one) => (one ? [[one.hash, one] as const] : [])));
  await db.$executeRaw`
    WITH version AS (
      INSERT INTO "HostMapVersion" ("hash", "key", "name", "songName", "levelAuthorName", "durationSeconds",
        "difficulties", "coverUrl", "downloadUrl", "fetchedAt")
      SELECT "hash", "key", "name", "songName", "levelAuthorName", "durationSeconds",
        "difficulties", "coverUrl", "downloadUrl", ${fetchedAt}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify([...versions.values()])}::jsonb) AS given("hash" text, "key" text,
        "name" text, "songName" text, "levelAuthorName" text, "durationSeconds" int, "difficulties" jsonb,
        "coverUrl" text, "downloadUrl" text)
      ORDER BY "hash"
      ON CONFLICT ("hash") DO UPDATE SET "key" = excluded."key", "name" = excluded."name",
        "songName" = excluded."songName", "levelAuthorName" = excluded."levelAuthorName",
        "durationSeconds" = excluded."durationSeconds", "difficulties" = excluded."difficulties",
        "coverUrl" = excluded."coverUrl", "downloadUrl" = excluded."downloadUrl",
        "fetchedAt" = excluded."fetchedAt"
    )
    INSERT INTO "HostMapKey" ("key", "hash", "fetchedAt")
    SELECT "key", "hash", ${fetchedAt}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS given("key" text, "hash" text)
    ORDER BY "key"
    ON CONFLICT ("key") DO UPDATE SET "hash" = excluded."hash", "fetchedAt" = excluded."fetchedAt"`;
}

/**
 * Claims questions, so that no other node asks the map host the same.
 * @param forMs after which the claim expires, in case this node dies
 * @returns the questions that no other node has claimed
 */
export async function claimQuestions(
  db: Db,
  asked: readonly string[],
  claimGuid: string,
  forMs: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    INSERT INTO "HostMapQuestion" AS question ("key", "claimGuid", "until")
    SELECT "key", ${claimGuid}::uuid, clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    FROM unnest(${asked}::text[]) AS given("key") ORDER BY "key"
    ON CONFLICT ("key") DO UPDATE SET "claimGuid" = excluded."claimGuid", "until" = excluded."until"
      WHERE question."until" < clock_timestamp() OR question."claimGuid" = excluded."claimGuid"
    RETURNING "key"`;
  return rows.map(({ key }) => key);
}

/** Removes answers of the map host that were fetched before a time. They are fetched again when somebody asks. */
export const expireKeys = expiryOf('HostMapKey', 'fetchedAt');
export const expireVersions = expiryOf('HostMapVersion', 'fetchedAt');
/** Removes failed checks from before a time. */
export const expireFailedChecks = expiryOf('HostMapCheck', 'at');
/** Removes claims that have ended: their node has died. */
export const expireQuestions = expiryOf('HostMapQuestion', 'until');

/** Ends the claims. */
export async function releaseQuestions(db: Db, claimGuid: string): Promise<void> {
  await db.hostMapQuestion.deleteMany({ where: { claimGuid } });
}

/**
 * Takes the next turn to ask the map host, unless it is more than `withinMs` away. The turns of all nodes are at least
 * `distanceMs` apart, and none is before the end of a pause. A turn that is twice as far away as one is ever taken is from before
 * the clock of the database was set back.
 * @returns whether the turn was taken, and the milliseconds until it
 */
export async function takeTurn(
  db: Db,
  origin: string,
  { distanceMs, withinMs }: { distanceMs: number; withinMs: number },
): Promise<{ taken: boolean; waitMs: number }> {
  const inMs = (ms: number) => Prisma.sql`clock_timestamp() + ${ms}::float8 * interval '1 ms'`;
  // `greatest` leaves null out.
  const at = Prisma.sql`greatest(
    CASE WHEN turn."nextAt" <= ${inMs(2 * (withinMs + distanceMs))} THEN turn."nextAt" END,
    turn."pausedUntil", clock_timestamp())`;
  const [row] = await db.$queryRaw<{ taken: boolean; waitMs: number }[]>`
    WITH taken AS (
      INSERT INTO "MapHostTurn" AS turn ("origin", "nextAt") VALUES (${origin}, ${inMs(distanceMs)})
      ON CONFLICT ("origin") DO UPDATE SET "nextAt" = ${at} + ${distanceMs}::float8 * interval '1 ms'
        WHERE ${at} <= ${inMs(withinMs)}
      RETURNING "nextAt" - ${distanceMs}::float8 * interval '1 ms' AS "at"
    ), next AS (
      SELECT "at", true AS "taken" FROM taken
      UNION ALL
      SELECT ${at}, false FROM "MapHostTurn" AS turn WHERE "origin" = ${origin} AND NOT EXISTS (SELECT FROM taken)
    )
    SELECT "taken", greatest(0, extract(epoch FROM "at" - clock_timestamp()) * 1000)::float8 AS "waitMs"
    FROM next`;
  // Another node inserted the row after the snapshot of this statement.
  return row ?? { taken: false, waitMs: 0 };
}

/** Lets no node have a turn for this long. A longer pause stays. */
export async function pauseTurns(db: Db, origin: string, forMs: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "MapHostTurn" AS turn ("origin", "nextAt", "pausedUntil")
    VALUES (${origin}, clock_timestamp(), clock_timestamp() + ${forMs}::float8 * interval '1 ms')
    ON CONFLICT ("origin") DO UPDATE SET "pausedUntil" = greatest(turn."pausedUntil", excluded."pausedUntil")`;
}

/** Upper-case hashes of all maps in published pools, sorted, each once. */
export async function publishedHashes(db: Db): Promise<string[]> {
  const rows = await db.poolMap.findMany({
    where: { pool: { status: 'published' } },
    distinct: ['hash'],
    orderBy: { hash: 'asc' },
    select: { hash: true },
  });
  return rows.map((row) => row.hash);
}

/** Stored addresses of the file of a map in pools that are or were published, the latest first. */
export async function downloadUrlsOf(db: Db, hash: string): Promise<string[]> {
  const rows = await db.poolMap.findMany({
    where: { hash, pool: { publishedAt: { not: null } } },
    orderBy: [{ addedAt: 'desc' }, { mapGuid: 'desc' }],
    select: { downloadUrl: true },
  });
  return rows.map((row) => row.downloadUrl);
}

export interface PlaylistPool {
  poolGuid: string;
  name: string;
  seasonName: string;
  /** Number of pools of the same name and season name that were published before. */
  namesakes: number;
}

/** A pool that is or was published; null for any other. */
export async function findPlaylistPool(db: Db, poolGuid: string): Promise<PlaylistPool | null> {
  const [row] = await db.$queryRaw<PlaylistPool[]>`
    SELECT pool."poolGuid", pool."name", season."name" AS "seasonName",
      (SELECT count(*)::int FROM "Pool" earlier JOIN "Season" its USING ("seasonGuid")
        WHERE earlier."name" = pool."name" AND its."name" = season."name"
        AND (earlier."publishedAt", earlier."poolGuid") < (pool."publishedAt", pool."poolGuid")) AS "namesakes"
    FROM "Pool" pool JOIN "Season" season USING ("seasonGuid")
    WHERE pool."poolGuid" = ${poolGuid}::uuid AND pool."publishedAt" IS NOT NULL`;
  return row ?? null;
}

/**
 * The season of the playlist with its pools: the running season, between seasons the last one, before the first season
 * the next one. Retired pools count only when a season has no published one, because an empty playlist would empty the
 * lists of all players that sync it.
 */
export async function findPlaylistSeason(db: Db, now: number) {
  const at = new Date(now);
  const [row] = await db.$queryRaw<{ seasonGuid: string; seasonName: string; poolGuids: string[] }[]>`
    SELECT season."seasonGuid", season."name" AS "seasonName",
      array_agg(pool."poolGuid" ORDER BY pool."publishedAt", pool."poolGuid") AS "poolGuids"
    FROM "Season" season JOIN "Pool" pool USING ("seasonGuid")
    WHERE pool."status" IN ('published', 'retired')
      AND EXISTS (SELECT FROM "PoolMap" map WHERE map."poolGuid" = pool."poolGuid")
    GROUP BY season."seasonGuid", pool."status"
    ORDER BY season."startsAt" <= ${at} DESC, abs(extract(epoch FROM season."startsAt" - ${at})),
      pool."status" = 'published' DESC
    LIMIT 1`;
  return row ?? null;
}

/** When the next season begins after `now`, milliseconds since 1970; null: none is planned. */
export async function nextSeasonStart(db: Db, now: number): Promise<number | null> {
  const { _min } = await db.season.aggregate({
    where: { startsAt: { gt: new Date(now) } },
    _min: { startsAt: true },
  });
  return _min.startsAt?.getTime() ?? null;
}

export interface PlaylistSong {
  hash: string;
  key: string;
  songName: string;
  levelAuthorName: string;
  characteristic: string;
  difficulty: string;
}

/**
 * The maps of pools, in the given order of pools, each pool in the order of `mapGuid`.
 * @param categoryGuid only maps of this category; null: all
 */
export const songsOf = (
  db: Db,
  poolGuids: readonly string[],
  categoryGuid: string | null = null,
): Promise<PlaylistSong[]> =>
  db.$queryRaw`
    SELECT "hash", "key", "songName", "levelAuthorName", "characteristic", "difficulty"
    FROM "PoolMap" WHERE "poolGuid" = ANY(${poolGuids}::uuid[])
      AND (${categoryGuid}::uuid IS NULL OR "categoryGuid" = ${categoryGuid}::uuid)
    ORDER BY array_position(${poolGuids}::uuid[], "poolGuid"), "mapGuid"`;

export interface PlaylistCategory {
  categoryGuid: string;
  name: string;
  color: string | null;
}

/** The categories of the maps of pools, in the order they are shown. */
export const categoriesOf = (db: Db, poolGuids: readonly string[]): Promise<PlaylistCategory[]> =>
  db.$queryRaw`
    SELECT "categoryGuid", "name", "color" FROM "MapCategory" category
    WHERE EXISTS (SELECT FROM "PoolMap" map WHERE map."categoryGuid" = category."categoryGuid"
      AND map."poolGuid" = ANY(${poolGuids}::uuid[]))
    ORDER BY "position", "name"`;
