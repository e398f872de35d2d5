import { h } from 'preact';
import { strings } from '../strings.ts';
import { PlayerLink } from './name.ts';

/** A line of `GET /leaderboards/{queueGuid}`. */
export interface LadderEntry {
  rank: number;
  player: { playerGuid: string; username: string };
  rating: number;
  provisional: boolean;
  wins: number;
  losses: number;
  draws: number;
  winStreak: number;
}

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
        h('th', { scope: 'col' }, texts.rank),
        h('th', { scope: 'col' }, texts.player),
        h('th', { scope: 'col' }, texts.rating),
        h('th', { scope: 'col' }, texts.record),
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
