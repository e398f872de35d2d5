import { isoTime, newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { PoolMap, PoolReview, PoolStatus, PoolWithMaps, ReviewKey } from './schemas.ts';

/** A pool as stored; the links to its playlist are made from it. */
export interface StoredPool {
  poolGuid: string;
  seasonGuid: string;
  name: string;
  status: PoolStatus;
  revision: number;
  mapCount: number;
  submittedBy: string | null;
  publishedAt: string | null;
}

/** Statuses that everybody may see. */
const PUBLIC_STATUSES: readonly PoolStatus[] = ['published', 'retired'];
export const isPublic = ({ status }: { status: PoolStatus }): boolean => PUBLIC_STATUSES.includes(status);

const withCount = { _count: { select: { maps: true } } } as const;

interface PoolRow {
  poolGuid: string;
  seasonGuid: string;
  name: string;
  status: string;
  revision: number;
  submittedByGuid: string | null;
  publishedAt: Date | null;
  _count: { maps: number };
}
const poolFrom = (row: PoolRow): StoredPool => ({
  poolGuid: row.poolGuid,
  seasonGuid: row.seasonGuid,
  name: row.name,
  status: row.status as PoolStatus,
  revision: row.revision,
  mapCount: row._count.maps,
  submittedBy: row.submittedByGuid,
  publishedAt: row.publishedAt && isoTime(row.publishedAt.getTime()),
});

interface MapRow extends Omit<PoolMap, 'addedAt'> {
  addedAt: Date;
}
const mapFrom = (row: MapRow): PoolMap => ({
  mapGuid: row.mapGuid,
  key: row.key,
  hash: row.hash,
  name: row.name,
  characteristic: row.characteristic,
  difficulty: row.difficulty,
  categoryGuid: row.categoryGuid,
  modifiers: row.modifiers,
  durationSeconds: row.durationSeconds,
  maxScore: row.maxScore,
  coverUrl: row.coverUrl,
  stale: row.stale,
  addedAt: isoTime(row.addedAt.getTime()),
});

export async function findPool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  const row = await db.pool.findUnique({ where: { poolGuid }, include: withCount });
  return row && poolFrom(row);
}

/** Newest first: ids grow with time. */
export async function findPools(
  db: Db,
  filter: { seasonGuid?: string; statuses?: readonly PoolStatus[] },
  before: string | undefined,
  limit: number,
): Promise<StoredPool[]> {
  const rows = await db.pool.findMany({
    where: {
      seasonGuid: filter.seasonGuid,
      status: filter.statuses && { in: [...filter.statuses] },
      poolGuid: { lt: before },
    },
    include: withCount,
    orderBy: { poolGuid: 'desc' },
    take: limit,
  });
  return rows.map(poolFrom);
}

/** The whole pool; maps in the order of their mapGuid. */
export async function loadPool(db: Db, poolGuid: string): Promise<PoolWithMaps | null> {
  const row = await db.pool.findUnique({
    where: { poolGuid },
    include: {
      season: { select: { seasonGuid: true, name: true } },
      maps: { orderBy: { mapGuid: 'asc' } },
    },
  });
  if (row === null) return null;
  const maps = row.maps.map(mapFrom);
  const categories = await db.mapCategory.findMany({
    where: { categoryGuid: { in: [...new Set(maps.map((map) => map.categoryGuid))] } },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
  });
  return {
    poolGuid: row.poolGuid,
    name: row.name,
    status: row.status as PoolStatus,
    revision: row.revision,
    season: row.season,
    categories,
    maps,
  };
}

/** The maps of a pool in the order of their mapGuid: what a match is dealt from. */
export async function loadPoolMaps(db: Db, poolGuid: string): Promise<PoolMap[]> {
  const rows = await db.poolMap.findMany({ where: { poolGuid }, orderBy: { mapGuid: 'asc' } });
  return rows.map(mapFrom);
}

/** The `mapGuid` of each map that is marked as outdated, by pool; pools without one are left out. */
export async function staleMapsOf(db: Db, poolGuids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.poolMap.findMany({
    where: { poolGuid: { in: [...poolGuids] }, stale: true },
    select: { poolGuid: true, mapGuid: true },
  });
  const maps = new Map<string, string[]>();
  for (const { poolGuid, mapGuid } of rows) maps.set(poolGuid, [...(maps.get(poolGuid) ?? []), mapGuid]);
  return maps;
}

