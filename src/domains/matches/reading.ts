import type { Database } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import type { PageQuery } from '../../platform/http/schemas.ts';
import { playerErrors, playersByGuid } from '../players/index.ts';
import type { MatchesOptions } from './context.ts';
import { loadPublicExtras } from './display.ts';
import { matchErrors } from './errors.ts';
import { listMatches, loadOneShown } from './list-store.ts';
import type { MatchFilter, PublicMatch } from './schemas.ts';
import { publicView } from './view.ts';

/** How old the number of spectators may be that a match shows. */
const SPECTATORS_SHOWN_MS = 1000;

/** One match as everybody may see it; null when there is none. */
export async function loadPublicMatch(database: Database, matchGuid: string): Promise<PublicMatch | null> {
  const found = await loadOneShown(database, matchGuid);
  if (found === undefined) return null;
  const { state, ...match } = found;
  return publicView(state, { ...match, ...(await loadPublicExtras(database.prisma, [found])) });
}

/** Matches as everybody may see them. */
export function createReading({
  database,
  clock,
  spectatorsOf,
}: Pick<MatchesOptions, 'database' | 'clock' | 'spectatorsOf'>) {
  const { prisma } = database;

  /** Newest first. */
  const list = async (filter: MatchFilter, query: PageQuery) => {
    const { items, nextCursor } = await listMatches(database, filter, query);
    const extras = await loadPublicExtras(prisma, items);
    const shown = items.map(({ state, ...match }) => publicView(state, { ...match, ...extras }));
    return { items: shown, nextCursor };
  };

  return {
    list,

    /** The matches of one player, newest first. @throws PLAYER_NOT_FOUND */
    listOf: async (playerGuid: string, query: PageQuery) => {
      existing((await playersByGuid(prisma, [playerGuid])).get(playerGuid), playerErrors.PLAYER_NOT_FOUND);
      return list({ playerGuid }, query);
    },

    /**
     * One match, how many watch its players live, and how long that number may be shown (milliseconds since 1970;
     * null: for ever). It is stored in no table.
     * @throws MATCH_NOT_FOUND
     */
    read: async (matchGuid: string) => {
      const match = existing(await loadPublicMatch(database, matchGuid), matchErrors.MATCH_NOT_FOUND);
      if (match.endedAt !== null) return { match, spectators: 0, validUntil: null };
      const spectators = await spectatorsOf(match.players.map(({ platformId }) => platformId));
      return { match, spectators, validUntil: clock.now() + SPECTATORS_SHOWN_MS };
    },
  };
}
