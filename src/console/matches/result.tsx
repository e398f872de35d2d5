import { nameIn, resultText } from '../../pages/parts/match-text.ts';
import type { Match } from '../parts/match-words.ts';
import { Table } from '../parts/table.tsx';
import { strings } from './strings.ts';

/** How a match ended, and what it did to the ratings. */
export const Result = ({ match }: { match: Match }) =>
  match.result && (
    <section data-outcome={match.result.outcome}>
      <h2>{strings.result.title}</h2>
      <p class="outcome">{resultText(match)}</p>
      {match.result.ratings.length > 0 && (
        <Table
          label={strings.result.label}
          heads={[strings.result.player, strings.result.before, strings.result.after]}
        >
          {match.result.ratings.map(({ playerGuid, before, after }) => (
            <tr key={playerGuid}>
              <th scope="row">{nameIn(match, playerGuid)}</th>
              <td>{before}</td>
              <td>{after}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
