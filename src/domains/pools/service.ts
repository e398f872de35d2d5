import { type Clock, isoTime, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import { decodeCursor, type PageQuery, toPage } from '../../platform/http/schemas.ts';
import { type Change, requireCurrent } from '../../platform/http/staff.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { recordAudit, recordAudits } from '../audit/index.ts';
import { categoryErrors, findCategories, holdCategories } from '../categories/index.ts';
import { chooseDifficulty, type Maps, mapErrors } from '../maps/index.ts';
import { findSeason, seasonErrors } from '../seasons/index.ts';
import { poolErrors } from './errors.ts';
import { type FileRow, toBplist, toCsv } from './interchange.ts';
import { requireOneSpeed } from './rules.ts';
import {
  type ImportQuery,
  importRow,
  type NewPool,
  type NewPoolMap,
  type NewReview,
  type Pool,
  type PoolCopy,
  type PoolMap,
  type PoolMapChange,
  type PoolQuery,
  type PoolReview,
  type PoolWithMaps,
  poolKey,
  reviewKey,
} from './schemas.ts';
import * as store from './store.ts';

export interface PoolsOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  maps: Maps;
  /**
   * A pool was retired: drains its queues in the same transaction.
   * @returns what is to be done once that has committed
   */
  onRetired(db: Db, retired: { poolGuid: string; actorGuid: string }): Promise<() => Promise<void>>;
}

const poolTarget = (poolGuid: string) => `/pools/${poolGuid}`;
const mapTarget = (poolGuid: string, mapGuid: string) => `/pools/${poolGuid}/maps/${mapGuid}`;

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

/** More than a curator makes; a list of them fits into memory anyway. */
const ALL_CATEGORIES = 10_000;
const isHash = (asked: string): boolean => asked.length === 40;

export type Pools = ReturnType<typeof createPools>;

