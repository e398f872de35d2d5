import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import { strings } from './strings.ts';

const texts = strings.actions;

interface FieldProps {
  value: string;
  set(value: string): void;
}

/** The name of a pool. */
export const NameField = ({ value, set }: FieldProps) => (
  <label>
    {texts.name}
    <input
      name="name"
      required
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);

/** The season of a pool. */
export const SeasonField = ({
  value,
  set,
  seasons,
}: FieldProps & { seasons: readonly Shapes['Season'][] }) => (
  <label>
    {texts.season}
    <select name="season" required value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="" />
      {seasons.map(({ seasonGuid, name }) => (
        <option key={seasonGuid} value={seasonGuid}>
          {plain(name)}
        </option>
      ))}
    </select>
  </label>
);
