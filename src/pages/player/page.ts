import { h } from 'preact';
import { guidOf, type Page } from '../page.ts';
import { plain } from '../parts/text.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { type LadderRating, PlayerView } from './view.ts';

const MOST_MATCHES = 25;
const MOST_STEPS = 100;
const MOST_LADDERS = 100;

/** The ratings of a player with the names of their ladders, those of the running season first. */
async function ratingsOf({ ratings, queues }: PageServices, playerGuid: string) {
  const [own, ladders] = await Promise.all([
    ratings.ratingsOf(playerGuid),
    queues.ladders({ limit: MOST_LADDERS }),
  ]);
  const known = ladders.page.items.flatMap((ladder) => {
    const { queueGuid, seasonGuid, queueName, seasonName } = ladder;
    const rating = own.find((one) => one.queueGuid === queueGuid && one.seasonGuid === seasonGuid);
    return rating === undefined ? [] : [{ ...rating, queueName, seasonName }];
  });
  return { ladderRatings: known, validUntil: ladders.validUntil };
}

/** The rated matches of a player on the shown ladder, newest first. */
async function stepsOf({ ratings }: PageServices, playerGuid: string, shown: LadderRating | null) {
  if (shown === null) return [];
  const { queueGuid, seasonGuid } = shown;
  return (await ratings.history(playerGuid, { queueGuid, seasonGuid, limit: MOST_STEPS })).items;
}

/** A player: ratings, rating curve, opponents and matches. */
export const playerPage = (services: PageServices): Page => ({
  path: '/player/:playerGuid',
  query: ['queueGuid', 'seasonGuid', 'cursor'],
  reads: [
    'Ladder',
    'LadderCount',
    'Match',
    'Player',
    'Pool',
    'PoolMap',
    'Queue',
    'Rating',
    'RatingChange',
    'Replay',
    'Season',
  ],
  load: async ({ params, query }) => {
    const playerGuid = guidOf(params.playerGuid);
    const profile = await services.players.profile(playerGuid);
    const cursor = query.cursor === '' ? undefined : query.cursor;
    const [{ ladderRatings, validUntil }, list] = await Promise.all([
      ratingsOf(services, playerGuid),
      services.matches.listOf(playerGuid, { limit: MOST_MATCHES, cursor }),
    ]);
    const isAsked = ({ queueGuid, seasonGuid }: LadderRating) =>
      queueGuid === query.queueGuid && seasonGuid === query.seasonGuid;
    const chosen = ladderRatings.find(isAsked);
    const shown = chosen ?? ladderRatings[0] ?? null;
    const { username, joinedAt } = profile;
    return {
      title: plain(username, 60, strings.nameless),
      description: strings.player.description(plain(username, 60, strings.nameless)),
      validUntil,
      ...(chosen && {
        address: `/player/${playerGuid}?queueGuid=${chosen.queueGuid}&seasonGuid=${chosen.seasonGuid}`,
      }),
      content: h(PlayerView, {
        playerGuid,
        username,
        joinedAt,
        ladderRatings,
        shown,
        steps: await stepsOf(services, playerGuid, shown),
        matches: list.items,
        nextCursor: list.nextCursor,
      }),
    };
  },
});
