import { Name } from '../../pages/parts/name.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { Reading } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { type Read, useRead } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.decide;

/** A result that is chosen. */
export type Decision = Pick<Shapes['MatchDecisionPreview'], 'outcome'> & { winnerGuid: string | null };

export const NO_CONTEST: Decision = { outcome: 'no_contest', winnerGuid: null };

/** Reads a preview of a decision about the match as it was read. It is read again when the match or the choice changes. */
export const usePreview = (
  matchGuid: string,
  etag: string | null,
  decision: Decision,
): Read<Shapes['LadderPreview']> =>
  useRead(
    () =>
      ask(
        api.POST('/matches/{matchGuid}/result/preview', {
          params: { path: { matchGuid }, header: against(etag) },
          body: decision,
        }),
      ),
    [matchGuid, etag, decision.outcome, decision.winnerGuid],
  );

const Moves = ({ players }: Pick<Shapes['LadderPreview'], 'players'>) => (
  <Table class="moves" label={texts.label} heads={[texts.player, texts.rating, texts.rank]}>
    {players.map(({ playerGuid, username, ratingBefore, ratingAfter, rankBefore, rankAfter }) => (
      <tr key={playerGuid} data-move={playerGuid}>
        <th scope="row">
          <Name text={username} most={30} />
        </th>
        <td>{texts.change(ratingBefore, ratingAfter)}</td>
        <td>{texts.change(rankBefore ?? texts.noRank, rankAfter ?? texts.noRank)}</td>
      </tr>
    ))}
  </Table>
);

const changes = ({ ratingBefore, ratingAfter, rankBefore, rankAfter }: Shapes['LadderMove']): boolean =>
  ratingBefore !== ratingAfter || rankBefore !== rankAfter;

/** The changes that a decision would make on the ladder. */
export const Preview = ({ preview }: { preview: Read<Shapes['LadderPreview']> }) => (
  <section aria-label={texts.ladder} aria-live="polite">
    <h3>{texts.ladder}</h3>
    <Reading of={preview}>
      {({ players, total, matches }) => (
        <div data-preview="">
          {players.some(changes) ? <Moves players={players} /> : <p>{texts.nothing}</p>}
          {total > players.length && <p>{texts.more(total - players.length)}</p>}
          <p>{texts.later(matches)}</p>
        </div>
      )}
    </Reading>
  </section>
);
