import type { Clock } from '../../platform/clock.ts';
import { pauseOf } from './allowance.ts';
import { type Asker, type Gate, HostUnwell } from './gate.ts';
import { isHash } from './rules.ts';
import { type HostMap, hostMap } from './schemas.ts';

/** The HTTP client of the map host. It validates every answer. */

export interface MapHostOptions {
  /** API base, without a trailing slash. */
  url: string;
  userAgent: string;
  /** For one request: connection, headers and body. */
  timeoutMs: number;
  gate: Gate;
  clock: Clock;
  /** Called with the duration of each request, in milliseconds. */
  onAsked?: ((milliseconds: number) => void) | undefined;
}

/** The host answered something unusable. */
export class HostNonsense extends Error {}

/** Limit of a decoded body. A map has at most some hundred kilobytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_MANY_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** How often a request is sent that the host answers with 429. */
const ATTEMPTS: Record<Asker['rank'], number> = { curator: 2, batch: 4, check: 4 };
/** The most maps of one request. The host silently ignores the rest. */
export const MANY = 50;

export type MapHost = ReturnType<typeof createMapHost>;

interface Reply {
  status: number;
  /** Empty unless the status is 200. */
  body: string;
}

export function createMapHost({ url, userAgent, timeoutMs, gate, clock, onAsked }: MapHostOptions) {
  const { origin } = new URL(url);

  const read = async (response: Response, maxBytes: number) => {
    const type = response.headers.get('content-type')?.toLowerCase();
    if (type && !/[/+]json\b|^text\/plain\b|^application\/octet-stream\b/.test(type))
      throw new HostNonsense(`the map host answered with ${type.slice(0, 100)}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the stream.
      if (size > maxBytes) throw new HostNonsense('the map host’s answer is too large');
      chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  };

  /** Sends one request in its turn, and reports pauses and the outcome to the gate. */
  const request = async (
    address: string,
    maxBytes: number,
    asker: Asker,
  ): Promise<Reply & { location: string | null }> => {
    await gate.enter(asker);
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    let isWell = false;
    try {
      const response = await fetch(address, {
        redirect: 'manual',
        headers: { accept: 'application/json', 'user-agent': userAgent },
        signal: asker.signal ? AbortSignal.any([timeout, asker.signal]) : timeout,
      });
      const { status, headers } = response;
      const pauseMs = pauseOf(status, headers, clock.now());
      if (pauseMs > 0) await gate.pause(pauseMs);
      isWell = status < 500 && status !== 401 && status !== 403;
      if (status === 200) {
        const body = await read(response, maxBytes);
        return { status, body, location: null };
      }
      await response.body?.cancel();
      return { status, body: '', location: headers.get('location') };
    } catch (cause) {
      if (cause instanceof HostNonsense) throw cause;
      // An aborted request is no failure of the host.
      isWell = asker.signal?.aborted ?? false;
      throw new HostUnwell('the map host did not answer', { cause });
    } finally {
      onAsked?.(performance.now() - startedAt);
      if (isWell) gate.answered();
      else gate.failed();
    }
  };

  /** Follows redirects within the configured origin only: another one would let the host choose any server. */
  const ask = async (path: string, maxBytes: number, asker: Asker): Promise<Reply> => {
    let at = `${url}${path}`;
    let redirects = 0;
    let attempts = 1;
    for (;;) {
      const reply = await request(at, maxBytes, asker);
      if (reply.status === 429) {
        if (attempts === ATTEMPTS[asker.rank])
          throw new HostUnwell('the map host is over its limit', { retryInMs: gate.pauseMs() });
        attempts += 1;
        continue;
      }
      if (reply.status < 300 || reply.status > 399 || reply.location === null) {
        if (reply.status >= 500 || reply.status === 401 || reply.status === 403)
          throw new HostUnwell(`the map host answered ${reply.status}`, {
            status: reply.status,
            retryInMs: gate.pauseMs() || null,
          });
        return reply;
      }
      if (!URL.canParse(reply.location, at)) throw new HostNonsense('the map host redirected to nowhere');
      const next = new URL(reply.location, at);
      if (next.origin !== origin || next.username !== '' || next.password !== '')
        throw new HostNonsense('the map host redirected to another origin');
      if (redirects === MAX_REDIRECTS) throw new HostNonsense('the map host redirected too often');
      redirects += 1;
      at = next.href;
    }
  };

  const parse = (body: string): unknown => {
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw new HostNonsense('the map host’s answer is not JSON', { cause });
    }
  };

  const one = async (path: string, asker: Asker) => {
    const { status, body } = await ask(path, MAX_BODY_BYTES, asker);
    if (status === 404) return null;
    if (status !== 200) throw new HostNonsense(`the map host answered ${status}`);
    const parsed = hostMap.safeParse(parse(body));
    if (!parsed.success)
      throw new HostNonsense('the map host’s answer has another form', { cause: parsed.error });
    return parsed.data;
  };

  /**
   * The maps of up to {@link MANY} keys or hashes: null when the host knows no such map. A map that the answer leaves out,
   * or names in an unusable form, is left out of the result: a lookup of that one map settles it.
   * @throws HostUnwell, HostNonsense (also when the host does not support this request)
   */
  const mapsOf = async (
    kind: 'ids' | 'hash',
    asked: readonly string[],
    asker: Asker,
  ): Promise<Map<string, HostMap | null>> => {
    const fits = kind === 'ids' ? isMapOf : () => true;
    const path = `/maps/${kind}/${asked.map((one) => one.toLowerCase()).join(',')}`;
    const { status, body } = await ask(path, MAX_MANY_BYTES, asker);
    if (status !== 200) throw new HostNonsense(`the map host answered ${status} to a lookup of many`);
    const answer = parse(body);
    if (!(answer instanceof Object)) throw new HostNonsense('the map host’s answer has another form');

    // For a single hash the host answers the map itself.
    const listed = Array.isArray(answer) ? answer : 'versions' in answer ? [answer] : null;
    if (listed) {
      const maps = listed.flatMap((entry) => hostMap.safeParse(entry).data ?? []);
      return new Map(
        asked.flatMap((one) => {
          const found = maps.find((map) => fits(map, one) && (kind === 'ids' || hasHash(map, one)));
          return found ? [[one, found] as const] : [];
        }),
      );
    }
    const byName = new Map(Object.entries(answer).map(([name, value]) => [name.toLowerCase(), value]));
    return new Map(
      asked.flatMap((one): [string, HostMap | null][] => {
        const entry: unknown = byName.get(one.toLowerCase());
        if (entry === null) return [[one, null]];
        const map = hostMap.safeParse(entry).data;
        return map && fits(map, one) ? [[one, map]] : [];
      }),
    );
  };

  return {
    /**
     * The map of a key (lower-case hexadecimal), or the map that has or had a hash: its published upload may have another.
     * @returns null when the host knows no such map
     * @throws HostUnwell, HostNonsense
     */
    mapOf: async (asked: string, asker: Asker) => {
      if (isHash(asked)) return one(`/maps/hash/${asked.toLowerCase()}`, asker);
      const map = await one(`/maps/id/${asked}`, asker);
      if (map && !isMapOf(map, asked)) throw new HostNonsense('the map host answered with another map');
      return map;
    },

    mapsOf,
  };
}

/** Whether a map has this key. Older answers have a numeric `id`, or the key in a version. */
export const isMapOf = ({ id, versions }: HostMap, key: string): boolean =>
  String(id).toLowerCase() === key ||
  (typeof id === 'number' && id.toString(16) === key) ||
  versions.some((version) => version.key?.toLowerCase() === key);

const hasHash = ({ versions }: HostMap, hash: string): boolean =>
  versions.some((version) => version.hash.toUpperCase() === hash);

/** The key in links to a map. */
export const keyOf = ({ id, versions }: HostMap): string =>
  versions.find((version) => version.key)?.key?.toLowerCase() ??
  (typeof id === 'number' ? id.toString(16) : id.toLowerCase());
