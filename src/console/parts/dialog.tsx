import * as dialog from '@zag-js/dialog';
import { normalizeProps, useMachine } from '@zag-js/preact';
import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useId, useState } from 'preact/hooks';
import { pressable } from '../../pages/parts/press.ts';
import type { Problem } from '../api.ts';
import { strings } from '../strings.ts';
import { InDialog, ProblemNote } from './problem.tsx';
import { useSending } from './sending.ts';
import { TextField } from './text-field.tsx';

interface DialogProps {
  title: string;
  /** Called for Escape, for the button that closes, and for a click outside while nothing was entered. */
  onClose(): void;
  children: ComponentChildren;
}

/** A window above the page, open as long as it is drawn. It keeps the focus; `keepFocus` gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  // A click beside the dialog is easily an accident, and what was entered would be lost.
  const [isEntered, setEntered] = useState(false);
  const service = useMachine(dialog.machine, {
    id: useId(),
    open: true,
    closeOnInteractOutside: !isEntered,
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
        <div {...shown.getContentProps()} class="dialog" onInput={() => setEntered(true)}>
          <h2 {...shown.getTitleProps()}>{title}</h2>
          <InDialog.Provider value={true}>{children}</InDialog.Provider>
        </div>
      </div>
    </>,
    document.body,
  );
}

interface FormDialogProps extends DialogProps {
  /** The verb on the button. */
  action: string;
  /** Whether it can be sent yet. */
  isReady?: boolean;
  /** Whether the button warns by its colour. */
  isDestructive?: boolean;
  /** @returns what went wrong; null: done */
  send(): Promise<Problem | null>;
}

/** A window with a form, closed when it is done, and not before the answer. What was typed stays when the service refuses it. */
export function FormDialog({
  title,
  action,
  isReady = true,
  isDestructive = false,
  send,
  onClose,
  children,
}: FormDialogProps) {
  const { isSending, problem, submit } = useSending(async () => {
    const found = await send();
    if (found === null) onClose();
    return found;
  });
  return (
    <Dialog title={title} onClose={() => isSending || onClose()}>
      <form class="stacked" onSubmit={submit}>
        {children}
        <ProblemNote problem={problem} />
        <p class="actions">
          <button
            type="submit"
            class={isDestructive ? 'destructive' : undefined}
            {...pressable(!isSending && isReady)}
          >
            {action}
          </button>
          <button type="button" class="plain" {...pressable(!isSending, onClose)}>
            {strings.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface AskProps extends Omit<FormDialogProps, 'send'> {
  /** Whether a reason must be given. */
  needsReason?: boolean;
  /** Carries it out. @param reason trimmed; '' where none is needed. @returns what went wrong; null: done */
  send(reason: string): Promise<Problem | null>;
}

/**
 * Asks before an action that cannot be undone: it says what will happen, and acts when the person confirms.
 * @param isReady false while what will happen is still read
 */
export function Ask({ needsReason = false, isReady = true, send, children, ...dialog }: AskProps) {
  const [reason, setReason] = useState('');
  const given = reason.trim();
  return (
    <FormDialog {...dialog} isReady={isReady && (!needsReason || given !== '')} send={() => send(given)}>
      <div>{children}</div>
      {needsReason && (
        <TextField
          label={strings.reason}
          name="reason"
          required
          value={reason}
          set={setReason}
          hint={strings.reasonHint}
        />
      )}
    </FormDialog>
  );
}
