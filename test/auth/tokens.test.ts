import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth, openIdentityKeys } from '../../src/domains/auth/index.ts';
import { type AuthFixture, codeOf, openAuth, silent } from './fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await openAuth();
});
afterAll(() => fixture.close());

const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const seconds = () => Math.floor(fixture.clock.now() / 1000);

const codeFor = async (
  claims: Record<string, unknown>,
  options?: Parameters<AuthFixture['provider']['mint']>[1],
) => codeOf(fixture.auth.verify(await fixture.provider.mint(claims, options)));

describe('a token is accepted', () => {
  test('with the claims of the provider, times in milliseconds', async () => {
    const token = await fixture.provider.mint({ permissions: ['role:pooler', 'role:unknown'] });
    const claims = await fixture.auth.verify(token);
    expect(claims).toMatchObject({
      subject: fixture.provider.accounts['player-one'].sub,
      platformId: fixture.provider.accounts['player-one'].platformId,
      roles: ['role:pooler'],
      issuedAt: seconds() * 1000,
      expiresAt: (seconds() + 3600) * 1000,
    });
  });

  test.each<[string, Record<string, unknown>, string[]?]>([
    ['with the scope among others', { scope: 'profile service email' }],
    ['with the scope in an array', { scopes: ['openid', 'service'] }, ['scope']],
    ['with the audience among others', { aud: ['urn:other', 'urn:competitive-match-service'] }],
    [
      'with optional claims absent',
      {},
      ['nbf', 'username', 'avatarUrl', 'permissions', 'platformId', 'tokenType'],
    ],
    ['with optional claims null', { nbf: null, avatarUrl: null, permissions: null, platformId: null }],
  ])('%s', async (_case, claims, omit = []) => {
    expect(await codeFor(claims, { omit })).toBe('passed');
  });

  test('up to 30 s before it begins and after it ends', async () => {
    expect(await codeFor({ exp: seconds() - 29 })).toBe('passed');
    expect(await codeFor({ exp: seconds() - 30 })).toBe('TOKEN_EXPIRED');
    expect(await codeFor({ nbf: seconds() + 30 })).toBe('passed');
    expect(await codeFor({ nbf: seconds() + 31 })).toBe('TOKEN_INVALID');
    expect(await codeFor({ iat: seconds() + 31 })).toBe('TOKEN_INVALID');
  });

  test('without a kid: every key is tried', async () => {
    expect(await codeFor({}, { kid: null })).toBe('passed');
  });
});

