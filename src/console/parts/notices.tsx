import { normalizeProps, useMachine } from '@zag-js/preact';
import * as toast from '@zag-js/toast';
import { useId } from 'preact/hooks';
import { strings } from '../strings.ts';

const store = toast.createStore({ placement: 'bottom-end', overlap: false });

/** Milliseconds to notice a text, and for each of its characters: half the pace of a usual reader. */
const NOTICED_MS = 5000;
const READ_MS = 120;

/** How long a notice stays, in milliseconds. */
const timeToRead = (text: string): number => NOTICED_MS + text.length * READ_MS;

/**
 * Says that something is done, long enough to be read, and longer while the pointer or the keyboard is on it. A problem is no
 * notice: it stands beside the form until the form is sent again (`ProblemNote`). The notice is drawn at once, with
 * everything else that is to be drawn. Within an effect Preact would then forget the effects of what it draws, so it is shown
 * after the caller has ended.
 */
export const notify = (text: string): void =>
  queueMicrotask(() => void store.create({ title: text, type: 'success', duration: timeToRead(text) }));

function Notice({
  actor,
  index,
  parent,
}: {
  actor: toast.Options;
  index: number;
  parent: toast.GroupService;
}) {
  const shown = toast.connect(useMachine(toast.machine, { ...actor, parent, index }), normalizeProps);
  return (
    <div {...shown.getRootProps()} class="notice">
      <p {...shown.getTitleProps()}>{shown.title}</p>
      <button type="button" class="plain" onClick={shown.dismiss}>
        {strings.close}
      </button>
    </div>
  );
}

/** The place of notices. */
export function Notices() {
  const service = useMachine(toast.group.machine, { id: useId(), store });
  const shown = toast.group.connect(service, normalizeProps);
  return (
    <div {...shown.getGroupProps()}>
      {shown.getToasts().map((actor, index) => (
        <Notice key={actor.id} actor={actor} index={index} parent={service} />
      ))}
    </div>
  );
}
