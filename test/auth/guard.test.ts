import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCESS, accessOf, showAccess } from '../../src/domains/auth/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';
import { type AuthFixture, bearer, guardTokens, openAuth, openHttp } from './fixture.ts';

let fixture: AuthFixture;
let app: Http;
const ADMIN_BY_CONFIGURATION = 'configured-admin';

/** Handlers that say who came through, on real entries of the table. */
const answering = (http: Http): void => {
  const who = async (request: { principal: { playerGuid: string; roles: ReadonlySet<string> } | null }) => ({
    playerGuid: request.principal?.playerGuid ?? null,
    roles: [...(request.principal?.roles ?? [])],
  });
  http.get('/pools', { handler: who });
  http.post('/pools', { handler: who });
  http.post('/pools/:poolGuid/maps', { handler: who });
  http.get('/pools/:poolGuid/reviews', { handler: who });
  http.get('/health', { handler: who });
  http.put('/internal/plugin-releases/:gameVersion', { handler: who });
};

beforeAll(async () => {
  fixture = await openAuth({ adminSubjects: [ADMIN_BY_CONFIGURATION] });
  app = await openHttp(fixture, async (http) => {
    answering(http);
    await fixture.auth.routes(http);
  });
});
afterAll(async () => {
  await app.close();
  await fixture.close();
});

const subject = () => `person-${newGuid()}`;
/** A token of somebody new, without a platform id. */
const mint = (claims: Record<string, unknown> = {}, options = {}) =>
  fixture.provider.mint({ sub: subject(), platformId: null, ...claims }, options);
const ask = async (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', url: string, token?: string) => {
  const answer = await app.inject({
    method,
    url,
    headers: token === undefined ? {} : bearer(token),
  });
  return {
    ...answer,
    headers: answer.headers,
    status: answer.statusCode,
    body: answer.body ? answer.json() : null,
  };
};

