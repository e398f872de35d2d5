import type { Asker } from './gate.ts';
import { createRequests, type RequestsOptions, UnusableAnswer } from './requests.ts';
import { isHash } from './rules.ts';
import { type HostMap, hostMap } from './schemas.ts';

/** The HTTP client of the map host. It validates every answer. */

interface MapHostOptions extends Omit<RequestsOptions, 'mayFollow' | 'types' | 'accept'> {
  /** API base, without a trailing slash. */
  url: string;
}

/** Limit of a decoded body. A map has at most some hundred kilobytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_MANY_BYTES = 8 * 1024 * 1024;
/** The most maps of one request. The host silently ignores the rest. */
export const MANY = 50;

export type MapHost = ReturnType<typeof createMapHost>;

export function createMapHost({ url, ...options }: MapHostOptions) {
  const { origin } = new URL(url);
  const requests = createRequests({
    ...options,
    mayFollow: (next) => next.origin === origin && next.username === '' && next.password === '',
    types: /[/+]json\b|^text\/plain\b|^application\/octet-stream\b/,
    accept: 'application/json',
  });

  const parse = (body: Buffer): unknown => {
    try {
      return JSON.parse(new TextDecoder().decode(body));
    } catch (cause) {
      throw new UnusableAnswer('the map host’s answer is not JSON', { cause });
    }
  };

  const one = async (path: string, asker: Asker) => {
    const { status, body } = await requests.ask(`${url}${path}`, MAX_BODY_BYTES, asker);
    if (status === 404) return null;
    if (status !== 200) throw new UnusableAnswer(`the map host answered ${status}`);
    const parsed = hostMap.safeParse(parse(body));
    if (!parsed.success)
      throw new UnusableAnswer('the map host’s answer has another form', { cause: parsed.error });
    return parsed.data;
  };

  /**
   * The maps of up to {@link MANY} keys or hashes: null when the host knows no such map. A map that the answer leaves out,
   * or names in an unusable form, is left out of the result: a lookup of that one map settles it.
   * @throws HostUnavailable, UnusableAnswer (also when the host does not support this request)
   */
  const mapsOf = async (
    kind: 'ids' | 'hash',
    asked: readonly string[],
    asker: Asker,
  ): Promise<Map<string, HostMap | null>> => {
    const address = `${url}/maps/${kind}/${asked.map((one) => one.toLowerCase()).join(',')}`;
    const { status, body } = await requests.ask(address, MAX_MANY_BYTES, asker);
    if (status !== 200) throw new UnusableAnswer(`the map host answered ${status} to a lookup of many`);
    const answer = parse(body);
    if (!(answer instanceof Object)) throw new UnusableAnswer('the map host’s answer has another form');

    // For a single hash the host answers the map itself.
    const listed = Array.isArray(answer) ? answer : 'versions' in answer ? [answer] : null;
    if (listed) {
      const maps = listed.flatMap((entry) => hostMap.safeParse(entry).data ?? []);
      const isNamed = kind === 'ids' ? isMapOf : hasHash;
      return new Map(
        asked.flatMap((one) => {
          const found = maps.find((map) => isNamed(map, one));
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
        return map && (kind === 'hash' || isMapOf(map, one)) ? [[one, map]] : [];
      }),
    );
  };

  return {
    /**
     * The map of a key (lower-case hexadecimal), or the map that has or had a hash: its published upload may have another.
     * @returns null when the host knows no such map
     * @throws HostUnavailable, UnusableAnswer
     */
    mapOf: async (asked: string, asker: Asker) => {
      if (isHash(asked)) return one(`/maps/hash/${asked.toLowerCase()}`, asker);
      const map = await one(`/maps/id/${asked}`, asker);
      if (map && !isMapOf(map, asked)) throw new UnusableAnswer('the map host answered with another map');
      return map;
    },

    mapsOf,
  };
}

/** Whether a map has this key. Older answers have a numeric `id`, or the key in a version. */
const isMapOf = ({ id, versions }: HostMap, key: string): boolean =>
  String(id).toLowerCase() === key ||
  (typeof id === 'number' && id.toString(16) === key) ||
  versions.some((version) => version.key?.toLowerCase() === key);

const hasHash = ({ versions }: HostMap, hash: string): boolean =>
  versions.some((version) => version.hash.toUpperCase() === hash);

/** The key in links to a map. */
export const keyOf = ({ id, versions }: HostMap): string =>
  versions.find((version) => version.key)?.key?.toLowerCase() ??
  (typeof id === 'number' ? id.toString(16) : id.toLowerCase());
