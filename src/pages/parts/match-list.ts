import { h } from 'preact';
import { strings } from '../strings.ts';
import { Name, type NamedPlayer } from './name.ts';
import { Portrait } from './portrait.ts';
import { plain } from './text.ts';
import { Time } from './time.ts';

/** The members of a match that a list shows, from `GET /matches` or the feed. */
export interface ListedMatch {
  matchGuid: string;
  queueName: string;
  status: string;
  rated: boolean;
  players: readonly NamedPlayer[];
  startedAt: string;
  endedAt: string | null;
  result: { outcome: string; winnerGuid: string | null } | null;
}

const texts = strings.matches;

/** How a match went: for one of its players, or for everybody. */
function outcomeOf({ players, result, status }: ListedMatch, playerGuid: string | undefined): string {
  if (result === null) return texts.status[status as keyof typeof texts.status] ?? texts.running;
  if (result.outcome === 'no_contest') return texts.noContest;
  if (result.winnerGuid === null) return texts.draw;
  if (playerGuid !== undefined) return result.winnerGuid === playerGuid ? texts.won : texts.lost;
  const winner = players.find((player) => player.playerGuid === result.winnerGuid);
  return texts.winner(plain(winner?.username ?? '', 30, strings.nameless));
}

const Side = ({ player }: { player: ListedMatch['players'][number] }) =>
  h(
    'span',
    { class: 'player' },
    h(Portrait, { guid: player.playerGuid }),
    h(Name, { text: player.username, most: 30 }),
  );

interface MatchListProps {
  matches: readonly ListedMatch[];
  /** The player whose matches they are. */
  playerGuid?: string;
}

/** Matches, each a link to its page. */
export const MatchList = ({ matches, playerGuid }: MatchListProps) =>
  h(
    'ul',
    { class: 'matches' },
    matches.map((match) => {
      const [red, blue] = match.players;
      return h(
        'li',
        { key: match.matchGuid },
        h(
          'a',
          { href: `match/${match.matchGuid}` },
          red === undefined || blue === undefined
            ? texts.hidden
            : [
                h(Side, { player: red }),
                h('span', { class: 'against' }, texts.against),
                h(Side, { player: blue }),
              ],
        ),
        h(
          'p',
          { class: 'quiet' },
          outcomeOf(match, playerGuid),
          ' · ',
          h(Name, { text: match.queueName, most: 40 }),
          ' · ',
          h(Time, { at: match.endedAt ?? match.startedAt }),
          match.rated ? '' : ` · ${texts.unrated}`,
        ),
      );
    }),
  );
