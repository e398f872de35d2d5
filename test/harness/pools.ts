import { createMatch, dueAt } from '../../src/domains/matches/machine.ts';
import type { RunningSeat } from '../../src/domains/matches/seats-store.ts';
import type { MatchSetup, MatchState } from '../../src/domains/matches/state.ts';
import { insertMatches } from '../../src/domains/matches/store.ts';
import type { Database } from '../../src/platform/database/database.ts';

const CREATED_AT = new Date(0);
const ENDS_AT = new Date(86_400_000);

/** Stores the published pool of a match that is made without the API, with its season. Once is enough for a database. */
export async function storePool(
  { prisma }: Pick<Database, 'prisma'>,
  { poolGuid, seasonGuid, pool }: Pick<MatchSetup, 'poolGuid' | 'seasonGuid' | 'pool'>,
): Promise<void> {
  const season = { seasonGuid, name: 'The first day', startsAt: CREATED_AT, endsAt: ENDS_AT };
  await prisma.season.createMany({ data: [season], skipDuplicates: true });
  const categories = pool.map(({ categoryGuid }) => ({ categoryGuid, name: categoryGuid, position: 0 }));
  await prisma.mapCategory.createMany({ data: categories, skipDuplicates: true });
  const about = { name: 'Pool', status: 'published', revision: 1 };
  await prisma.pool.createMany({
    data: [{ poolGuid, seasonGuid, ...about, createdAt: CREATED_AT, publishedAt: CREATED_AT }],
    skipDuplicates: true,
  });
  const more = { poolGuid, levelAuthorName: '', downloadUrl: '', stale: false, addedByGuid: poolGuid };
  await prisma.poolMap.createMany({
    data: pool.map((map) => ({ ...map, ...more, songName: map.name })),
    skipDuplicates: true,
  });
}

/** Stores a match that is made without the API; its pool is stored already. @returns its state */
export async function storeMatch(
  { prisma }: Pick<Database, 'prisma'>,
  setup: MatchSetup,
  now: number,
  seats: readonly RunningSeat[] = [],
): Promise<MatchState> {
  const state = createMatch(setup, now);
  const cause = { type: 'created', seat: null } as const;
  const created = { event: { type: 'created', setup } as const, state, cause };
  await insertMatches(prisma, [{ created, dueAt: dueAt(state), seats }]);
  return state;
}
