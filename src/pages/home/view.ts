import { h } from 'preact';
import { Freshness, type FreshnessProps } from '../parts/freshness.ts';
import { type LadderEntry, LadderTable } from '../parts/ladder-table.ts';
import { type ListedMatch, MatchList } from '../parts/match-list.ts';
import { Name } from '../parts/name.ts';
import { plain } from '../parts/text.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';

const texts = strings.home;

/** A queue as `GET /queues` and the feed show it. */
export interface ListedQueue {
  queueGuid: string;
  name: string;
  poolGuid: string;
  status: string;
  waiting: number;
  playing: number;
}

/** The part that changes while the page is open. */
export interface HomeNow extends FreshnessProps {
  queues: readonly ListedQueue[];
  matches: readonly ListedMatch[];
}

const Queue = ({ queue }: { queue: ListedQueue }) =>
  h(
    'li',
    { key: queue.queueGuid, class: 'panel' },
    h('h3', null, h(Name, { text: queue.name })),
    h(
      'p',
      null,
      h('strong', null, texts.waiting(queue.waiting)),
      ', ',
      texts.playing(queue.playing),
      queue.status === 'draining' && h('span', { class: 'quiet' }, ` ${texts.draining}`),
    ),
    h(
      'p',
      { class: 'links' },
      h('a', { href: `ladder/${queue.queueGuid}` }, texts.ladder),
      h('a', { href: `pool/${queue.poolGuid}` }, texts.maps),
    ),
  );

/** Queues and running matches: drawn again in the browser whenever they change. */
export const HomeNowView = ({ queues, matches, connection, since }: HomeNow) => [
  h(Freshness, { key: 'freshness', connection, since }),
  h('h2', { key: 'queues' }, texts.queues),
  queues.length === 0
    ? h('p', { key: 'none' }, texts.noQueues)
    : h(
        'ul',
        { key: 'list', class: 'panels' },
        queues.map((queue) => h(Queue, { key: queue.queueGuid, queue })),
      ),
  h(
    'section',
    { key: 'running' },
    h('h2', null, texts.running),
    matches.length === 0 ? h('p', null, texts.nobodyPlays) : h(MatchList, { matches }),
  ),
];

export interface HomeModel extends HomeNow {
  season: { name: string; endsAt: string } | null;
  ladders: readonly { queueGuid: string; name: string; entries: readonly LadderEntry[] }[];
  releases: readonly { gameVersion: string; pluginVersion: string }[];
  /** Opens a playlist manager; null while no maps are published. */
  oneClickUrl: string | null;
}

const Ladder = ({ ladder: { queueGuid, name, entries } }: { ladder: HomeModel['ladders'][number] }) => {
  const title = texts.top(plain(name, 40, strings.nameless));
  return h(
    'section',
    null,
    h('h2', null, h('bdi', null, title)),
    entries.length === 0
      ? h('p', null, strings.ladder.empty)
      : [
          h(LadderTable, { caption: title, entries }),
          h(
            'p',
            null,
            h('a', { href: `ladder/${queueGuid}` }, `${texts.whole}: `, h(Name, { text: name, most: 40 })),
          ),
        ],
  );
};

const Join = ({ releases, oneClickUrl }: HomeModel) =>
  h(
    'section',
    null,
    h('h2', null, texts.join),
    h('p', null, texts.joinSteps),
    oneClickUrl === null
      ? h('p', null, texts.noPlaylist)
      : h(
          'p',
          { class: 'links' },
          h('a', { class: 'button', href: oneClickUrl }, texts.oneClick),
          h('a', { href: 'maps/playlist.bplist' }, texts.playlist),
        ),
    releases.length === 0
      ? h('p', null, texts.noPlugin)
      : h(
          'ul',
          { class: 'links' },
          releases.map(({ gameVersion, pluginVersion }) =>
            h(
              'li',
              { key: gameVersion },
              h(
                'a',
                { href: `plugin-releases/${gameVersion}/download` },
                `${texts.plugin} ${pluginVersion} ${texts.pluginFor(gameVersion)}`,
              ),
            ),
          ),
        ),
  );

export const HomeView = (model: HomeModel) => [
  h('h1', null, strings.site),
  model.season === null
    ? h('p', null, texts.noSeason)
    : h(
        'p',
        null,
        h(Name, { text: texts.season(model.season.name) }),
        ', ',
        texts.until,
        ' ',
        h(Time, { at: model.season.endsAt }),
      ),
  h(
    'div',
    { id: 'now', 'data-now': JSON.stringify({ queues: model.queues, matches: model.matches }) },
    h(HomeNowView, model),
  ),
  model.ladders.map((ladder) => h(Ladder, { key: ladder.queueGuid, ladder })),
  h(Join, model),
];
