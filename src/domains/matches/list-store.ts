import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { type MatchFilter, matchListKey } from './schemas.ts';
import type { MatchStatus, ShownState } from './state.ts';
import { type StoredMatch, verdictsOf } from './store.ts';
import { withMaps } from './stored-state.ts';

/** A match to show to everybody: a running one whole, of an ended one neither hands nor the deck leave the database. */
export type ShownMatch = Pick<StoredMatch, 'ratings' | 'replays'> & {
  state: ShownState;
  /** The version it ended with; null when nothing has changed it since. */
  endVersion: number | null;
};

/** Selects a {@link ShownMatch} of the table of matches. */
export const SHOWN = `ratings, "endVersion", ${verdictsOf()} AS replays,
  CASE WHEN "endedAt" IS NULL THEN state ELSE state - '{limits,reserve,current}'::text[]
    #- '{seats,red,hand}' #- '{seats,red,discarded}' #- '{seats,blue,hand}' #- '{seats,blue,discarded}' END AS state`;

/** Newest first. */
const selectShown = statement<ShownMatch, [matchGuids: readonly string[]]>(
  'matches-shown',
  `SELECT ${SHOWN}
   FROM "Match" WHERE "matchGuid" = ANY($1::uuid[])
   ORDER BY "startedAt" DESC, "matchGuid" DESC`,
);

/** These matches as they are now, newest first, without those that do not exist. */
export const loadShown = async (database: Database, matchGuids: readonly string[]): Promise<ShownMatch[]> =>
  withMaps(database.prisma, await selectShown(database, matchGuids));

/** The filters that the index of running matches and the one of outcomes serve: a status changes too often for an index. */
const withStatus = (status: MatchStatus) => ({
  status,
  ...(status === 'aborted' && { outcome: 'no_contest' }),
  ...(status !== 'aborted' && status !== 'completed' && { endedAt: null }),
});

/** Matches, newest first. */
const findMatches = (
  db: Db,
  filter: MatchFilter,
  after: readonly [startedAt: number, matchGuid: string] | undefined,
  limit: number,
) =>
  db.match.findMany({
    where: {
      ...(filter.status && withStatus(filter.status)),
      ...(filter.state && { endedAt: filter.state === 'running' ? null : { not: null } }),
      ...(filter.queueGuid && { queueGuid: filter.queueGuid }),
      ...(filter.seasonGuid && { seasonGuid: filter.seasonGuid }),
      startedAt: {
        ...(filter.since && { gte: new Date(filter.since) }),
        ...(filter.until && { lt: new Date(filter.until) }),
      },
      AND: [
        // The players of a match are hidden until both have joined, so a search by player must not find it.
        filter.playerGuid
          ? {
              OR: [{ redGuid: filter.playerGuid }, { blueGuid: filter.playerGuid }],
              status: { not: 'waiting_players' },
            }
          : {},
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

/** A page of matches, newest first. */
export async function listMatches(database: Database, filter: MatchFilter, query: PageQuery) {
  const { items, nextCursor } = await readPage(
    query,
    matchListKey,
    (after, limit) => findMatches(database.prisma, filter, after, limit),
    ({ startedAt, matchGuid }) => [startedAt.getTime(), matchGuid],
  );
  const guids = items.map((row) => row.matchGuid);
  return { items: await loadShown(database, guids), nextCursor };
}
