import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../../src/local/identity-provider/server.ts';
import { createBrowser } from './browser.ts';
import {
  askForTokens,
  authorizeUrl,
  CALLBACK,
  CLIENT,
  logIn,
  newVerifier,
  press,
  redeem,
  refresh,
} from './oauth-client.ts';

let provider: IdentityProvider;
const printed: unknown[][] = [];

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...line) => void printed.push(line));
  }
  provider = await startIdentityProvider({ port: 0, client: CLIENT });
});
afterAll(async () => {
  await provider.stop();
  vi.restoreAllMocks();
});

describe('a login', () => {
  test('leads over the login page to a code, to tokens, and to fresh tokens', async () => {
    const { code, verifier, parameters } = await logIn(provider, createBrowser(), 'admin');
    expect(parameters.get('state')).toBe('the-state');
    expect(parameters.get('iss')).toBe(provider.issuer);

    const first = await redeem(provider, code, verifier);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'service' });

    const keys = createRemoteJWKSet(new URL(provider.publicKeyUrl));
    const { payload } = await jwtVerify(first.body.access_token, keys, {
      issuer: provider.issuer,
      audience: provider.audience,
      algorithms: ['RS256'],
    });
    const { iat = 0, exp = 0, ...claims } = payload;
    expect(exp - iat).toBe(3600);
    expect(claims).toEqual({
      sub: provider.accounts.admin.sub,
      iss: provider.issuer,
      aud: provider.audience,
      scope: 'service',
      tokenType: 'web',
      platformId: '9000000000000001',
      platformVerified: true,
      username: 'Local Admin',
      avatarUrl: `${provider.issuer}/avatars/9000000000000001.svg`,
      permissions: ['role:admin'],
    });

    const second = await refresh(provider, first.body.refresh_token);
    expect(second.status).toBe(200);
    expect(decodeJwt(second.body.access_token).sub).toBe(provider.accounts.admin.sub);
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token);
  });

  test('asks for the account each time, so that one browser can play several people', async () => {
    const browser = createBrowser();
    for (const name of ['pooler-one', 'player-two'] as const) {
      const { code, verifier } = await logIn(provider, browser, name);
      const { body } = await redeem(provider, code, verifier);
      expect(decodeJwt(body.access_token).sub).toBe(provider.accounts[name].sub);
    }
  });

  test('does not end an earlier login in the same browser', async () => {
    const browser = createBrowser();
    const first = await logIn(provider, browser, 'player-one');
    const tokens = await redeem(provider, first.code, first.verifier);
    await logIn(provider, browser, 'player-two');
    expect((await refresh(provider, tokens.body.refresh_token)).status).toBe(200);
  });

  test('can be denied', async () => {
    const browser = createBrowser();
    const page = await browser.open(authorizeUrl(provider, { code_challenge: newVerifier().challenge }));
    const parameters = await press(browser, page.url, { decision: 'deny' });
    expect(parameters.get('error')).toBe('access_denied');
    expect(parameters.get('state')).toBe('the-state');
    expect(parameters.has('code')).toBe(false);
  });

  test('without a scope ends without a code', async () => {
    const browser = createBrowser();
    const { challenge } = newVerifier();
    const page = await browser.open(authorizeUrl(provider, { code_challenge: challenge, scope: null }));
    const parameters = await press(browser, page.url, { account: 'player-one' });
    expect(parameters.get('error')).toBe('access_denied');
  });

  test('can be made to end with a token that says something else', async () => {
    provider.alterLogins({ scope: 'other', permissions: ['role:developer'] });
    try {
      const { code, verifier } = await logIn(provider, createBrowser(), 'player-one');
      const { body } = await redeem(provider, code, verifier);
      expect(decodeJwt(body.access_token)).toMatchObject({
        sub: provider.accounts['player-one'].sub,
        scope: 'other',
        permissions: ['role:developer'],
      });
    } finally {
      provider.alterLogins(null);
    }
  });
});

