import { generateKeyPairSync } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importSPKI,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../../src/local/identity-provider/server.ts';
import { CLIENT } from './oauth-client.ts';

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider({ port: 0, client: CLIENT });
});
afterAll(() => provider.stop());

const rules = (): JWTVerifyOptions => ({
  issuer: provider.issuer,
  audience: provider.audience,
  algorithms: ['RS256'],
});
const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(provider.publicKeyUrl)), rules());
const order = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${provider.issuer}/local/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the public key', () => {
  test('verifies tokens in all three forms', async () => {
    const token = await provider.accountToken('player-one');
    await verify(token);

    const pem = await (await fetch(provider.publicKeyPemUrl)).text();
    await jwtVerify(token, await importSPKI(pem, 'RS256'), rules());

    const json = await (await fetch(provider.publicKeyJsonUrl)).json();
    expect(Object.keys(json).sort()).toEqual(['algorithm', 'publicKey']);
    expect(json.algorithm).toBe('RS256');
    await jwtVerify(token, await importSPKI(json.publicKey, 'RS256'), rules());
  });

  test('is public only', async () => {
    const { keys } = await (await fetch(provider.publicKeyUrl)).json();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    expect(keys[0]).not.toHaveProperty('d');
  });

  test('changes in all three forms at once', async () => {
    const own = await startIdentityProvider({ port: 0, client: CLIENT });
    try {
      const forms = () =>
        Promise.all(
          [own.publicKeyUrl, own.publicKeyPemUrl, own.publicKeyJsonUrl].map(async (url) =>
            (await fetch(url)).text(),
          ),
        );
      const [before, kid] = [await forms(), decodeProtectedHeader(await own.mint()).kid];
      await own.rotateKeys();
      const after = await forms();
      for (const index of [0, 1, 2]) expect(after[index]).not.toBe(before[index]);
      expect(after[0]).not.toContain(kid);
      expect(JSON.parse(after[2] ?? '').publicKey).toBe(after[1]);
    } finally {
      await own.stop();
    }
  });
});

describe('POST /local/tokens', () => {
  test('answers only on this machine', () => {
    expect(new URL(provider.issuer).hostname).toBe('127.0.0.1');
  });

  test('gives a browser token of an account', async () => {
    const response = await order({ account: 'pooler-one', expiresInSeconds: 60 });
    expect(response.status).toBe(200);
    const { token, expiresAt } = await response.json();
    const { payload } = await verify(token);
    expect(payload).toMatchObject({ sub: provider.accounts['pooler-one'].sub, permissions: ['role:pooler'] });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    expect(Date.parse(expiresAt)).toBe((payload.exp ?? 0) * 1000);
  });

  test('gives a game token of any player, the same subject every time', async () => {
    const game = { platformId: '9000000000000100', username: 'Bot One' };
    const tokens = [await order({ game }), await order({ game: { ...game, username: 'Renamed' } })];
    const [first, second] = await Promise.all(tokens.map(async (answer) => (await answer.json()).token));
    const { payload } = await verify(first);
    expect(payload).toMatchObject({ ...game, tokenType: 'platform:game', scope: 'service', permissions: [] });
    expect(decodeJwt(second)).toMatchObject({ sub: payload.sub, username: 'Renamed' });
  });

  test('gives the player behind an account one subject in the browser and in the game', async () => {
    const { sub, platformId, username } = provider.accounts['player-one'];
    const { token } = await (await order({ game: { platformId, username } })).json();
    expect(decodeJwt(token).sub).toBe(sub);
  });

  test('refuses invalid values and names the field', async () => {
    const misfits: [unknown, string][] = [
      [{ account: 'root' }, 'account'],
      [{ game: { platformId: 'abc', username: 'Bot' } }, 'game.platformId'],
      [{ game: { platformId: '1', username: ' ' } }, 'game.username'],
      [{ account: 'admin', expiresInSeconds: 0 }, 'expiresInSeconds'],
      [{ account: 'admin', permissions: ['role:admin'] }, ''],
    ];
    for (const [body, path] of misfits) {
      const response = await order(body);
      expect(response.status).toBe(400);
      const { error } = await response.json();
      expect(error.code).toBe('VALIDATION_FAILED');
      expect(error.details.fields.map((field: { path: string }) => field.path)).toEqual([path]);
    }
  });

  test('refuses a request with neither or both of account and player, and invalid JSON', async () => {
    const game = { platformId: '1', username: 'Bot' };
    for (const body of [{}, { account: 'admin', game }, 'nonsense', '[]', 'null']) {
      const response = await order(body);
      expect(response.status).toBe(400);
      expect((await response.json()).error.code).toBe('VALIDATION_FAILED');
    }
  });

  test('refuses web pages, other content types, large bodies and other methods', async () => {
    expect((await order({ account: 'admin' }, { Origin: 'http://127.0.0.1:3000' })).status).toBe(403);
    expect((await order({ account: 'admin' }, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await order({ account: 'a'.repeat(5000) })).status).toBe(413);
    expect((await fetch(`${provider.issuer}/local/tokens`)).status).toBe(405);
  });
});

describe('minting a token', () => {
  test('gives a valid one by default', async () => {
    await verify(await provider.mint());
    const { payload } = await verify(await provider.mint({ sub: 'somebody', tokenType: 'platform:game' }));
    expect(payload).toMatchObject({ sub: 'somebody', tokenType: 'platform:game' });
  });

  test('overrides and leaves out any claim, however wrong', async () => {
    const token = await provider.mint(
      { exp: 'tomorrow', scope: ['service'], nbf: 1 },
      { omit: ['sub', 'iat'] },
    );
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ exp: 'tomorrow', scope: ['service'], nbf: 1 });
    expect(claims).not.toHaveProperty('sub');
    expect(claims).not.toHaveProperty('iat');
  });

  test('signs with another algorithm, key or key id, or not at all', async () => {
    const pem = await (await fetch(provider.publicKeyPemUrl)).text();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const hostile = [
      await provider.mint({}, { alg: 'none' }),
      await provider.mint({}, { alg: 'HS256', key: Buffer.from(pem) }),
      await provider.mint({}, { alg: 'RS512' }),
      await provider.mint({}, { key: privateKey }),
      await provider.mint({}, { kid: 'another' }),
      await provider.mint({ iss: 'https://elsewhere.test' }),
      await provider.mint({ exp: 1 }),
    ];
    for (const token of hostile) await expect(verify(token)).rejects.toThrow();
    const anonymous = await provider.mint({}, { kid: null });
    expect(decodeProtectedHeader(anonymous)).not.toHaveProperty('kid');
    await verify(anonymous);
  });

  test('counts time from the given clock', async () => {
    const at = Date.parse('2030-01-02T03:04:05Z');
    const own = await startIdentityProvider({ port: 0, client: CLIENT, now: () => at });
    try {
      const game = { platformId: '1', username: 'Bot' };
      for (const token of [await own.mint(), await own.accountToken('admin'), await own.gameToken(game)]) {
        expect(decodeJwt(token)).toMatchObject({ iat: at / 1000, exp: at / 1000 + 3600 });
      }
    } finally {
      await own.stop();
    }
  });
});