describe('a token is refused', () => {
  test('when there is none', async () => {
    for (const none of [undefined, null, ''])
      expect(await codeOf(fixture.auth.verify(none))).toBe('TOKEN_MISSING');
  });

  test.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { token: 'x' }],
    ['an array', ['x']],
    ['no JWT', 'hello'],
    ['two dots', '..'],
    ['dots only', '....'],
    ['a header that is no JSON', 'AAAA.BBBB.CCCC'],
    ['100 kB', 'a'.repeat(100_000)],
    ['a lone surrogate', '\ud800.a.b'],
  ])('that is %s', async (_case, token) => {
    expect(await codeOf(fixture.auth.verify(token))).toBe('TOKEN_INVALID');
  });

  test('of 100 kB, also with a valid signature', async () => {
    expect(await codeFor({ padding: 'x'.repeat(100_000) })).toBe('TOKEN_INVALID');
  });

  test('signed by another key, with our kid or another', async () => {
    expect(await codeFor({}, { key: stranger })).toBe('TOKEN_INVALID');
    expect(await codeFor({}, { key: stranger, kid: 'somebody-else' })).toBe('TOKEN_INVALID');
    expect(await codeFor({}, { key: stranger, kid: null })).toBe('TOKEN_INVALID');
  });

  test('with a valid signature and an unknown kid', async () => {
    expect(await codeFor({}, { kid: 'another' })).toBe('TOKEN_INVALID');
  });

  test('unsigned', async () => {
    expect(await codeFor({}, { alg: 'none' })).toBe('TOKEN_INVALID');
    const signed = await fixture.provider.mint();
    expect(await codeOf(fixture.auth.verify(signed.slice(0, signed.lastIndexOf('.') + 1)))).toBe(
      'TOKEN_INVALID',
    );
  });

  test('signed by HS256 with the public key as the shared secret', async () => {
    const pem = await (await fetch(fixture.provider.publicKeyPemUrl)).text();
    expect(await codeFor({}, { alg: 'HS256', key: Buffer.from(pem) })).toBe('TOKEN_INVALID');
    const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    expect(await codeFor({}, { alg: 'HS256', key: der })).toBe('TOKEN_INVALID');
  });

  test('signed by the right key with another algorithm', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256']) expect(await codeFor({}, { alg })).toBe('TOKEN_INVALID');
  });

  test('with a payload that was exchanged', async () => {
    const [head, , signature] = (await fixture.provider.mint()).split('.');
    const body = Buffer.from(JSON.stringify({ sub: 'admin', scope: 'service' })).toString('base64url');
    expect(await codeOf(fixture.auth.verify(`${head}.${body}.${signature}`))).toBe('TOKEN_INVALID');
  });

  test.each(['sub', 'exp', 'iat'])('without %s', async (claim) => {
    expect(await codeFor({}, { omit: [claim] })).toBe('TOKEN_INVALID');
  });

  const everyType = { number: 7, boolean: true, object: {}, array: [7], text: 'text' };
  test.each<[string, (keyof typeof everyType)[]]>([
    ['sub', ['number', 'boolean', 'object', 'array']],
    ['exp', ['boolean', 'object', 'array', 'text']],
    ['iat', ['boolean', 'object', 'array', 'text']],
    ['nbf', ['boolean', 'object', 'array', 'text']],
    ['iss', ['number', 'boolean', 'object', 'array']],
    ['aud', ['number', 'boolean', 'object', 'array']],
    ['scope', ['number', 'boolean', 'object', 'array']],
    ['scopes', ['number', 'boolean', 'object', 'array', 'text']],
    ['tokenType', ['number', 'boolean', 'object', 'array']],
    ['platformId', ['number', 'boolean', 'object', 'array', 'text']],
    ['platformVerified', ['number', 'object', 'array', 'text']],
    ['username', ['number', 'boolean', 'object', 'array']],
    ['avatarUrl', ['number', 'boolean', 'object', 'array']],
    ['permissions', ['number', 'boolean', 'object', 'array', 'text']],
  ])('with %s of a wrong type', async (claim, types) => {
    for (const type of types)
      expect(await codeFor({ [claim]: everyType[type] }), `${claim} as ${type}`).toBe('TOKEN_INVALID');
  });

  test.each<[string, Record<string, unknown>]>([
    ['a time beyond every calendar', { exp: 1e300 }],
    ['a time before 1970', { iat: -1 }],
    ['a zero character in the subject', { sub: 'a\u0000b' }],
    ['an empty subject', { sub: '' }],
    ['an endless subject', { sub: 'x'.repeat(256) }],
    ['half a surrogate pair in the subject', { sub: 'a\ud800' }],
  ])('with %s', async (_case, claims) => {
    expect(await codeFor(claims)).toBe('TOKEN_INVALID');
  });

  test('whose payload is not an object of claims', async () => {
    // The provider signs objects only; a token of ours shows that nothing but an object is taken for claims.
    const { CompactSign } = await import('jose');
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = { candidates: () => [publicKey], refresh: async () => false, generation: () => 0 };
    const { database, clock } = fixture;
    const auth = createAuth({
      database,
      clock,
      logger: silent,
      keys: { ...keys, isDegraded: () => false, close: () => undefined },
      issuer: undefined,
      audience: undefined,
      adminSubjects: [],
    });
    for (const payload of ['null', '[]', '"text"', '7', '{', '\ufeff', '\xff']) {
      const token = await new CompactSign(Buffer.from(payload, 'latin1'))
        .setProtectedHeader({ alg: 'RS256' })
        .sign(privateKey);
      expect(await codeOf(auth.verify(token)), payload).toBe('TOKEN_INVALID');
    }
  });

  test('in the order of the contract: expired, issuer, audience, scope', async () => {
    const wrong = { exp: seconds() - 60, iss: 'https://other.example', aud: 'urn:other', scope: 'other' };
    expect(await codeFor(wrong)).toBe('TOKEN_EXPIRED');
    const { exp: _, ...alive } = wrong;
    const refusal = (claims: Record<string, unknown>) =>
      fixture.provider.mint(claims).then((token) => fixture.auth.verify(token));
    await expect(refusal(alive)).rejects.toThrow('The access token comes from another issuer.');
    await expect(refusal({ ...alive, iss: fixture.provider.issuer })).rejects.toThrow('another service');
    expect(await codeFor({ scope: 'services' })).toBe('INSUFFICIENT_SCOPE');
    expect(await codeFor({ scope: '' })).toBe('INSUFFICIENT_SCOPE');
    expect(await codeFor({}, { omit: ['scope'] })).toBe('INSUFFICIENT_SCOPE');
    expect(await codeFor({}, { omit: ['iss'] })).toBe('TOKEN_INVALID');
    expect(await codeFor({}, { omit: ['aud'] })).toBe('TOKEN_INVALID');
  });

  test('for issuer and audience only where these are configured', async () => {
    const { database, clock, keys, provider } = fixture;
    const open = createAuth({
      database,
      clock,
      logger: silent,
      keys,
      issuer: undefined,
      audience: undefined,
      adminSubjects: [],
    });
    expect(
      await codeOf(open.verify(await provider.mint({ iss: 'https://other.example', aud: 'urn:other' }))),
    ).toBe('passed');
  });
});

