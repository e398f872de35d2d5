import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Problem } from './api.ts';

/** Something that is read: the newest data, also while it is read again or that has failed. */
export interface Read<Data> {
  data: Data | null;
  etag: string | null;
  problem: Problem | null;
  isLoading: boolean;
  /** Reads again. */
  reload(): void;
}

type State<Data> = Omit<Read<Data>, 'reload'>;

const BEGINNING = { data: null, etag: null, problem: null, isLoading: true } as const;

/**
 * Reads when it is shown first and when one of the inputs changes. An answer that comes after a newer request is dropped.
 * With other inputs the old data are dropped at once: nothing is drawn or decided with data of another request.
 * @param inputs what the request depends on
 */
export function useRead<Data>(ask: () => Promise<Answer<Data>>, inputs: readonly unknown[]): Read<Data> {
  const [held, setHeld] = useState<{ by: () => void; state: State<Data> } | null>(null);
  const newest = useRef(0);
  const reload = useCallback((): void => {
    const own = ++newest.current;
    const change = (changes: Partial<State<Data>>): void =>
      setHeld((before) => ({
        by: reload,
        state: { ...(before?.by === reload ? before.state : BEGINNING), ...changes },
      }));
    change({ isLoading: true });
    void ask().then(({ data, etag, problem }) => {
      if (own !== newest.current) return;
      change(problem === null ? { data, etag, problem, isLoading: false } : { problem, isLoading: false });
    });
  }, inputs);
  useEffect(() => {
    reload();
    return () => {
      newest.current++;
    };
  }, [reload]);
  return { ...(held?.by === reload ? held.state : BEGINNING), reload };
}

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

/** A list that is read page by page. */
export interface List<Item> extends Omit<Read<readonly Item[]>, 'etag'> {
  hasMore: boolean;
  /** Reads the next page. */
  more(): void;
}

/**
 * Reads the first page, and more of them on demand.
 * @param ask reads the page behind a cursor; undefined: the first one
 * @param inputs what the request depends on: with others the list begins again
 */
export function useList<Item>(
  ask: (cursor: string | undefined) => Promise<Answer<Page<Item>>>,
  inputs: readonly unknown[],
): List<Item> {
  const first = useRead(() => ask(undefined), inputs);
  const [later, setLater] = useState<{
    of: Page<Item> | null;
    items: readonly Item[];
    cursor: string | null;
  }>({
    of: null,
    items: [],
    cursor: null,
  });
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isCurrent = later.of === first.data;
  const cursor = isCurrent && later.of !== null ? later.cursor : (first.data?.nextCursor ?? null);
  const items = first.data === null ? null : [...first.data.items, ...(isCurrent ? later.items : [])];
  const more = () => {
    if (cursor === null || isLoading) return;
    setLoading(true);
    void ask(cursor).then((answer) => {
      setLoading(false);
      setProblem(answer.problem);
      const page = answer.data;
      if (page !== null)
        setLater({
          of: first.data,
          items: [...(isCurrent ? later.items : []), ...page.items],
          cursor: page.nextCursor,
        });
    });
  };
  return {
    data: items,
    problem: first.problem ?? problem,
    isLoading: first.isLoading || isLoading,
    hasMore: cursor !== null,
    more,
    reload: first.reload,
  };
}
