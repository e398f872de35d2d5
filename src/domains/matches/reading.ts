import type { PageQuery } from '../../platform/http/schemas.ts';
import { playerErrors, playersByGuid } from '../players/index.ts';
import type { MatchesOptions } from './context.ts';
import { loadPublicExtras } from './display.ts';
import { matchErrors } from './errors.ts';
import { listMatches, loadOneShown, type ShownMatch } from './list-store.ts';
import type { MatchFilter } from './schemas.ts';
import { publicView } from './view.ts';

/** How old the number of spectators may be that a match shows. */
const SPECTATORS_SHOWN_MS = 1000;

/** Matches as everybody may see them. */
export function createReading({
  database,
  clock,
  spectatorsOf,
}: Pick<MatchesOptions, 'database' | 'clock' | 'spectatorsOf'>) {
  const { prisma } = database;

  const shown = async (matches: readonly ShownMatch[]) => {
    const extras = await loadPublicExtras(prisma, matches);
    return matches.map(({ state, ...match }) => publicView(state, { ...match, ...extras }));
  };

  /** Newest first. */
  const list = async (filter: MatchFilter, query: PageQuery) => {
    const { items, nextCursor } = await listMatches(database, filter, query);
    return { items: await shown(items), nextCursor };
  };

  return {
    list,

    /** The matches of one player, newest first. @throws PLAYER_NOT_FOUND */
    listOf: async (playerGuid: string, query: PageQuery) => {
      if (!(await playersByGuid(prisma, [playerGuid])).has(playerGuid)) throw playerErrors.PLAYER_NOT_FOUND();
      return list({ playerGuid }, query);
    },

    /**
     * One match, how many watch its players live, and how long that number may be shown (milliseconds since 1970;
     * null: for ever). It is stored in no table.
     * @throws MATCH_NOT_FOUND
     */
    read: async (matchGuid: string) => {
      const found = await loadOneShown(database, matchGuid);
      const [match] = await shown(found === undefined ? [] : [found]);
      if (match === undefined) throw matchErrors.MATCH_NOT_FOUND();
      if (match.endedAt !== null) return { match, spectators: 0, validUntil: null };
      const spectators = await spectatorsOf(match.players.map(({ platformId }) => platformId));
      return { match, spectators, validUntil: clock.now() + SPECTATORS_SHOWN_MS };
    },
  };
}
