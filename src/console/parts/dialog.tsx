import * as dialog from '@zag-js/dialog';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useId, useState } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { strings } from '../strings.ts';
import { ProblemNote } from './problem.tsx';

interface DialogProps {
  title: string;
  /** Escape, a click outside, and the button for it. */
  onClose(): void;
  children: ComponentChildren;
}

/** A window above the page, open as long as it is drawn. It keeps the focus and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const service = useMachine(dialog.machine, {
    id: useId(),
    open: true,
    // The focus is set a moment after the dialog is drawn. A field that has it by then keeps it, because what is typed would
    // go into another one.
    initialFocusEl: () => document.querySelector<HTMLElement>('.dialog :focus'),
    onOpenChange: ({ open }) => open || onClose(),
  });
  const shown = dialog.connect(service, normalizeProps);
  return createPortal(
    <>
      <div {...shown.getBackdropProps()} class="backdrop" />
      <div {...shown.getPositionerProps()} class="dialog-place">
        <div {...shown.getContentProps()} class="dialog">
          <h2 {...shown.getTitleProps()}>{title}</h2>
          {children}
        </div>
      </div>
    </>,
    document.body,
  );
}

interface AskProps {
  /** A question that names the thing. */
  title: string;
  /** The verb on the button. */
  action: string;
  /** Whether a reason must be given. */
  needsReason?: boolean;
  /** Whether it can be carried out yet: what will happen may still be read. */
  isReady?: boolean;
  /** Carries it out. @param reason trimmed; '' where none is needed. @returns what went wrong; null: done */
  send(reason: string): Promise<Problem | null>;
  onClose(): void;
  /** What will happen. */
  children: ComponentChildren;
}

/** Asks before an action that cannot be undone: it says what will happen, and acts when the person confirms. */
export function Ask({
  title,
  action,
  needsReason = false,
  isReady = true,
  send,
  onClose,
  children,
}: AskProps) {
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const found = await send(reason.trim());
    setSending(false);
    setProblem(found);
    if (found === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stacked" onSubmit={(event) => void submit(event)}>
        <div>{children}</div>
        {needsReason && (
          <label>
            {strings.reason}
            <input
              name="reason"
              required
              autocomplete="off"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <span class="quiet">{strings.reasonHint}</span>
          </label>
        )}
        <ProblemNote problem={problem} />
        <p class="actions">
          <button type="submit" disabled={isSending || !isReady || (needsReason && reason.trim() === '')}>
            {action}
          </button>
          <button type="button" class="plain" onClick={onClose}>
            {strings.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