describe('a cached token', () => {
  test('is refused when it has expired', async () => {
    const { auth, clock, provider } = fixture;
    const token = await provider.mint({ exp: seconds() + 10 });
    expect(await codeOf(auth.verify(token))).toBe('passed');
    clock.advance(10_000 + 30_000);
    expect(await codeOf(auth.verify(token))).toBe('TOKEN_EXPIRED');
  });

  test('is refused when its key was removed', async () => {
    const { auth, clock, provider } = fixture;
    const old = await provider.mint();
    expect(await codeOf(auth.verify(old))).toBe('passed');
    await provider.rotateKeys();
    expect(await codeOf(auth.verify(old)), 'nobody has asked for newer keys yet').toBe('passed');
    clock.advance(60_000);
    expect(await codeOf(auth.verify(await provider.mint()))).toBe('passed');
    expect(await codeOf(auth.verify(old))).toBe('TOKEN_INVALID');
  });
});

describe('the player in a token', () => {
  test('has a name and a picture without characters that cannot be shown, and is not refused for them', async () => {
    const { auth, provider } = fixture;
    const nameOf = async (username: unknown) =>
      (await auth.verify(await provider.mint({ username }))).username;
    expect(await nameOf('  Ann\u0000\n \u202eB  ')).toBe('Ann B');
    expect(await nameOf('𝕏'.repeat(100))).toBe('𝕏'.repeat(64));
    for (const invisible of ['\u0007', '\u200b', '\u2800', '\u3164', '\u00ad', ' \u0301'])
      expect(await nameOf(invisible)).toBeNull();
    const avatarOf = async (avatarUrl: unknown) =>
      (await auth.verify(await provider.mint({ avatarUrl }))).avatarUrl;
    expect(await avatarOf('https://img.example/a.png')).toBe('https://img.example/a.png');
    for (const bad of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      'a.png',
      '',
      `https://a.example/${'x'.repeat(2000)}`,
    ])
      expect(await avatarOf(bad)).toBeNull();
  });

  test('has a platform id only if the provider verified it', async () => {
    const { auth, provider } = fixture;
    const idOf = async (platformVerified: unknown) =>
      (await auth.verify(await provider.mint({ platformId: '123', platformVerified }))).platformId;
    expect(await idOf(true)).toBe('123');
    expect(await idOf(false)).toBeNull();
    expect(await idOf(null)).toBeNull();
  });
});

test('unknown keys are requested at most once a minute, for all tokens together', async () => {
  const { clock, database, provider } = fixture;
  const asked = () => provider.requests.filter(({ path }) => path === '/public-key.json').length;
  const keys = await openIdentityKeys({
    publicKeyUrl: provider.publicKeyJsonUrl,
    db: database.prisma,
    clock,
    logger: silent,
  });
  const { issuer, audience } = provider;
  const auth = createAuth({ database, clock, logger: silent, keys, issuer, audience, adminSubjects: [] });
  const before = asked();
  await provider.rotateKeys();
  const fresh = await Promise.all(Array.from({ length: 20 }, () => provider.mint()));
  const outcomes = await Promise.all(fresh.map((token) => codeOf(auth.verify(token))));
  expect(new Set(outcomes)).toEqual(new Set(['passed']));
  expect(asked()).toBe(before + 1);

  await provider.rotateKeys();
  const newer = await provider.mint();
  clock.advance(59_999);
  expect(await codeOf(auth.verify(newer))).toBe('TOKEN_INVALID');
  expect(asked()).toBe(before + 1);
  clock.advance(1);
  expect(await codeOf(auth.verify(newer))).toBe('passed');
  expect(asked()).toBe(before + 2);
  keys.close();
});

