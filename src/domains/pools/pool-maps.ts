import { isDeepStrictEqual } from 'node:util';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import type { Change } from '../../platform/http/staff.ts';
import { recordAudits } from '../audit/index.ts';
import { categoryErrors, holdCategories } from '../categories/index.ts';
import { chooseDifficulty, type Maps, mapErrors } from '../maps/index.ts';
import { type Changes, poolTarget } from './changes.ts';
import { poolErrors } from './errors.ts';
import { requireOneSpeed } from './rules.ts';
import type { NewPoolMap, PoolMap, PoolMapChange } from './schemas.ts';
import * as store from './store.ts';

interface PoolMapsOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  maps: Maps;
  changes: Changes;
}

const mapTarget = (poolGuid: string, mapGuid: string) => `${poolTarget(poolGuid)}/maps/${mapGuid}`;

/** What is wrong with single rows of a batch, by index. Thrown to undo the rows that were right. */
class RowsRefused extends Error {
  readonly problems: ReadonlyMap<number, ServiceError>;

  constructor(problems: ReadonlyMap<number, ServiceError>) {
    super('rows refused');
    this.problems = problems;
  }
}

/** One refusal for a whole batch; when only the map host is to blame, nothing is wrong with the rows. */
function batchRefusal(problems: ReadonlyMap<number, ServiceError>, size: number): ServiceError {
  const [first, ...others] = problems.values();
  if (first && [first, ...others].every(({ code }) => code === 'UPSTREAM_UNAVAILABLE')) return first;
  const rows = [...problems]
    .sort(([a], [b]) => a - b)
    .map(([index, { code, message }]) => ({ index, code, message }));
  return commonErrors.VALIDATION_FAILED({
    message: `${rows.length} of ${size} maps cannot be added; nothing was added.`,
    details: { rows },
  });
}

/** What an import that only reports would have added. Thrown to undo it. */
class OnlyTried extends Error {
  readonly maps: PoolMap[];

  constructor(maps: PoolMap[]) {
    super('only tried');
    this.maps = maps;
  }
}

const isHash = (asked: string): boolean => asked.length === 40;

export type PoolMaps = ReturnType<typeof createPoolMaps>;

