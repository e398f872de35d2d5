import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Whose a request is, and what its address shares a limit with. Everything that counts addresses reads them here. */

/** An IPv6 network of 48 bits has this many times what one address has. */
export const WIDE_SHARE = 10;

/** Texts whose reading is remembered, and how long one may be. */
const MOST_TEXTS = 10_000;
const LONGEST_TEXT = 200;

/** Remembers what a pure function answered; forgets everything when it is full. */
function remembering<T>(read: (text: string) => T): (text: string) => T {
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

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) =>
    part
      .split(':')
      .filter((group) => group !== '')
      .map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(start), groups(end ?? '')];
  return end === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
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
  return carried(groupsOf(bare)) ?? new URL(`http://[${bare}]`).hostname.slice(1, -1);
}

/** What an address is counted in. */
export interface Network {
  /** The IPv4 address, or the IPv6 network as `2001:db8:0:7::/64`. */
  name: string;
  /** How many times what one address may have. */
  share: number;
}

/**
 * What an address is counted in, all of which have to have room: the IPv4 address; or the IPv6 network of 64
 * bits, which is what one caller has, and the one of 48 bits around it. What is no address counts as it is.
 */
export const networksOf: (address: string) => readonly [Network, ...Network[]] = remembering((text) => {
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
 * Reads whose a request is.
 * @param proxies in front: a number is that many hops, a list their addresses and ranges; undefined: none
 * @returns answers with the address of the client, in the one writing of {@link readAddress}. It is the peer's
 * where `X-Forwarded-For` says something that cannot be read.
 */
export function addressReader(
  proxies: number | string[] | undefined,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string {
  const peerOf = remembering((peer) => readAddress(peer) ?? peer);
  if (proxies === undefined) return ({ socket }) => peerOf(socket.remoteAddress ?? '');
  const isProxy =
    typeof proxies === 'number'
      ? (_address: string, hop: number) => hop < proxies
      : proxyAddr.compile(proxies);

  const read = (peer: string, forwarded: string): string => {
    const entries = forwarded.split(',').map((entry) => entry.trim());
    const ways = [peer, ...entries.filter((entry) => entry !== '').reverse()];
    // As written: an IPv6 address that carries the IPv4 address of a proxy is not that proxy. None found (-1)
    // takes the last one, which is the first of the header.
    const client = ways.findIndex((entry, hop) => !isProxy(bareAddress(entry), hop));
    return readAddress(ways.at(client) ?? peer) ?? peerOf(peer);
  };
  /** By peer and header; two look-ups cost less than to join two texts. */
  let peers = new Map<string, Map<string, string>>();
  let texts = 0;
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    // Several of them are one text by now.
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    if (forwarded === undefined) return peerOf(peer);
    const known = peers.get(peer)?.get(forwarded);
    if (known !== undefined) return known;
    const address = read(peer, forwarded);
    if (forwarded.length > LONGEST_TEXT) return address;
    if (texts++ === MOST_TEXTS) {
      peers = new Map();
      texts = 1;
    }
    const ofPeer = peers.get(peer) ?? new Map<string, string>();
    peers.set(peer, ofPeer.set(forwarded, address));
    return address;
  };
}
