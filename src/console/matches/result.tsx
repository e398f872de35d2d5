import { type Match, nameIn, resultText } from '../parts/match-words.ts';
import { Scrolls } from '../parts/scrolls.tsx';
import { strings } from './strings.ts';

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