describe('the login page', () => {
  const openPage = async () => {
    const browser = createBrowser();
    const page = await browser.open(authorizeUrl(provider, { code_challenge: newVerifier().challenge }));
    return { browser, ...page };
  };

  test('offers every account and a refusal, and loads nothing', async () => {
    const { response } = await openPage();
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const name of Object.keys(provider.accounts)) expect(html).toContain(`value="${name}"`);
    expect(html).toContain('value="deny"');
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/(src|href)=|<script|url\(/);
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('takes no unknown account, no other form, no large one and no other method', async () => {
    const { browser, url } = await openPage();
    const post = (body: BodyInit) => browser.request(url, { method: 'POST', body });
    expect((await post(new URLSearchParams({ account: 'root' }))).status).toBe(400);
    expect((await post(new URLSearchParams({ account: 'admin', decision: 'deny' }))).status).toBe(400);
    expect((await post('account=admin')).status).toBe(415);
    expect((await post(new URLSearchParams({ account: 'a'.repeat(2000) }))).status).toBe(413);
    expect((await browser.request(url, { method: 'DELETE' })).status).toBe(405);
    expect((await press(browser, url, { account: 'admin' })).has('code')).toBe(true);
  });

  test('works only in its own browser, and only once', async () => {
    const { browser, url } = await openPage();
    const stranger = await createBrowser().request(url, {
      method: 'POST',
      body: new URLSearchParams({ account: 'admin' }),
    });
    expect(stranger.status).toBe(400);
    expect(await stranger.text()).toContain('another browser');
    await press(browser, url, { account: 'admin' });
    expect((await browser.request(url)).status).toBe(400);
  });
});

describe('refused authorization requests', () => {
  const { challenge } = newVerifier();
  const refusal = async (overrides: Record<string, string | null>) => {
    const { response, url } = await createBrowser().open(
      authorizeUrl(provider, { code_challenge: challenge, ...overrides }),
      CALLBACK,
    );
    // A flow that never had a code is refused in the fragment, where its tokens would have been.
    const error = url.searchParams.get('error') ?? new URLSearchParams(url.hash.slice(1)).get('error');
    return { status: response.status, error };
  };

  test('without PKCE, or with the plain method', async () => {
    expect(await refusal({ code_challenge: null, code_challenge_method: null })).toMatchObject({
      error: 'invalid_request',
    });
    expect(await refusal({ code_challenge_method: 'plain' })).toMatchObject({ error: 'invalid_request' });
  });

  test('for another flow or a silent login', async () => {
    expect(await refusal({ response_type: 'token' })).toMatchObject({ error: 'unsupported_response_type' });
    expect(await refusal({ prompt: 'none' })).toMatchObject({ error: 'login_required' });
  });

  test('of an unknown client or to an address that is not registered, on a page instead of a redirect', async () => {
    const headers = { Accept: 'text/html' };
    const strangers: Record<string, string>[] = [
      { client_id: 'somebody' },
      { redirect_uri: 'http://127.0.0.1:9/elsewhere' },
    ];
    for (const overrides of strangers) {
      const response = await fetch(authorizeUrl(provider, { code_challenge: challenge, ...overrides }), {
        headers,
        redirect: 'manual',
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('This login cannot go on');
    }
  });
});

describe('refused token requests', () => {
  test('with a wrong verifier or a wrong secret, or for a used code', async () => {
    const first = await logIn(provider, createBrowser(), 'player-one');
    expect(await redeem(provider, first.code, newVerifier().verifier)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const second = await logIn(provider, createBrowser(), 'player-one');
    expect(await redeem(provider, second.code, second.verifier, 'guess')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await redeem(provider, second.code, second.verifier)).status).toBe(200);
    expect(await redeem(provider, second.code, second.verifier)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('with a used refresh token, which ends the newer one too', async () => {
    const { code, verifier } = await logIn(provider, createBrowser(), 'player-one');
    const first = await redeem(provider, code, verifier);
    const second = await refresh(provider, first.body.refresh_token);
    expect(await refresh(provider, first.body.refresh_token)).toMatchObject({
      body: { error: 'invalid_grant' },
    });
    expect(await refresh(provider, second.body.refresh_token)).toMatchObject({
      body: { error: 'invalid_grant' },
    });
  });

  test('with another grant or a body that is too large', async () => {
    expect(await askForTokens(provider, { grant_type: 'client_credentials' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    expect((await refresh(provider, 'a'.repeat(100_000))).status).toBe(400);
  });
});

test('a new signing key logs nobody out', async () => {
  const own = await startIdentityProvider({ port: 0, client: CLIENT });
  try {
    const { code, verifier } = await logIn(own, createBrowser(), 'admin');
    const before = await redeem(own, code, verifier);
    await own.rotateKeys();
    const after = await refresh(own, before.body.refresh_token);
    expect(after.status).toBe(200);
    const keys = createRemoteJWKSet(new URL(own.publicKeyUrl));
    await jwtVerify(after.body.access_token, keys);
    await expect(jwtVerify(before.body.access_token, keys)).rejects.toThrow();
  } finally {
    await own.stop();
  }
});

test('the tests of this file print no line on the console', () => {
  expect(printed).toEqual([]);
});