export function createPools({ database, clock, maps, onRetired }: PoolsOptions) {
  const { prisma } = database;

  const view = (pool: store.StoredPool): Pool => ({
    ...pool,
    ...(store.isPublic(pool) ? maps.playlistLinks(pool.poolGuid) : { playlistUrl: null, oneClickUrl: null }),
  });

  /** @throws SEASON_NOT_FOUND */
  const requireSeason = async (db: Db, seasonGuid: string): Promise<void> => {
    if ((await findSeason(db, seasonGuid)) === null) throw seasonErrors.SEASON_NOT_FOUND();
  };

  /**
   * Where every write to a pool begins: takes its row lock, then compares.
   * @param refuse what to say of a pool in the wrong status; null of one in the right status
   * @throws POOL_NOT_FOUND, what `refuse` says, STALE
   */
  const lock = async (
    db: Db,
    change: Change,
    poolGuid: string,
    refuse: (pool: store.StoredPool) => ServiceError | null,
  ): Promise<store.StoredPool> => {
    const pool = await store.lockPool(db, poolGuid);
    if (pool === null) throw poolErrors.POOL_NOT_FOUND();
    const refusal = refuse(pool);
    if (refusal) throw refusal;
    if (change.ifMatch !== undefined) {
      const whole = await store.loadPool(db, poolGuid);
      requireCurrent(change, view(pool), ...(whole ? [whole] : []));
    }
    return pool;
  };

  const lockDraft = (db: Db, change: Change, poolGuid: string): Promise<store.StoredPool> =>
    lock(db, change, poolGuid, ({ status }) =>
      status === 'draft'
        ? null
        : poolErrors.POOL_NOT_EDITABLE({
            message: `This pool is ${status === 'in_review' ? 'in review' : status}: only a draft can be changed.`,
            details: { status },
          }),
    );

  /** @throws MAP_NOT_FOUND */
  const requireMap = async (db: Db, poolGuid: string, mapGuid: string): Promise<PoolMap> => {
    const map = await store.findMap(db, poolGuid, mapGuid);
    if (map === null) throw mapErrors.MAP_NOT_FOUND({ message: 'There is no such map in this pool.' });
    return map;
  };

  const audit = (
    db: Db,
    { actorGuid }: Change,
    action: string,
    target: string,
    before: object | null,
    after: object | null,
  ) => recordAudit(db, { at: clock.now(), actorGuid, action, target, before, after });

  /** The name or the maps changed: another revision, and one more person who may not review it. */
  const countChange = async (db: Db, { actorGuid }: Change, poolGuid: string): Promise<store.StoredPool> => {
    await store.noteContribution(db, poolGuid, actorGuid, clock.now());
    return store.nextRevision(db, poolGuid);
  };

  /**
   * What each row puts into a pool, as the map host says.
   * @param rows a refusal in the place of a row that is known to be wrong already
   */
  const resolveRows = async (rows: readonly (NewPoolMap | ServiceError)[]) => {
    const wellFormed = rows.flatMap((row) => (row instanceof ServiceError ? [] : [row]));
    const categories = await holdCategories(
      prisma,
      wellFormed.map((row) => row.categoryGuid),
    );
    const worthAsking = wellFormed.filter((row) => categories.has(row.categoryGuid));
    const versions = await maps.resolveAll(worthAsking.map((row) => row.key));

    const resolve = (row: NewPoolMap | ServiceError): store.PoolMapRecord => {
      if (row instanceof ServiceError) throw row;
      requireOneSpeed(row.modifiers);
      const version = versions.get(row.key);
      if (version === undefined || !categories.has(row.categoryGuid))
        throw categoryErrors.CATEGORY_NOT_FOUND();
      if (version instanceof ServiceError) throw version;
      // Asked for by an old hash the host answers with the upload that took its place: another map.
      if (isHash(row.key) && version.hash !== row.key) throw poolErrors.MAP_STALE();
      const { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl } = version;
      const { categoryGuid, modifiers } = row;
      const upload = { key, hash, name, songName, levelAuthorName, coverUrl, downloadUrl };
      return { mapGuid: newGuid(), ...upload, ...chooseDifficulty(version, row), categoryGuid, modifiers };
    };

    const records = new Map<number, store.PoolMapRecord>();
    const problems = new Map<number, ServiceError>();
    for (const [index, row] of rows.entries()) {
      try {
        records.set(index, resolve(row));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        problems.set(index, error);
      }
    }
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
   * it no longer publishes cannot be downloaded by who does not have it.
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
     * A page of pools, newest first: the published ones, and all of them for staff.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    list: async ({ limit, cursor, seasonGuid, status }: PoolQuery, forStaff: boolean) => {
      const [before] = cursor === undefined ? [undefined] : decodeCursor(cursor, poolKey);
      const asked = status && [status];
      const statuses = forStaff
        ? asked
        : (asked ?? ['published' as const]).filter((one) => one === 'published');
      const found = await store.findPools(prisma, { seasonGuid, statuses }, before, limit + 1);
      return toPage(found.map(view), limit, (last) => [last.poolGuid]);
    },

    /**
     * One pool.
     * @throws POOL_NOT_FOUND, also for a pool that only staff may see
     */
    get: async (poolGuid: string, forStaff: boolean): Promise<Pool> => {
      const found = await store.findPool(prisma, poolGuid);
      if (found === null || !(forStaff || store.isPublic(found))) throw poolErrors.POOL_NOT_FOUND();
      return view(found);
    },

    /**
     * The same with its maps and their categories.
     * @throws POOL_NOT_FOUND, also for a pool that only staff may see
     */
    getWithMaps: async (poolGuid: string, forStaff: boolean): Promise<PoolWithMaps> => {
      const found = await store.loadPool(prisma, poolGuid);
      if (found === null || !(forStaff || store.isPublic(found))) throw poolErrors.POOL_NOT_FOUND();
      return found;
    },

    /** The playlist of a pool that is or was published. @throws POOL_NOT_FOUND for any other */
    playlist: async (poolGuid: string) => {
      const file = await maps.playlistOf(poolGuid);
      if (file === null) throw poolErrors.POOL_NOT_FOUND();
      return file;
    },

    /** The part of it in one category. @throws POOL_NOT_FOUND, CATEGORY_NOT_FOUND (none of its maps is in it) */
    categoryPlaylist: async (poolGuid: string, categoryGuid: string) => {
      const file = await maps.playlistOfCategory(poolGuid, categoryGuid);
      if (file !== null) return file;
      if ((await maps.coverOf(poolGuid)) === null) throw poolErrors.POOL_NOT_FOUND();
      throw categoryErrors.CATEGORY_NOT_FOUND({ message: 'No map of this pool is in this category.' });
    },

    /** The cover of its playlist, a PNG. @throws POOL_NOT_FOUND unless it is or was published */
    cover: async (poolGuid: string): Promise<Buffer> => {
      const png = await maps.coverOf(poolGuid);
      if (png === null) throw poolErrors.POOL_NOT_FOUND();
      return png;
    },

    /** @throws SEASON_NOT_FOUND */
    create: async (change: Change, { seasonGuid, name }: NewPool): Promise<Pool> =>
      inTransaction(database, async (db) => {
        await requireSeason(db, seasonGuid);
        const created = view(await store.insertPool(db, { seasonGuid, name, createdAt: clock.now() }));
        await audit(db, change, 'createPool', poolTarget(created.poolGuid), null, created);
        return created;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    rename: async (change: Change, poolGuid: string, name: string): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const before = view(await lockDraft(db, change, poolGuid));
        if (before.name === name) return before;
        await store.updatePool(db, poolGuid, { name });
        const after = view(await countChange(db, change, poolGuid));
        await audit(db, change, 'renamePool', poolTarget(before.poolGuid), before, after);
        return after;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    delete: async (change: Change, poolGuid: string): Promise<void> =>
      inTransaction(database, async (db) => {
        const before = view(await lockDraft(db, change, poolGuid));
        await store.deletePool(db, poolGuid);
        await audit(db, change, 'deletePool', poolTarget(before.poolGuid), before, null);
      }),

    /**
     * A new draft with the same maps, in whatever status the original is.
     * @throws POOL_NOT_FOUND, SEASON_NOT_FOUND, STALE
     */
    copy: async (change: Change, poolGuid: string, { name, seasonGuid }: PoolCopy): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const original = await lock(db, change, poolGuid, () => null);
        const season = seasonGuid ?? original.seasonGuid;
        await requireSeason(db, season);
        const at = clock.now();
        const draft = await store.insertPool(db, { seasonGuid: season, name, createdAt: at });
        await store.copyMaps(db, poolGuid, draft.poolGuid, { addedByGuid: change.actorGuid, addedAt: at });
        const copy = view({ ...draft, mapCount: original.mapCount });
        await audit(db, change, 'copyPool', poolTarget(copy.poolGuid), null, {
          ...copy,
          copiedFrom: original.poolGuid,
        });
        return copy;
      }),

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
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE
     * @throws VALIDATION_FAILED with one problem for each wrong row, the codes those of `addMap`
     * @throws UPSTREAM_UNAVAILABLE when nothing else is wrong
     */
    addMaps: async (
      change: Change,
      poolGuid: string,
      rows: readonly (NewPoolMap | ServiceError)[],
    ): Promise<PoolMap[]> =>
      add(change, poolGuid, rows).catch((error: unknown) => {
        throw error instanceof RowsRefused ? batchRefusal(error.problems, rows.length) : error;
      }),

    /**
     * Adds the maps of a file, all or none. A row that names an old upload is refused, never replaced.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, UPSTREAM_UNAVAILABLE
     * @throws VALIDATION_FAILED, with one problem for each row that is wrong
     */
    importMaps: async (
      change: Change,
      poolGuid: string,
      rows: readonly FileRow[],
      { dryRun, categoryGuid }: ImportQuery,
    ): Promise<{ dryRun: boolean; maps: PoolMap[] }> => {
      if (rows.length === 0 || rows.length > BOUNDS.batch.value)
        throw commonErrors.VALIDATION_FAILED({
          message: `The file has ${rows.length} rows; 1 to ${BOUNDS.batch.value} can be imported.`,
          details: { fields: [{ path: 'body', message: `must have 1 to ${BOUNDS.batch.value} rows` }] },
        });
      const categories = new Map(
        (await findCategories(prisma, undefined, ALL_CATEGORIES)).map((one) => [
          one.name.toLowerCase(),
          one.categoryGuid,
        ]),
      );
      const read = ({ category, ...row }: FileRow): NewPoolMap | ServiceError => {
        const guid = category === '' ? categoryGuid : categories.get(category.toLowerCase());
        if (guid === undefined)
          return categoryErrors.CATEGORY_NOT_FOUND({
            message: category === '' ? 'The row names no category.' : `There is no category ${category}.`,
          });
        const parsed = importRow.safeParse({ ...row, categoryGuid: guid });
        if (!parsed.success) {
          const { path = [], message = 'is invalid' } = parsed.error.issues[0] ?? {};
          return commonErrors.VALIDATION_FAILED({
            message: [path.join('.'), message].filter(Boolean).join(': '),
          });
        }
        const { key, hash, ...rest } = parsed.data;
        if (key === '' && hash === '')
          return commonErrors.VALIDATION_FAILED({ message: 'The row names neither a key nor a hash.' });
        return { ...rest, key: hash || key };
      };
      const tried = dryRun === 'true';
      const maps = await add(change, poolGuid, rows.map(read), { dryRun: tried }).catch((error: unknown) => {
        throw error instanceof RowsRefused ? batchRefusal(error.problems, rows.length) : error;
      });
      return { dryRun: tried, maps };
    },

    /** The pool as a file, in whatever status. @throws POOL_NOT_FOUND */
    exportAs: async (poolGuid: string, format: 'csv' | 'bplist'): Promise<{ name: string; body: string }> => {
      const found = await store.loadPool(prisma, poolGuid);
      if (found === null) throw poolErrors.POOL_NOT_FOUND();
      const body = format === 'csv' ? toCsv(found) : JSON.stringify(toBplist(found));
      return { name: `${found.season.name} – ${found.name}.${format}`, body };
    },

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
        if (JSON.stringify(after) === JSON.stringify(before)) return before;
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

    /** draft → in_review. @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    submit: async (change: Change, poolGuid: string): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const before = view(await lockDraft(db, change, poolGuid));
        await store.noteContribution(db, poolGuid, change.actorGuid, clock.now());
        const after = view(
          await store.updatePool(db, poolGuid, { status: 'in_review', submittedByGuid: change.actorGuid }),
        );
        await audit(db, change, 'submitPool', poolTarget(after.poolGuid), before, after);
        return after;
      }),

    /**
     * A page of a pool's reviews, newest first.
     * @throws POOL_NOT_FOUND, VALIDATION_FAILED for a foreign cursor
     */
    listReviews: async (poolGuid: string, { limit, cursor }: PageQuery) => {
      if ((await store.findPool(prisma, poolGuid)) === null) throw poolErrors.POOL_NOT_FOUND();
      const after = cursor === undefined ? undefined : decodeCursor(cursor, reviewKey);
      const reviews = await store.findReviews(prisma, poolGuid, after, limit + 1);
      return toPage(reviews, limit, ({ createdAt, reviewGuid }) => [createdAt, reviewGuid]);
    },

    /**
     * Approves this revision, or sends it back: in_review → draft.
     * @throws POOL_NOT_FOUND, POOL_NOT_IN_REVIEW, STALE
     * @throws SELF_REVIEW for who submitted or changed it since the last review
     */
    review: async (change: Change, poolGuid: string, { verdict, comment }: NewReview): Promise<PoolReview> =>
      inTransaction(database, async (db) => {
        const pool = await lock(db, change, poolGuid, ({ status }) =>
          status === 'in_review' ? null : poolErrors.POOL_NOT_IN_REVIEW({ details: { status } }),
        );
        if (await store.hasContributed(db, poolGuid, change.actorGuid)) throw poolErrors.SELF_REVIEW();
        const review = await store.insertReview(db, {
          poolGuid,
          revision: pool.revision,
          reviewerGuid: change.actorGuid,
          verdict,
          comment,
          createdAt: isoTime(clock.now()),
        });
        await store.clearContributions(db, poolGuid);
        const reviewed =
          verdict === 'approve' ? pool : await store.updatePool(db, poolGuid, { status: 'draft' });
        await audit(db, change, 'reviewPool', poolTarget(poolGuid), view(pool), {
          ...view(reviewed),
          review,
        });
        return review;
      }),

    /**
     * in_review → published, for good.
     * @throws POOL_NOT_FOUND, STALE, POOL_NOT_IN_REVIEW when it is or was published
     * @throws REVIEW_REQUIRED unless the last review approved this revision
     */
    publish: async (change: Change, poolGuid: string): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const before = await lock(db, change, poolGuid, (pool) => {
          if (store.isPublic(pool))
            return poolErrors.POOL_NOT_IN_REVIEW({
              message: 'This pool is or was published already.',
              details: { status: pool.status },
            });
          return pool.status === 'draft' ? poolErrors.REVIEW_REQUIRED() : null;
        });
        const [last] = await store.findReviews(db, poolGuid, undefined, 1);
        if (last?.verdict !== 'approve' || last.revision !== before.revision)
          throw poolErrors.REVIEW_REQUIRED();
        const after = view(
          await store.updatePool(db, poolGuid, { status: 'published', publishedAt: new Date(clock.now()) }),
        );
        await audit(db, change, 'publishPool', poolTarget(after.poolGuid), view(before), after);
        return after;
      }),

    /**
     * published → retired. Its queues drain; running matches finish.
     * @throws POOL_NOT_FOUND, POOL_NOT_PUBLISHED, STALE
     */
    retire: async (change: Change, poolGuid: string): Promise<Pool> => {
      const { pool, afterCommit } = await inTransaction(database, async (db) => {
        const before = await lock(db, change, poolGuid, ({ status }) =>
          status === 'published' ? null : poolErrors.POOL_NOT_PUBLISHED({ details: { status } }),
        );
        const after = view(
          await store.updatePool(db, poolGuid, { status: 'retired', retiredAt: new Date(clock.now()) }),
        );
        await audit(db, change, 'retirePool', poolTarget(after.poolGuid), view(before), after);
        const { actorGuid } = change;
        return { pool: after, afterCommit: await onRetired(db, { poolGuid: after.poolGuid, actorGuid }) };
      });
      await afterCommit();
      return pool;
    },
  };
}
