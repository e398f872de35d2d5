import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { Read } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.actions;

type Season = Pick<Shapes['Season'], 'seasonGuid' | 'name'>;

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
  own = [],
  ...field
}: FieldProps & {
  seasons: Read<readonly Season[]>;
  /** Those that can be chosen while the seasons are not read. */
  own?: readonly Season[];
}) => (
  <>
    <label>
      {texts.season}
      <Select
        name="season"
        required
        {...field}
        options={[
          { value: '', text: '' },
          ...(seasons.data ?? own).map(({ seasonGuid, name }) => ({ value: seasonGuid, text: plain(name) })),
        ]}
      />
    </label>
    <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
  </>
);
