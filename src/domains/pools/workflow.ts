import { type Clock, isoTime } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { keepPerson } from '../auth/index.ts';
import { mapErrors } from '../maps/index.ts';
import { mayBeAmong } from '../players/index.ts';
import type { Changes } from './changes.ts';
import { poolErrors } from './errors.ts';
import { findRows } from './maps-store.ts';
import * as reviews from './reviews-store.ts';
import { type NewReview, type ReviewedRow, reviewKey } from './schemas.ts';
import { findPool, isPublic, updatePool } from './store.ts';

export interface WorkflowOptions {
  database: Database;
  clock: Clock;
  changes: Changes;
  /**
   * Drains the queues of a retired pool in the same transaction.
   * @returns what to do after the commit
   */
  onRetired(db: Db, retired: { poolGuid: string; actorGuid: string }): Promise<() => Promise<void>>;
}

/** The workflow of a pool: draft → in_review → (draft | published) → retired. */
export function createWorkflow({ database, clock, changes, onRetired }: WorkflowOptions) {
  const { prisma } = database;
  const { view, lock, lockDraft, audit } = changes;

  /** Comments with what names their maps. @throws MAP_NOT_FOUND */
  const named = async (db: Db, poolGuid: string, rows: NewReview['rows']): Promise<ReviewedRow[]> => {
    const guids = rows.map(({ mapGuid }) => mapGuid);
    const maps = new Map((await findRows(db, poolGuid, guids)).map((map) => [map.mapGuid, map]));
    return rows.map(({ mapGuid, comment }) => {
      const { key, name, characteristic, difficulty } = existing(maps.get(mapGuid), mapErrors.MAP_NOT_FOUND);
      return { mapGuid, key, name, characteristic, difficulty, comment };
    });
  };

  return {
    /** draft → in_review. @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    submit: async (write: WriteRequest, poolGuid: string) =>
      inTransaction(database, ['Pool'], async (db) => {
        const before = view(await lockDraft(db, write, poolGuid));
        await reviews.noteContribution(db, poolGuid, write.actorGuid, clock.now());
        const after = view(
          await updatePool(db, poolGuid, { status: 'in_review', submittedByGuid: write.actorGuid }),
        );
        await audit(db, write, 'submitPool', before, after);
        return after;
      }),

    /**
     * A page of a pool's reviews, newest first.
     * @throws POOL_NOT_FOUND, VALIDATION_FAILED for a cursor of another list
     */
    listReviews: async (poolGuid: string, query: PageQuery) => {
      existing(await findPool(prisma, poolGuid), poolErrors.POOL_NOT_FOUND);
      return readPage(
        query,
        reviewKey,
        (after, limit) => reviews.findReviews(prisma, poolGuid, after, limit),
        ({ createdAt, reviewGuid }) => [createdAt, reviewGuid],
      );
    },

    /**
     * Approves this revision, or requests changes: in_review → draft.
     * @throws POOL_NOT_FOUND, POOL_NOT_IN_REVIEW, STALE
     * @throws MAP_NOT_FOUND for a comment on a map that is not in the pool
     * @throws SELF_REVIEW when the reviewer submitted or changed the pool since its last review, or may be an erased person who did
     * @throws UNAUTHENTICATED for a person who was erased meanwhile
     */
    review: async (write: WriteRequest, poolGuid: string, { verdict, comment, rows }: NewReview) =>
      inTransaction(database, ['Pool'], async (db) => {
        await keepPerson(db, write.actorGuid);
        const pool = await lock(db, write, poolGuid, ({ status }) =>
          status === 'in_review' ? null : poolErrors.POOL_NOT_IN_REVIEW({ details: { status } }),
        );
        if (await mayBeAmong(db, write.actorGuid, await reviews.contributorsOf(db, poolGuid)))
          throw poolErrors.SELF_REVIEW();
        const review = await reviews.insertReview(db, {
          poolGuid,
          revision: pool.revision,
          reviewerGuid: write.actorGuid,
          verdict,
          comment,
          rows: await named(db, poolGuid, rows),
          createdAt: isoTime(clock.now()),
        });
        await reviews.clearContributions(db, poolGuid);
        const reviewed = verdict === 'approve' ? pool : await updatePool(db, poolGuid, { status: 'draft' });
        const after = { ...view(reviewed), review };
        await audit(db, write, 'reviewPool', view(pool), after);
        return review;
      }),

    /**
     * in_review → published.
     * @throws POOL_NOT_FOUND, STALE, POOL_NOT_IN_REVIEW when it is or was published
     * @throws REVIEW_REQUIRED unless the last review approved this revision
     */
    publish: async (write: WriteRequest, poolGuid: string) =>
      inTransaction(database, ['Pool'], async (db) => {
        const before = await lock(db, write, poolGuid, (pool) => {
          if (isPublic(pool))
            return poolErrors.POOL_NOT_IN_REVIEW({
              message: 'This pool is or was published already.',
              details: { status: pool.status },
            });
          return pool.status === 'draft' ? poolErrors.REVIEW_REQUIRED() : null;
        });
        const [last] = await reviews.findReviews(db, poolGuid, undefined, 1);
        if (last?.verdict !== 'approve' || last.revision !== before.revision)
          throw poolErrors.REVIEW_REQUIRED();
        const after = view(
          await updatePool(db, poolGuid, { status: 'published', publishedAt: new Date(clock.now()) }),
        );
        await audit(db, write, 'publishPool', view(before), after);
        return after;
      }),

    /**
     * published → retired. Its queues drain; running matches finish.
     * @throws POOL_NOT_FOUND, POOL_NOT_PUBLISHED, STALE
     */
    retire: async (write: WriteRequest, poolGuid: string) => {
      const { pool, afterCommit } = await inTransaction(database, ['Pool', 'Queue'], async (db) => {
        const before = await lock(db, write, poolGuid, ({ status }) =>
          status === 'published' ? null : poolErrors.POOL_NOT_PUBLISHED({ details: { status } }),
        );
        const after = view(
          await updatePool(db, poolGuid, { status: 'retired', retiredAt: new Date(clock.now()) }),
        );
        await audit(db, write, 'retirePool', view(before), after);
        const { actorGuid } = write;
        return { pool: after, afterCommit: await onRetired(db, { poolGuid: after.poolGuid, actorGuid }) };
      });
      await afterCommit();
      return pool;
    },
  };
}
