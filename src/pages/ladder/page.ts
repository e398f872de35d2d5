import { h } from 'preact';
import { ServiceError } from '../../platform/errors.ts';
import { filterText } from '../../platform/http/text.ts';
import { type Asked, guidOf, type Page } from '../page.ts';
import { plain } from '../parts/text.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { LadderView } from './view.ts';

const ROWS = 50;
const MOST_FOUND = 20;
const MOST_LADDERS = 100;

/** A page of a ladder. A player who is not on it leads to its top. */
async function readLadder({ ratings }: PageServices, queueGuid: string, { query }: Asked) {
  const { cursor = '', around = '', seasonGuid = '' } = query;
  const marked = around === '' ? undefined : guidOf(around);
  const asked = {
    limit: ROWS,
    seasonGuid: seasonGuid === '' ? undefined : guidOf(seasonGuid),
    cursor: cursor === '' || marked !== undefined ? undefined : cursor,
  };
  try {
    const page = await ratings.page(queueGuid, { ...asked, around: marked });
    return { ...page, marked, isMissing: false };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'NOT_ON_LEADERBOARD')) throw error;
    return { ...(await ratings.page(queueGuid, asked)), marked, isMissing: true };
  }
}

/** The players of a search. A text that no name can have finds nobody. */
async function findPlayers({ players }: PageServices, text: string) {
  const { success, data } = filterText(100).safeParse(text);
  return success ? (await players.search({ query: data, limit: MOST_FOUND })).items : [];
}

/** The ladder of a queue in a season: from the top, around a player, or further down. */
export const ladderPage = (services: PageServices): Page => ({
  path: '/ladder/:queueGuid',
  query: ['seasonGuid', 'around', 'cursor', 'query'],
  scripts: ['ladder/browser.ts'],
  reads: ['Ladder', 'LadderCount', 'Match', 'Player', 'Pool', 'Queue', 'QueueEntry', 'Rating', 'Season'],
  load: async (asked) => {
    const { queues } = services;
    const queueGuid = guidOf(asked.params.queueGuid);
    const queue = await queues.get(queueGuid, false);
    const { query } = asked;
    const [ladder, all, found] = await Promise.all([
      readLadder(services, queueGuid, asked),
      queues.ladders({ limit: MOST_LADDERS }),
      query.query ? findPlayers(services, query.query) : null,
    ]);
    const ladders = all.page.items.filter((one) => one.queueGuid === queueGuid);
    const seasonGuid = query.seasonGuid ? query.seasonGuid.toLowerCase() : queue.seasonGuid;
    const season = ladders.find((one) => one.seasonGuid === seasonGuid)?.seasonName ?? '';
    const title = strings.ladder.title(
      plain(queue.name, 40, strings.nameless),
      plain(season, 40, strings.nameless),
    );
    return {
      title,
      description: strings.ladder.description(queue.name),
      validUntil: all.validUntil,
      ...(query.seasonGuid && { address: `/ladder/${queueGuid}?seasonGuid=${seasonGuid}` }),
      content: h(LadderView, {
        title,
        queueGuid,
        ...ladder,
        found,
        ladders,
        shownSeason: seasonGuid,
        query,
      }),
    };
  },
});
