import { h } from 'preact';
import type { RoundView } from '../../domains/matches/index.ts';
import { Cover } from '../parts/cover.ts';
import { plain } from '../parts/text.ts';

/** A map with its cover. */
export const MapLine = ({ map }: { map: RoundView['map'] }) =>
  h(
    'div',
    { class: 'map' },
    map.coverUrl !== null && h(Cover, { hash: map.hash }),
    h(
      'div',
      null,
      h('bdi', { class: 'map-name' }, plain(map.name)),
      h('span', { class: 'quiet' }, [map.characteristic, map.difficulty, ...map.modifiers].join(' · ')),
    ),
  );
