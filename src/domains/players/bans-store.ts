import { newGuid } from '../../platform/clock.ts';
import type { Database, Db, Prisma } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { ActiveBan } from './rules.ts';

/** `until` is null for a permanent ban. */
export type Ban = Prisma.BanGetPayload<object>;

/** The condition that a ban is in force. @param now milliseconds since 1970 */
export const inForce = (now: number) => ({
  liftedAt: null,
  OR: [{ until: null }, { until: { gt: new Date(now) } }],
});

const selectActiveBan = statement<{ reason: string; until: Date | null }, [playerGuid: string, now: Date]>(
  'active-ban',
  `SELECT reason, until FROM "Ban"
  WHERE "playerGuid" = $1::uuid AND "liftedAt" IS NULL AND (until IS NULL OR until > $2::timestamptz)
  ORDER BY until DESC NULLS FIRST LIMIT 1`,
);

/** The ban in force that ends last; null when there is none. Read for each request that writes. */
export async function activeBan(
  on: Database | Db,
  playerGuid: string,
  now: number,
): Promise<ActiveBan | null> {
  const [ban] = await selectActiveBan(on, playerGuid, new Date(now));
  return ban ? { ...ban, until: ban.until?.getTime() ?? null } : null;
}

/** The bans of a player in force, the one that ends last first. */
export const bansInForce = (db: Db, playerGuid: string, now: number) =>
  db.ban.findMany({
    where: { playerGuid, ...inForce(now) },
    orderBy: [{ until: { sort: 'desc', nulls: 'first' } }, { banGuid: 'desc' }],
  });

/** Which of these players have a ban in force. */
export async function bannedAmong(
  db: Db,
  playerGuids: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const bans = await db.ban.findMany({
    where: { playerGuid: { in: [...playerGuids] }, ...inForce(now) },
    select: { playerGuid: true },
  });
  return new Set(bans.map(({ playerGuid }) => playerGuid));
}

/** Player and reason of the bans in force that were stored from `since` to `until` (milliseconds since 1970). */
export const bansStored = (db: Db, { since, until }: { since: number; until: number }, now: number) =>
  db.ban.findMany({
    where: { createdAt: { gte: new Date(since), lte: new Date(until) }, ...inForce(now) },
    select: { playerGuid: true, reason: true, until: true },
  });

export const insertBan = (
  db: Db,
  ban: Pick<Ban, 'playerGuid' | 'reason' | 'createdByGuid' | 'createdAt' | 'until'>,
) => db.ban.create({ data: { banGuid: newGuid(), ...ban } });

/** Newest first: ids grow with time. */
export const bansOf = (db: Db, playerGuid: string, before: string | undefined, limit: number) =>
  db.ban.findMany({
    where: { playerGuid, banGuid: { lt: before } },
    orderBy: { banGuid: 'desc' },
    take: limit,
  });

export const findBan = (db: Db, playerGuid: string, banGuid: string) =>
  db.ban.findFirst({ where: { playerGuid, banGuid } });

/** @returns false when it was lifted before */
export async function liftBan(db: Db, banGuid: string, by: { liftedByGuid: string; liftedAt: Date }) {
  const { count } = await db.ban.updateMany({ where: { banGuid, liftedAt: null }, data: by });
  return count === 1;
}
