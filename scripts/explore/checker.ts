import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { INVARIANTS } from './invariants/all.ts';
import type { Invariant } from './invariants/kinds.ts';
import { Found, Search, type Violation } from './search.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** Checks every state alone in a thread of its own, while the main thread explores and checks changes and answers. */

interface Layer {
  /** The number of the first state. */
  first: number;
  data: Int32Array;
  starts: Int32Array;
}
/** The answer for a layer: the number of the first wrong state and its problem; null: nothing is wrong. */
type Checked = (Pick<Violation, 'invariant' | 'problem'> & { id: number }) | null;

/** Checks of the main thread: those that need more than one state. */
export const OF_CHANGES: readonly Invariant[] = INVARIANTS.map(({ moment: _, ...others }) => others);
const ofStates = (): Invariant[] =>
  INVARIANTS.filter(({ moment }) => moment !== undefined).map(({ name, says, moment }) => ({
    name,
    says,
    ...(moment && { moment }),
  }));

function checkLayer(search: Search, { first, data, starts }: Layer): Checked {
  for (const [index, start] of starts.entries()) {
    const wrong = search.check(data.subarray(start, starts[index + 1] ?? data.length));
    if (wrong !== null) return { id: first + index, ...wrong };
  }
  return null;
}

/** @param search explored by the caller, who has everything checked by `done` before it is kept */
export function createChecker(search: Search) {
  const worker = new Worker(new URL(import.meta.url), { workerData: search.setting.name });
  let answer: Promise<unknown[]> | undefined;
  return {
    /** Begins to check the states that are explored next. */
    begin: (): void => {
      const { data, starts } = search.waiting;
      const layer: Layer = { first: search.size - starts.length, data, starts };
      worker.postMessage(layer);
      answer = once(worker, 'message');
    },
    /** @throws Found with a state that something is wrong with */
    done: async (): Promise<void> => {
      const wrong = (await answer)?.[0] as Checked | undefined;
      if (wrong) throw new Found({ ...wrong, way: search.wayTo(wrong.id) });
    },
    end: (): Promise<number> => worker.terminate(),
  };
}

if (parentPort !== null) {
  Error.stackTraceLimit = 0;
  const setting = SETTINGS.find(({ name }) => name === workerData) as Setting;
  const search = new Search(setting, ofStates());
  parentPort.on('message', (layer: Layer) => parentPort?.postMessage(checkLayer(search, layer)));
}