describe('a token', () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    const { n, e } = attacker.publicKey.export({ format: 'jwk' });
    response.end(JSON.stringify({ keys: [{ kty: 'RSA', n, e, kid: 'theirs' }] }));
  });
  let url: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());

  const verdictOf = async (header: Record<string, unknown>, key: KeyObject, payload?: string) => {
    const { database, clock } = fixture;
    const { CompactSign } = await import('jose');
    const auth = createAuth({
      database,
      clock,
      logger: silent,
      keys: {
        candidates: (kid) => (kid === undefined || kid === 'ours' ? [own.publicKey] : []),
        refresh: async () => false,
        generation: () => 0,
        isDegraded: () => false,
        close: () => undefined,
      },
      issuer: undefined,
      audience: undefined,
      adminSubjects: [],
    });
    const claims = { sub: 'somebody', iat: seconds(), exp: seconds() + 60, scope: 'service' };
    const token = await new CompactSign(Buffer.from(payload ?? JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RS256', ...header })
      .sign(key, { crit: { 'urn:must-understand': true } });
    return codeOf(auth.verify(token));
  };

  test.each<[string, () => Record<string, unknown>]>([
    ['jku', () => ({ jku: url, kid: 'theirs' })],
    ['jku with our kid', () => ({ jku: url, kid: 'ours' })],
    ['x5u', () => ({ x5u: url })],
    ['jwk', () => ({ jwk: attacker.publicKey.export({ format: 'jwk' }) })],
    ['x5c', () => ({ x5c: [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] })],
  ])('whose header offers a key by %s is refused, and no key is requested', async (_case, header) => {
    expect(await verdictOf(header(), attacker.privateKey)).toBe('TOKEN_INVALID');
    const named = header();
    if (named.kid !== 'theirs') expect(await verdictOf(named, own.privateKey)).toBe('passed');
    expect(asked).toBe(0);
  });

  test('with an unknown critical header is refused', async () => {
    const header = { crit: ['urn:must-understand'], 'urn:must-understand': true };
    expect(await verdictOf(header, own.privateKey)).toBe('TOKEN_INVALID');
  });

  test('with the critical header b64 is accepted', async () => {
    expect(await verdictOf({ crit: ['b64'], b64: true }, own.privateKey)).toBe('passed');
  });

  test('with a kid of a wrong type is refused', async () => {
    for (const kid of [7, {}, ['ours'], '__proto__'])
      expect(await verdictOf({ kid }, own.privateKey), String(kid)).toBe('TOKEN_INVALID');
  });

  test('with a claim that is given twice has the last value, as for every JSON parser', async () => {
    const times = `"iat":${seconds()},"exp":${seconds() + 60}`;
    const twice = (first: string, last: string) =>
      `{"sub":"a",${times},"scope":"${first}","scope":"${last}"}`;
    expect(await verdictOf({}, own.privateKey, twice('service', 'other'))).toBe('INSUFFICIENT_SCOPE');
    expect(await verdictOf({}, own.privateKey, twice('other', 'service'))).toBe('passed');
    const polluted = `{"sub":"a",${times},"__proto__":{"scope":"service"}}`;
    expect(await verdictOf({}, own.privateKey, polluted)).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('the player of a token', () => {
  test('is written once, also when its time has a part of a millisecond', async () => {
    const { auth, provider, database } = fixture;
    const token = await provider.mint({ sub: 'fraction', platformId: null, iat: 1700000000.25731 });
    const written = async () => {
      auth.forgetRoles();
      await auth.principal(token);
      return (await database.pool.query(`SELECT xmin FROM "Player" WHERE subject = 'fraction'`)).rows;
    };
    const first = await written();
    expect(first).toHaveLength(1);
    expect(await written()).toEqual(first);
  });

  test('is read once for many requests, and again when roles were changed', async () => {
    const { auth, provider, database } = fixture;
    const token = await provider.mint({ sub: 'often', platformId: null });
    const { playerGuid } = await auth.principal(token);
    let looks = 0;
    const { pool } = database;
    const query = pool.query.bind(pool);
    const connect = pool.connect.bind(pool);
    Object.assign(pool, {
      query: (...args: [string]) => {
        looks += 1;
        return query(...args);
      },
      connect: (...args: []) => {
        looks += 1;
        return connect(...args);
      },
    });
    try {
      const principals = await Promise.all(Array.from({ length: 200 }, () => auth.principal(token)));
      expect(new Set(principals.map((one) => one.playerGuid))).toEqual(new Set([playerGuid]));
      expect(looks).toBeLessThanOrEqual(1);
      const before = looks;
      auth.forgetRoles();
      await auth.principal(token);
      expect(looks).toBeGreaterThan(before);
    } finally {
      Object.assign(pool, { query, connect });
    }
  });
});
