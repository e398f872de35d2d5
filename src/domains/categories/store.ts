import type { Db } from '../../platform/database/database.ts';
import type { MapCategory } from './schemas.ts';

/** In the order they are shown: position, then name. */
export const findCategories = (
  db: Db,
  after: readonly [position: number, name: string] | undefined,
  limit: number,
) =>
  db.mapCategory.findMany({
    where: after && {
      OR: [{ position: { gt: after[0] } }, { position: after[0], name: { gt: after[1] } }],
    },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    take: limit,
  });

export const findCategory = (db: Db, categoryGuid: string) =>
  db.mapCategory.findUnique({ where: { categoryGuid } });

/**
 * Which of these categories exist, locked FOR KEY SHARE: a map that is added to one of them cannot lose it meanwhile.
 */
export async function shareCategories(db: Db, categoryGuids: readonly string[]): Promise<Set<string>> {
  // One order for every transaction, so that two of them cannot deadlock.
  const rows = await db.$queryRaw<{ categoryGuid: string }[]>`
    SELECT "categoryGuid" FROM "MapCategory" WHERE "categoryGuid" = ANY(${categoryGuids}::uuid[])
    ORDER BY "categoryGuid" FOR KEY SHARE`;
  return new Set(rows.map((row) => row.categoryGuid));
}

/** Reads the category and locks it FOR UPDATE: nobody changes it or adds a map to it. */
export async function lockCategory(db: Db, categoryGuid: string) {
  await db.$queryRaw`SELECT 1 FROM "MapCategory" WHERE "categoryGuid" = ${categoryGuid}::uuid FOR UPDATE`;
  return findCategory(db, categoryGuid);
}

export async function positionAfterLast(db: Db) {
  const { _max } = await db.mapCategory.aggregate({ _max: { position: true } });
  return (_max.position ?? -1) + 1;
}

/** @throws a collision when the name is taken, see `isCollision` */
export const insertCategory = (db: Db, category: MapCategory) => db.mapCategory.create({ data: category });

/** @throws a collision when the name is taken, see `isCollision` */
export const updateCategory = (db: Db, { categoryGuid, ...data }: MapCategory) =>
  db.mapCategory.update({ where: { categoryGuid }, data });

export async function deleteCategory(db: Db, categoryGuid: string) {
  await db.mapCategory.delete({ where: { categoryGuid } });
}

/** The number of maps in it, over all pools. */
export const countMaps = (db: Db, categoryGuid: string) => db.poolMap.count({ where: { categoryGuid } });
