import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { strings } from './strings.ts';

const texts = strings.actions;

interface FieldProps {
  value: string;
  set(value: string): void;
}

/** The name of a pool. */
export const NameField = (field: FieldProps) => (
  <TextField label={texts.name} name="name" required {...field} />
);

/** The season of a pool. */
export const SeasonField = ({
  seasons,
  ...field
}: FieldProps & { seasons: readonly Pick<Shapes['Season'], 'seasonGuid' | 'name'>[] }) => (
  <label>
    {texts.season}
    <Select
      name="season"
      required
      {...field}
      options={[
        { value: '', text: '' },
        ...seasons.map(({ seasonGuid, name }) => ({ value: seasonGuid, text: plain(name) })),
      ]}
    />
  </label>
);
