import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { type MatchFilter, matchListKey } from './schemas.ts';
import type { MatchStatus, ShownState } from './state.ts';
import { type StoredMatch, verdictsOf } from './store.ts';
import { completeAmong, withMaps } from './stored-state.ts';

/**
 * A match to show to everybody. The state of an ended one comes without the hands, the discarded cards, the reserve, the
 * limits and the current round.
 */
export type ShownMatch = Pick<StoredMatch, 'ratings' | 'replays'> & {
  state: ShownState;
  /** The version it ended with; null when nothing has changed it since. */
  endVersion: number | null;
};

/** Selects a {@link ShownMatch} of the table of matches. */
export const SHOWN = `ratings, "endVersion", ${verdictsOf('"Match"."matchGuid"')} AS replays,
  CASE WHEN "endedAt" IS NULL THEN state ELSE state - '{limits,reserve,current}'::text[]
    #- '{seats,red,hand}' #- '{seats,red,discarded}' #- '{seats,blue,hand}' #- '{seats,blue,discarded}' END AS state`;

/** Newest first. */
const selectShown = statement<ShownMatch, [matchGuids: readonly string[]]>(
  'matches-shown',
  `SELECT ${SHOWN}
   FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])
   ORDER BY "startedAt" DESC, "matchGuid" DESC`,
);

/** These matches as they are now, newest first, without those that do not exist or are incomplete. */
export const loadShown = async (database: Database, matchGuids: readonly string[]): Promise<ShownMatch[]> =>
  completeAmong(database.prisma, await selectShown(database, matchGuids));

/** One match as it is now; undefined when it does not exist. */
export const loadOneShown = async (database: Database, matchGuid: string): Promise<ShownMatch | undefined> =>
  (await withMaps(database.prisma, await selectShown(database, [matchGuid])))[0];

/**
 * Adds conditions that an index has. No index has `status`, because it changes too often: a running match has no `endedAt`,
 * an aborted one the outcome `no_contest`.
 */
const withStatus = (status: MatchStatus) => ({
  status,
  ...(status === 'aborted' && { outcome: 'no_contest' }),
  ...(status !== 'aborted' && status !== 'completed' && { endedAt: null }),
});

type MatchKey = readonly [startedAt: number, matchGuid: string];

/** Matches, newest first. @param seat of the player in them */
const findMatches = (
  db: Db,
  filter: MatchFilter,
  seat: { redGuid: string } | { blueGuid: string } | undefined,
  after: MatchKey | undefined,
  limit: number,
) =>
  db.match.findMany({
    where: {
      ...(filter.status && withStatus(filter.status)),
      ...(filter.state && { endedAt: filter.state === 'running' ? null : { not: null } }),
      ...(filter.queueGuid && { queueGuid: filter.queueGuid }),
      ...(filter.seasonGuid && { seasonGuid: filter.seasonGuid }),
      ...seat,
      startedAt: {
        ...(filter.since && { gte: new Date(filter.since) }),
        ...(filter.until && { lt: new Date(filter.until) }),
      },
      AND: [
        // The players of a match are hidden until both have joined, so a search by player must not find it.
        seat ? { status: { not: 'waiting_players' } } : {},
        after
          ? {
              OR: [
                { startedAt: { lt: new Date(after[0]) } },
                { startedAt: new Date(after[0]), matchGuid: { lt: after[1] } },
              ],
            }
          : {},
      ],
    },
    orderBy: [{ startedAt: 'desc' }, { matchGuid: 'desc' }],
    take: limit,
    select: { startedAt: true, matchGuid: true },
  });

/**
 * Matches of a player in either seat, newest first. Each seat has an index by start. With both seats in one statement
 * PostgreSQL may read the matches of all players instead, and for one who stopped playing those are many.
 */
async function findMatchesOf(
  db: Db,
  filter: MatchFilter,
  playerGuid: string,
  after: MatchKey | undefined,
  limit: number,
) {
  const seats = [{ redGuid: playerGuid }, { blueGuid: playerGuid }];
  const found = await Promise.all(seats.map((seat) => findMatches(db, filter, seat, after, limit)));
  return found
    .flat()
    .sort((a, b) => Number(b.startedAt) - Number(a.startedAt) || (a.matchGuid < b.matchGuid ? 1 : -1))
    .slice(0, limit);
}

/** A page of matches, newest first. */
export async function listMatches(database: Database, filter: MatchFilter, query: PageQuery) {
  const { prisma } = database;
  const { playerGuid } = filter;
  const { items, nextCursor } = await readPage(
    query,
    matchListKey,
    (after, limit) =>
      playerGuid
        ? findMatchesOf(prisma, filter, playerGuid, after, limit)
        : findMatches(prisma, filter, undefined, after, limit),
    ({ startedAt, matchGuid }) => [startedAt.getTime(), matchGuid],
  );
  const guids = items.map((row) => row.matchGuid);
  return { items: await loadShown(database, guids), nextCursor };
}
