import { type Db, Prisma } from '../../platform/database/database.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { type MatchFilter, matchListKey } from './schemas.ts';
import type { MatchStatus, ShownState } from './state.ts';
import { type StoredMatch, verdictsOf } from './store.ts';

/** A match as everybody may see it: neither hands nor the deck have left the database. */
export type ShownMatch = Pick<StoredMatch, 'ratings' | 'replays'> & { state: ShownState };

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
export async function listMatches(db: Db, filter: MatchFilter, query: PageQuery) {
  const { items, nextCursor } = await readPage(
    query,
    matchListKey,
    (after, limit) => findMatches(db, filter, after, limit),
    ({ startedAt, matchGuid }) => [startedAt.getTime(), matchGuid],
  );
  const guids = items.map((row) => row.matchGuid);
  const shown = await db.$queryRaw<ShownMatch[]>`
    SELECT ratings, ${Prisma.raw(verdictsOf())} AS replays, state - '{limits,reserve,current}'::text[]
      #- '{seats,red,hand}' #- '{seats,red,discarded}' #- '{seats,blue,hand}' #- '{seats,blue,discarded}' AS state
    FROM "Match" WHERE "matchGuid" = ANY(${guids}::uuid[])
    ORDER BY "startedAt" DESC, "matchGuid" DESC`;
  return { items: shown, nextCursor };
}
