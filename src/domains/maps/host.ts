import { commonErrors } from '../../platform/errors.ts';
import { type HostMap, hostMap } from './schemas.ts';

/**
 * The map host over HTTP: one question, answered with a checked object, with null for "no such map", or
 * with UPSTREAM_UNAVAILABLE. Nothing the host sends is trusted before it has passed through here.
 */

export interface MapHostOptions {
  /** API base, without a trailing slash. */
  url: string;
  userAgent: string;
  /** For the whole question, redirects and body included. */
  timeoutMs: number;
}

/** Maps have at most some hundred kilobytes; a body without end must not fill the memory. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 3;

export type MapHost = ReturnType<typeof createMapHost>;

export function createMapHost({ url, userAgent, timeoutMs }: MapHostOptions) {
  const { origin } = new URL(url);

  /** Follows redirects by hand: one that leaves the configured origin would make us ask anybody's server. */
  const ask = async (address: string, signal: AbortSignal): Promise<Response> => {
    let at = address;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(at, {
        redirect: 'manual',
        headers: { accept: 'application/json', 'user-agent': userAgent },
        signal,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, at);
      if (next.origin !== origin || next.username !== '' || next.password !== '')
        throw new Error('the map host redirected to another origin');
      if (redirects === MAX_REDIRECTS) throw new Error('the map host redirected too often');
      at = next.href;
    }
  };

  const read = async (response: Response): Promise<string> => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size > MAX_BODY_BYTES) throw new Error('the map host’s answer is too large');
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  };

  return {
    /**
     * The map of a key.
     * @param key lower-case hexadecimal
     * @returns null when the host knows no such map
     * @throws UPSTREAM_UNAVAILABLE when the host is down, slow, over its limit, or answers nonsense
     */
    mapOf: async (key: string): Promise<HostMap | null> => {
      try {
        const response = await ask(`${url}/maps/id/${key}`, AbortSignal.timeout(timeoutMs));
        if (response.status !== 200) {
          await response.body?.cancel();
          if (response.status === 404) return null;
          throw new Error(`the map host answered ${response.status}`);
        }
        const map = hostMap.parse(JSON.parse(await read(response)));
        if (!isMapOf(map, key)) throw new Error(`the map host answered ${key} with another map`);
        return map;
      } catch (cause) {
        throw commonErrors.UPSTREAM_UNAVAILABLE({
          message: 'The map host gave no usable answer. Nothing was stored; try again later.',
          cause,
        });
      }
    },
  };
}

/** Whether this is the map that was asked for, in whatever way its year wrote the key. */
const isMapOf = ({ id, versions }: HostMap, key: string): boolean =>
  String(id).toLowerCase() === key ||
  (typeof id === 'number' && id.toString(16) === key) ||
  versions.some((version) => version.key?.toLowerCase() === key);
