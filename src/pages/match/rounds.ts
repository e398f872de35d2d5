import { h } from 'preact';
import type { PublicMatch, RoundView } from '../../domains/matches/index.ts';
import { SEATS } from '../../domains/matches/state.ts';
import { nameIn, percent, resultText, roundText } from '../parts/match-text.ts';
import { strings } from '../strings.ts';
import { MapLine } from './map-line.ts';
import type { MatchModel } from './model.ts';

const texts = strings.match;

const Score = ({ score }: { score: RoundView['scores'][number] }) =>
  h(
    'span',
    null,
    score.submitted ? percent(score.accuracy) : texts.round.missing,
    score.failed && ` (${texts.round.failed})`,
  );

/** The rounds that are over. */
export const Rounds = ({ model: { board, match } }: { model: MatchModel }) =>
  h(
    'section',
    null,
    h('h2', null, texts.rounds),
    board.rounds.length === 0
      ? h('p', { class: 'quiet' }, texts.noRounds)
      : h(
          'ol',
          { class: 'rounds' },
          board.rounds.map((round) =>
            h(
              'li',
              { key: round.roundNumber },
              h('h3', null, texts.round.name(round.roundNumber)),
              h(MapLine, { map: round.map }),
              h('p', { class: 'quiet' }, texts.round.pickedBy(nameIn(match, round.pickerGuid))),
              h(
                'dl',
                { class: 'scores' },
                round.scores.map((score, index) =>
                  h(
                    'div',
                    { key: score.playerGuid, class: SEATS[index] },
                    h('dt', null, h('bdi', null, nameIn(match, score.playerGuid))),
                    h('dd', null, h(Score, { score })),
                  ),
                ),
              ),
              h('p', null, roundText(round, match)),
            ),
          ),
        ),
  );

/** How the match ended, and what it did to the ratings. */
export function Result({ match }: { match: PublicMatch }) {
  const { result } = match;
  if (result === null) return null;
  return h(
    'section',
    { class: 'result' },
    h('h2', null, texts.result),
    h('p', { class: 'outcome' }, resultText(match)),
    result.ratings.length > 0 &&
      h(
        'dl',
        { class: 'ratings' },
        result.ratings.map(({ playerGuid, before, after }) =>
          h(
            'div',
            { key: playerGuid },
            h('dt', null, h('bdi', null, nameIn(match, playerGuid))),
            h('dd', null, texts.change(before, after)),
          ),
        ),
      ),
  );
}
