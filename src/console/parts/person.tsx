import { Name, type NamedPlayer, PlayerLink } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import type { Problem } from '../api.ts';
import { PATHS } from '../paths.ts';
import { useMe } from '../session.ts';
import { deskStrings } from './desk-strings.ts';
import { Link } from './link.tsx';
import { isGone, retryNames, useName } from './names.ts';

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

/** Stands for a name that is not known. */
const insteadOf = (problem: Problem | null): string =>
  problem === null ? '…' : isGone(problem) ? texts.gone : texts.unread;

/** Shows a player by the guid: the name is read. */
export function Person({ playerGuid }: { playerGuid: string }) {
  const { name, problem } = useName(playerGuid);
  if (name !== null) return <PersonLink player={{ playerGuid, username: name }} />;
  return (
    <span class="quiet">
      {insteadOf(problem)}
      {problem !== null && !isGone(problem) && (
        <>
          {' '}
          <button type="button" class="plain" onClick={retryNames}>
            {texts.retry}
          </button>
        </>
      )}
    </span>
  );
}

/** The name of a player as text, and why it cannot be read now. */
export function useNameOf(playerGuid: string): { text: string; problem: Problem | null } {
  const { name, problem } = useName(playerGuid);
  const isUnread = name === null && problem !== null && !isGone(problem);
  return {
    text: name === null ? insteadOf(problem) : plain(name, 40),
    problem: isUnread ? problem : null,
  };
}
