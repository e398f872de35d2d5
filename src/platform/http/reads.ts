import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyReply, RouteOptions } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Changes, Table } from '../database/changes.ts';
import { inOwnMemory } from '../own-memory.ts';
import { namesHtml } from './accept.ts';
import { PUBLIC } from './cache.ts';
import { etagOf, tagAnswer } from './etag.ts';
import { copiedBytes } from './prepared.ts';

/**
 * The cache of public responses. A change of a table invalidates the responses that were read from it. Requests with
 * credentials are not answered from the cache. A response that is read from the database takes 21 times the processor time
 * (docs/benchmarks.md, public reads).
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A public read of these tables and of nothing else: its response is cached until one of them changes. */
    reads?: readonly Table[];
    /** Whether the response depends on the query; left out: when the route has a schema for it. */
    readsQuery?: boolean;
  }
  interface FastifyReply {
    /** When this response expires although no table changes, milliseconds since 1970; null: never. */
    validUntil: number | null;
  }
}

/** A cached response. */
export interface CachedResponse {
  /** Path of its route, with `:parameters`. */
  route: string;
  /** Whether it is a page: the same for everybody, and only for clients that name HTML in `Accept`. */
  isPage?: boolean;
  /** The limit of its route. */
  limit?: FastifyContextConfig['limit'];
  etag: string;
  /** The headers that the route set, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

interface Entry extends CachedResponse {
  tables: readonly Table[];
  mark: number;
  /** By `performance.now()`, which is monotonic. */
  cachedAt: number;
  validUntil: number | null;
  /** Whether it was used since it was last considered for eviction. */
  isUsed: boolean;
}

export type PublicReads = ReturnType<typeof createPublicReads>;

/** Changes that are made in the database by hand are seen after this long. */
const LIFETIME_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** The memory of an entry beside its address and its body, with the heads of its prepared forms, roughly. */
const OVERHEAD_BYTES = 6144;

/** The headers that belong to the route. Others are the same for all responses or belong to one request. */
const CACHED_HEADERS = [
  'content-type',
  'cache-control',
  'content-disposition',
  'vary',
  'content-security-policy',
  'strict-transport-security',
] as const;

export function createPublicReads({ changes, clock }: { changes: Changes; clock: Clock }) {
  /** By address, in the order in which they are considered for eviction. */
  const entries = new Map<string, Entry>();
  let bytes = 0;
  /** Responses that are being made. Other requests for the same address wait for them, unless a table has changed since. */
  const making = new Map<string, { mark: number; entry: Promise<Entry | null> }>();

  /** With the copy that is made of the body when it is sent from here. */
  const sizeOf = (key: string, { body }: Entry): number =>
    key.length + body.byteLength + copiedBytes(body) + OVERHEAD_BYTES;
  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= sizeOf(key, entry);
  };
  const isOver = ({ cachedAt }: Entry): boolean => performance.now() - cachedAt > LIFETIME_MS;
  const put = (key: string, entry: Entry): void => {
    drop(key);
    for (const [oldest, candidate] of entries) {
      if (!isOver(candidate)) break;
      drop(oldest);
    }
    entries.set(key, entry);
    bytes += sizeOf(key, entry);
    // An entry that was used since it was last considered stays once more. A read only sets a flag.
    for (const [oldest, candidate] of entries) {
      if (bytes <= MOST_BYTES) return;
      if (candidate.isUsed) {
        candidate.isUsed = false;
        entries.delete(oldest);
        entries.set(oldest, candidate);
      } else drop(oldest);
    }
  };

  const find = (key: string): Entry | null => {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (
      entry.mark !== changes.mark(entry.tables) ||
      isOver(entry) ||
      (entry.validUntil !== null && clock.now() >= entry.validUntil)
    ) {
      drop(key);
      return null;
    }
    entry.isUsed = true;
    return entry;
  };

  /** Caches a response. @returns null for one that is not cached */
  const keep = (
    key: string,
    about: Pick<Entry, 'route' | 'isPage' | 'limit' | 'tables' | 'mark'>,
    reply: FastifyReply,
    payload: unknown,
  ): Entry | null => {
    // Other responses, such as redirects, are not cached.
    if (reply.sent || payload === reply || reply.statusCode !== 200) return null;
    const body = inOwnMemory(
      typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : String(reply.serialize(payload)),
    );
    const headers: Record<string, string> = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': PUBLIC,
    };
    for (const name of CACHED_HEADERS) {
      const value = reply.getHeader(name);
      if (value !== undefined) headers[name] = String(value);
    }
    const etag = String(reply.getHeader('etag') ?? etagOf(body));
    const entry: Entry = {
      ...about,
      etag,
      headers: { ...headers, etag },
      body,
      cachedAt: performance.now(),
      validUntil: reply.validUntil,
      isUsed: true,
    };
    // A part of a string keeps the whole string, here the query that the address had.
    put(Buffer.from(key).toString(), entry);
    return entry;
  };

  /** The public response: from the cache, from another request that is making it, or made now; null: it cannot be cached. */
  const answerOf = async (
    key: string,
    tables: readonly Table[],
    make: (mark: number) => Promise<Entry | null>,
  ): Promise<Entry | null> => {
    const cached = find(key);
    if (cached !== null) return cached;
    // Taken before anything is read, so that a change in between invalidates the response.
    const mark = changes.mark(tables);
    const other = making.get(key);
    if (other?.mark === mark) return other.entry;
    const flight = { mark, entry: make(mark) };
    making.set(key, flight);
    try {
      return await flight.entry;
    } finally {
      if (making.get(key) === flight) making.delete(key);
    }
  };

  return {
    /** The valid cached response for an address, exactly as it was sent. */
    find: (url: string): CachedResponse | null => find(url),
    /** `onRoute` hook: caches the responses of routes with `config.reads`. */
    cache: (route: RouteOptions): void => {
      const { reads: tables, readsQuery, isPage, limit } = route.config ?? {};
      if (tables === undefined) return;
      const { handler } = route;
      changes.watch(tables);
      const schema = route.schema as { querystring?: unknown } | undefined;
      const hasQuery = readsQuery ?? schema?.querystring !== undefined;
      route.handler = async function (request, reply) {
        const ask = () => handler.call(this, request, reply);
        if (request.principal !== null) return ask();
        const url = request.raw.url ?? '';
        // A route without a query ignores the query of the address.
        const key = hasQuery ? url : (url.split('?', 1)[0] ?? '');
        let own = null as { payload: unknown } | null;
        const entry = await answerOf(key, tables, async (mark) => {
          own = { payload: await ask() };
          const { url: path = key } = request.routeOptions;
          return keep(key, { route: path, isPage, limit, tables, mark }, reply, own.payload);
        });
        if (entry === null) return own ? own.payload : ask();
        reply.headers(entry.headers);
        return entry.body;
      };
      route.onSend = [tagAnswer, ...[route.onSend ?? []].flat()];
    },
  };
}

/**
 * Whether a request may get a cached response, by its head alone: a read without a body, and without credentials where the
 * response depends on them.
 */
export const takesCached = (
  { method, headers }: IncomingMessage,
  { isPage }: Pick<CachedResponse, 'isPage'>,
): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (isPage
    ? namesHtml(headers.accept)
    : headers.authorization === undefined && headers.cookie === undefined) &&
  !hasBody({ headers });

/** Whether a request has a body, by its head. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