/**
 * Reads a pool. In a transaction nobody else changes it, its maps or its status until the end: every
 * write to a pool begins here.
 */
export async function lockPool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  await db.$queryRaw`SELECT 1 FROM "Pool" WHERE "poolGuid" = ${poolGuid}::uuid FOR UPDATE`;
  return findPool(db, poolGuid);
}

/** Reads a pool. In a transaction it stays as it is until the end, while others may do the same. */
export async function holdPool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  await db.$queryRaw`SELECT 1 FROM "Pool" WHERE "poolGuid" = ${poolGuid}::uuid FOR SHARE`;
  return findPool(db, poolGuid);
}

/** A new draft, revision 1. */
export async function insertPool(
  db: Db,
  input: { seasonGuid: string; name: string; createdAt: number },
): Promise<StoredPool> {
  const row = await db.pool.create({
    data: {
      ...input,
      poolGuid: newGuid(),
      status: 'draft' satisfies PoolStatus,
      revision: 1,
      createdAt: new Date(input.createdAt),
    },
    include: withCount,
  });
  return poolFrom(row);
}

interface PoolUpdate {
  name?: string;
  status?: PoolStatus;
  submittedByGuid?: string;
  publishedAt?: Date;
  retiredAt?: Date;
}
export async function updatePool(db: Db, poolGuid: string, data: PoolUpdate): Promise<StoredPool> {
  return poolFrom(await db.pool.update({ where: { poolGuid }, data, include: withCount }));
}

export async function deletePool(db: Db, poolGuid: string): Promise<void> {
  await db.pool.delete({ where: { poolGuid } });
}

export async function nextRevision(db: Db, poolGuid: string): Promise<StoredPool> {
  const row = await db.pool.update({
    where: { poolGuid },
    data: { revision: { increment: 1 } },
    include: withCount,
  });
  return poolFrom(row);
}

/** Notes that somebody submitted or changed the pool: who did may not review it next. */
export async function noteContribution(
  db: Db,
  poolGuid: string,
  playerGuid: string,
  at: number,
): Promise<void> {
  await db.poolContribution.upsert({
    where: { poolGuid_playerGuid: { poolGuid, playerGuid } },
    create: { poolGuid, playerGuid, at: new Date(at) },
    update: { at: new Date(at) },
  });
}

/** Whether this person submitted or changed the pool since its last review. */
export const hasContributed = async (db: Db, poolGuid: string, playerGuid: string): Promise<boolean> =>
  (await db.poolContribution.count({ where: { poolGuid, playerGuid } })) > 0;

export async function clearContributions(db: Db, poolGuid: string): Promise<void> {
  await db.poolContribution.deleteMany({ where: { poolGuid } });
}

/** A map that is to be put into a pool. */
export interface PoolMapRecord extends Omit<PoolMap, 'addedAt' | 'stale'> {
  songName: string;
  levelAuthorName: string;
  downloadUrl: string;
}

/**
 * Puts maps into a pool. The unique index decides which are in it already, in the pool as among each
 * other: those are left out.
 */
export async function insertMaps(
  db: Db,
  poolGuid: string,
  maps: readonly PoolMapRecord[],
  by: { addedByGuid: string; addedAt: number },
): Promise<PoolMap[]> {
  const rows = await db.poolMap.createManyAndReturn({
    data: maps.map((map) => ({
      ...map,
      poolGuid,
      stale: false,
      addedByGuid: by.addedByGuid,
      addedAt: new Date(by.addedAt),
    })),
    skipDuplicates: true,
  });
  return rows.map(mapFrom);
}

export async function findMap(db: Db, poolGuid: string, mapGuid: string): Promise<PoolMap | null> {
  const row = await db.poolMap.findUnique({ where: { mapGuid, poolGuid } });
  return row && mapFrom(row);
}

/** @throws a collision when that difficulty of the map is in the pool already, see `isCollision` */
export async function updateMap(
  db: Db,
  mapGuid: string,
  data: Partial<
    Pick<PoolMap, 'categoryGuid' | 'modifiers' | 'characteristic' | 'difficulty' | 'maxScore' | 'stale'>
  >,
): Promise<PoolMap> {
  return mapFrom(await db.poolMap.update({ where: { mapGuid }, data }));
}

