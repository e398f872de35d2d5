import type { ComponentProps } from 'preact';

type TextFieldProps = ComponentProps<'input'> & {
  label: string;
  set(value: string): void;
  /** The meaning of the text, below it. */
  hint?: string;
};

/** A line of text below its label. */
export const TextField = ({ label, set, hint, ...input }: TextFieldProps) => (
  <label>
    {label}
    <input autocomplete="off" {...input} onInput={({ currentTarget }) => set(currentTarget.value)} />
    {hint !== undefined && <span class="quiet">{hint}</span>}
  </label>
);
