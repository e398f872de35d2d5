import { isDeepStrictEqual } from 'node:util';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import type { Change } from '../../platform/http/staff.ts';
import { recordAudits } from '../audit/index.ts';
import { categoryErrors, shareCategories } from '../categories/index.ts';
import { chooseDifficulty, isHash, type Maps, mapErrors } from '../maps/index.ts';
import type { Changes } from './changes.ts';
import { markStale } from './checks-store.ts';
import { poolErrors } from './errors.ts';
import * as store from './maps-store.ts';
import { requireOneSpeed } from './rules.ts';
import type { NewPoolMap, PoolMap, PoolMapChange } from './schemas.ts';

interface PoolMapsOptions {
  database: Database;
  clock: Clock;
  maps: Maps;
  changes: Changes;
}

/** The maps that were added, or else what is wrong with rows of the request, by index. */
interface Outcome {
  maps: PoolMap[];
  problems: ReadonlyMap<number, ServiceError>;
}

/** Thrown inside of a transaction to roll it back. */
class RolledBack extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('rolled back');
    this.outcome = outcome;
  }
}

/** The refusal of a batch. When only the map host failed, its refusal stands for all rows. */
function batchRefusal(problems: Outcome['problems'], size: number): ServiceError {
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

export type PoolMaps = ReturnType<typeof createPoolMaps>;

/** The maps of a draft. The map host supplies name, hash, duration and maximum score. */
export function createPoolMaps({ database, clock, maps, changes }: PoolMapsOptions) {
  const { prisma } = database;
  const { lockDraft, countChange } = changes;

  /** Writes the audit entries of a change of maps. */
  const audit = (
    db: Db,
    { actorGuid }: Change,
    action: string,
    poolGuid: string,
    maps: readonly { before: PoolMap | null; after: PoolMap | null }[],
  ) =>
    recordAudits(
      db,
      maps.map(({ before, after }) => ({
        at: clock.now(),
        actorGuid,
        action,
        target: `/pools/${poolGuid}/maps/${(after ?? before)?.mapGuid}`,
        before,
        after,
      })),
    );

  /** @throws MAP_NOT_FOUND */
  const requireMap = async (db: Db, poolGuid: string, mapGuid: string) => {
    const map = await store.findMap(db, poolGuid, mapGuid);
    if (map === null) throw mapErrors.MAP_NOT_FOUND({ message: 'There is no such map in this pool.' });
    return map;
  };

  /**
   * Looks up the maps of rows. The map host is not asked for rows that are refused for another reason.
   * @param rows a refusal in place of a row that is already known to be wrong
   */
  const resolveRows = async (rows: readonly (NewPoolMap | ServiceError)[]) => {
    const problems = new Map<number, ServiceError>();
    /** Applies `step` to rows, by index. A refusal becomes the problem of its row. */
    const each = <Row, Made>(given: Iterable<[number, Row]>, step: (row: Row) => Made) => {
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
    const categories = await shareCategories(
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
      // For a replaced hash the host answers the upload that replaced it, which is another map.
      if (isHash(row.key) && version.hash !== row.key) throw poolErrors.MAP_STALE();
      const { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl } = version;
      const { categoryGuid, modifiers } = row;
      const upload = { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl };
      return { mapGuid: newGuid(), ...upload, ...chooseDifficulty(version, row), categoryGuid, modifiers };
    });
    return { records, problems, versions };
  };

  /**
   * Adds all maps or none. The map host is asked before the transaction begins. A wrong row has a problem of
   * MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND, MAP_NOT_FOUND, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE,
   * MAP_ALREADY_IN_POOL or UPSTREAM_UNAVAILABLE.
   * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE
   */
  const add = async (
    change: Change,
    poolGuid: string,
    rows: readonly (NewPoolMap | ServiceError)[],
    { dryRun = false } = {},
  ) => {
    // Refuses early; checked again under the lock below.
    await lockDraft(prisma, change, poolGuid);
    const { records, problems, versions } = await resolveRows(rows);
    const wanted = [...records.values()];
    try {
      // A client that gave up waiting for the map host sends the request again, so nothing may be added now.
      if (change.hasLeft?.()) throw commonErrors.REQUEST_TIMEOUT({ message: 'The client hung up.' });
      const outcome = await inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        await lockDraft(db, change, poolGuid);
        const held = await shareCategories(
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
        if (problems.size > 0) throw new RolledBack({ maps: [], problems });
        await countChange(db, change, poolGuid);
        const outcome = { maps: wanted.flatMap(({ mapGuid }) => added.get(mapGuid) ?? []), problems };
        await audit(
          db,
          change,
          'addMap',
          poolGuid,
          outcome.maps.map((after) => ({ before: null, after })),
        );
        if (dryRun) throw new RolledBack(outcome);
        return outcome;
      });
      void maps.covers.added(wanted);
      return outcome;
    } catch (error) {
      if (error instanceof RolledBack) return error.outcome;
      throw error;
    } finally {
      // After the comparison with `If-Match`, because a mark changes the entity tag.
      const known = [...versions].flatMap(([key, version]) =>
        version instanceof ServiceError || isHash(key) ? [] : [[key, version.hash] as const],
      );
      if (known.length > 0) await markStale(database, new Map(known));
    }
  };

  /**
   * Chooses another difficulty of the upload in the pool. Always asks the host, because players cannot download an
   * upload that is no longer published.
   * @throws MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, UPSTREAM_UNAVAILABLE
   */
  const chooseAnother = async (map: PoolMap, change: PoolMapChange) => {
    const version = await maps.resolveFresh(map.key).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'MAP_NOT_FOUND') return null;
      throw error;
    });
    if (version?.hash !== map.hash) {
      await markStale(database, new Map([[map.key, version?.hash ?? null]]));
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
    addMap: async (change: Change, poolGuid: string, row: NewPoolMap) => {
      const { maps, problems } = await add(change, poolGuid, [row]);
      const [map] = maps;
      if (map === undefined) throw problems.get(0);
      return map;
    },

    /**
     * Adds all maps or none.
     * @param rows a refusal in place of a row of a wrong form
     * @param options with `dryRun` the transaction is rolled back at its end
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE
     * @throws VALIDATION_FAILED with one problem for each wrong row, with the codes of `addMap`
     * @throws UPSTREAM_UNAVAILABLE when nothing else is wrong
     */
    addMaps: async (
      change: Change,
      poolGuid: string,
      rows: readonly (NewPoolMap | ServiceError)[],
      options?: { dryRun: boolean },
    ) => {
      const { maps, problems } = await add(change, poolGuid, rows, options);
      if (problems.size > 0) throw batchRefusal(problems, rows.length);
      return maps;
    },

    /**
     * Changes a map. Another difficulty is looked up in the stored upload.
     * @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND,
     *   MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     * @throws CONFLICT when somebody else chose another difficulty at the same time
     */
    changeMap: async (change: Change, poolGuid: string, mapGuid: string, input: PoolMapChange) => {
      await lockDraft(prisma, change, poolGuid);
      const seen = await requireMap(prisma, poolGuid, mapGuid);
      if (input.modifiers) requireOneSpeed(input.modifiers);
      const isAnother =
        (input.characteristic ?? seen.characteristic) !== seen.characteristic ||
        (input.difficulty ?? seen.difficulty) !== seen.difficulty;
      const chosen = isAnother ? await chooseAnother(seen, input) : null;

      return inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
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
        if ((await shareCategories(db, [categoryGuid])).size === 0) throw categoryErrors.CATEGORY_NOT_FOUND();
        const after = await store.updateMap(db, mapGuid, { ...chosen, categoryGuid, modifiers });
        if (isDeepStrictEqual(after, before)) return before;
        await countChange(db, change, poolGuid);
        await audit(db, change, 'changeMap', poolGuid, [{ before, after }]);
        return after;
      }).catch((error: unknown) => {
        throw isCollision(error) ? poolErrors.MAP_ALREADY_IN_POOL({ cause: error }) : error;
      });
    },

    /** @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    removeMap: async (change: Change, poolGuid: string, mapGuid: string) =>
      inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        await lockDraft(db, change, poolGuid);
        const before = await requireMap(db, poolGuid, mapGuid);
        await store.deleteMap(db, mapGuid);
        await countChange(db, change, poolGuid);
        await audit(db, change, 'removeMap', poolGuid, [{ before, after: null }]);
      }),
  };
}
