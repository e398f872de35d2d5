import type { Db } from '../../platform/database/database.ts';
import { hostDifficulties, type MapVersion } from './schemas.ts';

/** The upload published under a key, unless that was learnt before `since` (milliseconds since 1970). */
export async function findVersionOfKey(db: Db, key: string, since: number): Promise<MapVersion | null> {
  const known = await db.hostMapKey.findUnique({ where: { key, fetchedAt: { gt: new Date(since) } } });
  const row = known && (await db.hostMapVersion.findUnique({ where: { hash: known.hash } }));
  if (!row) return null;
  const { fetchedAt: _, ...version } = row;
  return { ...version, key, difficulties: hostDifficulties.parse(row.difficulties) };
}

/** Remembers an upload for ever, and for a while that it is the one published under its key. */
export async function saveVersion(db: Db, version: MapVersion, at: number): Promise<void> {
  const fetchedAt = new Date(at);
  const { hash, ...what } = version;
  await db.hostMapVersion.upsert({
    where: { hash },
    create: { ...version, fetchedAt },
    update: { ...what, fetchedAt },
  });
  const { key } = version;
  await db.hostMapKey.upsert({
    where: { key },
    create: { key, hash, fetchedAt },
    update: { hash, fetchedAt },
  });
}

export async function forgetKey(db: Db, key: string): Promise<void> {
  await db.hostMapKey.deleteMany({ where: { key } });
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

/** Where the file of a map lies that is or was in a published pool, as stored; the latest first. */
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
  /** How many pools of the same name and season name were published before this one. */
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
 * The season whose pools are to be played, with those pools: the running season, between seasons the
 * last one, before the first the next one. Pools that were retired stand in only where a season has no
 * other, because a playlist that answers empty would empty the list of everybody who syncs it.
 */
export async function findPlaylistSeason(
  db: Db,
  now: number,
): Promise<{ seasonName: string; poolGuids: string[] } | null> {
  const at = new Date(now);
  const [row] = await db.$queryRaw<{ seasonName: string; poolGuids: string[] }[]>`
    SELECT season."name" AS "seasonName",
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

export interface PlaylistSong {
  hash: string;
  key: string;
  songName: string;
  levelAuthorName: string;
  characteristic: string;
  difficulty: string;
}

/** The maps of these pools, pool by pool in the given order, each pool as it grew. */
export async function songsOf(db: Db, poolGuids: readonly string[]): Promise<PlaylistSong[]> {
  return db.$queryRaw<PlaylistSong[]>`
    SELECT "hash", "key", "songName", "levelAuthorName", "characteristic", "difficulty"
    FROM "PoolMap" WHERE "poolGuid" = ANY(${poolGuids}::uuid[])
    ORDER BY array_position(${poolGuids}::uuid[], "poolGuid"), "mapGuid"`;
}
