import { useLayoutEffect, useState } from 'preact/hooks';
import { useKept } from './kept.ts';

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

type Values<Field extends string> = Readonly<Record<Field, string>>;
/** By field. */
type AllTyped = Readonly<Partial<Record<string, Typed>>>;

const NOTHING: AllTyped = {};

const fieldsOf = (typed: AllTyped) => Object.entries(typed) as [field: string, typed: Typed][];

function draftOf<Field extends string>(
  stored: Values<Field>,
  typed: AllTyped,
  setTyped: (change: (before: AllTyped) => AllTyped) => void,
): Draft<Field> {
  const changed = (fieldsOf(typed) as [Field, Typed][]).filter(([field, { text }]) => text !== stored[field]);
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
    clear: () => setTyped(() => NOTHING),
    sent: (changes: Partial<Record<string, string>>) =>
      setTyped((now) =>
        Object.fromEntries(
          fieldsOf(now)
            .filter(([field, { text }]) => changes[field] !== text)
            .map(([field, { text, from }]) => [field, { text, from: changes[field] ?? from }]),
        ),
      ),
  };
}

/** A form on something that others may change at the same time: nothing that was typed is lost, and the rest stays up to date. */
export function useDraft<Field extends string>(stored: Values<Field>): Draft<Field> {
  const [typed, setTyped] = useState(NOTHING);
  return draftOf(stored, typed, setTyped);
}

/** Such a form, whose text the browser tab keeps. @param subject what it is about, such as `queues/{queueGuid}` */
export function useKeptDraft<Field extends string>(subject: string, stored: Values<Field>): Draft<Field> {
  const [typed, setTyped] = useKept(subject, NOTHING);
  // When the answer to a request was lost, its texts may be stored: they are no draft any more.
  useLayoutEffect(
    () =>
      setTyped((kept) =>
        Object.fromEntries(fieldsOf(kept).filter(([field, { text }]) => text !== stored[field as Field])),
      ),
    [],
  );
  return draftOf(stored, typed, setTyped);
}
