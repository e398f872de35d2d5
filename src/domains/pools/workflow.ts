import { type Clock, isoTime } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { decodeCursor, type PageQuery, toPage } from '../../platform/http/schemas.ts';
import type { Change } from '../../platform/http/staff.ts';
import { type Changes, poolTarget } from './changes.ts';
import { poolErrors } from './errors.ts';
import { type NewReview, type Pool, type PoolReview, reviewKey } from './schemas.ts';
import * as store from './store.ts';

export interface WorkflowOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  changes: Changes;
  /**
   * A pool was retired: drains its queues in the same transaction.
   * @returns what is to be done once that has committed
   */
  onRetired(db: Db, retired: { poolGuid: string; actorGuid: string }): Promise<() => Promise<void>>;
}

/** The way of a pool: draft → in_review → (draft | published) → retired. */
export function createWorkflow({ database, clock, changes, onRetired }: WorkflowOptions) {
  const { prisma } = database;
  const { view, lock, lockDraft, audit } = changes;

  return {
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
     * @throws SELF_REVIEW for whoever submitted or changed it since the last review
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
