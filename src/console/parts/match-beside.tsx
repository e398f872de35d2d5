import { nameIn, resultText } from '../../pages/parts/match-text.ts';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import { PATHS } from '../paths.ts';
import { useAgain, useGet } from '../read.ts';
import { deskStrings } from './desk-strings.ts';
import { Link } from './link.tsx';
import { type Match, words } from './match-words.ts';
import { PersonLink } from './person.tsx';
import { Reading } from './reading.tsx';
import { RoundTable } from './round-table.tsx';

const texts = deskStrings.match;

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
      <strong>{resultText(match) || `${texts.running} ${words.status[match.status]}.`}</strong>
      {match.result?.ratings.map(({ playerGuid, before, after }) => (
        <span class="line quiet" key={playerGuid}>
          {nameIn(match, playerGuid)}: {words.change(before, after)}
        </span>
      ))}
    </p>
  </>
);

interface MatchBesideProps {
  matchGuid: string;
  /** The round in question. */
  roundNumber?: number;
  /** It is read again when this has changed. */
  mark?: string;
}

/** The match that something is about: players, result, rounds with their replays. */
export function MatchBeside({ matchGuid, roundNumber, mark = '' }: MatchBesideProps) {
  const read = useGet('/matches/{matchGuid}', { path: { matchGuid } });
  useAgain(read, mark);
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
            <RoundTable match={match} marked={roundNumber} />
          </>
        )}
      </Reading>
    </section>
  );
}
