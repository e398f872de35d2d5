import { isDeepStrictEqual } from 'node:util';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors, existing } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { auditorOf } from '../audit/index.ts';
import { categoryErrors } from './errors.ts';
import { POSITION_BOUNDS } from './rules.ts';
import { type CategoryChange, categoryKey, type MapCategory, type NewCategory } from './schemas.ts';
import * as store from './store.ts';

export interface CategoriesOptions {
  database: Database;
  clock: Clock;
}

function refuseName(error: unknown): never {
  throw isCollision(error)
    ? commonErrors.CONFLICT({ message: 'There is a map category of this name already.', cause: error })
    : error;
}

export type Categories = ReturnType<typeof createService>;

/** The categories of maps, as staff create, change and delete them. One that has maps is not deleted. */
export function createService({ database, clock }: CategoriesOptions) {
  const audit = auditorOf<MapCategory>(clock, ({ categoryGuid }) => `/map-categories/${categoryGuid}`);

  /** @throws CATEGORY_NOT_FOUND, STALE */
  const lock = async (db: Db, write: WriteRequest, categoryGuid: string) => {
    const found = existing(await store.lockCategory(db, categoryGuid), categoryErrors.CATEGORY_NOT_FOUND);
    requireCurrent(write, found);
    return found;
  };

  return {
    /** A page of all categories in the order they are shown. @throws VALIDATION_FAILED for a foreign cursor */
    list: (query: PageQuery) =>
      readPage(
        query,
        categoryKey,
        (after, limit) => store.findCategories(database.prisma, after, limit),
        ({ position, name }) => [position, name],
      ),

    /** @throws CATEGORY_NOT_FOUND */
    get: async (categoryGuid: string) =>
      existing(await store.findCategory(database.prisma, categoryGuid), categoryErrors.CATEGORY_NOT_FOUND),

    /** @throws CONFLICT when the name is taken */
    create: async (write: WriteRequest, input: NewCategory) =>
      inTransaction(database, ['MapCategory'], async (db) => {
        const created = await store.insertCategory(db, {
          ...input,
          categoryGuid: newGuid(),
          position: input.position ?? Math.min(POSITION_BOUNDS.most, await store.positionAfterLast(db)),
        });
        await audit(db, write, 'createMapCategory', null, created);
        return created;
      }).catch(refuseName),

    /** @throws CATEGORY_NOT_FOUND, STALE, CONFLICT when the name is taken */
    update: async (write: WriteRequest, categoryGuid: string, input: CategoryChange) =>
      inTransaction(database, ['MapCategory'], async (db) => {
        const before = await lock(db, write, categoryGuid);
        const after = await store.updateCategory(db, { ...before, ...input });
        if (isDeepStrictEqual(after, before)) return before;
        await audit(db, write, 'changeMapCategory', before, after);
        return after;
      }).catch(refuseName),

    /** @throws CATEGORY_NOT_FOUND, STALE, CATEGORY_IN_USE */
    delete: async (write: WriteRequest, categoryGuid: string) =>
      inTransaction(database, ['MapCategory'], async (db) => {
        const before = await lock(db, write, categoryGuid);
        // Counted under the lock: a transaction that adds a map to the category has committed or waits.
        const maps = await store.countMaps(db, categoryGuid);
        if (maps > 0)
          throw categoryErrors.CATEGORY_IN_USE({
            message: `This map category cannot be deleted: ${maps} ${maps === 1 ? 'map is' : 'maps are'} in it.`,
          });
        await store.deleteCategory(db, categoryGuid);
        await audit(db, write, 'deleteMapCategory', before, null);
      }),
  };
}
