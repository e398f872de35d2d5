import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, newGuid } from '../../platform/clock.ts';
import {
  type Database,
  type Db,
  inRolledBackTransaction,
  inTransaction,
} from '../../platform/database/database.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { categoryErrors, shareCategories } from '../categories/index.ts';
import { chooseDifficulty, isHash, type Maps, mapErrors } from '../maps/index.ts';
import { alreadyThere, batchRefusal, type Problems } from './batch-refusal.ts';
import type { Changes } from './changes.ts';
import { markStale } from './checks-store.ts';
import { poolErrors } from './errors.ts';
import * as store from './maps-store.ts';
import { speedConflict } from './rules.ts';
import type { NewPoolMap, PoolMap, PoolMapChange } from './schemas.ts';

export interface BatchOptions {
  database: Database;
  logger: FastifyBaseLogger;
  clock: Clock;
  maps: Maps;
  changes: Changes;
}

/** Changes of the maps of a draft, in this order. A refusal stands in place of a row of a wrong form. */
export interface Batch {
  removals: readonly string[];
  changes: readonly { mapGuid: string; to: PoolMapChange | ServiceError }[];
  additions: readonly (NewPoolMap | ServiceError)[];
  /** It is a request for one map: the problem of its only row is thrown as it is. */
  isSingle?: boolean;
  /** The map host is asked in spite of cached answers. */
  isFresh?: boolean;
}

/** Whether a change asks for another characteristic or difficulty. */
const isAnother = (
  map: Pick<PoolMap, 'characteristic' | 'difficulty'>,
  change: Pick<PoolMapChange, 'characteristic' | 'difficulty'>,
): boolean =>
  (change.characteristic ?? map.characteristic) !== map.characteristic ||
  (change.difficulty ?? map.difficulty) !== map.difficulty;

/** @throws MODIFIERS_CONFLICT when more than one of SS, FS, SFS is given */
function requireOneSpeed(modifiers: readonly string[]): void {
  const message = speedConflict(modifiers);
  if (message !== null) throw poolErrors.MODIFIERS_CONFLICT({ message });
}