describe('a route that needs credentials', () => {
  test('is 401 without credentials, with the way to authenticate', async () => {
    for (const [method, url] of [
      ['GET', '/auth/me'],
      ['POST', '/pools'],
      ['GET', `/pools/${newGuid()}/reviews`],
    ] as const) {
      const answer = await ask(method, url);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('UNAUTHENTICATED');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test.each<[string, () => Promise<string>, number, string]>([
    ['a bad token', async () => 'nonsense', 401, 'UNAUTHENTICATED'],
    ['an expired one', () => mint({ exp: 1000 }), 401, 'TOKEN_EXPIRED'],
    ['one without the scope', () => mint({ scope: 'openid' }), 403, 'INSUFFICIENT_SCOPE'],
    ['one of another issuer', () => mint({ iss: 'https://other.example' }), 401, 'UNAUTHENTICATED'],
    ['an unsigned one', () => mint({}, { alg: 'none' }), 401, 'UNAUTHENTICATED'],
  ])('answers %s alike on every kind of route', async (_case, token, status, code) => {
    for (const [method, url] of [
      ['GET', '/auth/me'],
      ['POST', '/pools'],
      ['GET', '/pools'],
    ] as const) {
      const answer = await ask(method, url, await token());
      expect([answer.status, answer.body.error.code], url).toEqual([status, code]);
    }
  });

  test('accepts only the scheme Bearer, in upper or lower case', async () => {
    const token = await mint();
    for (const [authorization, status] of [
      [`bearer ${token}`, 200],
      [`BEARER  ${token} `, 200],
      [`Basic ${token}`, 401],
      [token, 401],
      ['Bearer', 401],
      [`Bearer ${token} more`, 401],
      ['', 401],
    ] as const) {
      const answer = await app.inject({ url: '/auth/me', headers: { authorization } });
      expect(answer.statusCode, authorization.slice(0, 12)).toBe(status);
    }
  });

  test('is checked before the id in its address, but after its method', async () => {
    expect((await ask('GET', '/pools/no-guid/reviews')).status).toBe(401);
    expect((await ask('DELETE', '/pools/no-guid/reviews')).status).toBe(405);
  });

  test('is checked before the body is read', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/pools',
      headers: { 'content-type': 'application/json' },
      payload: '{ not json',
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('roles', () => {
  test('are exact: an admin adds no maps, a pooler creates no pool', async () => {
    const poolMaps = `/pools/${newGuid()}/maps`;
    const expectations: [string, number, number][] = [
      ['role:admin', 200, 403],
      ['role:developer', 200, 403],
      ['role:pooler', 403, 200],
    ];
    for (const [role, create, add] of expectations) {
      const token = await mint({ permissions: [role] });
      expect((await ask('POST', '/pools', token)).status, role).toBe(create);
      expect((await ask('POST', poolMaps, token)).status, role).toBe(add);
    }
    const refused = await ask('POST', '/pools', await mint());
    expect(refused.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('role:admin'),
    });
  });

  test('come from the provider, the configuration and grants together', async () => {
    const sub = ADMIN_BY_CONFIGURATION;
    const token = await mint({ sub, permissions: ['role:pooler'] });
    const first = await ask('GET', '/auth/me', token);
    expect(first.body.roles).toEqual(['role:pooler', 'role:admin']);
    const { playerGuid } = first.body;
    await fixture.database.prisma.roleGrant.create({
      data: { playerGuid, role: 'role:developer', grantedByGuid: playerGuid, grantedAt: new Date() },
    });
    // A grant on another node counts here a moment later, without a call on this node.
    await expect
      .poll(async () => (await ask('GET', '/auth/me', token)).body.roles)
      .toContain('role:developer');
    expect((await ask('GET', '/auth/me', token)).body.roles).toEqual([
      'role:pooler',
      'role:admin',
      'role:developer',
    ]);
  });

  test('count for nothing in a game token', async () => {
    const token = await mint({ tokenType: 'platform:game', permissions: ['role:admin'] });
    const answer = await ask('POST', '/pools', token);
    expect(answer.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('game token'),
    });
  });
});

describe('a banned player', () => {
  test('may read and not write', async () => {
    const token = await mint({ permissions: ['role:admin', 'role:pooler'] });
    const { playerGuid } = (await ask('GET', '/auth/me', token)).body;
    const until = new Date(fixture.clock.now() + 60_000);
    const ban = { playerGuid, createdByGuid: newGuid(), createdAt: new Date(), until, reason: 'Cheating' };
    const { banGuid } = await fixture.database.prisma.ban.create({ data: { banGuid: newGuid(), ...ban } });

    expect((await ask('GET', '/auth/me', token)).status).toBe(200);
    expect((await ask('GET', '/pools', token)).status).toBe(200);
    for (const url of ['/pools', `/pools/${newGuid()}/maps`]) {
      const answer = await ask('POST', url, token);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'BANNED']);
      expect(answer.body.error.message).toBe(`You are banned until ${until.toISOString()}: Cheating`);
    }
    fixture.clock.advance(60_000);
    expect((await ask('POST', '/pools', token)).status, 'the ban has ended').toBe(200);

    await fixture.database.prisma.ban.update({ where: { banGuid }, data: { until: null } });
    expect((await ask('POST', '/pools', token)).body.error.message).toBe('You are banned for good: Cheating');
    await fixture.database.prisma.ban.update({ where: { banGuid }, data: { liftedAt: new Date() } });
    expect((await ask('POST', '/pools', token)).status, 'the ban is lifted').toBe(200);
  });
});

describe('the guard', () => {
  test('asks no credentials for a public read; with credentials the answer is not cached', async () => {
    const nobody = await ask('GET', '/pools');
    expect(nobody.body).toEqual({ playerGuid: null, roles: [] });
    expect(nobody.headers['cache-control']).toBeUndefined();
    const staff = await ask('GET', '/pools', await mint({ permissions: ['role:pooler'] }));
    expect(staff.body.roles).toEqual(['role:pooler']);
    expect(staff.headers['cache-control']).toBe('no-store');
    expect((await ask('HEAD', '/pools')).status).toBe(200);
  });

  test('lets every request to the internal route through, which checks its own secret', async () => {
    const answer = await app.inject({
      method: 'PUT',
      url: '/internal/plugin-releases/1.40.8',
      headers: { authorization: 'Bearer a deploy secret' },
    });
    expect(answer.statusCode).toBe(200);
  });

  test('does not check credentials at unknown addresses', async () => {
    const answer = await app.inject({ url: '/nowhere', headers: { authorization: 'Bearer nonsense' } });
    expect(answer.statusCode).toBe(404);
  });
});

describe('/auth/me', () => {
  test('names the player of the token, the same one each time', async () => {
    const { provider, clock } = fixture;
    const token = await provider.accountToken('player-two');
    const account = provider.accounts['player-two'];
    const first = await ask('GET', '/auth/me', token);
    expect(first.body).toEqual({
      subject: account.sub,
      playerGuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: account.username,
      avatarUrl: `${provider.issuer}/avatars/${account.platformId}.svg`,
      platformId: account.platformId,
      roles: [],
      expiresAt: new Date((Math.floor(clock.now() / 1000) + 3600) * 1000).toISOString(),
    });
    expect(first.headers['cache-control']).toBe('no-store');
    const game = await provider.gameToken({ platformId: account.platformId, username: account.username });
    expect((await ask('GET', '/auth/me', game)).body.playerGuid).toBe(first.body.playerGuid);
  });

  test('hides a platform id that belongs to another player, and still answers', async () => {
    const owner = await mint({ platformId: '777000777' });
    expect((await ask('GET', '/auth/me', owner)).body.platformId).toBe('777000777');
    const other = await ask('GET', '/auth/me', await mint({ sub: 'claimant', platformId: '777000777' }));
    expect([other.status, other.body.platformId]).toEqual([200, null]);
    // Staff see this in the audit log: one of the two claims an account that is not theirs.
    const entries = await fixture.database.prisma.auditEntry.findMany({
      where: { action: 'refusePlatformId' },
    });
    expect(entries.map(({ before, after }) => ({ before, after }))).toEqual([
      { before: { platformId: '777000777' }, after: { refusedSubject: 'claimant' } },
    ]);
  });

  test('creates one player when many first requests come at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, i) => mint({ sub: 'crowd', jti: `${i}` })),
    );
    const answers = await Promise.all(tokens.map((token) => ask('GET', '/auth/me', token)));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.playerGuid)).size).toBe(1);
  });
});

