import { h } from 'preact';
import { type LadderEntry, LadderTable } from '../parts/ladder-table.ts';
import { Name, type NamedPlayer, PlayerLink } from '../parts/name.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';

const texts = strings.ladder;

export interface LadderModel {
  title: string;
  queueGuid: string;
  entries: readonly LadderEntry[];
  nextCursor: string | null;
  /** The player it is shown around. */
  marked?: string;
  /** That player is not on it. */
  isMissing: boolean;
  /** Null: no search. */
  found: readonly NamedPlayer[] | null;
  /** Those of this queue. */
  ladders: readonly { seasonGuid: string; seasonName: string }[];
  shownSeason: string;
  query: Readonly<Record<string, string>>;
}

/** The address of this ladder with these members of the query. */
const addressIn = ({ queueGuid, query }: LadderModel, members: Record<string, string>): string => {
  const all = { ...(query.seasonGuid && { seasonGuid: query.seasonGuid }), ...members };
  const text = new URLSearchParams(all).toString();
  return `ladder/${queueGuid}${text && `?${text}`}`;
};

const Search = ({ model: { queueGuid, query } }: { model: LadderModel }) =>
  h(
    'form',
    { action: `ladder/${queueGuid}`, role: 'search' },
    query.seasonGuid && h('input', { type: 'hidden', name: 'seasonGuid', value: query.seasonGuid }),
    h('label', { for: 'query' }, texts.search),
    h('input', {
      id: 'query',
      name: 'query',
      type: 'search',
      maxLength: 100,
      value: plain(query.query ?? '', 100, ''),
    }),
    h('button', { type: 'submit' }, texts.find),
  );

const Found = ({ model }: { model: LadderModel }) =>
  model.found && [
    h('h2', null, texts.found),
    model.found.length === 0
      ? h('p', { role: 'status' }, texts.foundNobody)
      : h(
          'ul',
          { class: 'matches' },
          model.found.map((player) =>
            h(
              'li',
              { key: player.playerGuid },
              h(PlayerLink, { player }),
              ' ',
              h(
                'a',
                {
                  href: addressIn(model, { around: player.playerGuid }),
                  'aria-label': `${texts.onLadder}: ${plain(player.username)}`,
                },
                texts.onLadder,
              ),
            ),
          ),
        ),
  ];

const Seasons = ({ model: { ladders, shownSeason, queueGuid } }: { model: LadderModel }) =>
  h(
    'nav',
    { 'aria-label': texts.seasons },
    h(
      'ul',
      { class: 'links' },
      ladders.map(({ seasonGuid, seasonName }) =>
        h(
          'li',
          { key: seasonGuid },
          h(
            'a',
            {
              href: `ladder/${queueGuid}?seasonGuid=${seasonGuid}`,
              'aria-current': seasonGuid === shownSeason ? 'page' : undefined,
            },
            h(Name, { text: seasonName, most: 40 }),
          ),
        ),
      ),
    ),
  );

export const LadderView = (model: LadderModel) => {
  const { title, entries, ladders, marked, isMissing, nextCursor, query } = model;
  return [
    h('h1', null, h('bdi', null, title)),
    ladders.length > 1 && h(Seasons, { model }),
    h(Search, { model }),
    h(Found, { model }),
    isMissing && h('p', { role: 'status' }, texts.notOnLadder),
    entries.length === 0 ? h('p', null, texts.empty) : h(LadderTable, { caption: title, entries, marked }),
    h(
      'p',
      { class: 'links' },
      (query.cursor || query.around) && h('a', { href: addressIn(model, {}) }, texts.top),
      // The script of this page shows it to visitors who are signed in.
      h('a', { id: 'around-me', hidden: true, href: addressIn(model, { around: '' }) }, texts.aroundMe),
      nextCursor !== null && h('a', { href: addressIn(model, { cursor: nextCursor }) }, texts.next),
    ),
  ];
};
