import { Name } from '../../pages/parts/name.ts';
import type { Shapes } from '../api.ts';
import { Scrolls } from '../parts/scrolls.tsx';
import { strings } from './strings.ts';
import { type Match, nameIn, percent, resultText, roundText, seatName, words } from './words.ts';

const texts = strings.rounds;

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

const Round = ({ match, round }: { match: Match; round: Shapes['Round'] }) => (
  <tr>
    <th scope="row">{round.roundNumber}</th>
    <td class="wraps">
      <Name text={round.map.name} most={60} />
      <span class="line quiet">
        {[round.map.characteristic, round.map.difficulty, ...round.map.modifiers].join(' · ')}
      </span>
      <span class="line quiet">{words.round.pickedBy(nameIn(match, round.pickerGuid))}</span>
    </td>
    {round.scores.map((score) => (
      <td key={score.playerGuid}>
        <Score score={score} />
      </td>
    ))}
    <td class="wraps">{roundText(match, round)}</td>
  </tr>
);

/** The rounds that are over. */
export const Rounds = ({ match }: { match: Match }) => (
  <section>
    <h2>{texts.title}</h2>
    {match.rounds.length === 0 ? (
      <p class="quiet">{texts.none}</p>
    ) : (
      <Scrolls label={texts.label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.round}</th>
              <th scope="col">{texts.map}</th>
              <th scope="col">{seatName(match, 0)}</th>
              <th scope="col">{seatName(match, 1)}</th>
              <th scope="col">{texts.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {match.rounds.map((round) => (
              <Round key={round.roundNumber} match={match} round={round} />
            ))}
          </tbody>
        </table>
      </Scrolls>
    )}
  </section>
);

/** How a match ended, and what it did to the ratings. */
export const Result = ({ match }: { match: Match }) =>
  match.result && (
    <section data-outcome={match.result.outcome}>
      <h2>{strings.result.title}</h2>
      <p class="outcome">{resultText(match)}</p>
      {match.result.ratings.length > 0 && (
        <Scrolls label={strings.result.label}>
          <table>
            <thead>
              <tr>
                <th scope="col">{strings.result.player}</th>
                <th scope="col">{strings.result.before}</th>
                <th scope="col">{strings.result.after}</th>
              </tr>
            </thead>
            <tbody>
              {match.result.ratings.map(({ playerGuid, before, after }) => (
                <tr key={playerGuid}>
                  <th scope="row">{nameIn(match, playerGuid)}</th>
                  <td>{before}</td>
                  <td>{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      )}
    </section>
  );
