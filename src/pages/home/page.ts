import { h } from 'preact';
import type { Page } from '../page.ts';
import type { ListedMatch } from '../parts/match-list.ts';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { HomeView, type ListedQueue } from './view.ts';

/** As many as the feed tells at its beginning. */
const MOST_MATCHES = 20;
const MOST_QUEUES = 20;
/** Ladders of which the page shows the top, and how many players of each. */
const MOST_LADDERS = 3;
const TOP = 5;

/** The season that runs now, or null; and when that changes. */
async function seasonNow({ seasons, clock }: PageServices) {
  const now = clock.now();
  const { items } = await seasons.list({ limit: 100 });
  const changes = items.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt)]);
  const next = changes.filter((at) => at > now);
  return {
    season:
      items.find(({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt)) ?? null,
    validUntil: next.length === 0 ? null : Math.min(...next),
  };
}

/** Only the members that the page shows, since they are also sent as JSON for its script. */
const listed = ({
  matchGuid,
  queueName,
  status,
  rated,
  players,
  startedAt,
  endedAt,
}: ListedMatch): ListedMatch => ({
  matchGuid,
  queueName,
  status,
  rated,
  players: players.map(({ playerGuid, username }) => ({ playerGuid, username })),
  startedAt,
  endedAt,
  result: null,
});

const shown = ({ queueGuid, name, poolGuid, status, waiting, playing }: ListedQueue): ListedQueue => ({
  queueGuid,
  name,
  poolGuid,
  status,
  waiting,
  playing,
});

/** The home page: the queues, the running matches and the top of the ladders. */
export const homePage = (services: PageServices): Page => ({
  path: '/',
  reads: [
    'Ladder',
    'LadderCount',
    'Match',
    'Player',
    'PluginRelease',
    'Pool',
    'PoolMap',
    'Queue',
    'QueueEntry',
    'Rating',
    'Replay',
    'Season',
  ],
  scripts: ['home/browser.ts'],
  load: async () => {
    const { queues, matches, ratings, maps, releases, baseUrl } = services;
    const [{ season, validUntil }, open, running, hasPlaylist, plugins] = await Promise.all([
      seasonNow(services),
      queues.list({ limit: MOST_QUEUES }, false),
      matches.list({ state: 'running' }, { limit: MOST_MATCHES }),
      maps.hasPlaylist(),
      releases.list(),
    ]);
    const ladders = await Promise.all(
      open.items.slice(0, MOST_LADDERS).map(async ({ queueGuid, name }) => {
        const { entries } = await ratings.page(queueGuid, { limit: TOP });
        return { queueGuid, name, entries };
      }),
    );
    return {
      title: strings.site,
      description: strings.home.description,
      validUntil,
      content: h(HomeView, {
        season,
        queues: open.items.map(shown),
        matches: running.items.filter(({ players }) => players.length > 0).map(listed),
        connection: 'opening',
        since: 0,
        ladders,
        releases: plugins.releases,
        oneClickUrl: hasPlaylist ? `bsplaylist://playlist/${baseUrl}/maps/playlist.bplist` : null,
      }),
    };
  },
});
