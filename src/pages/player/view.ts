import { h } from 'preact';
import type { PlayerRating } from '../../domains/players/index.ts';
import { Rating } from '../parts/ladder-table.ts';
import { type ListedMatch, MatchList } from '../parts/match-list.ts';
import { Name, PlayerLink } from '../parts/name.ts';
import { Portrait } from '../parts/portrait.ts';
import { Time } from '../parts/time.ts';
import { strings } from '../strings.ts';
import { curveOf, opponentsOf, type RatingStep } from './history.ts';

const texts = strings.player;
const MOST_OPPONENTS = 10;

/** A rating of `GET /players/{playerGuid}`, with the names of its ladder. */
export interface LadderRating extends PlayerRating {
  queueName: string;
  seasonName: string;
}

export interface PlayerModel {
  playerGuid: string;
  username: string;
  joinedAt: string;
  ladderRatings: readonly LadderRating[];
  /** The rating whose curve is shown; null: there is none. */
  shown: LadderRating | null;
  /** The rated matches on that ladder, newest first. */
  steps: readonly RatingStep[];
  matches: readonly ListedMatch[];
  /** Leads to older matches. */
  nextCursor: string | null;
}

const LadderName = ({ rating: { queueName, seasonName } }: { rating: LadderRating }) => [
  h(Name, { text: queueName, most: 40 }),
  ', ',
  h(Name, { text: seasonName, most: 40 }),
];

const RatingRow = ({ rating, model }: { rating: LadderRating; model: PlayerModel }) => {
  const { queueGuid, seasonGuid, rank } = rating;
  const address = `player/${model.playerGuid}?queueGuid=${queueGuid}&seasonGuid=${seasonGuid}`;
  return h(
    'tr',
    { 'aria-current': rating === model.shown ? 'true' : undefined },
    h('th', { scope: 'row' }, h('a', { href: address }, h(LadderName, { rating }))),
    h('td', null, h(Rating, rating)),
    h(
      'td',
      null,
      rank === null
        ? texts.noRank
        : h('a', { href: `ladder/${queueGuid}?seasonGuid=${seasonGuid}&around=${model.playerGuid}` }, rank),
    ),
    h('td', null, strings.ladder.recordOf(rating)),
  );
};

/** The head of a table. */
const Head = ({ columns }: { columns: readonly string[] }) =>
  h(
    'thead',
    null,
    h(
      'tr',
      null,
      columns.map((text) => h('th', { scope: 'col', key: text }, text)),
    ),
  );

const Ratings = ({ model }: { model: PlayerModel }) =>
  h(
    'table',
    null,
    h('caption', { class: 'unseen' }, texts.standing),
    h(Head, { columns: [texts.ladder, strings.ladder.rating, strings.ladder.rank, strings.ladder.record] }),
    h(
      'tbody',
      null,
      model.ladderRatings.map((rating) =>
        h(RatingRow, { key: `${rating.queueGuid} ${rating.seasonGuid}`, rating, model }),
      ),
    ),
  );

const [WIDTH, HEIGHT, EDGE] = [600, 180, 8];

/** The ratings after each match as a line. */
const Curve = ({ steps }: { steps: readonly RatingStep[] }) => {
  const ratings = curveOf(steps);
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const span = Math.max(highest - lowest, 1);
  const points = ratings.map((rating, index) => {
    const x = EDGE + (index / (ratings.length - 1)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - ((rating - lowest) / span) * (HEIGHT - 2 * EDGE);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const said = texts.curveOf(steps.length, ratings[0] ?? 0, ratings.at(-1) ?? 0, lowest, highest);
  return h(
    'figure',
    null,
    h(
      'svg',
      { class: 'curve', role: 'img', 'aria-label': said, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
      h('polyline', { points: points.join(' ') }),
    ),
    h('figcaption', { class: 'quiet' }, said),
  );
};

const Opponents = ({ steps }: { steps: readonly RatingStep[] }) => [
  h('h2', null, texts.opponents),
  h(
    'table',
    null,
    h('caption', { class: 'unseen' }, texts.opponents),
    h(Head, { columns: [texts.opponent, texts.games, strings.ladder.record] }),
    h(
      'tbody',
      null,
      opponentsOf(steps)
        .slice(0, MOST_OPPONENTS)
        .map((opponent) =>
          h(
            'tr',
            { key: opponent.player.playerGuid },
            h('th', { scope: 'row' }, h(PlayerLink, { player: opponent.player, most: 30 })),
            h('td', null, opponent.matches),
            h('td', null, strings.ladder.recordOf(opponent)),
          ),
        ),
    ),
  ),
];

export const PlayerView = (model: PlayerModel) => {
  const { playerGuid, username, joinedAt, ladderRatings, shown, steps, matches, nextCursor } = model;
  return [
    h('h1', { class: 'player' }, h(Portrait, { guid: playerGuid }), h(Name, { text: username })),
    h('p', { class: 'quiet' }, texts.joined, ' ', h(Time, { at: joinedAt })),
    h('h2', null, texts.standing),
    ladderRatings.length === 0 ? h('p', null, texts.noRatings) : h(Ratings, { model }),
    shown !== null && [
      h('h2', null, texts.curve, ': ', h(LadderName, { rating: shown })),
      steps.length === 0 ? h('p', null, texts.noCurve) : h(Curve, { steps }),
    ],
    steps.length > 0 && h(Opponents, { steps }),
    h('h2', null, texts.matches),
    matches.length === 0 ? h('p', null, texts.noMatches) : h(MatchList, { matches, playerGuid }),
    nextCursor !== null &&
      h(
        'p',
        null,
        h(
          'a',
          { href: `player/${playerGuid}?${new URLSearchParams({ cursor: nextCursor })}` },
          strings.matches.older,
        ),
      ),
  ];
};
