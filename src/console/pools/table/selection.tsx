import { useState } from 'preact/hooks';
import { VALUES } from '../../contract.ts';
import type { Option } from '../../parts/select.tsx';
import { type Category, HARDEST, type Values } from './edits.ts';
import { strings } from './strings.ts';

const texts = strings.selection;

const ACTIONS = ['remove', 'restore', 'lookUp', 'none'] as const;

interface SelectionProps extends Record<(typeof ACTIONS)[number], () => void> {
  count: number;
  categories: readonly Category[];
  set(values: Partial<Values>): void;
}

interface FieldProps {
  label: string;
  choices: readonly Option[];
  set(value: string): void;
}

/** A value that is set in all selected rows as soon as it is chosen. */
const Field = ({ label, choices, set }: FieldProps) => (
  <label>
    {label}{' '}
    <select
      value=""
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') set(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">{texts.unchanged}</option>
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

function Modifiers({ set }: { set(modifiers: string[]): void }) {
  const [chosen, choose] = useState<readonly string[]>([]);
  return (
    <details>
      <summary>{strings.columns.modifiers}</summary>
      <fieldset class="choices">
        <legend class="unseen">{strings.columns.modifiers}</legend>
        {VALUES.Modifier.map((code) => (
          <label key={code}>
            <input
              type="checkbox"
              checked={chosen.includes(code)}
              onChange={({ currentTarget }) =>
                choose(currentTarget.checked ? [...chosen, code] : chosen.filter((one) => one !== code))
              }
            />
            {code}
          </label>
        ))}
        <button type="button" class="plain" onClick={() => set([...chosen])}>
          {texts.setModifiers}
        </button>
      </fieldset>
    </details>
  );
}

const asChoices = (values: readonly string[]) => values.map((value) => ({ value, text: value }));

/** Sets values of all selected rows by mouse or touch; the keyboard does the same in the table. */
export function Selection({ count, categories, set, ...actions }: SelectionProps) {
  if (count === 0) return null;
  return (
    <section aria-label={texts.label} class="pool-bar">
      <p role="status">{texts.count(count)}</p>
      <div class="actions">
        <Field
          label={strings.columns.characteristic}
          choices={asChoices(VALUES.Characteristic)}
          set={(characteristic) => set({ characteristic })}
        />
        <Field
          label={strings.columns.difficulty}
          choices={[...asChoices(VALUES.Difficulty), { value: HARDEST, text: strings.hardest }]}
          set={(difficulty) => set({ difficulty })}
        />
        <Field
          label={strings.columns.category}
          choices={categories.map(({ categoryGuid, name }) => ({ value: categoryGuid, text: name }))}
          set={(categoryGuid) => set({ categoryGuid })}
        />
        <Modifiers set={(modifiers) => set({ modifiers })} />
        {ACTIONS.map((action) => (
          <button key={action} type="button" class="plain" onClick={actions[action]}>
            {texts[action]}
          </button>
        ))}
      </div>
    </section>
  );
}
