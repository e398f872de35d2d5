import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Draft } from '../parts/draft.ts';
import { notify } from '../parts/notices.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { strings as shared } from '../strings.ts';

interface EditProps<Field extends string> {
  title: string;
  /** The verb on the button. */
  action: string;
  done: string;
  draft: Draft<Field>;
  /** Whether it was read, so that a change can be compared with what is there. */
  isReady?: boolean;
  /** Stores what was typed. @returns what went wrong; null: done */
  send(): Promise<Problem | null>;
  onClose(): void;
  /** The fields, and what the change does. */
  children: ComponentChildren;
}

/** A window with a form. Typed values stay when the service refuses them. */
export function Edit<Field extends string>({
  title,
  action,
  done,
  draft,
  isReady = true,
  send,
  onClose,
  children,
}: EditProps<Field>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const found = await send();
    setSending(false);
    setProblem(found);
    if (found !== null) return;
    notify(done);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stacked" onSubmit={(event) => void submit(event)}>
        {children}
        <ProblemNote problem={problem} />
        <p class="actions">
          <button type="submit" disabled={isSending || !isReady || !draft.isChanged}>
            {action}
          </button>
          <button type="button" class="plain" onClick={onClose}>
            {shared.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
