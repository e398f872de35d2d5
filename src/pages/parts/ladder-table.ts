import { h } from 'preact';
import type { PageServices } from '../services.ts';
import { strings } from '../strings.ts';
import { PlayerLink } from './name.ts';

/** A line of `GET /leaderboards/{queueGuid}`. */
export type LadderEntry = Awaited<ReturnType<PageServices['ratings']['page']>>['entries'][number];

const texts = strings.ladder;

export const Rating = ({ rating, provisional }: Pick<LadderEntry, 'rating' | 'provisional'>) => [
  String(rating),
  provisional && h('abbr', { title: texts.provisional }, '?'),
];

interface LadderTableProps {
  caption: string;
  entries: readonly LadderEntry[];
  /** The player that was looked for. */
  marked?: string;
}

export const LadderTable = ({ caption, entries, marked }: LadderTableProps) =>
  h(
    'table',
    { class: 'ladder' },
    h('caption', { class: 'unseen' }, caption),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        [texts.rank, texts.player, texts.rating, texts.record].map((text) =>
          h('th', { key: text, scope: 'col' }, text),
        ),
        h('th', { scope: 'col', class: 'wide' }, texts.streak),
      ),
    ),
    h(
      'tbody',
      null,
      entries.map((entry) =>
        h(
          'tr',
          {
            key: entry.player.playerGuid,
            'aria-current': entry.player.playerGuid === marked ? 'true' : undefined,
          },
          h('td', null, entry.rank),
          h('th', { scope: 'row' }, h(PlayerLink, { player: entry.player })),
          h('td', null, h(Rating, entry)),
          h('td', null, texts.recordOf(entry)),
          h('td', { class: 'wide' }, entry.winStreak),
        ),
      ),
    ),
  );
