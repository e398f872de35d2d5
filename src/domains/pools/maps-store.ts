import { newGuid } from '../../platform/clock.ts';
import type { Db, Prisma } from '../../platform/database/database.ts';
import type { PoolMap } from './schemas.ts';

/** A map in a pool with everything that is stored of it. */
export type PoolMapRow = Prisma.PoolMapGetPayload<object>;

export const mapFrom = (row: PoolMapRow): PoolMap => ({
  mapGuid: row.mapGuid,
  key: row.key,
  hash: row.hash,
  name: row.name,
  characteristic: row.characteristic,
  difficulty: row.difficulty,
  categoryGuid: row.categoryGuid,
  // Nothing else is stored.
  modifiers: row.modifiers as PoolMap['modifiers'],
  durationSeconds: row.durationSeconds,
  maxScore: row.maxScore,
  coverUrl: row.coverUrl,
  stale: row.stale,
  addedAt: row.addedAt.toISOString(),
});

/** The maps of a pool in the order of `mapGuid`, which decides with the seed what a match deals. */
export async function loadPoolMaps(db: Db, poolGuid: string): Promise<PoolMap[]> {
  const rows = await db.poolMap.findMany({ where: { poolGuid }, orderBy: { mapGuid: 'asc' } });
  return rows.map(mapFrom);
}

/** The `mapGuid` of each stale map, by pool. Pools without one are left out. */
export async function staleMapsOf(db: Db, poolGuids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.poolMap.findMany({
    where: { poolGuid: { in: [...poolGuids] }, stale: true },
    select: { poolGuid: true, mapGuid: true },
  });
  const maps = new Map<string, string[]>();
  for (const { poolGuid, mapGuid } of rows) maps.set(poolGuid, [...(maps.get(poolGuid) ?? []), mapGuid]);
  return maps;
}

/** A map to insert into a pool. */
export interface PoolMapRecord extends Omit<PoolMap, 'addedAt' | 'stale'> {
  songName: string;
  levelAuthorName: string;
  downloadUrl: string;
}

/** Inserts maps into a pool. Returns those that were not in it already: the unique index skips duplicates. */
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

/** Those of these maps that are in the pool. */
export const findRows = (db: Db, poolGuid: string, mapGuids: readonly string[]): Promise<PoolMapRow[]> =>
  db.poolMap.findMany({ where: { poolGuid, mapGuid: { in: [...mapGuids] } } });

export async function deleteMaps(db: Db, mapGuids: readonly string[]): Promise<void> {
  if (mapGuids.length > 0) await db.poolMap.deleteMany({ where: { mapGuid: { in: [...mapGuids] } } });
}

/** Stores the category and the modifiers of maps. Their marks stay: they change without a lock of the pool. */
export async function updateMaps(
  db: Db,
  rows: readonly Pick<PoolMapRow, 'mapGuid' | 'categoryGuid' | 'modifiers'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.$executeRaw`
    UPDATE "PoolMap" SET "categoryGuid" = given."categoryGuid", "modifiers" = given."modifiers"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given("mapGuid" uuid, "categoryGuid" uuid, "modifiers" text[])
    WHERE "PoolMap"."mapGuid" = given."mapGuid"`;
}

/**
 * Stores maps of a pool with other difficulties. They are removed and inserted again, so that two of them can trade
 * theirs.
 * @returns the `mapGuid` of those that are stored; the others are removed, because the pool has their difficulty already
 */
export async function replaceMaps(db: Db, rows: readonly PoolMapRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  await deleteMaps(
    db,
    rows.map(({ mapGuid }) => mapGuid),
  );
  const stored = await db.poolMap.createManyAndReturn({
    data: [...rows],
    skipDuplicates: true,
    select: { mapGuid: true },
  });
  return new Set(stored.map(({ mapGuid }) => mapGuid));
}

/** Copies all maps of a pool into another, unchanged. */
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
