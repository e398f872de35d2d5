import type { ClientPathsWithMethod, MethodResponse } from 'openapi-fetch';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { paths } from '../../kit/typescript/http.ts';
import { type Answer, api, ask, type Problem } from './api.ts';

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

/** Reads again when a mark has changed, unless other inputs have made it read anew. @param mark what the data may depend on beside the inputs */
export function useAgain({ reload }: Pick<Read<unknown>, 'reload'>, mark: string): void {
  const last = useRef({ reload, mark });
  useEffect(() => {
    const isDue = last.current.reload === reload && last.current.mark !== mark;
    last.current = { reload, mark };
    if (isDue) reload();
  }, [reload, mark]);
}

/** The path of a route that reads something. */
export type GetPath = ClientPathsWithMethod<typeof api, 'get'>;
/** The parameters of a route: of its `path` and its `query`. */
export type GetParams<Path extends GetPath> = paths[Path]['get']['parameters'];
/** The data of an answer. */
type Got<Path extends GetPath> = MethodResponse<typeof api, 'get', Path>;

const get = <Path extends GetPath>(path: Path, params: GetParams<Path>): Promise<Answer<Got<Path>>> =>
  // The client cannot see that the parameters are those of a path that is not known yet.
  ask(api.GET(path, { params } as never)) as Promise<Answer<Got<Path>>>;

/** Reads a route: `useGet('/queues/{queueGuid}', { path: { queueGuid } })`. With other parameters it is read again. */
export const useGet = <Path extends GetPath>(path: Path, params: GetParams<Path>): Read<Got<Path>> =>
  useRead(() => get(path, params), [path, JSON.stringify(params)]);

/** A list that is read page by page. */
export interface List<Item> extends Omit<Read<readonly Item[]>, 'etag'> {
  hasMore: boolean;
  /** Reads the next page. */
  more(): void;
}

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}
/** The path of a route that reads a list page by page. */
type ListPath = { [Path in GetPath]: Got<Path> extends Page<unknown> ? Path : never }[GetPath];
type ItemOf<Path extends ListPath> = Got<Path>['items'][number];

/** Reads the first page of a list, and more of them on demand. With other parameters the list begins again. */
export function useList<Path extends ListPath>(path: Path, params: GetParams<Path>): List<ItemOf<Path>> {
  const ask = (cursor?: string) =>
    get(path, { ...params, query: { ...params.query, cursor } }) as Promise<Answer<Page<ItemOf<Path>>>>;
  const first = useRead(() => ask(), [path, JSON.stringify(params)]);
  // The pages that were read, of which the first one may be old meanwhile.
  const [read, setRead] = useState<readonly Page<ItemOf<Path>>[]>([]);
  const [isLoading, setLoading] = useState(false);
  /** The problem of the last further page, and the first page of the list at that time. It is over when that page is read again. */
  const [failure, setFailure] = useState<{ of: unknown; problem: Problem | null } | null>(null);
  const pages = first.data === null ? [] : read[0] === first.data ? read : [first.data];
  const cursor = pages.at(-1)?.nextCursor ?? null;
  const more = () => {
    if (cursor === null || isLoading) return;
    setLoading(true);
    void ask(cursor).then((answer) => {
      setLoading(false);
      setFailure({ of: first.data, problem: answer.problem });
      if (answer.data !== null) setRead([...pages, answer.data]);
    });
  };
  return {
    data: first.data && pages.flatMap(({ items }) => items),
    problem: first.problem ?? (failure?.of === first.data ? failure.problem : null),
    isLoading: first.isLoading || isLoading,
    hasMore: cursor !== null,
    more,
    reload: first.reload,
  };
}
