import { describe, expect, test } from 'vitest';
import { addressReader, networksOf, readAddress } from '../../src/platform/address.ts';

describe('an address is read', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[203.0.113.7]', '203.0.113.7'],
    ['[203.0.113.7]:80', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['0064:FF9B::cb00:7107', '203.0.113.7'],
    ['[64:ff9b::cb00:7107]:1', '203.0.113.7'],
    ['2002:cb00:7107::', '203.0.113.7'],
    ['2002:cb00:7107:1:2:3:4:5', '203.0.113.7'],
    ['[2002:cb00:7107::9]:65535', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0:0:0:0:0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
    // Neither of the networks that carry an IPv4 address.
    ['64:ff9b:1::203.0.113.7', '64:ff9b:1::cb00:7107'],
    ['::fffe:203.0.113.7', '::fffe:cb00:7107'],
  ])('%s as %s', (text, address) => {
    expect(readAddress(text)).toBe(address);
  });

  test.each([
    '',
    'unknown',
    '_hidden',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '0203.0.113.7',
    '203.0.113.7:',
    '203.0.113.7:port',
    '203.0.113.7 203.0.113.8',
    '[203.0.113.7',
    '[]',
    '[]:80',
    '2001:db8::1::2',
    '[2001:db8::1]443',
    '2001:db8::g',
    'for=203.0.113.7',
    '"203.0.113.7"',
    'http://203.0.113.7',
    '[::1]@[::2]',
  ])('%j as no address', (text) => {
    expect(readAddress(text)).toBeNull();
  });
});

describe('an address is counted', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['[::ffff:203.0.113.7]:80', ['203.0.113.7']],
    ['2001:db8:0:7::1', ['2001:db8:0:7::/64', '2001:db8:0::/48']],
    ['2001:DB8:0:7:ffff:1:2:3', ['2001:db8:0:7::/64', '2001:db8:0::/48']],
    ['2001:db8:0:8::1', ['2001:db8:0:8::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['no address', ['no address']],
  ])('%s as %j', (address, names) => {
    expect(networksOf(address)).toEqual(names.map((name, index) => ({ name, share: index === 0 ? 1 : 10 })));
  });
});

describe('behind proxies the client is', () => {
  const PEER = '10.0.0.1';
  const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::1'];
  const clientOf = (proxies: number | string[] | undefined, forwarded: string | undefined, peer = PEER) =>
    addressReader(proxies)({
      socket: { remoteAddress: peer },
      headers: { 'x-forwarded-for': forwarded },
    } as unknown as Parameters<ReturnType<typeof addressReader>>[0]);

  test.each([
    ['the peer, without any', undefined, '198.51.100.1', PEER],
    ['the peer, where nothing was forwarded', 1, undefined, PEER],
    ['the peer, where nothing stands in the header', 1, ' , ', PEER],
    ['what one hop saw', 1, '198.51.100.9, 198.51.100.1', '198.51.100.1'],
    ['what two hops saw', 2, '198.51.100.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['the first there is, where hops are missing', 3, '198.51.100.1', '198.51.100.1'],
    ['the first that is no proxy', PROXIES, '198.51.100.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['found behind a proxy written with its port', PROXIES, '198.51.100.1, 10.0.0.2:99', '198.51.100.1'],
    ['found behind a proxy in brackets', PROXIES, '198.51.100.1, [2001:db8:ffff::1]:1', '198.51.100.1'],
    ['found behind a mapped proxy', PROXIES, '198.51.100.1, ::ffff:10.0.0.2', '198.51.100.1'],
    // A client with this address is not the proxy whose address is embedded in it.
    ['no proxy for carrying its address', PROXIES, '198.51.100.1, 2002:a00:2::1', '10.0.0.2'],
    ['read without its port', 1, '198.51.100.1:4711', '198.51.100.1'],
    ['read without its brackets', 1, '[2001:db8::1]:4711', '2001:db8::1'],
    ['read as the address it carries', 1, '64:ff9b::198.51.100.1', '198.51.100.1'],
    ['the peer for an unreadable entry', 1, '198.51.100.1, unknown', PEER],
    ['the peer for an unreadable entry in a list', PROXIES, '198.51.100.1, secret', PEER],
    ['not concerned by an unreadable entry that does not count', 1, 'unknown, 198.51.100.1', '198.51.100.1'],
    ['not concerned by an unreadable hop', 2, '198.51.100.1, unknown', '198.51.100.1'],
  ])('%s', (_what, proxies, forwarded, client) => {
    const read = () => clientOf(proxies, forwarded);
    expect([read(), read()]).toEqual([client, client]);
  });

  test('the peer, in one spelling', () => {
    expect(clientOf(undefined, undefined, '::ffff:198.51.100.1')).toBe('198.51.100.1');
    expect(clientOf(1, 'unknown', '::ffff:198.51.100.1')).toBe('198.51.100.1');
  });
});
