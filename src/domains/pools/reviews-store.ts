import { newGuid } from '../../platform/clock.ts';
import type { Db, Prisma } from '../../platform/database/database.ts';
import type { PoolReview, ReviewKey } from './schemas.ts';

/** Stores that somebody submitted or changed a pool, and so may not review it next. */
export async function noteContribution(
  db: Db,
  poolGuid: string,
  playerGuid: string,
  at: number,
): Promise<void> {
  await db.poolContribution.upsert({
    where: { poolGuid_playerGuid: { poolGuid, playerGuid } },
    create: { poolGuid, playerGuid, at: new Date(at) },
    update: { at: new Date(at) },
  });
}

/** Those who submitted or changed a pool since its last review. */
export async function contributorsOf(db: Db, poolGuid: string): Promise<string[]> {
  const rows = await db.poolContribution.findMany({
    where: { poolGuid },
    select: { playerGuid: true },
    orderBy: { playerGuid: 'asc' },
  });
  return rows.map(({ playerGuid }) => playerGuid);
}

/** Notes those who contributed to a pool for its copy too. */
export async function copyContributions(db: Db, from: string, to: string): Promise<void> {
  const rows = await db.poolContribution.findMany({ where: { poolGuid: from } });
  await db.poolContribution.createMany({ data: rows.map((row) => ({ ...row, poolGuid: to })) });
}

export async function clearContributions(db: Db, poolGuid: string): Promise<void> {
  await db.poolContribution.deleteMany({ where: { poolGuid } });
}

const reviewFrom = (row: Prisma.PoolReviewGetPayload<object>): PoolReview => ({
  ...row,
  verdict: row.verdict as PoolReview['verdict'],
  rows: row.rows as unknown as PoolReview['rows'],
  createdAt: row.createdAt.toISOString(),
});

export async function insertReview(db: Db, review: Omit<PoolReview, 'reviewGuid'>): Promise<PoolReview> {
  return reviewFrom(await db.poolReview.create({ data: { ...review, reviewGuid: newGuid() } }));
}

/** Newest first. */
export async function findReviews(
  db: Db,
  poolGuid: string,
  after: ReviewKey | undefined,
  limit: number,
): Promise<PoolReview[]> {
  const rows = await db.poolReview.findMany({
    where: {
      poolGuid,
      OR: after && [{ createdAt: { lt: after[0] } }, { createdAt: after[0], reviewGuid: { lt: after[1] } }],
    },
    orderBy: [{ createdAt: 'desc' }, { reviewGuid: 'desc' }],
    take: limit,
  });
  return rows.map(reviewFrom);
}
