import { h } from 'preact';
import type { Matches } from '../../domains/matches/index.ts';
import type { PoolMap } from '../../domains/pools/index.ts';
import { Cover } from '../parts/cover.ts';
import { clockTime, difficultyText } from '../parts/match-text.ts';
import { Name } from '../parts/name.ts';
import { strings } from '../strings.ts';

const texts = strings.pool;

/** A map of `GET /pools/{poolGuid}/statistics`. */
type MapUsage = Awaited<ReturnType<Matches['statisticsOf']>>['maps'][number];

export interface PoolModel {
  poolGuid: string;
  name: string;
  status: string;
  seasonName: string;
  categories: readonly { categoryGuid: string; name: string; color: string | null }[];
  maps: readonly PoolMap[];
  usage: readonly MapUsage[];
  oneClickUrl: string | null;
}

interface BarProps {
  share: number;
  /** Where a line crosses it, 0…1. */
  mark?: number;
  said: string;
}

/** A share as a bar, with the same in words below it. */
const Bar = ({ share, mark, said }: BarProps) =>
  h(
    'li',
    null,
    h(
      'svg',
      { class: 'bar', 'aria-hidden': 'true', viewBox: '0 0 100 8', preserveAspectRatio: 'none' },
      h('rect', { class: 'bar-ground', width: 100, height: 8 }),
      h('rect', { class: 'bar-share', width: Math.round(Math.min(1, share) * 1000) / 10, height: 8 }),
      mark !== undefined &&
        h('rect', {
          class: 'bar-mark',
          x: Math.min(98.5, Math.round(mark * 1000) / 10),
          width: 1.5,
          height: 8,
        }),
    ),
    h('span', { class: 'quiet' }, said),
  );

const Usage = ({ usage }: { usage: MapUsage | undefined }) => {
  if (usage === undefined || usage.dealt === 0) return h('p', { class: 'quiet' }, texts.noStatistics);
  const { dealt, kept, discarded, picked, played, wonByPicker, expectedWonByPicker, medianGap } = usage;
  return h(
    'ul',
    { class: 'usage' },
    h(Bar, { share: kept / dealt, said: texts.kept(kept, discarded) }),
    h(Bar, { share: kept === 0 ? 0 : picked / kept, said: texts.picked(picked, played) }),
    played > 0 &&
      h(Bar, {
        share: wonByPicker / played,
        mark: expectedWonByPicker / played,
        said: texts.pickerWon(wonByPicker, played, expectedWonByPicker.toFixed(1)),
      }),
    medianGap !== null && h(Bar, { share: medianGap, said: texts.gap(`${(medianGap * 100).toFixed(1)} %`) }),
  );
};

const PoolMapView = ({ map, usage }: { map: PoolMap; usage: MapUsage | undefined }) =>
  h(
    'li',
    { class: 'panel map' },
    map.coverUrl !== null && h(Cover, { hash: map.hash }),
    h(
      'div',
      null,
      h('h3', null, h(Name, { text: map.name })),
      h('p', { class: 'quiet' }, `${difficultyText(map)} · ${clockTime(map.durationSeconds * 1000)}`),
      map.stale && h('p', { class: 'quiet' }, texts.stale),
      h(Usage, { usage }),
    ),
  );

export const PoolView = ({
  poolGuid,
  name,
  status,
  seasonName,
  categories,
  maps,
  usage,
  oneClickUrl,
}: PoolModel) => {
  const usageOf = new Map(usage.map((one) => [one.mapGuid, one]));
  return [
    h('h1', null, h(Name, { text: name })),
    h('p', null, h(Name, { text: seasonName }), ' · ', texts.maps(maps.length)),
    status === 'retired' && h('p', null, texts.retired),
    h(
      'p',
      { class: 'links' },
      oneClickUrl !== null && h('a', { class: 'button', href: oneClickUrl }, texts.oneClick),
      h('a', { href: `pools/${poolGuid}/playlist.bplist` }, texts.playlist),
    ),
    maps.length === 0 && h('p', null, texts.empty),
    categories.map((category) => [
      h(
        'h2',
        { key: category.categoryGuid },
        h(
          'svg',
          { class: 'dot', 'aria-hidden': 'true', viewBox: '0 0 8 8' },
          h('circle', { cx: 4, cy: 4, r: 4, ...(category.color !== null && { fill: category.color }) }),
        ),
        h(Name, { text: category.name }),
      ),
      h(
        'ul',
        { class: 'panels' },
        maps
          .filter((map) => map.categoryGuid === category.categoryGuid)
          .map((map) => h(PoolMapView, { key: map.mapGuid, map, usage: usageOf.get(map.mapGuid) })),
      ),
    ]),
  ];
};
