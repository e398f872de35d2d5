import type { ComponentProps } from 'preact';
import { FormDialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';

interface EditProps extends ComponentProps<typeof FormDialog> {
  done: string;
}

/** A window with a form, which says when it is done. */
export const Edit = ({ done, send, ...dialog }: EditProps) => (
  <FormDialog
    {...dialog}
    send={async () => {
      const problem = await send();
      if (problem === null) notify(done);
      return problem;
    }}
  />
);
