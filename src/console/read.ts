import type { ClientPathsWithMethod, MethodResponse } from 'openapi-fetch';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { paths } from '../../kit/typescript/http.ts';
import { type Answer, api, ask, type Problem } from './api.ts';
import { useKeptRows, useRowsBefore } from './visits.tsx';

/** Something that is read: the newest data, also while it is read again or that has failed. */
export interface Read<Data> {
  data: Data | null;
  etag: string | null;
  problem: Problem | null;
  isLoading: boolean;
  /** Reads again. */
  reload(): void;
}

interface State<Data> extends Omit<Read<Data>, 'reload'> {
  /** Whether the data are those that were kept for the way back, and were not read again yet. */
  isKept: boolean;
}

const BEGINNING = { data: null, etag: null, problem: null, isLoading: true, isKept: false } as const;

/** The state after an answer. Kept data go when the service does not show them any more, as after a sign-out. */
function answered<Data>(before: State<Data>, { data, etag, problem }: Answer<Data>): State<Data> {
  if (problem === null) return { data, etag, problem, isLoading: false, isKept: false };
  const isDenied = before.isKept && ['refused', 'signedOut'].includes(problem.kind);
  return { ...before, ...(isDenied && BEGINNING), problem, isLoading: false };
}

/** A read that can go on with something else than the same request. */
interface Reader<Data> extends Read<Data> {
  /** Asks for data that take the place of those that are there. */
  take(ask: () => Promise<Answer<Data>>): void;
}

/**
 * Reads when it is shown first and when one of the inputs changes. An answer that comes after a newer request is dropped.
 * With other inputs the old data are dropped at once: nothing is drawn or decided with data of another request.
 * @param inputs what the request depends on
 * @param kept shown until the first answer
 */
function useReader<Data>(
  ask: () => Promise<Answer<Data>>,
  inputs: readonly unknown[],
  kept: Data | null,
): Reader<Data> {
  const [held, setHeld] = useState<{ by: unknown; state: State<Data> } | null>(null);
  const newest = useRef(0);
  const beginning: State<Data> = kept === null ? BEGINNING : { ...BEGINNING, data: kept, isKept: true };
  const take = useCallback((request: () => Promise<Answer<Data>>): void => {
    const own = ++newest.current;
    const change = (changed: (before: State<Data>) => State<Data>): void =>
      setHeld((before) => ({ by: take, state: changed(before?.by === take ? before.state : beginning) }));
    change((before) => ({ ...before, isLoading: true }));
    void request().then((answer) => {
      if (own === newest.current) change((before) => answered(before, answer));
    });
  }, inputs);
  const newestAsk = useRef(ask);
  newestAsk.current = ask;
  const reload = useCallback(() => take(() => newestAsk.current()), [take]);
  useEffect(() => {
    reload();
    return () => {
      newest.current++;
    };
  }, [reload]);
  const { isKept: _, ...state } = held?.by === take ? held.state : beginning;
  return { ...state, reload, take };
}

/** As `useReader`, for one request. */
export function useRead<Data>(ask: () => Promise<Answer<Data>>, inputs: readonly unknown[]): Read<Data> {
  const { take: _, ...read } = useReader(ask, inputs, null);
  return read;
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
  /** Whether the problem is one of the next page. */
  hasMoreFailed: boolean;
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

/**
 * Reads the first page of a list, and more of them on demand. With other parameters the list begins again. Read again, it
 * has as many pages as before. On the way back in the history it begins with the pages that it had.
 */
export function useList<Path extends ListPath>(path: Path, params: GetParams<Path>): List<ItemOf<Path>> {
  type Pages = readonly Page<ItemOf<Path>>[];
  const request = `${path} ${JSON.stringify(params)}`;
  const after = async (pages: Pages): Promise<Answer<Pages>> => {
    const cursor = pages.at(-1)?.nextCursor ?? undefined;
    const answer = await get(path, { ...params, query: { ...params.query, cursor } });
    const { data, etag, problem } = answer as Answer<Page<ItemOf<Path>>>;
    return problem === null ? { data: [...pages, data], etag, problem } : { data: null, etag: null, problem };
  };
  const shown = useRef<Pages | null>(null);
  const isMoreAsked = useRef(false);
  const again = async (): Promise<Answer<Pages>> => {
    isMoreAsked.current = false;
    const count = shown.current?.length ?? 1;
    let answer = await after([]);
    while (answer.data !== null && answer.data.length < count && answer.data.at(-1)?.nextCursor != null)
      answer = await after(answer.data);
    return answer;
  };
  const { data: pages, take, ...read } = useReader(again, [request], useRowsBefore<Pages>(request));
  shown.current = pages;
  useKeptRows(request, pages);
  const hasMore = pages?.at(-1)?.nextCursor != null;
  return {
    data: pages === null ? null : pages.flatMap(({ items }) => items),
    problem: read.problem,
    isLoading: read.isLoading,
    hasMore,
    hasMoreFailed: read.problem !== null && isMoreAsked.current,
    more: () => {
      if (pages === null || !hasMore || read.isLoading) return;
      isMoreAsked.current = true;
      take(() => after(pages));
    },
    reload: read.reload,
  };
}
