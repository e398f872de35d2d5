import { useEffect } from 'preact/hooks';
import { Freshness } from '../../pages/parts/freshness.ts';
import { nowText, resultText } from '../../pages/parts/match-text.ts';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { useFollow } from '../follow.ts';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { type Match, seatName, words } from '../parts/match-words.ts';
import { Listing } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { PATHS } from '../paths.ts';
import { useList } from '../read.ts';
import { strings as texts } from '../strings.ts';
import { Countdown } from './countdown.tsx';
import { Filters } from './filters.tsx';
import { askedOf, isRunning, type MatchQuery, queryOf } from './query.ts';
import { strings } from './strings.ts';

const list = strings.list;
const PAGE = 50;
/** No stream sends the limits, phases and connections of a list: they are read again, so long after the last answer. */
const AGAIN_MS = 3000;

/** The difference between the clock of the server and that of this computer. */
const offsetAt = (_before: number | null, _type: string, data: unknown): number =>
  Date.parse((data as Shapes['FeedSnapshot']).time) - Date.now();

/**
 * The matches of a filter. Running ones are read again every few seconds while the tab is visible, and never while a read
 * is under way: a newer one drops the answer of the older one.
 */
function useMatches(query: MatchQuery) {
  const asked = askedOf(query);
  const matches = useList('/matches', { query: { ...asked, limit: PAGE } });
  const followed = useFollow<number>(
    isRunning(query)
      ? `events${query.queueGuid === undefined ? '' : `?${new URLSearchParams({ queueGuid: query.queueGuid })}`}`
      : null,
    { as: 'time', events: ['snapshot'], reduce: offsetAt },
  );
  const isPaused = !isRunning(query) || (matches.data?.length ?? 0) > PAGE;
  const isWaiting = isPaused || matches.isLoading;
  const everyMs = matches.problem?.retryAfterMs ?? AGAIN_MS;
  useEffect(() => {
    if (isWaiting) return undefined;
    const again = () => document.visibilityState === 'visible' && matches.reload();
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [isWaiting, everyMs, JSON.stringify(asked)]);
  return { matches, followed, isPaused, offsetMs: followed.state };
}

const Limit = ({ match, offsetMs }: { match: Match; offsetMs: number | null }) => {
  const at = match.live?.startsAt ?? match.live?.deadlineAt ?? null;
  return at === null ? <span>{list.noLimit}</span> : <Countdown at={at} offsetMs={offsetMs} />;
};

const Presence = ({ match }: { match: Match }) => (
  <>
    {match.live?.seats.map(({ playerGuid, presence }, index) => (
      <span key={playerGuid} class={presence === 'present' ? 'line quiet' : 'line fails'}>
        {seatName(match, index)}: {words.presence[presence]}
      </span>
    ))}
  </>
);

interface RowProps {
  match: Match;
  offsetMs: number | null;
  isLive: boolean;
}

const Row = ({ match, offsetMs, isLive }: RowProps) => (
  <tr data-match={match.matchGuid}>
    <th scope="row" class="wraps">
      <Link to={PATHS.match} with={{ matchGuid: match.matchGuid }}>
        {match.players.length === 0
          ? list.hidden
          : match.players.map(({ playerGuid, username }, index) => (
              <span key={playerGuid} class="line">
                {index > 0 && `${words.versus} `}
                <Name text={username} most={30} />
              </span>
            ))}
      </Link>
    </th>
    <td class="wraps">
      <Name text={match.queueName} most={40} />
    </td>
    <td class="wraps">
      {match.live === null ? resultText(match) : nowText(match.live, match)}
      {match.live !== null && <span class="line quiet">{list.round(match.live.roundNumber)}</span>}
    </td>
    {isLive && (
      <>
        <td>
          <Limit match={match} offsetMs={offsetMs} />
        </td>
        <td>
          <Presence match={match} />
        </td>
      </>
    )}
    <td>
      <Time at={match.startedAt} />
    </td>
  </tr>
);

interface TableProps {
  matches: readonly Match[];
  offsetMs: number | null;
  isLive: boolean;
}

const MatchTable = ({ matches, ...props }: TableProps) => (
  <Table
    label={list.label}
    heads={[
      list.players,
      list.queue,
      props.isLive ? list.now : list.result,
      ...(props.isLive ? [list.limit, list.presence] : []),
      list.began,
    ]}
  >
    {matches.map((match) => (
      <Row key={match.matchGuid} match={match} {...props} />
    ))}
  </Table>
);

/** Running and ended matches. The filter stands in the address. */
export function Matches() {
  const { query: asked, change } = useQuery();
  const query = queryOf(asked);
  const { matches, followed, isPaused, offsetMs } = useMatches(query);
  const isLive = isRunning(query);
  return (
    <>
      <Heading title={texts.sections.matches} />
      <Filters query={query} change={change} />
      {isLive && !isPaused && <Freshness {...followed} />}
      {isLive && isPaused && <p class="quiet">{list.paused}</p>}
      <Listing of={matches} nothing={list.none}>
        {(items) => <MatchTable matches={items} offsetMs={offsetMs} isLive={isLive} />}
      </Listing>
    </>
  );
}
