import { Person } from '../parts/person.tsx';

/** Several people of whom only the guid is known, in a row. */
export const People = ({ guids }: { guids: readonly string[] }) => (
  <ul class="links">
    {guids.map((playerGuid) => (
      <li key={playerGuid}>
        <Person playerGuid={playerGuid} />
      </li>
    ))}
  </ul>
);
