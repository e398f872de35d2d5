import type { ComponentProps } from 'preact';

/** A value that can be chosen, and its text. */
export interface Option {
  value: string;
  text: string;
}

type SelectProps = ComponentProps<'select'> & {
  options: readonly Option[];
  set(value: string): void;
};

/** A list of which one value is chosen. */
export const Select = ({ options, set, ...select }: SelectProps) => (
  <select {...select} onChange={({ currentTarget }) => set(currentTarget.value)}>
    {options.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);
