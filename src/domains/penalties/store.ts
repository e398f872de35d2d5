import { newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';
import { lockNames } from '../../platform/database/locks.ts';
import { MEMORY_MS, timeOutMs } from './rules.ts';
import type { PenaltyReason } from './schemas.ts';

/** A queue time-out; `until` in milliseconds since 1970. */
export interface Penalty {
  reason: PenaltyReason;
  until: number;
}

interface Offence {
  playerGuid: string;
  matchGuid: string;
  reason: PenaltyReason;
  /** Milliseconds since 1970. */
  now: number;
  /** Length of a first time-out, milliseconds. */
  firstMs: number;
}

/**
 * Records an offence and its time-out in the caller's transaction. At most one offence per match and player: a
 * repeated call returns the stored one.
 */
export async function recordOffence(
  db: Db,
  { playerGuid, matchGuid, reason, now, firstMs }: Offence,
): Promise<Penalty> {
  // If a player has two offences at once, the second one waits here and counts the first.
  await lockNames(db, `penalty ${playerGuid}`);
  const recorded = await db.penalty.findUnique({
    where: { matchGuid_playerGuid: { matchGuid, playerGuid } },
  });
  if (recorded !== null) return asPenalty(recorded);
  const earlier = await db.penalty.count({ where: { playerGuid, at: { gt: new Date(now - MEMORY_MS) } } });
  const until = now + timeOutMs(firstMs, earlier);
  await db.penalty.create({
    data: {
      penaltyGuid: newGuid(),
      playerGuid,
      matchGuid,
      reason,
      at: new Date(now),
      until: new Date(until),
    },
  });
  return { reason, until };
}

/** The time-out of a player in force that ends last; null: there is none. */
export async function penaltyOf(db: Db, playerGuid: string, now: number): Promise<Penalty | null> {
  const row = await db.penalty.findFirst({
    where: { playerGuid, until: { gt: new Date(now) } },
    orderBy: { until: 'desc' },
  });
  return row && asPenalty(row);
}

/** The offences of a player that are kept, newest first. */
export const offencesOf = (db: Db, playerGuid: string, most: number) =>
  db.penalty.findMany({
    where: { playerGuid },
    orderBy: { at: 'desc' },
    take: most,
    select: { matchGuid: true, reason: true, at: true, until: true },
  });

/** Which of these players have a time-out in force. */
export async function penalizedAmong(
  db: Db,
  playerGuids: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await db.penalty.findMany({
    where: { playerGuid: { in: [...playerGuids] }, until: { gt: new Date(now) } },
    select: { playerGuid: true },
  });
  return new Set(rows.map(({ playerGuid }) => playerGuid));
}

/**
 * How often each of these players left a match before the first pick within {@link MEMORY_MS}; those who did not are left
 * out.
 */
export async function countEarlyLeaves(
  db: Db,
  playerGuids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.penalty.groupBy({
    by: ['playerGuid'],
    where: {
      playerGuid: { in: [...playerGuids] },
      reason: { in: ['left_before_first_pick', 'dodged'] },
      at: { gt: new Date(now - MEMORY_MS) },
    },
    _count: true,
  });
  return new Map(rows.map(({ playerGuid, _count }) => [playerGuid, _count]));
}

/** Removes offences from before a time. They count for {@link MEMORY_MS}. */
export const expirePenalties = expiryOf('Penalty', 'at');

const asPenalty = (row: { reason: string; until: Date }): Penalty => ({
  reason: row.reason as PenaltyReason,
  until: row.until.getTime(),
});
