import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/**
 * The address of the client of a request, and the networks that share a limit with it. Everything that counts addresses
 * reads them here.
 */

/** An IPv6 network of 48 bits has this many times the limit of one address. */
export const WIDE_SHARE = 10;

/** The size of a cache in entries, and the longest text that is cached. */
const MOST_TEXTS = 10_000;
const LONGEST_TEXT = 200;

/**
 * Caches the results of a pure function; the cache is emptied when it is full. To read an IPv6 address takes 4 µs, half as
 * long as bare Fastify takes for an answer.
 */
function cached<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = read(text);
    if (text.length <= LONGEST_TEXT) {
      if (known.size >= MOST_TEXTS) known.clear();
      known.set(text, answer);
    }
    return answer;
  };
}

/** An address without brackets, port and zone; the text as it is where that leaves no address. */
function bareAddress(text: string): string {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withPort = /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1];
  return (bracketed ?? withPort ?? trimmed).replace(/%.*$/, '');
}

/** The text of an IPv6 address as a URL has it: the same for all ways to write the address. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const groupsIn = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  // `::` occurs at most once, and stands for all groups that are missing.
  const [first = [], last] = canonical(address).split('::').map(groupsIn);
  return last === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
}

/** The IPv4 address an IPv6 address carries: mapped (RFC 4291), NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function carried(groups: readonly number[]): string | null {
  const starts = (...begin: number[]) => begin.every((group, index) => groups[index] === group);
  let at: number;
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0x64, 0xff9b, 0, 0, 0, 0)) at = 6;
  else if (starts(0x2002)) at = 1;
  else return null;
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * The address that a text means: IPv4 also where it is written as `::ffff:`, `64:ff9b::` or `2002:`; either kind
 * also in brackets or with a port.
 * @returns one writing for each address; null: the text is no address
 */
export function readAddress(text: string): string | null {
  const bare = bareAddress(text);
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  return carried(groupsOf(bare)) ?? canonical(bare);
}

/** An address or a network with a limit of its own. */
export interface Network {
  /** The IPv4 address, or the IPv6 network as `2001:db8:0:7::/64`. */
  name: string;
  /** How many times the limit of one address it has. */
  share: number;
}

/**
 * The networks that an address counts in; a request needs room in each. For IPv4 it is the address itself; for IPv6 it is
 * the network of 64 bits, which one caller has, and the network of 48 bits around it. A text that is no address counts
 * as it is.
 */
export const networksOf: (address: string) => readonly [Network, ...Network[]] = cached((text) => {
  const address = readAddress(text);
  if (address === null || isIPv4(address)) return [{ name: address ?? text, share: 1 }];
  const network = (bits: number) =>
    `${groupsOf(address)
      .slice(0, bits / 16)
      .map((group) => group.toString(16))
      .join(':')}::/${bits}`;
  return [
    { name: network(64), share: 1 },
    { name: network(48), share: WIDE_SHARE },
  ];
});

/**
 * Counts what is open of each address and of the networks around it.
 * @param most of one address at a time
 */
export function countOpen(most: number) {
  const counts = new Map<string, number>();
  const change = (address: string, by: 1 | -1): void => {
    for (const { name } of networksOf(address)) {
      const count = (counts.get(name) ?? 0) + by;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    }
  };
  return {
    /** Whether an address, or a network around it, has as many as it may have. */
    isFull: (address: string): boolean =>
      networksOf(address).some(({ name, share }) => (counts.get(name) ?? 0) >= most * share),
    add: (address: string): void => change(address, 1),
    remove: (address: string): void => change(address, -1),
  };
}

/**
 * Makes the function that reads the address of the client of a request.
 * @param proxies in front: a number is that many hops, a list their addresses and ranges; undefined: none
 * @returns answers with the address in the one form of {@link readAddress}; with that of the peer where
 * `X-Forwarded-For` cannot be read
 */
export function addressReader(
  proxies: number | string[] | undefined,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string {
  const isProxy =
    typeof proxies === 'number'
      ? (_address: string, hop: number) => hop < proxies
      : proxyAddr.compile(proxies ?? []);

  /** @param way the peer and the values of the header, separated by commas */
  const clientOf = cached((way) => {
    const [peer = '', ...forwarded] = way.split(',').map((entry) => entry.trim());
    const hops = [peer, ...forwarded.filter((entry) => entry !== '').reverse()];
    // As written: an IPv6 address that carries the IPv4 address of a proxy is not that proxy. Without a client (-1) the
    // last hop counts, which is the first entry of the header.
    const client = hops.findIndex((entry, hop) => !isProxy(bareAddress(entry), hop));
    return readAddress(hops.at(client) ?? peer) ?? readAddress(peer) ?? peer;
  });
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    // Node joins several headers of this name to one text.
    const forwarded = proxies === undefined ? undefined : headers['x-forwarded-for'];
    return clientOf(forwarded === undefined ? peer : `${peer},${forwarded}`);
  };
}