/** Adds, changes and removes maps of a draft in one transaction. */
export function createBatch({ database, logger, clock, maps, changes }: BatchOptions) {
  const { prisma } = database;
  const { lockDraft, requireDraft, countChange, auditMaps } = changes;

  /** Applies `step` to rows. A refusal becomes the problem of its row. */
  const each = <Key, Row, Made>(
    given: Iterable<readonly [Key, Row]>,
    problems: Map<Key, ServiceError>,
    step: (row: Row, key: Key) => Made,
  ) => {
    const made = new Map<Key, Made>();
    for (const [key, row] of given) {
      try {
        made.set(key, step(row, key));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (!problems.has(key)) problems.set(key, error);
      }
    }
    return made;
  };

  /** The maps, as they are now, whose changes need an answer of the map host. */
  const seenBefore = async (poolGuid: string, batch: Batch) => {
    const named = new Map(batch.changes.map(({ mapGuid, to }) => [mapGuid, to]));
    const rows = await store.findRows(prisma, poolGuid, [...named.keys()]);
    const isWorthAsking = (row: store.PoolMapRow) => {
      const to = named.get(row.mapGuid);
      if (to === undefined || to instanceof ServiceError) return false;
      return speedConflict(to.modifiers ?? []) === null && isAnother(row, to);
    };
    return new Map(rows.filter(isWorthAsking).map((row) => [row.mapGuid, row]));
  };

  /** Looks up what the batch needs. The map host is not asked for rows that are refused for another reason. */
  const resolve = async (poolGuid: string, batch: Batch, problems: Problems) => {
    const wellFormed = each(batch.additions.entries(), problems.rows, (row) => {
      if (row instanceof ServiceError) throw row;
      requireOneSpeed(row.modifiers);
      return row;
    });
    const categories = await shareCategories(
      prisma,
      [...wellFormed.values()].map((row) => row.categoryGuid),
    );
    const worthAsking = each(wellFormed, problems.rows, (row) => {
      if (!categories.has(row.categoryGuid)) throw categoryErrors.CATEGORY_NOT_FOUND();
      return row;
    });
    const seen = await seenBefore(poolGuid, batch);
    const keys = [...worthAsking.values(), ...seen.values()].map((row) => row.key);
    const versions = await maps.resolveAll(keys, { isFresh: batch.isFresh });
    const records = each(worthAsking, problems.rows, (row): store.PoolMapRecord => {
      const version = versions.get(row.key) ?? mapErrors.MAP_NOT_FOUND();
      if (version instanceof ServiceError) throw version;
      // For a replaced hash the host answers the upload that replaced it, which is another map.
      if (isHash(row.key) && version.hash !== row.key) throw poolErrors.MAP_STALE();
      const { difficulties: _, ...upload } = version;
      const { categoryGuid, modifiers } = row;
      return { mapGuid: newGuid(), ...upload, ...chooseDifficulty(version, row), categoryGuid, modifiers };
    });
    return { records, versions, seen };
  };
  type Resolution = Awaited<ReturnType<typeof resolve>>;

  /** @throws MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, UPSTREAM_UNAVAILABLE; CONFLICT after a concurrent change */
  const chooseAnother = (row: store.PoolMapRow, to: PoolMapChange, { versions, seen }: Resolution) => {
    const version = versions.get(row.key);
    const before = seen.get(row.mapGuid);
    if (!version || !before || isAnother(before, row))
      throw commonErrors.CONFLICT({ message: 'Somebody else chose another difficulty at the same time.' });
    if (version instanceof ServiceError && version.code !== 'MAP_NOT_FOUND') throw version;
    if (version instanceof ServiceError || version.hash !== row.hash) throw poolErrors.MAP_STALE();
    const { durationSeconds: _, ...chosen } = chooseDifficulty(version, { ...row, ...to });
    return { ...chosen, stale: false };
  };

  /** Removes and changes maps of a locked draft. @returns the removed and the changed maps; `altered`: those that a change made different */
  const removeAndChange = async (
    db: Db,
    poolGuid: string,
    { removals, changes }: Batch,
    problems: Problems,
    resolution: Resolution,
    categories: ReadonlySet<string>,
  ) => {
    const named = [...removals, ...changes.map(({ mapGuid }) => mapGuid)];
    const left = new Map((await store.findRows(db, poolGuid, named)).map((row) => [row.mapGuid, row]));
    const take = (mapGuid: string) => {
      const row = left.get(mapGuid);
      if (row === undefined) throw mapErrors.MAP_NOT_FOUND({ message: 'There is no such map in this pool.' });
      // A map that is named twice is not found the second time.
      left.delete(mapGuid);
      return row;
    };
    const removed = each(
      removals.map((mapGuid) => [mapGuid, mapGuid] as const),
      problems.maps,
      take,
    );
    const changed = each(
      changes.map(({ mapGuid, to }) => [mapGuid, to] as const),
      problems.maps,
      (to, mapGuid) => {
        const before = take(mapGuid);
        if (to instanceof ServiceError) throw to;
        const { categoryGuid = before.categoryGuid, modifiers = before.modifiers } = to;
        requireOneSpeed(modifiers);
        if (!categories.has(categoryGuid) && categoryGuid !== before.categoryGuid)
          throw categoryErrors.CATEGORY_NOT_FOUND();
        const chosen = isAnother(before, to) ? chooseAnother(before, to, resolution) : {};
        return { before, after: { ...before, ...chosen, categoryGuid, modifiers } };
      },
    );
    const altered = [...changed.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
    await store.deleteMaps(db, [...removed.keys()]);
    const isMoved = ({ before, after }: (typeof altered)[number]) => isAnother(before, after);
    const moved = altered.filter(isMoved).map(({ after }) => after);
    const kept = altered.filter((one) => !isMoved(one)).map(({ after }) => after);
    await store.updateMaps(db, kept);
    const stored = await store.replaceMaps(db, moved);
    for (const { mapGuid } of moved)
      if (!stored.has(mapGuid)) problems.maps.set(mapGuid, poolErrors.MAP_ALREADY_IN_POOL());
    return {
      removed: [...removed.values()].map(store.mapFrom),
      changed: [...changed.values()].map(({ after }) => store.mapFrom(after)),
      altered: altered.map(({ before, after }) => ({
        before: store.mapFrom(before),
        after: store.mapFrom(after),
      })),
    };
  };

  /** The part of `save` within the transaction. */
  const apply = async (
    db: Db,
    write: WriteRequest,
    poolGuid: string,
    batch: Batch,
    problems: Problems,
    resolution: Resolution,
  ) => {
    await lockDraft(db, write, poolGuid);
    const { records } = resolution;
    const wanted = [...records.values()];
    const categories = await shareCategories(db, [
      ...wanted.map(({ categoryGuid }) => categoryGuid),
      ...batch.changes.flatMap(({ to }) => (to instanceof ServiceError ? [] : (to.categoryGuid ?? []))),
    ]);
    if (wanted.some((record) => !categories.has(record.categoryGuid)))
      throw categoryErrors.CATEGORY_NOT_FOUND();
    const { removed, altered, changed } = await removeAndChange(
      db,
      poolGuid,
      batch,
      problems,
      resolution,
      categories,
    );
    const by = { addedByGuid: write.actorGuid, addedAt: clock.now() };
    const added = new Map(
      (await store.insertMaps(db, poolGuid, wanted, by)).map((map) => [map.mapGuid, map]),
    );
    for (const [index, record] of records)
      if (!added.has(record.mapGuid)) problems.rows.set(index, alreadyThere(record, records, added));
    if (problems.rows.size + problems.maps.size > 0) throw batchRefusal(problems, batch);
    const outcome = {
      added: wanted.flatMap(({ mapGuid }) => added.get(mapGuid) ?? []),
      changed,
      removed: removed.map(({ mapGuid }) => mapGuid),
    };
    if (outcome.added.length + removed.length + altered.length === 0) return outcome;
    await countChange(db, write, poolGuid);
    const removals = removed.map((before) => ({ before, after: null }));
    await auditMaps(db, write, 'removeMap', poolGuid, removals);
    await auditMaps(db, write, 'changeMap', poolGuid, altered);
    const additions = outcome.added.map((after) => ({ before: null, after }));
    await auditMaps(db, write, 'addMap', poolGuid, additions);
    return outcome;
  };

  /**
   * Saves all rows of a batch or none, as one revision. The map host is asked before the transaction begins. A wrong
   * row has a problem with the code of the request for a single map.
   * @param options with `dryRun` the transaction is rolled back at its end
   * @returns the maps, and the `mapGuid` of those that were removed, in the order of the request
   * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE; CATEGORY_NOT_FOUND for one that was deleted meanwhile; REQUEST_TIMEOUT
   * @throws VALIDATION_FAILED with one problem for each wrong row
   * @throws UPSTREAM_UNAVAILABLE when nothing else is wrong
   */
  return async function save(write: WriteRequest, poolGuid: string, batch: Batch, { dryRun = false } = {}) {
    // Refuses early; checked again under the lock below.
    await requireDraft(prisma, write, poolGuid);
    const problems: Problems = { rows: new Map(), maps: new Map() };
    const resolution = await resolve(poolGuid, batch, problems);
    const { records, versions } = resolution;
    try {
      // A client that gave up waiting for the map host sends the request again, so nothing may change now.
      if (write.hasLeft?.()) throw commonErrors.REQUEST_TIMEOUT({ message: 'The client hung up.' });
      const transact = dryRun ? inRolledBackTransaction : inTransaction;
      const outcome = await transact(database, ['Pool', 'PoolMap'], (db) =>
        apply(db, write, poolGuid, batch, problems, resolution),
      );
      if (!dryRun) void maps.covers.added([...records.values()]);
      return outcome;
    } finally {
      // After `If-Match` was compared: a mark changes the entity tag. The daily check makes up for one that failed.
      const known = [...versions].flatMap(([key, version]): [string, string | null][] => {
        if (!(version instanceof ServiceError)) return isHash(key) ? [] : [[key, version.hash]];
        // Only a fresh answer marks maps that the host publishes no more.
        return batch.isFresh && version.code === 'MAP_NOT_FOUND' ? [[key, null]] : [];
      });
      const warn = (error: unknown) => logger.warn({ err: error }, 'maps could not be marked as stale');
      if (known.length > 0) await markStale(database, new Map(known)).catch(warn);
    }
  };
}
