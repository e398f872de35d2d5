import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Table } from '../platform/database/changes.ts';
import { commonErrors } from '../platform/errors.ts';
import { namesHtml } from '../platform/http/accept.ts';
import { varyByAccept } from '../platform/http/errors.ts';
import { PAGE_LIMIT } from '../platform/http/limits.ts';
import { guid } from '../platform/http/schemas.ts';
import type { Http } from '../platform/http/server.ts';
import { pageHeaders } from './headers.ts';
import { createLayout, type LayoutOptions, type Shown } from './layout.ts';

/** A request for a page. Members of the query that are missing are ''. */
export interface Asked {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The path without its query, for coming back after signing in. */
  path: string;
}

/** The content of a page, made from the data that it has read. */
export interface PageContent
  extends Pick<Shown, 'title' | 'description' | 'content' | 'preview' | 'address'> {
  /** When it changes although no table changes, milliseconds since 1970. */
  validUntil?: number | null;
}

/** One page: an address, what it is read from, and how it is shown. */
export interface Page extends Pick<Shown, 'scripts' | 'styles' | 'isBare'> {
  /** With `:parameters`. */
  path: string;
  /** The tables it is read from and nothing else: the page is kept until one of them changes. */
  reads: readonly Table[];
  /** The members of the query that it reads; others are ignored. */
  query?: readonly string[];
  /** @throws ServiceError: shown as a page with its status */
  load(asked: Asked): Promise<PageContent>;
}

/** A guid of an address, in lower case. @throws NOT_FOUND for a malformed one: there is no such page */
export function guidOf(text: string | undefined): string {
  const read = guid.safeParse(text);
  if (!read.success) throw commonErrors.NOT_FOUND();
  return read.data;
}

/** The members of a query that a page reads. If one is repeated, the first counts. */
function queryOf(url: string, names: readonly string[]): Record<string, string> {
  const given = new URL(url, 'http://localhost').searchParams;
  return Object.fromEntries(names.map((name) => [name, given.get(name)?.trim() ?? '']));
}

/** Path and query of a request; its target may be a whole address (RFC 9112, 3.2.2). */
export const pathAndQueryOf = (url: string): string => url.replace(/^https?:\/\/[^/?]*\/?/i, '/');

/** Without HTML in `Accept` there is nothing here. */
async function requireHtml({ headers }: FastifyRequest): Promise<void> {
  if (!namesHtml(headers.accept)) throw commonErrors.NOT_FOUND();
}

/** Serves pages. They are the same for everybody: no credentials are looked at. */
export function servePages(http: Http, pages: readonly Page[], options: LayoutOptions): void {
  const layout = createLayout(options);
  const headers = { ...pageHeaders(options.baseUrl), 'cache-control': 'no-cache' };
  for (const { path, reads, query = [], scripts = [], styles = [], isBare, load } of pages) {
    // Throws at the start when the bundle lacks a file, not only when somebody visits the page.
    for (const entry of [...scripts, ...styles]) options.bundle.entry(entry);
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
      const params = request.params as Record<string, string>;
      const address = pathAndQueryOf(request.url);
      const [own = ''] = address.split('?', 1);
      const asked = { params, query: queryOf(request.url, query), path: own };
      const { validUntil = null, ...content } = await load(asked);
      reply.validUntil = validUntil;
      varyByAccept(reply).headers(headers).type('text/html; charset=utf-8');
      const path = query.length > 0 ? address : own;
      return layout({ ...content, path, scripts, styles, isBare });
    };
    http.get(
      path,
      {
        config: { isPage: true, reads, readsQuery: query.length > 0, limit: PAGE_LIMIT },
        schema: { hide: true },
        onRequest: requireHtml,
      },
      answer,
    );
  }
}
