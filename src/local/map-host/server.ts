import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openListener } from '../listener.ts';
import { answerFor } from './answer.ts';
import { type CatalogueMap, loadCatalogue } from './catalogue.ts';
import {
  answerWithFailure,
  type Failure,
  type FailureMode,
  type FailureOptions,
  failureOf,
  filesUnder,
  withWrongHashes,
} from './failures.ts';
import { createLibrary } from './library.ts';

/** A running stand-in, with what a mapper, an operator or a fault does to the real one. */
export type MapHost = Awaited<ReturnType<typeof startMapHost>>;

const MAX_LOOKUPS = 50;

/**
 * The files of every map: a picture of 128 × 128 pixels, and an archive in the game's format 2 with one level without
 * notes. The real notes are the work of the mappers, so the SHA-1 of these files is *not* the hash of a map.
 */
const cover = readFileSync(new URL('cover.jpg', import.meta.url));
const archive = readFileSync(new URL('map.zip', import.meta.url));

/** `Name/Version` first; more may follow, such as a link or a system. */
const NAMED_CLIENT = /^[^\s/()]+\/\d/;

/**
 * Starts a map host and its file host on one listener, answering like the real one over plain HTTP.
 * @param options.port 0 takes a free one
 * @throws Error when the port is taken or the catalogue is broken.
 */
export async function startMapHost(options: { port: number }) {
  const library = createLibrary(loadCatalogue());
  let failure: Failure | null = null;
  const listener = await openListener({
    port: options.port,
    respond,
    failed: (response, error) => {
      console.error('The local map host failed to answer:', error);
      response.destroy();
    },
  });
  const { url } = listener;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const current = failure;
    if (current?.mode === 'slow') await delay(current.delayMs, undefined, { signal: listener.signal });
    const target = request.url ?? '/';
    if (current !== null && (await answerWithFailure(current, target, response))) return;

    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendJson(response, 405, { error: 'Method Not Allowed' });
    }
    const path = pathOf(target);
    if (path === null) return sendJson(response, 400, { error: 'Bad Request' });
    if (path.startsWith('/cdn/')) return sendFile(response, path.slice('/cdn/'.length));
    // Clients look here for a file whose address an answer does not give.
    if (/^\/[0-9a-f]{40}[.]zip$/.test(path)) return sendFile(response, path.slice(1));

    // The edge in front of the API; files are on another host in the real world and know no such rule.
    if (!NAMED_CLIENT.test(request.headers['user-agent'] ?? '')) {
      return sendJson(response, 403, { error: 'Forbidden' });
    }
    const found = lookUp(path, current);
    return found === null ? sendJson(response, 404, { error: 'Not Found' }) : sendJson(response, 200, found);
  }

  /** The body of an API answer; null for what is not there. */
  function lookUp(path: string, current: Failure | null): object | null {
    const [, kind, wanted] = /^\/maps\/(id|ids|hash)\/([^/]+)$/.exec(path) ?? [];
    if (kind === undefined || wanted === undefined) return null;
    const answer = (map: CatalogueMap | undefined) => {
      if (map === undefined) return null;
      const body = answerFor(map, filesUnder(current, `${url}/cdn`));
      return current?.mode === 'wrong_hash' ? withWrongHashes(body) : body;
    };
    if (kind === 'id') return answer(library.byKey(wanted));
    if (kind === 'hash' && !wanted.includes(',')) return answer(library.byHash(wanted));

    // The host answers the first fifty and ignores the others.
    const names = wanted.toLowerCase().split(',').filter(Boolean).slice(0, MAX_LOOKUPS);
    if (kind === 'hash') return Object.fromEntries(names.map((hash) => [hash, answer(library.byHash(hash))]));
    return Object.fromEntries(
      names.map((key) => [key, answer(library.byKey(key))]).filter(([, found]) => found !== null),
    );
  }

  function sendFile(response: ServerResponse, name: string): void {
    const [, hash = '', extension] = /^([0-9a-f]{40})\.(zip|jpg)$/.exec(name) ?? [];
    if (!library.hasFile(hash)) {
      sendJson(response, 404, { error: 'Not Found' });
      return;
    }
    const [type, body] = extension === 'zip' ? ['application/zip', archive] : ['image/jpeg', cover];
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  }

  return {
    /** API base, for `MAP_HOST_URL`. */
    url,
    /** `host:port` of the file host, for `MAP_HOST_FILE_HOSTS`. */
    fileHost: new URL(url).host,
    requests: listener.requests,
    addMap: library.add,
    removeMap: library.remove,
    republish: library.republish,
    /** Makes every answer fail in this way until called with null. */
    fail: (mode: FailureMode | null, failureOptions: FailureOptions = {}): void => {
      failure = mode === null ? null : failureOf(mode, failureOptions);
    },
    stop: listener.stop,
  };
}

/** The decoded path without the query; null when it is not well formed. */
function pathOf(target: string): string | null {
  try {
    return decodeURIComponent(new URL(target, 'http://localhost').pathname);
  } catch {
    return null;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
