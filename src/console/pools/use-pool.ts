import { useState } from 'preact/hooks';
import { type Answer, against, api, ask, type Problem, type Shapes } from '../api.ts';
import { type List, type Read, useList, useRead } from '../read.ts';

/** A pool as the console shows it. */
export interface Pool {
  /** With its maps. */
  whole: Shapes['PoolWithMaps'];
  /** With what only staff see of it. */
  alone: Shapes['Pool'] & { copiedFromGuid: string | null; changedBy: readonly string[] };
}

/** The parameters of a write: the pool, and the state of it that is on the screen. */
export interface WriteParams {
  path: { poolGuid: string };
  header: ReturnType<typeof against>;
}

/** One pool, its reviews, and what staff do with it. */
export interface PoolDesk extends Read<Pool> {
  reviews: List<Shapes['PoolReview']>;
  /** Carries out a write against the state that is on the screen. @returns what went wrong; null: done */
  write<Data>(
    send: (params: WriteParams) => Promise<Answer<Data>>,
    onDone: (data: Data) => void,
  ): Promise<Problem | null>;
  /** The pool as it was shown when a write was refused; null: none was refused, or the note was closed. */
  before: Shapes['PoolWithMaps'] | null;
  forgetBefore(): void;
}

/** The ETag is that of the pool with its maps: what was decided is compared with the maps that were seen. */
async function readPool(poolGuid: string): Promise<Answer<Pool>> {
  const params = { path: { poolGuid } };
  const [whole, alone] = await Promise.all([
    ask(api.GET('/pools/{poolGuid}/maps', { params })),
    ask(api.GET('/pools/{poolGuid}', { params })),
  ]);
  if (whole.problem !== null) return whole;
  if (alone.problem !== null) return alone;
  const { copiedFromGuid = null, changedBy = [] } = alone.data;
  const data = { whole: whole.data, alone: { ...alone.data, copiedFromGuid, changedBy } };
  return { data, etag: whole.etag, problem: null };
}

/** Reads a pool. After a write, and after one that was refused, it is read again. */
export function usePool(poolGuid: string): PoolDesk {
  const read = useRead(() => readPool(poolGuid), [poolGuid]);
  const reviews = useList('/pools/{poolGuid}/reviews', { path: { poolGuid } });
  const [before, setBefore] = useState<Shapes['PoolWithMaps'] | null>(null);
  const reload = (): void => {
    read.reload();
    reviews.reload();
  };
  return {
    ...read,
    reload,
    reviews,
    before,
    forgetBefore: () => setBefore(null),
    write: async (send, onDone) => {
      const { data, problem } = await send({ path: { poolGuid }, header: against(read.etag) });
      if (problem === null) {
        setBefore(null);
        reload();
        onDone(data);
        return null;
      }
      if (problem.kind === 'refused') {
        setBefore((seen) => seen ?? read.data?.whole ?? null);
        reload();
      }
      return problem;
    },
  };
}
