import type { Db } from '../../platform/database/database.ts';
import type { StoredMatch } from './store.ts';

const playedBy = (playerGuid: string) => ({ OR: [{ redGuid: playerGuid }, { blueGuid: playerGuid }] });

/** The player's last ended match since `since`; null when there is none. */
export async function lastEndedMatchOf(
  db: Db,
  playerGuid: string,
  since: number,
): Promise<StoredMatch | null> {
  const row = await db.match.findFirst({
    where: { ...playedBy(playerGuid), endedAt: { gte: new Date(since) } },
    orderBy: { sequence: 'desc' },
    select: { state: true, sequence: true, ratings: true, replays: true },
  });
  return row && ({ ...row, sequence: Number(row.sequence) } as unknown as StoredMatch);
}

/** How often a player forfeited before any scored round since `since`. */
export async function countEarlyForfeits(db: Db, playerGuid: string, since: number): Promise<number> {
  return db.match.count({
    where: {
      ...playedBy(playerGuid),
      endedAt: { gte: new Date(since) },
      reason: 'forfeit',
      scoredRounds: 0,
      NOT: { winnerGuid: playerGuid },
    },
  });
}

/** The ends of matches between any two of these players since `since`. One parameter, however many wait. */
export async function recentMeetings(
  db: Db,
  playerGuids: readonly string[],
  since: number,
): Promise<{ redGuid: string; blueGuid: string; endedAt: number }[]> {
  const rows = await db.$queryRaw<{ redGuid: string; blueGuid: string; endedAt: Date }[]>`
    SELECT "redGuid", "blueGuid", "endedAt" FROM "Match"
    WHERE "endedAt" >= ${new Date(since)}
      AND "redGuid" = ANY(${[...playerGuids]}::uuid[]) AND "blueGuid" = ANY(${[...playerGuids]}::uuid[])`;
  return rows.map((row) => ({ ...row, endedAt: row.endedAt.getTime() }));
}

/** How many matches of these two were played to a result since `since`. */
export async function countMeetings(db: Db, a: string, b: string, since: number): Promise<number> {
  return db.match.count({
    where: {
      OR: [
        { redGuid: a, blueGuid: b },
        { redGuid: b, blueGuid: a },
      ],
      status: 'completed',
      endedAt: { gte: new Date(since) },
    },
  });
}
