import { Name } from '../../pages/parts/name.ts';
import { Link } from '../parts/link.tsx';
import { useName } from '../parts/names.ts';
import { PATHS } from '../paths.ts';

/** Shows a person by the guid: the name where it can be read, else the guid. Leads to what staff see of them. */
export function PersonOf({ playerGuid }: { playerGuid: string }) {
  const { name } = useName(playerGuid);
  return (
    <Link to={PATHS.player} with={{ playerGuid }}>
      {name === null ? <code>{playerGuid}</code> : <Name text={name} />}
    </Link>
  );
}
