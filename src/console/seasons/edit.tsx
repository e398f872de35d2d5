import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { FormDialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { type Sending, useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import type { Read } from '../read.ts';

/** What each window on a season or a category needs. */
export interface DialogProps {
  /** Reads the list again. */
  reload(): void;
  onClose(): void;
}

interface EditProps<Thing>
  extends DialogProps,
    Omit<ComponentProps<typeof FormDialog>, 'isReady' | 'send' | 'onClose'> {
  isChanged: boolean;
  /** What is changed; left out: it is new. Once it was read, a change can be compared with what is there. */
  read?: Pick<Read<Thing>, 'etag' | 'problem' | 'reload'>;
  /** Says that it is done. */
  done: string;
  /** What is sent, as the form is now. */
  sending(): Sending<Thing>;
}

/** A window with a form, which says when it is done. */
export function Edit<Thing extends object>({
  isChanged,
  read,
  done,
  sending,
  reload,
  children,
  ...dialog
}: EditProps<Thing>) {
  const [isDoubtful, setDoubtful] = useState(false);
  const outcome = useOutcome();
  return (
    <FormDialog
      {...dialog}
      // When the answer was lost, the change may be stored by now, and no field differs. Sending it again finds that out.
      isReady={isDoubtful || (isChanged && read?.etag !== null)}
      send={async () => {
        const { problem } = await outcome(sending());
        read?.reload();
        reload();
        if (problem === null) notify(done);
        setDoubtful(problem?.kind === 'unreachable');
        return problem;
      }}
    >
      {children}
      {read && <ProblemNote problem={read.problem} onRetry={read.reload} />}
    </FormDialog>
  );
}
