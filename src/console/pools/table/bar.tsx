import { useRef } from 'preact/hooks';
import { pressable } from '../../../pages/parts/press.ts';
import type { Problem } from '../../api.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { isEmpty } from './edits.ts';
import type { TableState } from './model.ts';
import { meanwhileOf, type RowView } from './rows.ts';
import { isReady, MOST_ROWS } from './save.ts';
import { strings } from './strings.ts';
import type { Saving } from './use-save.ts';

const texts = strings.bar;

interface BarProps {
  rows: readonly RowView[];
  state: TableState;
  saving: Saving;
  isKept: boolean;
  undo(): void;
  redo(): void;
  discard(): void;
}

/** The unsaved changes, in words. */
function Counts({ rows, isKept }: Pick<BarProps, 'rows' | 'isKept'>) {
  const of = (kind: RowView['kind'], among = rows): number => among.filter((row) => row.kind === kind).length;
  const open = rows.length - of('kept');
  const ready = rows.filter(isReady);
  const most = Math.max(of('new', ready), of('changed', ready), of('removed', ready));
  const batches = Math.ceil(most / MOST_ROWS);
  return (
    <p role="status" class="unsaved">
      {open === 0 ? texts.nothing : texts.counts(of('new'), of('changed') + of('lost'), of('removed'))}
      {open > ready.length && ` · ${texts.unready(open - ready.length)}`}
      {batches > 1 && ` · ${texts.batches(MOST_ROWS, batches)}`}
      {open > 0 && !isKept && ` · ${texts.notKept}`}
    </p>
  );
}

function Progress({ saving: { progress, problem, stop, save }, state }: Pick<BarProps, 'saving' | 'state'>) {
  // The pool is read again by then. What somebody else has changed is told above the table, and not again once it is known.
  const told = useRef<Problem | null>(null);
  if (problem?.code === 'STALE' && meanwhileOf(state) !== null) told.current = problem;
  if (progress === null && problem === told.current) return null;
  if (progress === null)
    return <ProblemNote problem={problem} onRetry={problem?.kind === 'refused' ? undefined : save} />;
  return (
    <p role="status">
      <progress
        value={progress.done}
        max={progress.total}
        aria-label={texts.saving(progress.done, progress.total)}
      />{' '}
      {problem === null ? texts.saving(progress.done, progress.total) : texts.waits(problem.message)}{' '}
      <button type="button" class="plain" onClick={stop}>
        {texts.stop}
      </button>
    </p>
  );
}

interface StepButtonProps {
  text: string;
  title: string | undefined;
  isDisabled: boolean;
  take(): void;
}

const StepButton = ({ text, title, isDisabled, take }: StepButtonProps) => (
  <button type="button" class="plain" title={title} {...pressable(!isDisabled, take)}>
    {text}
  </button>
);

/** Saves, takes steps back, and says what is not saved. */
export function Bar({ rows, state, saving, isKept, undo, redo, discard }: BarProps) {
  const ready = rows.filter(isReady).length;
  const last = state.past.at(-1);
  const next = state.future.at(-1);
  return (
    <section aria-label={texts.label} class="pool-bar">
      <p class="actions">
        <button type="button" data-save="" {...pressable(ready > 0 && saving.progress === null, saving.save)}>
          {ready === 0 ? texts.save : texts.saveSome(ready)}
        </button>
        <StepButton
          text={texts.undo}
          title={last && texts.undoWhat(last.name)}
          isDisabled={last === undefined}
          take={undo}
        />
        <StepButton
          text={texts.redo}
          title={next && texts.redoWhat(next.name)}
          isDisabled={next === undefined}
          take={redo}
        />
        <StepButton
          text={texts.discard}
          title={texts.discardWhat}
          isDisabled={isEmpty(state.edits)}
          take={discard}
        />
      </p>
      <Counts rows={rows} isKept={isKept} />
      <Progress saving={saving} state={state} />
    </section>
  );
}
