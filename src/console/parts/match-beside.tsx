import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { strings as pageStrings } from '../../pages/strings.ts';
import { api, ask, type Shapes } from '../api.ts';
import { PATHS } from '../paths.ts';
import { useRead } from '../read.ts';
import { deskStrings } from './desk-strings.ts';
import { Link } from './link.tsx';
import { PersonLink } from './person.tsx';
import { Reading } from './reading.tsx';
import { Scrolls } from './scrolls.tsx';

const texts = deskStrings.match;
const words = pageStrings.match;

type Match = Shapes['MatchWithSpectators'];
type Round = Shapes['Round'];

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const nameIn = ({ players }: Match, guid: string | null): string =>
  plain(players.find(({ playerGuid }) => playerGuid === guid)?.username ?? '', 40, words.somebody);

function roundText(match: Match, { winnerGuid, damage, void: isVoid }: Round): string {
  if (isVoid) return words.round.void;
  return winnerGuid === null
    ? words.round.equal
    : words.round.won(nameIn(match, winnerGuid), percent(damage));
}

function resultText(match: Match): string {
  const { result } = match;
  if (result === null) return `${texts.running} ${words.status[match.status]}.`;
  const reason = words.reasons[result.reason];
  if (result.outcome === 'decided') return words.wins(nameIn(match, result.winnerGuid), reason);
  return result.outcome === 'draw' ? words.draw(reason) : words.noContest(reason);
}

const Score = ({ score }: { score: Round['scores'][number] }) => (
  <>
    {score.submitted ? percent(score.accuracy) : words.round.missing}
    {score.failed && ` (${words.round.failed})`}
    <span class={score.replay === 'mismatch' ? 'line fails' : 'line quiet'}>
      {texts.replay[score.replay]}
    </span>
  </>
);

const RoundRow = ({ match, round, isUnder }: { match: Match; round: Round; isUnder: boolean }) => (
  <tr aria-current={isUnder ? 'true' : undefined}>
    <th scope="row">
      {round.roundNumber}
      {isUnder && <span class="line quiet">{texts.under}</span>}
    </th>
    <td>
      <Name text={round.map.name} most={40} />
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

const Rounds = ({ match, roundNumber }: { match: Match; roundNumber?: number }) => (
  <Scrolls label={texts.table}>
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.round}</th>
          <th scope="col">{texts.map}</th>
          {match.players.map(({ playerGuid, username }) => (
            <th scope="col" key={playerGuid}>
              <Name text={username} most={30} />
            </th>
          ))}
          <th scope="col">{texts.outcome}</th>
        </tr>
      </thead>
      <tbody>
        {match.rounds.map((round) => (
          <RoundRow
            key={round.roundNumber}
            match={match}
            round={round}
            isUnder={round.roundNumber === roundNumber}
          />
        ))}
      </tbody>
    </table>
  </Scrolls>
);

const Facts = ({ match }: { match: Match }) => (
  <>
    <p>
      {match.players.map((player, index) => (
        <span key={player.playerGuid}>
          {index > 0 && <span class="against">{words.versus}</span>}
          <PersonLink player={player} />
        </span>
      ))}
    </p>
    <p class="quiet">
      <Name text={match.queueName} /> · <Name text={match.seasonName} /> ·{' '}
      {match.rated ? words.rated : words.unrated} · {texts.began} <Time at={match.startedAt} />
      {match.endedAt !== null && (
        <>
          , {texts.ended} <Time at={match.endedAt} />
        </>
      )}
    </p>
    <p>
      <strong>{resultText(match)}</strong>
      {match.result?.ratings.map(({ playerGuid, before, after }) => (
        <span class="line quiet" key={playerGuid}>
          {nameIn(match, playerGuid)}: {words.change(before, after)}
        </span>
      ))}
    </p>
  </>
);

/** The match that something is about: players, result, rounds with their replays. @param roundNumber the one in question */
export function MatchBeside({ matchGuid, roundNumber }: { matchGuid: string; roundNumber?: number }) {
  const read = useRead(
    () => ask(api.GET('/matches/{matchGuid}', { params: { path: { matchGuid } } })),
    [matchGuid],
  );
  return (
    <section data-match={matchGuid}>
      <h3>{texts.title}</h3>
      <p class="links">
        <Link to={PATHS.match} with={{ matchGuid }}>
          {texts.staff}
        </Link>
        <a href={`match/${matchGuid}`} target="_blank" rel="noreferrer">
          {texts.page}
        </a>
      </p>
      <Reading of={read}>
        {(match) => (
          <>
            <Facts match={match} />
            {match.rounds.length === 0 ? (
              <p class="quiet">{texts.noRounds}</p>
            ) : (
              <Rounds match={match} roundNumber={roundNumber} />
            )}
          </>
        )}
      </Reading>
    </section>
  );
}
