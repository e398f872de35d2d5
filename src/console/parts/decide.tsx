import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { pressable } from '../../pages/parts/press.ts';
import type { Problem } from '../api.ts';
import { deskStrings } from './desk-strings.ts';
import { useKept } from './kept.ts';
import { useKeys } from './keys.ts';
import { ProblemNote } from './problem.tsx';
import { useSending } from './sending.ts';

const texts = deskStrings.decide;

export interface Choice<Value extends string> {
  value: Value;
  /** The verb on the button. */
  label: string;
  /** The key that chooses it, in lower case. */
  key: string;
  /** The effect of the choice. */
  says: ComponentChildren;
}

/** A choice and a comment that were not sent yet. */
export interface Draft<Value extends string> {
  value: Value | null;
  comment: string;
}

const UNTOUCHED = { value: null, comment: '' };
const NONE: readonly [string, Draft<never>][] = [];

/**
 * Drafts of decisions by the id of their subject, so that selecting another one, or following a link, loses nothing.
 * @param subject what is decided about, such as `reports`
 */
export function useDrafts<Value extends string>(subject: string) {
  const [kept, setKept] = useKept<readonly [string, Draft<Value>][]>(subject, NONE);
  const draftIn = (all: typeof kept, guid: string): Draft<Value> =>
    all.find(([of]) => of === guid)?.[1] ?? UNTOUCHED;
  return {
    draftOf: (guid: string): Draft<Value> => draftIn(kept, guid),
    setDraft: (guid: string, changes: Partial<Draft<Value>>) =>
      setKept((all) => {
        const changed = { ...draftIn(all, guid), ...changes };
        const others = all.filter(([of]) => of !== guid);
        return changed.value === null && changed.comment === '' ? others : [...others, [guid, changed]];
      }),
  };
}

/** The comment of a decision that came after another one, so that it can be copied. */
export const NotSent = ({ comment }: { comment: string }) => (
  <p>
    {texts.notSent} <q>{comment}</q>
  </p>
);

interface DecideProps<Value extends string> {
  choices: readonly Choice<Value>[];
  draft: Draft<Value>;
  onDraft(changes: Partial<Draft<Value>>): void;
  /** Sends the decision. @returns what went wrong; null: done */
  send(value: Value, comment: string): Promise<Problem | null>;
}

/** Buttons and keys for a decision, then what it does and a comment. Enter sends, Escape leaves the comment. */
export function Decide<Value extends string>({ choices, draft, onDraft, send }: DecideProps<Value>) {
  const { isSending, problem, submit } = useSending(async () => {
    const found = draft.value === null ? null : await send(draft.value, draft.comment.trim());
    if (found === null) onDraft(UNTOUCHED);
    return found;
  });
  const field = useRef<HTMLInputElement>(null);
  const chosen = choices.find(({ value }) => value === draft.value);
  const choose = (value: Value): void => {
    onDraft({ value });
    field.current?.focus();
  };
  // Where nothing was chosen before, the field is there after the choice is drawn. It has the focus before the next key
  // comes, which would otherwise be a command.
  const before = useRef(draft.value);
  useLayoutEffect(() => {
    if (before.current === null && draft.value !== null) field.current?.focus();
    before.current = draft.value;
  }, [draft.value]);
  useKeys(Object.fromEntries(choices.map(({ key, value }) => [key, () => choose(value)])));
  return (
    <section class="decide" aria-label={texts.title}>
      <p class="actions">
        {choices.map(({ value, label, key }) => (
          <button
            key={value}
            type="button"
            class={value === draft.value ? undefined : 'plain'}
            aria-pressed={value === draft.value}
            aria-keyshortcuts={key.toUpperCase()}
            onClick={() => choose(value)}
          >
            {label} <kbd>{key.toUpperCase()}</kbd>
          </button>
        ))}
      </p>
      {chosen !== undefined && (
        <form class="stacked" onSubmit={submit}>
          <div>{chosen.says}</div>
          <label>
            {texts.comment}
            <input
              ref={field}
              name="comment"
              required
              autocomplete="off"
              readOnly={isSending}
              value={draft.comment}
              onInput={({ currentTarget }) => onDraft({ comment: currentTarget.value })}
              onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
            />
            <span class="quiet">{texts.commentHint}</span>
          </label>
          <ProblemNote problem={problem} />
          <p class="actions">
            <button type="submit" {...pressable(!isSending)}>
              {texts.send(chosen.label)}
            </button>
            <button type="button" class="plain" onClick={() => onDraft({ value: null })}>
              {texts.back}
            </button>
          </p>
        </form>
      )}
    </section>
  );
}