test('does not start with an invalid redirect address', async () => {
  const broken = { ...CLIENT, redirectUris: ['not an address'] };
  await expect(startIdentityProvider({ port: 0, client: broken })).rejects.toThrow(/invalid_redirect_uri/);
});

describe('other routes:', () => {
  test('a help page, pictures, and the metadata of RFC 8414', async () => {
    expect(await (await fetch(`${provider.issuer}/local`)).text()).toContain('/local/tokens');
    const { avatarUrl } = decodeJwt<{ avatarUrl: string }>(await provider.mint());
    const avatar = await fetch(avatarUrl);
    expect(avatar.headers.get('Content-Type')).toBe('image/svg+xml');
    expect((await fetch(`${provider.issuer}/avatars/x.svg`)).status).toBe(404);
    const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({
      issuer: provider.issuer,
      authorization_endpoint: provider.authorizeUrl,
      token_endpoint: provider.tokenUrl,
      jwks_uri: provider.publicKeyUrl,
      code_challenge_methods_supported: ['S256'],
    });
  });

  test('the list of requests has no queries', async () => {
    await fetch(`${provider.issuer}/jwks?secret=1`);
    expect(provider.requests.at(-1)).toMatchObject({ method: 'GET', path: '/jwks' });
  });
});

describe('a planned failure:', () => {
  afterEach(() => provider.fail(null));

  test('down: the connection closes, on every route', async () => {
    provider.fail('down');
    for (const url of [provider.publicKeyUrl, provider.publicKeyPemUrl, provider.tokenUrl]) {
      await expect(fetch(url)).rejects.toThrow();
    }
  });

  test('slow: the right answer after the given time', async () => {
    provider.fail('slow', { delayMs: 120 });
    const before = performance.now();
    expect((await fetch(provider.publicKeyUrl)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(100);
  });

  test('nonsense: a web page with 200, on every route', async () => {
    provider.fail('nonsense');
    for (const url of [provider.publicKeyUrl, provider.publicKeyPemUrl, provider.publicKeyJsonUrl]) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<!doctype html>');
    }
  });

  test('slow: a provider that is told to stop stops before its answers are due', async () => {
    const own = await startIdentityProvider({ port: 0, client: CLIENT });
    own.fail('slow', { delayMs: 60_000 });
    const waiting = expect(fetch(own.publicKeyUrl)).rejects.toThrow();
    await expect.poll(() => own.requests.length).toBe(1);
    await own.stop();
    await own.stop();
    await waiting;
  });
});

describe('a client that hangs up in the middle of a body', () => {
  test('does not disturb later requests', async () => {
    const url = new URL(`${provider.issuer}/local/tokens`);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 100 };
    const before = provider.requests.length;
    const half = httpRequest(url, { method: 'POST', headers });
    half.on('error', () => {});
    half.write('{"acc');
    await expect.poll(() => provider.requests.length).toBe(before + 1);
    half.destroy();
    expect((await order({ account: 'admin' })).status).toBe(200);
  });
});