/** The maps of a draft: the map host says what they are, whoever adds them by hand, in a batch or by a file. */
export function createPoolMaps({ database, clock, maps, changes }: PoolMapsOptions) {
  const { prisma } = database;
  const { lockDraft, audit, countChange } = changes;

  /** @throws MAP_NOT_FOUND */
  const requireMap = async (db: Db, poolGuid: string, mapGuid: string): Promise<PoolMap> => {
    const map = await store.findMap(db, poolGuid, mapGuid);
    if (map === null) throw mapErrors.MAP_NOT_FOUND({ message: 'There is no such map in this pool.' });
    return map;
  };

  /**
   * What each row puts into a pool, as the map host says. It is asked of those rows only that nothing else is
   * wrong with.
   * @param rows a refusal in the place of a row that is known to be wrong already
   */
  const resolveRows = async (rows: readonly (NewPoolMap | ServiceError)[]) => {
    const problems = new Map<number, ServiceError>();
    /** What `step` makes of rows, by index; why it refuses one becomes the problem of that row. */
    const each = <Row, Made>(given: Iterable<[number, Row]>, step: (row: Row) => Made): Map<number, Made> => {
      const made = new Map<number, Made>();
      for (const [index, row] of given) {
        try {
          made.set(index, step(row));
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          problems.set(index, error);
        }
      }
      return made;
    };

    const wellFormed = each(rows.entries(), (row) => {
      if (row instanceof ServiceError) throw row;
      requireOneSpeed(row.modifiers);
      return row;
    });
    const categories = await holdCategories(
      prisma,
      [...wellFormed.values()].map((row) => row.categoryGuid),
    );
    const worthAsking = each(wellFormed, (row) => {
      if (!categories.has(row.categoryGuid)) throw categoryErrors.CATEGORY_NOT_FOUND();
      return row;
    });
    const versions = await maps.resolveAll([...worthAsking.values()].map((row) => row.key));
    const records = each(worthAsking, (row): store.PoolMapRecord => {
      const version = versions.get(row.key) ?? mapErrors.MAP_NOT_FOUND();
      if (version instanceof ServiceError) throw version;
      // Asked for by an old hash the host answers with the upload that took its place: another map.
      if (isHash(row.key) && version.hash !== row.key) throw poolErrors.MAP_STALE();
      const { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl } = version;
      const { categoryGuid, modifiers } = row;
      const upload = { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl };
      return { mapGuid: newGuid(), ...upload, ...chooseDifficulty(version, row), categoryGuid, modifiers };
    });
    return { records, problems, versions };
  };

  /**
   * Adds maps, all or none. The map host is asked before the transaction begins.
   * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE
   * @throws RowsRefused with a MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND, MAP_NOT_FOUND, DIFFICULTY_NOT_FOUND,
   *   MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL or UPSTREAM_UNAVAILABLE for each row that is wrong
   */
  const add = async (
    change: Change,
    poolGuid: string,
    rows: readonly (NewPoolMap | ServiceError)[],
    { dryRun = false } = {},
  ): Promise<PoolMap[]> => {
    // Refuses what can be refused without asking anybody; decided again under the lock below.
    await lockDraft(prisma, change, poolGuid);
    const { records, problems, versions } = await resolveRows(rows);
    const wanted = [...records.values()];
    try {
      // Who gave up waiting for the map host will send the same again, and is not to find it done.
      if (change.hasLeft?.()) throw commonErrors.REQUEST_TIMEOUT({ message: 'The client hung up.' });
      return await inTransaction(database, async (db) => {
        await lockDraft(db, change, poolGuid);
        const held = await holdCategories(
          db,
          wanted.map((record) => record.categoryGuid),
        );
        if (wanted.some((record) => !held.has(record.categoryGuid)))
          throw categoryErrors.CATEGORY_NOT_FOUND();
        const by = { addedByGuid: change.actorGuid, addedAt: clock.now() };
        const added = new Map(
          (await store.insertMaps(db, poolGuid, wanted, by)).map((map) => [map.mapGuid, map]),
        );
        for (const [index, { mapGuid }] of records)
          if (!added.has(mapGuid)) problems.set(index, poolErrors.MAP_ALREADY_IN_POOL());
        if (problems.size > 0) throw new RowsRefused(problems);
        await countChange(db, change, poolGuid);
        const inOrder = wanted.flatMap(({ mapGuid }) => added.get(mapGuid) ?? []);
        await recordAudits(
          db,
          inOrder.map((map) => ({
            at: clock.now(),
            actorGuid: change.actorGuid,
            action: 'addMap',
            target: mapTarget(poolGuid, map.mapGuid),
            before: null,
            after: map,
          })),
        );
        if (dryRun) throw new OnlyTried(inOrder);
        return inOrder;
      });
    } catch (error) {
      if (error instanceof OnlyTried) return error.maps;
      throw error;
    } finally {
      // Only now: before the comparison with If-Match it would upset that.
      const known = [...versions].flatMap(([key, version]) =>
        version instanceof ServiceError || isHash(key) ? [] : [[key, version.hash] as const],
      );
      if (known.length > 0) await store.markStale(prisma, new Map(known));
    }
  };

  /**
   * What the upload in the pool says of another of its difficulties: the host is asked now, because what
   * it no longer publishes cannot be downloaded by whoever does not have it.
   * @throws MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, UPSTREAM_UNAVAILABLE
   */
  const chooseAnother = async (map: PoolMap, change: PoolMapChange) => {
    const version = await maps.resolveFresh(map.key).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'MAP_NOT_FOUND') return null;
      throw error;
    });
    if (version?.hash !== map.hash) {
      await store.markStale(prisma, new Map([[map.key, version?.hash ?? null]]));
      throw poolErrors.MAP_STALE();
    }
    const { characteristic, difficulty, maxScore } = chooseDifficulty(version, {
      characteristic: change.characteristic ?? map.characteristic,
      difficulty: change.difficulty ?? map.difficulty,
    });
    return { characteristic, difficulty, maxScore, stale: false };
  };

  return {
    /**
     * Adds one map, resolved from the map host.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND, MAP_NOT_FOUND,
     *   DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     */
    addMap: async (change: Change, poolGuid: string, map: NewPoolMap): Promise<PoolMap> => {
      const added = await add(change, poolGuid, [map]).catch((error: unknown) => {
        throw (error instanceof RowsRefused && error.problems.get(0)) || error;
      });
      return added[0] as PoolMap;
    },

    /**
     * Adds many maps, all or none.
     * @param rows a refusal in the place of a row that does not even have the right form
     * @param options with `dryRun` everything is looked at and undone again
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE
     * @throws VALIDATION_FAILED with one problem for each wrong row, the codes those of `addMap`
     * @throws UPSTREAM_UNAVAILABLE when nothing else is wrong
     */
    addMaps: async (
      change: Change,
      poolGuid: string,
      rows: readonly (NewPoolMap | ServiceError)[],
      options?: { dryRun: boolean },
    ): Promise<PoolMap[]> =>
      add(change, poolGuid, rows, options).catch((error: unknown) => {
        throw error instanceof RowsRefused ? batchRefusal(error.problems, rows.length) : error;
      }),

    /**
     * Changes a map in its place. Another difficulty is resolved within the stored upload.
     * @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND,
     *   MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     * @throws CONFLICT when somebody else chose another difficulty at the same time
     */
    changeMap: async (
      change: Change,
      poolGuid: string,
      mapGuid: string,
      input: PoolMapChange,
    ): Promise<PoolMap> => {
      await lockDraft(prisma, change, poolGuid);
      const seen = await requireMap(prisma, poolGuid, mapGuid);
      if (input.modifiers) requireOneSpeed(input.modifiers);
      const isAnother =
        (input.characteristic ?? seen.characteristic) !== seen.characteristic ||
        (input.difficulty ?? seen.difficulty) !== seen.difficulty;
      const chosen = isAnother ? await chooseAnother(seen, input) : null;

      return inTransaction(database, async (db) => {
        await lockDraft(db, change, poolGuid);
        const before = await requireMap(db, poolGuid, mapGuid);
        if (
          chosen &&
          (before.characteristic !== seen.characteristic || before.difficulty !== seen.difficulty)
        )
          throw commonErrors.CONFLICT({
            message: 'Somebody else chose another difficulty at the same time.',
          });
        const { categoryGuid = before.categoryGuid, modifiers = before.modifiers } = input;
        if ((await holdCategories(db, [categoryGuid])).size === 0) throw categoryErrors.CATEGORY_NOT_FOUND();
        const after = await store.updateMap(db, mapGuid, { ...chosen, categoryGuid, modifiers });
        if (isDeepStrictEqual(after, before)) return before;
        await countChange(db, change, poolGuid);
        await audit(db, change, 'changeMap', mapTarget(poolGuid, after.mapGuid), before, after);
        return after;
      }).catch((error: unknown) => {
        throw isCollision(error) ? poolErrors.MAP_ALREADY_IN_POOL({ cause: error }) : error;
      });
    },

    /** @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    removeMap: async (change: Change, poolGuid: string, mapGuid: string): Promise<void> =>
      inTransaction(database, async (db) => {
        await lockDraft(db, change, poolGuid);
        const before = await requireMap(db, poolGuid, mapGuid);
        await store.deleteMap(db, mapGuid);
        await countChange(db, change, poolGuid);
        await audit(db, change, 'removeMap', mapTarget(poolGuid, before.mapGuid), before, null);
      }),
  };
}
