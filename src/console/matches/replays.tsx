import { nameIn } from '../../pages/parts/match-text.ts';
import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import type { Match } from '../parts/match-words.ts';
import { Reading } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { strings } from './strings.ts';

const texts = strings.replays;

/** The evidence of a check, in characters. */
const LONGEST = 1000;

const kilobytes = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'kilobyte',
  maximumFractionDigits: 0,
});

/** The checks of a replay that do not hold, each with what was expected and what was found. */
function Checks({ checks }: Pick<Shapes['Replay'], 'checks'>) {
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return <span class="quiet">{texts.allHold(checks.length)}</span>;
  return (
    <ul>
      {failed.map(({ name, decisive, expected, actual }) => (
        <li key={name} class={decisive ? 'fails' : undefined}>
          {name}: {texts.check(plain(expected, LONGEST), plain(actual, LONGEST))} {!decisive && texts.informs}
        </li>
      ))}
    </ul>
  );
}

const Row = ({ replay, match }: { replay: Shapes['Replay']; match: Match }) => (
  <tr data-replay-of={replay.playerGuid}>
    <th scope="row">{replay.roundNumber}</th>
    <td>{nameIn(match, replay.playerGuid)}</td>
    <td class={replay.verdict === 'mismatch' ? 'fails' : undefined}>{texts.verdicts[replay.verdict]}</td>
    <td class="wraps">
      <Checks checks={replay.checks} />
    </td>
    <td>
      {replay.downloadUrl === null ? (
        texts.removed
      ) : (
        <a href={replay.downloadUrl} download>
          {texts.download(kilobytes.format(replay.size / 1024))}
        </a>
      )}
    </td>
  </tr>
);

/** The replays that were published of a match, by round. */
export function Replays({ match }: { match: Match }) {
  const { matchGuid, endedAt, players, rounds } = match;
  const me = useMe();
  const isOwn = endedAt === null && players.some(({ playerGuid }) => playerGuid === me.playerGuid);
  if (isOwn || !me.may('GET /matches/{matchGuid}/replays')) return null;
  const verdicts = rounds.flatMap(({ scores }) => scores.map(({ replay }) => replay));
  // Read again when a verdict has changed.
  return <ReplaysRead key={`${matchGuid} ${verdicts}`} match={match} />;
}

function ReplaysRead({ match }: { match: Match }) {
  const { matchGuid } = match;
  const read = useGet('/matches/{matchGuid}/replays', { path: { matchGuid }, query: { limit: 100 } });
  return (
    <section>
      <h2>{texts.title}</h2>
      <Reading of={read}>
        {({ items: replays }) =>
          replays.length === 0 ? (
            <p class="quiet">{texts.none}</p>
          ) : (
            <Table
              label={texts.label}
              heads={[texts.round, texts.player, texts.verdict, texts.checks, texts.file]}
            >
              {replays.map((replay) => (
                <Row key={replay.replayGuid} replay={replay} match={match} />
              ))}
            </Table>
          )
        }
      </Reading>
    </section>
  );
}
