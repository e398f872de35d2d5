import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { FormDialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';

interface EditProps extends ComponentProps<typeof FormDialog> {
  done: string;
}

/** A window with a form, which says when it is done. */
export function Edit({ done, isReady, send, ...dialog }: EditProps) {
  const [isDoubtful, setDoubtful] = useState(false);
  return (
    <FormDialog
      {...dialog}
      // When the answer was lost, the change may be stored by now, and no field differs. Sending it again finds that out.
      isReady={isReady || isDoubtful}
      send={async () => {
        const problem = await send();
        if (problem === null) notify(done);
        setDoubtful(problem?.kind === 'unreachable');
        return problem;
      }}
    />
  );
}
