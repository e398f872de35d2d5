import { useEffect, useRef, useState } from 'preact/hooks';
import { against, api, ask, type Problem } from '../../api.ts';
import { notify } from '../../parts/notices.tsx';
import { meanwhileOf, rowsOf } from './rows.ts';
import { type Batch, isReady, nextBatch, problemsOf } from './save.ts';
import { beingSaved, type Run, type Store } from './store.ts';
import { strings } from './strings.ts';

export interface Saving {
  /** null: nothing is being saved. */
  progress: { done: number; total: number } | null;
  /** Why saving waits, or has ended early. */
  problem: Problem | null;
  save(): void;
  stop(): void;
}

/** Reads the pool into the table. @returns what went wrong; null: nothing */
async function readAgain(store: Store, poolGuid: string): Promise<Problem | null> {
  const { data, etag, problem } = await ask(
    api.GET('/pools/{poolGuid}/maps', { params: { path: { poolGuid } }, cache: 'no-cache' }),
  );
  if (problem !== null) return problem;
  store.send({ do: 'read', pool: { maps: data.maps, revision: data.revision, etag } });
  return null;
}

/** Sends a batch and puts its result into the table. @returns what went wrong; null: it was saved */
async function sendBatch(store: Store, poolGuid: string, batch: Batch): Promise<Problem | null> {
  store.send({ do: 'sent', sent: batch.sent });
  const { data, problem } = await ask(
    api.POST('/pools/{poolGuid}/maps/batch', {
      params: { path: { poolGuid } },
      headers: against(store.get().etag),
      body: batch.body,
    }),
  );
  if (problem === null) {
    // A batch that only adds is answered with its additions alone.
    store.send({ do: 'saved', sent: batch.sent, answer: { changed: [], removed: [], ...data } });
    await readAgain(store, poolGuid);
    return null;
  }
  // The read also tells whether an earlier batch without an answer was saved.
  if (problem.code === 'STALE') return (await readAgain(store, poolGuid)) ?? problem;
  // It may have been saved although its answer was lost.
  if (problem.kind === 'unreachable') store.send({ do: 'unanswered', sent: batch.sent });
  store.send({ do: 'refused', problems: problemsOf(problem, batch) });
  return problem;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** How often a batch is sent again after `STALE` although no row has changed. */
const MOST_STALE = 3;

interface RunOptions {
  run: Run;
  poolGuid: string;
  isStopped(): boolean;
  tell(saving: Pick<Saving, 'progress' | 'problem'>): void;
}

/** Saves batch after batch, and waits when a problem may pass. @returns how many rows were saved, and why not more */
async function saveAll({ run, poolGuid, isStopped, tell }: RunOptions) {
  const { store } = run;
  // Its rows are unsaved until then and would be sent twice.
  await run.batch;
  const total = rowsOf(store.get()).filter(isReady).length;
  const before = store.get().saved;
  const done = (): number => store.get().saved - before;
  let stale = 0;
  while (!isStopped()) {
    const batch = nextBatch(store.get());
    if (batch === null) break;
    run.batch = sendBatch(store, poolGuid, batch);
    const problem = await run.batch;
    if (problem?.code === 'STALE') {
      // The tag differs although nothing in the rows does, such as after a batch that this table has sent itself.
      if (meanwhileOf(store.get()) !== null || ++stale > MOST_STALE) return { done: done(), problem };
      continue;
    }
    if (problem?.kind === 'refused') return { done: done(), problem };
    tell({ progress: { done: done(), total }, problem });
    if (problem !== null) await sleep(problem.retryAfterMs);
  }
  return { done: done(), problem: null };
}

/** Saves all unsaved changes. @param ended called at the end, with success or failure */
export function useSave(store: Store, poolGuid: string, ended: () => void): Saving {
  const [state, setState] = useState<Pick<Saving, 'progress' | 'problem'>>({ progress: null, problem: null });
  /** The run that saves; null: none does, or it was stopped. */
  const running = useRef<Run | null>(null);
  const stop = (): void => {
    running.current = null;
    setState(({ problem }) => ({ progress: null, problem }));
  };
  useEffect(() => stop, []);
  const save = (): void => {
    const rows = rowsOf(store.get()).filter(isReady).length;
    if (running.current !== null || rows === 0) return;
    const run: Run = { store, batch: beingSaved.get(poolGuid)?.batch ?? Promise.resolve(null) };
    const isStopped = (): boolean => running.current !== run;
    running.current = run;
    beingSaved.set(poolGuid, run);
    setState({ progress: { done: 0, total: rows }, problem: null });
    const tell: RunOptions['tell'] = (next) => isStopped() || setState(next);
    void saveAll({ run, poolGuid, isStopped, tell }).then(({ done, problem }) => {
      tell({ progress: null, problem });
      if (!isStopped()) running.current = null;
      if (beingSaved.get(poolGuid) === run) beingSaved.delete(poolGuid);
      if (done > 0) notify(strings.bar.saved(done));
      ended();
    });
  };
  return { ...state, save, stop };
}
