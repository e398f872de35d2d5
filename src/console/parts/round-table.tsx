import { difficultyText, nameIn, percent, roundText } from '../../pages/parts/match-text.ts';
import { Name } from '../../pages/parts/name.ts';
import type { Shapes } from '../api.ts';
import { deskStrings } from './desk-strings.ts';
import { type Match, seatName, words } from './match-words.ts';
import { Table } from './table.tsx';

const texts = deskStrings.rounds;

const number = new Intl.NumberFormat();
const points = (score: number | null): string => (score === null ? '–' : number.format(score));

/** The score of one player in a round, and the verdict on the replay. */
const Score = ({ score }: { score: Shapes['RoundScore'] }) => (
  <>
    {score.submitted ? percent(score.accuracy) : words.round.missing}
    {score.failed && ` (${words.round.failed})`}
    {score.submitted && (
      <span class="line quiet">{texts.score(points(score.rawScore), points(score.modifiedScore))}</span>
    )}
    <span class={score.replay === 'mismatch' ? 'line fails' : 'line quiet'} data-replay={score.replay}>
      {texts.replay[score.replay]}
    </span>
  </>
);

const Round = ({ match, round, isMarked }: { match: Match; round: Shapes['Round']; isMarked: boolean }) => (
  <tr aria-current={isMarked ? 'true' : undefined}>
    <th scope="row">
      {round.roundNumber}
      {isMarked && <span class="line quiet">{texts.marked}</span>}
    </th>
    <td class="wraps">
      <Name text={round.map.name} most={60} />
      <span class="line quiet">{difficultyText(round.map)}</span>
      <span class="line quiet">{words.round.pickedBy(nameIn(match, round.pickerGuid))}</span>
    </td>
    {round.scores.map((score) => (
      <td key={score.playerGuid}>
        <Score score={score} />
      </td>
    ))}
    <td class="wraps">{roundText(round, match)}</td>
  </tr>
);

/** The rounds of a match that are over. @param marked the number of the round that the page is about */
export const RoundTable = ({ match, marked }: { match: Match; marked?: number }) =>
  match.rounds.length === 0 ? (
    <p class="quiet">{texts.none}</p>
  ) : (
    <Table
      label={texts.label}
      heads={[texts.round, texts.map, seatName(match, 0), seatName(match, 1), texts.outcome]}
    >
      {match.rounds.map((round) => (
        <Round key={round.roundNumber} match={match} round={round} isMarked={round.roundNumber === marked} />
      ))}
    </Table>
  );
