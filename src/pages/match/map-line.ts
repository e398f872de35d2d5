import { h } from 'preact';
import type { RoundView } from '../../domains/matches/index.ts';
import { Cover } from '../parts/cover.ts';
import { difficultyText } from '../parts/match-text.ts';
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
      h('span', { class: 'quiet' }, difficultyText(map)),
    ),
  );
