import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { plain } from '../../pages/parts/text.ts';
import { strings } from '../strings.ts';
import type { Draft } from './draft.ts';

interface FieldProps<Name extends string> {
  label: string;
  field: Name;
  draft: Draft<Name>;
  /** The meaning of the value, in words. */
  hint?: ComponentChildren;
  /** What is wrong with the value; undefined: nothing. */
  fault?: string;
  type?: 'text' | 'datetime-local';
  required?: boolean;
  /** The earliest time that the browser takes, as a field has it. */
  min?: string;
  inputMode?: 'numeric' | 'decimal';
}

interface OvertakenProps<Name extends string> {
  field: Name;
  draft: Draft<Name>;
  /** How a stored value is called; left out: as it is. */
  nameOf?(stored: string): string;
}

/** The value that somebody else has stored meanwhile, beside a field with a typed one. */
export function Overtaken<Name extends string>({
  field,
  draft,
  nameOf = (stored) => stored,
}: OvertakenProps<Name>) {
  const other = draft.overtaken.find((one) => one.field === field);
  if (other === undefined) return null;
  return (
    <span class="line warning" data-overtaken={field}>
      {strings.overtaken(plain(nameOf(other.stored), 100))}
    </span>
  );
}

/** A field of a form, with what it means, and what somebody else has entered meanwhile. */
export function Field<Name extends string>({
  label,
  field,
  draft,
  hint,
  fault,
  type = 'text',
  ...input
}: FieldProps<Name>) {
  const id = useId();
  const shared = {
    ...input,
    id: `${id}-input`,
    name: field,
    autocomplete: 'off',
    'aria-describedby': id,
    'aria-invalid': fault !== undefined,
    value: draft.value(field),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      draft.set(field, currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={shared.id}>{label}</label>
      {type === 'text' ? <input type="text" {...shared} /> : <input type="datetime-local" {...shared} />}
      <span id={id}>
        {(fault ?? hint) !== undefined && (
          <span class={fault === undefined ? 'line quiet' : 'line fails'} data-meaning={field}>
            {fault ?? hint}
          </span>
        )}
        <Overtaken field={field} draft={draft} />
      </span>
    </div>
  );
}
