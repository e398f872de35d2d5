import { type HttpShapes, rest } from '../../kit/typescript/rest.ts';

/** The routes of the service, as the person who is signed in with a cookie. */
export const api = rest({ url: document.baseURI.replace(/\/$/, '') });

/**
 * On a connection that fell silent, a request would wait for many minutes. The service waits half of this for the head of a
 * request, and as long for its body.
 */
const PATIENCE_MS = 60_000;

/** Names the person of this page to the service, which then refuses writes while another one is signed in in this browser. */
export function actAs(playerGuid: string): void {
  api.use({
    onRequest: ({ request }) => {
      request.headers.set('x-player-guid', playerGuid);
      return request;
    },
  });
}

api.use({
  onRequest: ({ request }) =>
    new Request(request, {
      // Browsers may cache public reads for half a minute. A person who has changed something has to see the change.
      cache: 'no-cache',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]),
    }),
});

export type Shapes = HttpShapes;

/** Why a request did not work. */
export interface Problem {
  /** `refused`: the same request is refused again. The others may work later: signed out, too many, out of reach. */
  kind: 'refused' | 'signedOut' | 'busy' | 'unreachable';
  /** The code of the service; '' when it was not reached. */
  code: string;
  /** For people, from the service where it was reached. */
  message: string;
  details: HttpShapes['HttpError']['details'];
  /** Milliseconds to wait before the request is tried again. */
  retryAfterMs: number;
}

/** The result of a request: data with their entity tag, or a problem. */
export type Answer<Data> =
  | { data: Data; etag: string | null; problem: null }
  | { data: null; etag: null; problem: Problem };

/** The answer of `openapi-fetch`. */
type Sent<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

const RETRY_MS = 3000;

function problemOf({ status, headers }: Response, body: unknown): Problem {
  const error = (body as Partial<HttpShapes['Refusal']> | undefined)?.error;
  const seconds = Number(headers.get('retry-after'));
  const kind =
    status === 401 ? 'signedOut' : status === 429 ? 'busy' : status >= 500 ? 'unreachable' : 'refused';
  return {
    kind,
    code: error?.code ?? '',
    message: error?.message ?? `The service answered ${status}.`,
    details: error?.details,
    retryAfterMs: seconds > 0 ? seconds * 1000 : RETRY_MS,
  };
}

const UNREACHABLE: Problem = {
  kind: 'unreachable',
  code: '',
  message: 'The service cannot be reached.',
  details: undefined,
  retryAfterMs: RETRY_MS,
};

const listeners = new Set<() => void>();

/**
 * Calls a listener after each 401 and 404: both may mean that the login has ended, since what only staff see is not found
 * for others.
 * @returns removes the listener
 */
export function onDoubtfulLogin(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Waits for an answer. Never throws: what went wrong is part of the result. */
export async function ask<Data>(sent: Sent<Data>): Promise<Answer<NonNullable<Data>>> {
  try {
    const { data, error, response } = await sent;
    if ([401, 404].includes(response.status)) for (const listener of listeners) listener();
    if (!response.ok) return { data: null, etag: null, problem: problemOf(response, error) };
    return { data: data as NonNullable<Data>, etag: response.headers.get('etag'), problem: null };
  } catch {
    return { data: null, etag: null, problem: UNREACHABLE };
  }
}

/** Headers of a write that is refused with `STALE` when the thing has changed since it was read. */
export const against = (etag: string | null) => (etag === null ? {} : { 'if-match': etag });
