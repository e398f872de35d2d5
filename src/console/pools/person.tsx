import { PlayerLink } from '../../pages/parts/name.ts';
import { api, ask } from '../api.ts';
import { useRead } from '../read.ts';

/** Somebody of whom only the guid is known: the name is read. */
export function Person({ playerGuid }: { playerGuid: string }) {
  const { data, isLoading } = useRead(
    () => ask(api.GET('/players/{playerGuid}', { params: { path: { playerGuid } } })),
    [playerGuid],
  );
  if (data !== null) return <PlayerLink player={data} />;
  return <span class="quiet">{isLoading ? '…' : playerGuid}</span>;
}

/** Several of them, in a row. */
export const People = ({ guids }: { guids: readonly string[] }) => (
  <ul class="links">
    {guids.map((playerGuid) => (
      <li key={playerGuid}>
        <Person playerGuid={playerGuid} />
      </li>
    ))}
  </ul>
);