describe('the access table', () => {
  test('prevents the start of a service with a route that has no entry', async () => {
    const stranger = await createQuietHttp({ clock: fixture.clock });
    guardTokens(stranger, fixture.auth);
    expect(() => stranger.delete('/pools', async () => null)).toThrow('no single entry for DELETE /pools');
    expect(() => stranger.get('/secrets', async () => null)).toThrow('no single entry for GET /secrets');
    await stranger.close();
  });

  test('makes nothing but reads public', () => {
    const open = Object.entries(ACCESS).filter(
      ([route, access]) => access === 'public' && !route.startsWith('GET '),
    );
    expect(open).toEqual([]);
  });

  test('tells the documents which routes take a token', () => {
    expect(showAccess('GET', '/pools').credentials).toEqual([]);
    expect(showAccess('POST', '/pools').credentials).toEqual(['bearer', 'loginCookie']);
    expect(showAccess('GET', '/auth/me').credentials).toEqual(['bearer', 'loginCookie']);
    expect(showAccess('GET', '/auth/login').credentials).toEqual([]);
    expect(accessOf('HEAD', '/docs/static/logo.svg')).toBe('public');
    expect(accessOf('POST', '/docs/static/logo.svg')).toBeUndefined();
  });
});

test('counts 120 staff writes a minute for each person, not for each address', async () => {
  const limited = await openHttp(fixture, answering, 1);
  const post = async (token: string) =>
    (await limited.inject({ method: 'POST', url: '/pools', headers: bearer(token) })).statusCode;
  const [one, two] = [
    await mint({ permissions: ['role:admin'] }),
    await mint({ permissions: ['role:admin'] }),
  ];
  const statuses: number[] = [];
  for (let i = 0; i < 121; i++) statuses.push(await post(one));
  expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
  expect(statuses[120]).toBe(429);
  expect(await post(two)).toBe(200);
  for (let i = 0; i < 301; i++) statuses.push((await limited.inject('/health')).statusCode);
  expect(statuses.at(-1), 'probes are never limited').toBe(200);
  await limited.close();
});

test('counts refused credentials for the address, on every route', async () => {
  const limited = await openHttp(fixture, answering, 1);
  const guess = async (method: 'GET' | 'POST') =>
    (await limited.inject({ method, url: '/pools', headers: bearer('guessed') })).statusCode;
  const statuses: number[] = [];
  for (let i = 0; i < 302; i++) statuses.push(await guess(i % 2 === 0 ? 'GET' : 'POST'));
  expect(statuses.slice(0, 300).every((status) => status === 401)).toBe(true);
  expect(statuses.slice(300)).toEqual([429, 429]);
  const token = await mint({ permissions: ['role:admin'] });
  const write = await limited.inject({ method: 'POST', url: '/pools', headers: bearer(token) });
  expect(write.statusCode, 'staff at that address goes on writing').toBe(200);
  await limited.close();
});