export async function deleteMap(db: Db, mapGuid: string): Promise<void> {
  await db.poolMap.delete({ where: { mapGuid } });
}

/** Copies all maps of a pool into another, as they are. */
export async function copyMaps(
  db: Db,
  from: string,
  to: string,
  by: { addedByGuid: string; addedAt: number },
): Promise<void> {
  const rows = await db.poolMap.findMany({ where: { poolGuid: from }, orderBy: { mapGuid: 'asc' } });
  await db.poolMap.createMany({
    data: rows.map((row) => ({
      ...row,
      mapGuid: newGuid(),
      poolGuid: to,
      addedByGuid: by.addedByGuid,
      addedAt: new Date(by.addedAt),
    })),
  });
}

/**
 * Notes for all pools which uploads are not the published one of their key, or are again, in one statement.
 * @param hashes of the published uploads by key; null: none is
 * @returns the maps of which that is news
 */
export async function markStale(
  db: Db,
  hashes: ReadonlyMap<string, string | null>,
): Promise<{ poolGuid: string; key: string; hash: string; stale: boolean }[]> {
  const published = [...hashes].map(([key, hash]) => ({ key, hash }));
  return db.$queryRaw`
    UPDATE "PoolMap" SET "stale" = "PoolMap"."hash" IS DISTINCT FROM published."hash"
    FROM jsonb_to_recordset(${JSON.stringify(published)}::jsonb) AS published("key" text, "hash" text)
    WHERE "PoolMap"."key" = published."key"
      AND "PoolMap"."stale" <> ("PoolMap"."hash" IS DISTINCT FROM published."hash")
    RETURNING "PoolMap"."poolGuid", "PoolMap"."key", "PoolMap"."hash", "PoolMap"."stale"`;
}

/**
 * Keys of published pools of which the map host said nothing since then, and was not asked in vain; those of
 * which it said nothing for the longest time first.
 */
export async function keysToCheck(db: Db, since: number, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT map."key" FROM "PoolMap" map
    JOIN "Pool" pool USING ("poolGuid")
    LEFT JOIN "HostMapKey" answer ON answer."key" = map."key"
    LEFT JOIN "HostMapCheck" vain ON vain."key" = map."key"
    WHERE pool."status" = 'published'
      AND coalesce(greatest(answer."fetchedAt", vain."at"), '-infinity') < ${new Date(since)}::timestamptz
    GROUP BY map."key", answer."fetchedAt", vain."at"
    ORDER BY greatest(answer."fetchedAt", vain."at") NULLS FIRST, map."key"
    LIMIT ${limit}`;
  return rows.map(({ key }) => key);
}

/** Notes that the map host was asked for these and gave no usable answer. */
export async function noteVainChecks(db: Db, keys: readonly string[], at: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "HostMapCheck" ("key", "at")
    SELECT "key", ${new Date(at)}::timestamptz FROM unnest(${keys}::text[]) AS given("key") ORDER BY "key"
    ON CONFLICT ("key") DO UPDATE SET "at" = excluded."at"`;
}

interface ReviewRow extends Omit<PoolReview, 'createdAt' | 'verdict'> {
  createdAt: Date;
  verdict: string;
}
const reviewFrom = (row: ReviewRow): PoolReview => ({
  ...row,
  verdict: row.verdict as PoolReview['verdict'],
  createdAt: isoTime(row.createdAt.getTime()),
});

export async function insertReview(db: Db, review: Omit<PoolReview, 'reviewGuid'>): Promise<PoolReview> {
  return reviewFrom(await db.poolReview.create({ data: { ...review, reviewGuid: newGuid() } }));
}

/** Newest first. */
export async function findReviews(
  db: Db,
  poolGuid: string,
  after: ReviewKey | undefined,
  limit: number,
): Promise<PoolReview[]> {
  const rows = await db.poolReview.findMany({
    where: {
      poolGuid,
      ...(after && {
        OR: [{ createdAt: { lt: after[0] } }, { createdAt: after[0], reviewGuid: { lt: after[1] } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { reviewGuid: 'desc' }],
    take: limit,
  });
  return rows.map(reviewFrom);
}
