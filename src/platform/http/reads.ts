import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Changes, Table } from '../database/changes.ts';
import { PUBLIC } from './cache.ts';
import { etagOf, tagAnswer } from './etag.ts';

/**
 * Public answers, kept ready to be sent: made again only after one of the tables they were read from was
 * changed. Who shows credentials is not answered from here. An answer that is read from the database takes 21 times the
 * processor time (docs/benchmarks.md, public reads).
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A public read of these tables and of nothing else: its answer is kept until one of them changes. */
    reads?: readonly Table[];
  }
  interface FastifyReply {
    /** When this answer stops being true though nothing is written, milliseconds since 1970; null: never. */
    validUntil: number | null;
  }
}

/** An answer as it is sent again and again. */
export interface KeptAnswer {
  /** Path of its route, with `:parameters`. */
  route: string;
  etag: string;
  /** What the route set, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

interface Entry extends KeptAnswer {
  tables: readonly Table[];
  mark: number;
  /** Of `performance.now()`, which nobody sets. */
  keptAt: number;
  validUntil: number | null;
  /** Since it was last looked at for being forgotten. */
  isUsed: boolean;
}

export interface PublicReads {
  /** Whatever is kept for an address as it was sent, if it is still true. */
  find(url: string): KeptAnswer | null;
  /** `onRoute` hook: has the answers of routes with `config.reads` kept. */
  keep(route: RouteOptions): void;
}

export interface PublicReadsOptions {
  changes: Changes;
  clock: Clock;
}

/** What somebody writes into the database by hand is seen after this long. */
const LIFETIME_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its body, roughly. */
const OVERHEAD_BYTES = 2048;

/** Of an answer, what is the route's own; the rest is the same for all or belongs to the one request. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'content-disposition', 'vary'] as const;

export function createPublicReads({ changes, clock }: PublicReadsOptions): PublicReads {
  /** By address, in the order in which they are looked at for being forgotten. */
  const entries = new Map<string, Entry>();
  let bytes = 0;
  /** Answers being made: who asks for the same meanwhile waits for it, unless something changed since. */
  const making = new Map<string, { mark: number; entry: Promise<Entry | null> }>();

  const sizeOf = ({ body }: Entry): number => body.byteLength + OVERHEAD_BYTES;
  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= sizeOf(entry);
  };
  const put = (key: string, entry: Entry): void => {
    drop(key);
    entries.set(key, entry);
    bytes += sizeOf(entry);
    // Who was asked for since the last look has another turn. To note that is all that a read costs.
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
      performance.now() - entry.keptAt > LIFETIME_MS ||
      (entry.validUntil !== null && clock.now() >= entry.validUntil)
    ) {
      drop(key);
      return null;
    }
    entry.isUsed = true;
    return entry;
  };

  const make = async (
    key: string,
    tables: readonly Table[],
    mark: number,
    request: FastifyRequest,
    reply: FastifyReply,
    ask: () => unknown,
  ): Promise<Entry | null> => {
    const payload = await ask();
    // What is no plain answer, such as a redirect, is not kept.
    if (reply.sent || payload === reply || reply.statusCode !== 200) return null;
    const body = Buffer.from(
      typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : String(reply.serialize(payload)),
    );
    const headers: Record<string, string> = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': PUBLIC,
    };
    for (const name of KEPT_HEADERS) {
      const value = reply.getHeader(name);
      if (value !== undefined) headers[name] = String(value);
    }
    const etag = String(reply.getHeader('etag') ?? etagOf(body));
    const entry: Entry = {
      route: request.routeOptions.url ?? key,
      etag,
      headers: { ...headers, etag },
      body,
      tables,
      mark,
      keptAt: performance.now(),
      validUntil: reply.validUntil,
      isUsed: true,
    };
    put(key, entry);
    return entry;
  };

  /** The answer for everybody: kept, being made by somebody else, or made now; null: it cannot be kept. */
  const answerOf = async (
    key: string,
    tables: readonly Table[],
    request: FastifyRequest,
    reply: FastifyReply,
    ask: () => unknown,
  ): Promise<{ entry: Entry | null; own: boolean }> => {
    const kept = find(key);
    if (kept !== null) return { entry: kept, own: false };
    // Taken before anything is read: a change in between makes the answer outdated from the start.
    const mark = changes.mark(tables);
    const other = making.get(key);
    if (other?.mark === mark) return { entry: await other.entry, own: false };
    const flight = { mark, entry: make(key, tables, mark, request, reply, ask) };
    making.set(key, flight);
    try {
      return { entry: await flight.entry, own: true };
    } finally {
      if (making.get(key) === flight) making.delete(key);
    }
  };

  const wrapped = new WeakSet<object>();

  return {
    find,
    keep: (route) => {
      const tables = route.config?.reads;
      if (tables === undefined) return;
      const handler = route.handler;
      if (wrapped.has(handler)) return;
      changes.watch(tables);
      const hasQuery = (route.schema as { querystring?: unknown } | undefined)?.querystring !== undefined;
      const kept: RouteHandlerMethod = async function (request, reply) {
        const ask = () => handler.call(this, request, reply);
        if (request.principal !== null) return ask();
        const url = request.raw.url ?? '';
        // Where no query is looked at, whatever stands there is the same question.
        const key = hasQuery ? url : (url.split('?', 1)[0] ?? '');
        let answered: unknown;
        const { entry, own } = await answerOf(key, tables, request, reply, async () => {
          answered = await ask();
          return answered;
        });
        if (entry === null) return own ? answered : ask();
        reply.headers(entry.headers);
        return entry.body;
      };
      wrapped.add(kept);
      route.handler = kept;
      route.onSend = [tagAnswer, ...[route.onSend ?? []].flat()];
    },
  };
}

/** Whether a request can be answered with what everybody gets, before anything else is looked at. */
export const asksAsAnybody = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  headers.cookie === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;
