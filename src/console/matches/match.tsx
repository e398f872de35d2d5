import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Freshness } from '../../pages/parts/freshness.ts';
import { type MatchFeed, matchFeed } from '../../pages/parts/match-feed.ts';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { useFollow } from '../follow.ts';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { type Match, seatName, titleOf } from '../parts/match-words.ts';
import { Reading } from '../parts/reading.tsx';
import { RoundTable } from '../parts/round-table.tsx';
import { PATHS } from '../paths.ts';
import { type Read, useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { Decisions } from './decide.tsx';
import { Log } from './log.tsx';
import { Replays } from './replays.tsx';
import { Result } from './result.tsx';
import { Seats } from './seats.tsx';
import { strings } from './strings.ts';

const texts = strings.match;

/** The phase of a match. The entity tag changes with it, so the match is read again. */
const phaseOf = ({ status, rounds }: Match): string => `${status} ${rounds.length}`;

/** The match as it is now: read once, followed while it runs, and read again when a phase ends. */
function useMatch(matchGuid: string) {
  const read = useGet('/matches/{matchGuid}', { path: { matchGuid } });
  const isRunning = read.data !== null && read.data.endedAt === null;
  const followed = useFollow(isRunning ? `matches/${matchGuid}/events` : null, matchFeed<Match>());
  const streamed = followed.state?.match.matchGuid === matchGuid ? followed.state : null;
  const isBehind =
    isRunning && streamed !== null && read.data !== null && phaseOf(streamed.match) !== phaseOf(read.data);
  const phase = streamed && phaseOf(streamed.match);
  useEffect(() => {
    if (isBehind) read.reload();
  }, [phase]);
  return { read, isRunning, followed, streamed };
}

const Facts = ({ match }: { match: Shapes['MatchWithSpectators'] }) => (
  <dl class="facts">
    <dt>{texts.queue}</dt>
    <dd>
      <Link to={PATHS.queue} with={{ queueGuid: match.queueGuid }}>
        <Name text={match.queueName} />
      </Link>
      , <Name text={match.seasonName} />, {match.rated ? texts.rated : texts.unrated}
    </dd>
    <dt>{texts.pool}</dt>
    <dd>
      <Link to={PATHS.pool} with={{ poolGuid: match.poolGuid }}>
        <Name text={match.poolName} />
      </Link>
    </dd>
    <dt>{texts.began}</dt>
    <dd>
      <Time at={match.startedAt} />
    </dd>
    {match.endedAt !== null && (
      <>
        <dt>{texts.ended}</dt>
        <dd>
          <Time at={match.endedAt} />
        </dd>
      </>
    )}
    <dt>{texts.version}</dt>
    <dd>{match.version}</dd>
    {match.endedAt === null && (
      <>
        <dt>{texts.spectators}</dt>
        {/* The stream does not have their number. */}
        <dd>{match.spectators}</dd>
      </>
    )}
    <dt>{match.seed === null ? texts.seedHash : texts.seed}</dt>
    <dd class="wraps">
      <code>{match.seed ?? match.seedHash}</code>
    </dd>
  </dl>
);

/** Links to more about a match, as far as this person may read it. */
function Related({ match }: { match: Match }) {
  const { may } = useMe();
  const { matchGuid, players } = match;
  return (
    <p class="links">
      <a href={`match/${matchGuid}`} target="_blank" rel="noreferrer">
        {texts.publicPage}
      </a>
      {may('GET /replay-reviews') && (
        <Link to={PATHS.reviews} with={{}} query={{ matchGuid }}>
          {texts.reviews}
        </Link>
      )}
      {may('GET /reports') &&
        players.map(({ playerGuid }, index) => (
          <Link key={playerGuid} to={PATHS.reports} with={{}} query={{ playerGuid }}>
            {texts.reports(seatName(match, index))}
          </Link>
        ))}
      {may('GET /audit-log') && (
        <Link to={PATHS.audit} with={{}} query={{ target: `/matches/${matchGuid}` }}>
          {texts.audit}
        </Link>
      )}
    </p>
  );
}

interface ViewProps {
  found: Shapes['MatchWithSpectators'];
  read: Read<Shapes['MatchWithSpectators']>;
  isRunning: boolean;
  streamed: MatchFeed<Match> | null;
}

/** A match: the newer one of the read and the streamed version. */
function View({ found, read, isRunning, streamed }: ViewProps) {
  const isNewer = isRunning && streamed !== null && streamed.match.version >= found.version;
  const match = isNewer ? { ...found, ...streamed.match } : found;
  return (
    <div data-match={match.matchGuid} data-status={match.status}>
      <Decisions match={match} read={read} />
      <Result match={match} />
      <Seats match={match} offsetMs={streamed?.offsetMs ?? null} />
      <section>
        <h2>{strings.rounds}</h2>
        <RoundTable match={match} />
      </section>
      <Replays match={match} />
      <Related match={match} />
      <Facts match={match} />
      <Log match={match} />
    </div>
  );
}

function MatchOf({ matchGuid }: { matchGuid: string }) {
  const { read, isRunning, followed, streamed } = useMatch(matchGuid);
  return (
    <>
      <Heading title={read.data === null ? texts.title : titleOf(read.data)} />
      {isRunning && <Freshness {...followed} />}
      <Reading of={read}>
        {(found) => <View found={found} read={read} isRunning={isRunning} streamed={streamed} />}
      </Reading>
    </>
  );
}

/** One match with everything that staff may see, and what an admin may do about it. */
export function MatchDesk() {
  const { params } = useRoute();
  const { matchGuid = '' } = params;
  return <MatchOf key={matchGuid} matchGuid={matchGuid} />;
}
