import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPLOY_SECRET } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A tenth of the documented limits, with one trusted proxy in front: every address of a test is its own. */
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    environment: { RATE_LIMIT_FACTOR: '0.1', TRUST_PROXY: '1', DEPLOY_SECRET },
  });
});
afterAll(() => service.stop());

const READS = 30;
const WRITES = 12;

let lastAddress = 0;
const freshAddress = () => `203.0.113.${++lastAddress}`;
const ask = async (
  address: string,
  path: string,
  {
    method = 'GET',
    token,
    forwarded = address,
  }: { method?: string; token?: string; forwarded?: string } = {},
) => {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'x-forwarded-for': forwarded, ...(token && { authorization: `Bearer ${token}` }) },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const statuses = async (times: number, request: (index: number) => Promise<{ status: number }>) => {
  const all: number[] = [];
  for (let index = 0; index < times; index++) all.push((await request(index)).status);
  return all;
};

describe('logins', () => {
  test('are 20 a minute for each address, and as many callbacks; a browser sees a page with the time to wait', async () => {
    const LOGINS = 2;
    for (const [path, usual] of [
      ['/auth/login', 302],
      ['/auth/callback?state=unknown&code=unknown', 400],
    ] as const) {
      const address = freshAddress();
      const open = (accept: string) =>
        fetch(service.url + path, { headers: { 'x-forwarded-for': address, accept }, redirect: 'manual' });
      for (let times = 0; times < LOGINS; times++) expect((await open('text/html')).status).toBe(usual);
      const page = await open('text/html');
      const text = await page.text();
      const seconds = page.headers.get('retry-after');
      expect(page.status).toBe(429);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(text).toContain(`Try again in ${seconds} s.`);
      expect(text).toContain('RATE_LIMITED');
      expect(page.headers.get('cache-control')).toBe('no-store');
      const data = await open('application/json');
      expect([data.status, (await data.json()).error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(data.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('public reads', () => {
  test('are 300 a minute for each address, and the refusal has the time to wait', async () => {
    const address = freshAddress();
    expect(await statuses(READS, () => ask(address, '/pools'))).toEqual(Array(READS).fill(200));
    const refused = await ask(address, '/pools');
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text).error.code).toBe('RATE_LIMITED');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(Number.isInteger(seconds) && seconds > 0 && seconds <= 60).toBe(true);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ask(freshAddress(), '/pools')).status).toBe(200);
  });

  test('share one limit over all routes, unknown addresses included', async () => {
    const address = freshAddress();
    const paths = ['/pools', '/nothing', '/pools/x', '/queue', '/maps/hashes', '/docs', '/seasons?limit=0'];
    const seen = await statuses(READS, (index) => ask(address, paths[index % paths.length] ?? ''));
    expect(seen).not.toContain(429);
    for (const path of paths) expect((await ask(address, path)).status, path).toBe(429);
  });

  test('have no limit for probes', async () => {
    const address = freshAddress();
    expect(await statuses(2 * READS, () => ask(address, '/health'))).toEqual(Array(2 * READS).fill(200));
    await statuses(READS + 1, () => ask(address, '/pools'));
    expect((await ask(address, '/pools')).status).toBe(429);
    for (const path of ['/health', '/health/ready']) expect((await ask(address, path)).status).toBe(200);
  });
});

describe('pages', () => {
  test('are 3000 a minute for each address, apart from public reads; the refusal is a page with the time to wait', async () => {
    const PAGES = 300;
    const address = freshAddress();
    const open = () =>
      fetch(`${service.url}/`, { headers: { 'x-forwarded-for': address, accept: 'text/html' } });
    const seen = await Promise.all(Array.from({ length: PAGES }, async () => (await open()).status));
    expect(new Set(seen)).toEqual(new Set([200]));
    const refused = await open();
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(await refused.text()).toContain('<h1>Too many requests</h1>');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(address, '/seasons')).status).toBe(200);
  });
});

describe('staff writes', () => {
  test('are 120 a minute for each person, over all addresses', async () => {
    const token = await service.identityProvider.accountToken('admin');
    const write = (as: string) => ask(freshAddress(), '/pools', { method: 'POST', token: as });
    expect(await statuses(WRITES, () => write(token))).toEqual(Array(WRITES).fill(400));
    const refused = await write(token);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const other = await service.identityProvider.mint({
      sub: 'other',
      platformId: null,
      permissions: ['role:admin'],
    });
    expect((await write(other)).status).toBe(400);
    expect((await ask(freshAddress(), '/pools', { token })).status, 'reading goes on').toBe(200);
  });
});

describe('a refused credential', () => {
  test('counts for its address, on reads and on writes', async () => {
    const address = freshAddress();
    const guess = (index: number) =>
      ask(address, '/pools', { method: index % 2 === 0 ? 'GET' : 'POST', token: `guess.${index}.x` });
    expect(await statuses(READS, guess)).toEqual(Array(READS).fill(401));
    expect(await statuses(2, guess)).toEqual([429, 429]);
    expect((await ask(address, '/pools')).status).toBe(429);
    const token = await service.identityProvider.mint({
      sub: 'third',
      platformId: null,
      permissions: ['role:admin'],
    });
    const write = await ask(address, '/pools', { method: 'POST', token });
    expect(write.status, 'staff behind the same address goes on').toBe(400);
  });
});

describe('behind a trusted proxy', () => {
  test('the address is the one that the proxy saw, not one that the client claims', async () => {
    const address = freshAddress();
    const claim = (index: number) => ask(address, '/pools', { forwarded: `198.51.100.${index}, ${address}` });
    expect(await statuses(READS + 1, claim)).toEqual([...Array(READS).fill(200), 429]);
  });
});

describe('an address', () => {
  const hex = (part: number) => part.toString(16).padStart(2, '0');
  /** Every form in which proxies write an IPv4 address, one after the other. */
  const forms = [
    (last: number) => `203.0.113.${last}`,
    (last: number) => `203.0.113.${last}:${40_000 + last}`,
    (last: number) => `[203.0.113.${last}]:443`,
    (last: number) => `::ffff:203.0.113.${last}`,
    (last: number) => `[::FFFF:cb00:71${hex(last)}]:80`,
    (last: number) => `64:ff9b::203.0.113.${last}`,
    (last: number) => `[2002:cb00:71${hex(last)}:7::1]`,
  ];

  test('has one limit for all its spellings, for reads, logins and wrong secrets', async () => {
    const written = (last: number) => (index: number) => forms[index % forms.length]?.(last);
    const reads = written(++lastAddress);
    const read = (index: number) => ask(freshAddress(), '/pools', { forwarded: reads(index) });
    expect(await statuses(READS + 1, read)).toEqual([...Array(READS).fill(200), 429]);
    const logins = written(++lastAddress);
    const login = (index: number) =>
      fetch(`${service.url}/auth/login`, {
        headers: { 'x-forwarded-for': logins(index) ?? '' },
        redirect: 'manual',
      });
    expect(await statuses(3, login)).toEqual([302, 302, 429]);
    const guesses = written(++lastAddress);
    const guess = (index: number) =>
      ask('', '/internal/plugin-releases/1.40.8', {
        method: 'PUT',
        token: `wrong ${index}`,
        forwarded: guesses(index),
      });
    expect(await statuses(2, guess)).toEqual([401, 429]);
  });

  test('that cannot be parsed counts as the peer’s', async () => {
    const claims = ['unknown', '_secret', '203.0.113.999', '2001:db8::1::2', '[203.0.113.1', 'x'.repeat(500)];
    const claim = (index: number) =>
      ask('', '/pools', { forwarded: `${claims[index % claims.length]}${index < 12 ? '' : index}` });
    expect(await statuses(READS + 1, claim)).toEqual([...Array(READS).fill(200), 429]);
  });

  test('of IPv6 counts as a network of 64 bits, and one of 48 bits has ten times the limit', async () => {
    const from = (network: number) => (index: number) =>
      ask('', '/pools', { forwarded: `2001:db8:7:${hex(network)}::${hex(index)}` });
    for (let network = 0; network < 10; network++)
      expect(await statuses(READS, from(network))).toEqual(Array(READS).fill(200));
    expect((await from(0)(1)).status).toBe(429);
    expect((await from(10)(1)).status).toBe(429);
    expect((await ask('', '/pools', { forwarded: '2001:db8:8::1' })).status).toBe(200);
  });
});

describe('without a trusted proxy', () => {
  let bare: TestService;
  beforeAll(async () => {
    bare = await startTestService({ environment: { RATE_LIMIT_FACTOR: '0.1' } });
  });
  afterAll(() => bare.stop());

  test('a client cannot claim another address', async () => {
    const claim = async (index: number) => {
      const answer = await fetch(`${bare.url}/pools`, {
        headers: { 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` },
      });
      await answer.arrayBuffer();
      return answer;
    };
    expect(await statuses(READS + 1, claim)).toEqual([...Array(READS).fill(200), 429]);
  });
});
