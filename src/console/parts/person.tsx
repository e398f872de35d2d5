import { Name, type NamedPlayer, PlayerLink } from '../../pages/parts/name.ts';
import { PATHS } from '../paths.ts';
import { useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { deskStrings } from './desk-strings.ts';
import { Link } from './link.tsx';

const texts = deskStrings.person;

/** A player: to the view of staff for those who may read bans, and to the public page. */
export function PersonLink({ player }: { player: NamedPlayer }) {
  const { may } = useMe();
  if (!may('GET /players/{playerGuid}/bans')) return <PlayerLink player={player} />;
  const { playerGuid, username } = player;
  return (
    <span class="person">
      <Link to={PATHS.player} with={{ playerGuid }}>
        <Name text={username} />
      </Link>{' '}
      <a class="quiet" href={`player/${playerGuid}`} target="_blank" rel="noreferrer">
        {texts.page}
        <span class="unseen">
          {': '}
          <Name text={username} />
        </span>
      </a>
    </span>
  );
}

/** Shows a player by the guid: the name is read. */
export function Person({ playerGuid }: { playerGuid: string }) {
  const { data, isLoading } = useGet('/players/{playerGuid}', { path: { playerGuid } });
  if (data !== null) return <PersonLink player={data} />;
  return <span class="quiet">{isLoading ? '…' : texts.unknown}</span>;
}
