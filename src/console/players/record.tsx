import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Listing } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { PATHS } from '../paths.ts';
import { useGet, useList } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.record;

type Rating = Shapes['PlayerRating'];
type Ladder = Shapes['LadderList']['items'][number];

const Line = ({ rating, ladder }: { rating: Rating; ladder: Ladder | undefined }) => (
  <tr>
    <th scope="row">
      {ladder === undefined ? (
        <code>{rating.queueGuid}</code>
      ) : (
        <>
          <Name text={ladder.queueName} />, <Name text={ladder.seasonName} />
        </>
      )}
    </th>
    <td>
      {rating.rating} {rating.provisional && <span class="quiet">{texts.provisional}</span>}
    </td>
    <td>{rating.rank ?? '–'}</td>
    <td>{`${rating.wins}–${rating.losses}–${rating.draws}`}</td>
  </tr>
);

function Ratings({ ratings }: { ratings: readonly Rating[] }) {
  const ladders = useGet('/leaderboards', { query: { limit: 100 } });
  if (ratings.length === 0) return <p class="quiet">{texts.noRatings}</p>;
  return (
    <>
      <ProblemNote problem={ladders.problem} onRetry={ladders.reload} />
      <Table label={texts.ratings} heads={[texts.ladder, texts.rating, texts.rank, texts.games]}>
        {ratings.map((rating) => (
          <Line
            key={`${rating.queueGuid} ${rating.seasonGuid}`}
            rating={rating}
            ladder={ladders.data?.items.find(
              ({ queueGuid, seasonGuid }) =>
                queueGuid === rating.queueGuid && seasonGuid === rating.seasonGuid,
            )}
          />
        ))}
      </Table>
    </>
  );
}

type Match = Shapes['MatchList']['items'][number];

function outcomeOf({ result, status }: Match, playerGuid: string): string {
  if (result === null) return status === 'aborted' ? texts.outcomes.none : texts.running;
  if (result.outcome === 'no_contest') return texts.outcomes.none;
  if (result.outcome === 'draw') return texts.outcomes.draw;
  return result.winnerGuid === playerGuid ? texts.outcomes.won : texts.outcomes.lost;
}

function Matches({ playerGuid }: { playerGuid: string }) {
  const list = useList('/players/{playerGuid}/matches', { path: { playerGuid }, query: { limit: 10 } });
  return (
    <Listing of={list} nothing={texts.noMatches}>
      {(matches) => (
        <ul class="matches">
          {matches.map((match) => (
            <li key={match.matchGuid}>
              <Link to={PATHS.match} with={{ matchGuid: match.matchGuid }}>
                {texts.against}{' '}
                <Name
                  text={
                    match.players.find((player) => player.playerGuid !== playerGuid)?.username ??
                    texts.somebody
                  }
                />
              </Link>{' '}
              · {outcomeOf(match, playerGuid)} · <Time at={match.startedAt} />
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}

/** Ratings and matches of a player. */
export const Record = ({ playerGuid, ratings }: { playerGuid: string; ratings: readonly Rating[] }) => (
  <section>
    <h2>{texts.title}</h2>
    <h3>{texts.ratings}</h3>
    <Ratings ratings={ratings} />
    <h3>{texts.matches}</h3>
    <Matches playerGuid={playerGuid} />
  </section>
);
