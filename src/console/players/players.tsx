import { Name } from '../../pages/parts/name.ts';
import { Portrait } from '../../pages/parts/portrait.ts';
import { Time } from '../../pages/parts/time.ts';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { PATHS } from '../paths.ts';
import { FoundPlayers, PlayerField } from './search.tsx';
import { strings } from './strings.ts';

/** Finds players. The address has the text to search for. */
export function Players() {
  const address = useQuery();
  const query = address.query.query ?? '';
  return (
    <>
      <Heading title={strings.title} />
      <PlayerField query={query} onSearch={(wanted) => address.change({ query: wanted || undefined })} />
      {query === '' ? (
        <p class="quiet">{strings.search.hint}</p>
      ) : (
        <FoundPlayers query={query}>
          {({ playerGuid, username, platformId, joinedAt }) => (
            <>
              <span class="player">
                <Portrait guid={playerGuid} />
                <Link to={PATHS.player} with={{ playerGuid }}>
                  <Name text={username} />
                </Link>
              </span>
              <p class="quiet">
                {platformId} {strings.search.joined} <Time at={joinedAt} />
              </p>
            </>
          )}
        </FoundPlayers>
      )}
    </>
  );
}
