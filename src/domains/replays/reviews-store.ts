import { newGuid } from '../../platform/clock.ts';
import type { Db, Prisma } from '../../platform/database/database.ts';
import { readPage } from '../../platform/http/schemas.ts';
import {
  type ReplayUnderReview,
  type ResolveBody,
  type ReviewQuery,
  type ReviewReason,
  reviewKey,
} from './schemas.ts';
import type { PartKey } from './store.ts';

const reviewOf = (row: Prisma.ReplayReviewGetPayload<object>) => ({
  ...row,
  reason: row.reason as ReviewReason,
  decision: row.decision as ResolveBody['decision'] | null,
  createdAt: row.createdAt.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
});
export type StoredReview = ReturnType<typeof reviewOf>;

/** Lists a round of a player for review, once for each reason. */
export async function listForReview(
  db: Db,
  review: PartKey & { replayGuid: string | null; reason: ReviewReason; now: number },
): Promise<void> {
  const { now, ...about } = review;
  await db.replayReview.createMany({
    data: [{ ...about, reviewGuid: newGuid(), createdAt: new Date(now) }],
    skipDuplicates: true,
  });
}

export async function findReview(db: Db, reviewGuid: string): Promise<StoredReview | null> {
  const row = await db.replayReview.findUnique({ where: { reviewGuid } });
  return row && reviewOf(row);
}

/** The replays of a player that are under review, in the order they were published. */
export const replaysUnderReview = (db: Db, playerGuid: string): Promise<ReplayUnderReview[]> =>
  db.$queryRaw`
    SELECT "replayGuid"::text, "matchGuid"::text, "roundNumber", verdict FROM "Replay"
    WHERE "replayGuid" IN (
      SELECT "replayGuid" FROM "ReplayReview" WHERE "playerGuid" = ${playerGuid}::uuid AND "resolvedAt" IS NULL
    ) ORDER BY "Replay"."replayGuid"`;

/** Decides an open review. @returns whether it was still open */
export async function resolveReview(
  db: Db,
  reviewGuid: string,
  resolution: ResolveBody & { resolvedByGuid: string; at: number },
): Promise<boolean> {
  const { at, ...rest } = resolution;
  const { count } = await db.replayReview.updateMany({
    where: { reviewGuid, resolvedAt: null },
    data: { ...rest, resolvedAt: new Date(at) },
  });
  return count === 1;
}

/** Reviews, the one that waits longest first. @param without a match whose reviews are left out */
export const listReviews = (
  db: Db,
  { status, cursor, limit, ...equal }: ReviewQuery,
  without: string | undefined,
) =>
  readPage(
    { cursor, limit },
    reviewKey,
    async (after, take) => {
      const rows = await db.replayReview.findMany({
        where: {
          ...equal,
          ...(without && { NOT: { matchGuid: without } }),
          resolvedAt: status && (status === 'open' ? null : { not: null }),
          OR: after && [
            { createdAt: { gt: after[0] } },
            { createdAt: after[0], reviewGuid: { gt: after[1] } },
          ],
        },
        orderBy: [{ createdAt: 'asc' }, { reviewGuid: 'asc' }],
        take,
      });
      return rows.map(reviewOf);
    },
    ({ createdAt, reviewGuid }) => [createdAt, reviewGuid],
  );
