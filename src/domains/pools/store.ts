import { newGuid } from '../../platform/clock.ts';
import type { Db, Prisma } from '../../platform/database/database.ts';
import { mapFrom } from './maps-store.ts';
import type { Pool, PoolStatus, PoolWithMaps } from './schemas.ts';

/** A pool as stored, without the links to its playlist. */
export type StoredPool = Omit<Pool, 'playlistUrl' | 'oneClickUrl'>;

/** Whether everybody may see it, or only staff. */
export const isPublic = ({ status }: { status: PoolStatus }): boolean =>
  status === 'published' || status === 'retired';

const withCount = { _count: { select: { maps: true } } } as const;

const poolFrom = (row: Prisma.PoolGetPayload<{ include: typeof withCount }>): StoredPool => ({
  poolGuid: row.poolGuid,
  seasonGuid: row.seasonGuid,
  name: row.name,
  status: row.status as PoolStatus,
  revision: row.revision,
  mapCount: row._count.maps,
  submittedBy: row.submittedByGuid,
  publishedAt: row.publishedAt?.toISOString() ?? null,
});

/** The pool that a pool was copied from. */
export async function originOf(db: Db, poolGuid: string): Promise<string | null> {
  const row = await db.pool.findUnique({ where: { poolGuid }, select: { copiedFromGuid: true } });
  return row?.copiedFromGuid ?? null;
}

export async function findPool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  const row = await db.pool.findUnique({ where: { poolGuid }, include: withCount });
  return row && poolFrom(row);
}

/** Newest first: ids grow with time. */
export async function findPools(
  db: Db,
  { seasonGuid, statuses }: { seasonGuid?: string; statuses: PoolStatus[] },
  before: string | undefined,
  limit: number,
): Promise<StoredPool[]> {
  const rows = await db.pool.findMany({
    where: {
      seasonGuid,
      status: { in: statuses },
      poolGuid: { lt: before },
    },
    include: withCount,
    orderBy: { poolGuid: 'desc' },
    take: limit,
  });
  return rows.map(poolFrom);
}

/** A pool with its maps, in the order of `mapGuid`, and their categories. */
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

/** Reads a pool and locks it FOR UPDATE. Every change of a pool or its maps takes this lock, but for marks of maps as stale. */
export async function lockPool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  await db.$queryRaw`SELECT 1 FROM "Pool" WHERE "poolGuid" = ${poolGuid}::uuid FOR UPDATE`;
  return findPool(db, poolGuid);
}

/** Reads a pool and locks it FOR SHARE: it does not change until the transaction ends. */
export async function sharePool(db: Db, poolGuid: string): Promise<StoredPool | null> {
  await db.$queryRaw`SELECT 1 FROM "Pool" WHERE "poolGuid" = ${poolGuid}::uuid FOR SHARE`;
  return findPool(db, poolGuid);
}

/** A new draft, revision 1. */
export async function insertPool(
  db: Db,
  input: { seasonGuid: string; name: string; createdAt: number; copiedFromGuid?: string },
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

export async function updatePool(
  db: Db,
  poolGuid: string,
  data: Prisma.PoolUncheckedUpdateInput & { status?: PoolStatus },
): Promise<StoredPool> {
  return poolFrom(await db.pool.update({ where: { poolGuid }, data, include: withCount }));
}

export async function deletePool(db: Db, poolGuid: string): Promise<void> {
  await db.pool.delete({ where: { poolGuid } });
}
