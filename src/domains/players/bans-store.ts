import { newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';

export interface Ban {
  banGuid: string;
  playerGuid: string;
  reason: string;
  createdByGuid: string;
  createdAt: Date;
  /** Null: for good. */
  until: Date | null;
  liftedByGuid: string | null;
  liftedAt: Date | null;
}

/** A ban in force. @param now milliseconds since 1970 */
export const inForce = (now: number) => ({
  liftedAt: null,
  OR: [{ until: null }, { until: { gt: new Date(now) } }],
});

/** The ban in force, the one that lasts longest when there are several; null for whoever may play. */
export async function activeBan(
  db: Db,
  playerGuid: string,
  now: number,
): Promise<{ banGuid: string; reason: string; until: number | null } | null> {
  const ban = await db.ban.findFirst({
    where: { playerGuid, ...inForce(now) },
    orderBy: { until: { sort: 'desc', nulls: 'first' } },
    select: { banGuid: true, reason: true, until: true },
  });
  return ban && { ...ban, until: ban.until?.getTime() ?? null };
}

/** The bans in force that were made since `since` (milliseconds since 1970), as their players are told of them. */
export const bansSince = (
  db: Db,
  since: number,
  now: number,
): Promise<Pick<Ban, 'playerGuid' | 'reason'>[]> =>
  db.ban.findMany({
    where: { createdAt: { gte: new Date(since) }, ...inForce(now) },
    select: { playerGuid: true, reason: true },
  });

export const insertBan = (
  db: Db,
  ban: Pick<Ban, 'playerGuid' | 'reason' | 'createdByGuid' | 'createdAt' | 'until'>,
): Promise<Ban> => db.ban.create({ data: { banGuid: newGuid(), ...ban } });

/** Newest first: ids grow with time. */
export const bansOf = (
  db: Db,
  playerGuid: string,
  page: { before: string | undefined; limit: number },
): Promise<Ban[]> =>
  db.ban.findMany({
    where: { playerGuid, ...(page.before !== undefined && { banGuid: { lt: page.before } }) },
    orderBy: { banGuid: 'desc' },
    take: page.limit,
  });

export const findBan = (db: Db, playerGuid: string, banGuid: string): Promise<Ban | null> =>
  db.ban.findFirst({ where: { playerGuid, banGuid } });

/** @returns whether this call lifted it; false when it was lifted before. */
export async function liftBan(
  db: Db,
  banGuid: string,
  by: { liftedByGuid: string; liftedAt: Date },
): Promise<boolean> {
  const { count } = await db.ban.updateMany({ where: { banGuid, liftedAt: null }, data: by });
  return count === 1;
}
