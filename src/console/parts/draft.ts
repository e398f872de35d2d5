import { useState } from 'preact/hooks';

/** The values of a form: those that were typed, and the stored ones of all other fields. */
export interface Draft<Field extends string> {
  value(field: Field): string;
  set(field: Field, text: string): void;
  /** Fields that differ from what is stored, as they were typed. */
  changes: Partial<Record<Field, string>>;
  isChanged: boolean;
  /** Fields that were typed and have meanwhile been changed by somebody else, with what is stored now. */
  overtaken: readonly { field: Field; stored: string }[];
  /** Forgets what was typed. */
  clear(): void;
  /** Forgets what was sent and is stored now. What was typed since then stays. */
  sent(changes: Partial<Record<Field, string>>): void;
}

interface Typed {
  text: string;
  /** The stored value when the person began to type. */
  from: string;
}

/** A form on something that others may change at the same time: nothing that was typed is lost, and the rest stays up to date. */
export function useDraft<Field extends string>(stored: Readonly<Record<Field, string>>): Draft<Field> {
  const [typed, setTyped] = useState<Partial<Record<Field, Typed>>>({});
  const fields = Object.entries<Typed | undefined>(typed) as [Field, Typed][];
  const changed = fields.filter(([field, { text }]) => text !== stored[field]);
  return {
    value: (field) => typed[field]?.text ?? stored[field],
    set: (field, text) =>
      setTyped((before) => ({ ...before, [field]: { text, from: before[field]?.from ?? stored[field] } })),
    changes: Object.fromEntries(changed.map(([field, { text }]) => [field, text])) as Partial<
      Record<Field, string>
    >,
    isChanged: changed.length > 0,
    overtaken: changed
      .filter(([field, { from }]) => from !== stored[field])
      .map(([field]) => ({ field, stored: stored[field] })),
    clear: () => setTyped({}),
    sent: (changes) =>
      setTyped((now) => {
        const left = (Object.entries<Typed | undefined>(now) as [Field, Typed][])
          .filter(([field, { text }]) => changes[field] !== text)
          .map(([field, { text, from }]) => [field, { text, from: changes[field] ?? from }]);
        return Object.fromEntries(left) as typeof now;
      }),
  };
}
