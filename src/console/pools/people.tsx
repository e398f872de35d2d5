import { Person } from '../parts/person.tsx';

/** Several people by their guids, in a row. */
export const People = ({ guids }: { guids: readonly string[] }) => (
  <ul class="links">
    {guids.map((playerGuid) => (
      <li key={playerGuid}>
        <Person playerGuid={playerGuid} />
      </li>
    ))}
  </ul>
);
