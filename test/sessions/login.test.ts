import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '../local/browser.ts';
import { browserWith, cookieOf, type LoginFixture, openLogins, WEBSITE } from './fixture.ts';

/** A JWT; random base64url may begin like one, but has no dots. */
const A_TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

let logins: LoginFixture;
beforeAll(async () => {
  logins = await openLogins();
});
afterAll(() => logins.stop());

describe('a login', () => {
  test('goes to the provider and back to the website, which then knows the visitor', async () => {
    const browser = createBrowser();
    const begun = await browser.request(`${logins.url}/auth/login?returnTo=${WEBSITE}/home?tab=1%23top`);
    expect(begun.status).toBe(302);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    const asked = new URL(begun.headers.get('location') ?? '');
    expect(asked.origin + asked.pathname).toBe(logins.identityProvider.authorizeUrl);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: logins.environment.OAUTH_CLIENT_ID,
      redirect_uri: `${logins.url}/auth/callback`,
      scope: 'service',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });

    const page = await browser.open(asked);
    const callback = await logins.press(browser, page.url, { account: 'pooler-one' });
    const finished = await browser.request(callback);
    expect([finished.status, finished.headers.get('location')]).toEqual([302, `${WEBSITE}/home?tab=1#top`]);
    expect(finished.headers.get('cache-control')).toBe('no-store');
    const session = cookieOf(finished);
    expect(session?.value).toMatch(/^[\w-]{43}$/);
    expect(session?.attributes).toEqual(
      expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000']),
    );
    expect(session?.attributes).not.toContain('Secure');

    const account = logins.identityProvider.accounts['pooler-one'];
    const answer = await browser.request(`${logins.url}/auth/me`, { headers: { origin: WEBSITE } });
    expect(await answer.json()).toEqual({
      subject: account.sub,
      playerGuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: account.username,
      avatarUrl: expect.stringContaining('/avatars/'),
      platformId: account.platformId,
      roles: ['role:pooler'],
      expiresAt: new Date(logins.clock.now() + 7 * 24 * 3_600_000).toISOString(),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe(WEBSITE);
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('vary')).toContain('Origin');

    const redeemed = logins.door.asked.at(-1);
    expect(Object.fromEntries(redeemed ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code'),
      redirect_uri: `${logins.url}/auth/callback`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(logins.door.authorization()).toMatch(/^Basic /);
  });

  test('does not show the provider’s tokens to the browser, nor the cookie to the database', async () => {
    const { browser, response } = await logins.logIn('player-two');
    const cookie = cookieOf(response)?.value ?? '';
    const [stored] = (await logins.sessions()).slice(-1);
    const kept = JSON.stringify(stored);
    expect(kept).not.toContain(cookie);
    const account = logins.identityProvider.accounts['player-two'];
    for (const secret of [account.sub, Buffer.from(account.sub).toString('base64url')])
      expect(kept).not.toContain(secret);
    expect(kept).not.toMatch(A_TOKEN);
    const told = JSON.stringify([...response.headers]) + (await response.text());
    const { body } = await logins.me(browser);
    expect(told + JSON.stringify(body)).not.toMatch(/access_token|refresh_token/);
    expect(told + JSON.stringify(body)).not.toMatch(A_TOKEN);
  });

  test('works in several tabs of one browser at once, finished in any order', async () => {
    const browser = createBrowser();
    const pages = await Promise.all([1, 2, 3].map((tab) => logins.begin(browser, `${WEBSITE}/tab/${tab}`)));
    for (const tab of [2, 0, 1]) {
      const callback = await logins.press(browser, pages[tab] as URL, { account: 'player-one' });
      const finished = await browser.request(callback);
      expect(finished.headers.get('location')).toBe(`${WEBSITE}/tab/${tab + 1}`);
    }
    expect((await logins.me(browser)).status).toBe(200);
  });

  test('that is started again and again leaves ten cookies in the browser, the latest ones', async () => {
    const browser = createBrowser();
    const pages: URL[] = [];
    for (let i = 0; i < 13; i++) pages.push(await logins.begin(browser));
    const finish = async (page: URL | undefined) =>
      (await browser.request(await logins.press(browser, page as URL, { account: 'admin' }))).status;
    expect(await finish(pages[2])).toBe(400);
    expect(await finish(pages[3])).toBe(302);
    expect(await finish(pages[12])).toBe(302);
  });

  test('without a returnTo ends at the website', async () => {
    const browser = createBrowser();
    const page = await browser.open(`${logins.url}/auth/login`);
    const callback = await logins.press(browser, page.url, { account: 'player-one' });
    const location = (await browser.request(callback)).headers.get('location');
    expect(new URL(location ?? '').href).toBe(`${WEBSITE}/`);
  });

  test('may return to a page of this service', async () => {
    const { location } = await logins.logIn('player-one', createBrowser(), `${logins.url}/docs`);
    expect(location).toBe(`${logins.url}/docs`);
  });

  test('is neither started nor used up by a HEAD request', async () => {
    const before = await logins.pending();
    const begun = await fetch(`${logins.url}/auth/login`, { method: 'HEAD', redirect: 'manual' });
    expect([begun.status, begun.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await logins.pending()).toBe(before);
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    const returned = await browser.request(callback, { method: 'HEAD' });
    expect([returned.status, returned.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await browser.request(callback)).status).toBe(302);
  });

  test('of a known person keeps the player, with the roles and the name of the latest token', async () => {
    const first = await logins.logIn('player-one');
    const before = (await logins.me(first.browser)).body;
    logins.clock.advance(1000);
    logins.identityProvider.alterLogins({ username: 'Renamed', permissions: ['role:developer'] });
    const second = await logins.logIn('player-one');
    logins.identityProvider.alterLogins(null);
    const after = (await logins.me(second.browser)).body;
    expect(after).toMatchObject({
      playerGuid: before.playerGuid,
      username: 'Renamed',
      roles: ['role:developer'],
    });
  });
});

describe('returnTo', () => {
  test.each([
    ['another host', 'http://evil.example/'],
    ['a host that begins like ours', `${WEBSITE}.evil.example/`],
    ['a host that ends like ours', 'http://evilwebsite.example/'],
    ['another scheme', 'https://website.example/'],
    ['another port', `${WEBSITE}:8080/`],
    ['user info', 'http://me@website.example/'],
    ['empty user info', 'http://@website.example/'],
    ['our host as user info', 'http://website.example@evil.example/'],
    ['a backslash', 'http://website.example\\@evil.example/'],
    ['a backslash in the path', `${WEBSITE}/a\\b`],
    ['a line break', `${WEBSITE}/a\r\nset-cookie: x=y`],
    ['a tab in the scheme', 'ht\ttp://website.example/'],
    ['a NUL', `${WEBSITE}/\0`],
    ['a path only', '/docs'],
    ['a host only', '//website.example/'],
    ['a script', 'javascript:alert(1)//website.example'],
    ['a blob of our page', `blob:${WEBSITE}/0e0e`],
    ['nothing', ''],
    ['more than is sensible', `${WEBSITE}/${'a'.repeat(2000)}`],
  ])('is refused with %s', async (_case, returnTo) => {
    const before = await logins.pending();
    const answer = await fetch(`${logins.url}/auth/login?returnTo=${encodeURIComponent(returnTo)}`, {
      redirect: 'manual',
    });
    const body = (await answer.json()) as { error: { code: string } };
    expect([answer.status, body.error.code]).toEqual([400, 'RETURN_TO_NOT_ALLOWED']);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await logins.pending()).toBe(before);
  });

  test('is parsed as browsers parse it', async () => {
    const { location } = await logins.logIn(
      'player-one',
      createBrowser(),
      'HTTP://WEBSITE.example:80/a/../b?q=ä',
    );
    expect(location).toBe(`${WEBSITE}/b?q=%C3%A4`);
  });

  test('given twice is refused', async () => {
    const answer = await fetch(`${logins.url}/auth/login?returnTo=${WEBSITE}&returnTo=${WEBSITE}`);
    const body = (await answer.json()) as { error: { code: string } };
    expect([answer.status, body.error.code]).toEqual([400, 'RETURN_TO_NOT_ALLOWED']);
  });
});

describe('a callback', () => {
  /** A failed callback makes no session and leads nowhere. */
  const expectFailed = async (answer: Response) => {
    const body = (await answer.json()) as { error: { code: string } };
    expect([answer.status, body.error.code]).toEqual([400, 'LOGIN_FAILED']);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
  };
  test('works once, also when it comes twice at the same moment', async () => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.request(callback)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400]);
    await expectFailed(await browser.request(callback));
  });

  test('with an unknown state, no state, or the state of another browser is refused', async () => {
    const [mine, theirs] = [createBrowser(), createBrowser()];
    const callback = await logins.toCallback(mine);
    const swapped = new URL(callback);
    swapped.searchParams.set('state', 'A'.repeat(43));
    await expectFailed(await mine.request(swapped));
    swapped.searchParams.append('state', callback.searchParams.get('state') ?? '');
    await expectFailed(await mine.request(swapped));
    swapped.searchParams.delete('state');
    await expectFailed(await mine.request(swapped));
    await expectFailed(await createBrowser().request(callback));
    await logins.begin(theirs);
    await expectFailed(await theirs.request(callback));
    // The browser that began the login can still finish it.
    expect((await mine.request(callback)).status).toBe(302);
  });

  test('with a stolen code in another login is refused, because the verifier differs', async () => {
    const [victim, thief] = [createBrowser(), createBrowser()];
    const stolen = (await logins.toCallback(victim, 'admin')).searchParams.get('code') ?? '';
    const own = await logins.toCallback(thief, 'player-one');
    own.searchParams.set('code', stolen);
    const answer = await thief.request(own);
    expect(answer.headers.get('location')).toBe(`${WEBSITE}/home?loginError=provider_error`);
    expect(cookieOf(answer)).toBeNull();
  });

  test('that is sent to another person does not log that person in', async () => {
    const [attacker, victim] = [createBrowser(), createBrowser()];
    const callback = await logins.toCallback(attacker, 'player-two');
    await logins.begin(victim);
    await expectFailed(await victim.request(callback));
    expect((await logins.me(victim)).status).toBe(401);
  });

  test('from another provider is refused', async () => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    expect(callback.searchParams.get('iss')).toBe(logins.identityProvider.issuer);
    const mixedUp = new URL(callback);
    mixedUp.searchParams.set('iss', 'https://other-provider.example');
    await expectFailed(await browser.request(mixedUp));
    expect((await browser.request(callback)).status).toBe(302);
  });

  test('after ten minutes comes too late', async () => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    logins.clock.advance(10 * 60_000);
    await expectFailed(await browser.request(callback));
  });

  test('names the error in loginError, and keeps the rest of the address', async () => {
    const browser = createBrowser();
    const page = await logins.begin(browser, `${WEBSITE}/a?b=c%20d&e&loginError=banned#/route?x=1`);
    const callback = await logins.press(browser, page, { decision: 'deny' });
    const answer = await browser.request(callback);
    expect(answer.headers.get('location')).toBe(`${WEBSITE}/a?b=c%20d&e&loginError=access_denied#/route?x=1`);
    await expectFailed(await browser.request(callback));
  });

  test('of a login that is refused leaves the login that the browser had before', async () => {
    const { browser } = await logins.logIn('player-one');
    const page = await logins.begin(browser);
    const refused = await browser.request(await logins.press(browser, page, { decision: 'deny' }));
    expect(refused.headers.get('location')).toBe(`${WEBSITE}/home?loginError=access_denied`);
    expect(cookieOf(refused)).toBeNull();
    expect((await logins.me(browser)).status).toBe(200);
  });

  test('removes the loginError of an earlier attempt when it succeeds', async () => {
    const { location } = await logins.logIn(
      'player-one',
      createBrowser(),
      `${WEBSITE}/a?b=c%20d&loginError=access_denied&e#/route?x=1`,
    );
    expect(location).toBe(`${WEBSITE}/a?b=c%20d&e#/route?x=1`);
  });

  test.each([
    ['insufficient_scope', { scope: 'openid' }],
    ['provider_error', { aud: 'urn:another-service' }],
    ['provider_error', { iss: 'https://another-provider.example' }],
    ['provider_error', { exp: 1000 }],
    ['provider_error', { sub: 7 }],
    ['provider_error', { tokenType: 'platform:game' }],
  ])('answers %s for a token with %o', async (loginError, claims) => {
    logins.identityProvider.alterLogins(claims);
    const { browser, response, location } = await logins.logIn();
    logins.identityProvider.alterLogins(null);
    expect(location).toBe(`${WEBSITE}/home?loginError=${loginError}`);
    expect(cookieOf(response)).toBeNull();
    expect((await logins.me(browser)).status).toBe(401);
  });

  test('refuses a banned person with banned; a later ban leaves the login read-only', async () => {
    const { browser } = await logins.logIn('player-two');
    const { playerGuid } = (await logins.me(browser)).body;
    const ban = await logins.request('admin', 'POST', `/players/${playerGuid}/bans`, {
      reason: 'Cheating',
      until: null,
    });
    expect(ban.status).toBe(201);
    expect((await logins.me(browser)).status).toBe(200);
    const standing = await browser.request(`${logins.url}/auth/me/standing`);
    expect(((await standing.json()) as any).bans).toEqual([{ reason: 'Cheating', until: null }]);
    expect(await logins.post(browser, '/seasons', WEBSITE, {})).toMatchObject({
      status: 403,
      code: 'BANNED',
    });
    expect((await logins.logIn('player-two')).location).toBe(`${WEBSITE}/home?loginError=banned`);
    expect((await logins.post(browser, '/auth/logout')).status).toBe(204);
    await logins.request('admin', 'DELETE', `/players/${playerGuid}/bans/${ban.body.banGuid}`);
  });

  test('makes a new cookie each time and ends the old session, so a planted cookie is useless', async () => {
    const attacker = await logins.logIn('player-one');
    const planted = cookieOf(attacker.response)?.value ?? '';
    const begun = await fetch(`${logins.url}/auth/login`, { redirect: 'manual' });
    const [name = '', verifier = ''] = begun.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? [];
    const provider = createBrowser();
    const page = await provider.open(begun.headers.get('location') ?? '');
    const callback = await logins.press(provider, page.url, { account: 'admin' });
    const finished = await browserWith({ session: planted, [name]: verifier }).request(callback);
    expect(finished.status).toBe(302);
    expect(cookieOf(finished)?.value).not.toBe(planted);
    expect((await logins.me(attacker.browser)).status).toBe(401);
    expect((await logins.me(browserWith({ session: planted }))).status).toBe(401);
  });
});

test('a person with more than twenty browsers is logged out of the oldest one', async () => {
  const first = await logins.logIn('pooler-two');
  for (let i = 0; i < 20; i++) {
    expect((await logins.me(first.browser)).status).toBe(200);
    logins.clock.advance(1000);
    await logins.logIn('pooler-two');
  }
  expect((await logins.me(first.browser)).status).toBe(401);
});

test('a bearer token goes before a cookie', async () => {
  const { browser } = await logins.logIn('player-one');
  const token = await logins.identityProvider.accountToken('admin');
  const ask = async (authorization: string) => {
    const answer = await browser.request(`${logins.url}/auth/me`, { headers: { authorization } });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  expect((await ask(`Bearer ${token}`)).body.username).toBe('Local Admin');
  expect((await ask('Bearer nonsense')).status).toBe(401);
  expect(decodeJwt(token).sub).toBe(logins.identityProvider.accounts.admin.sub);
});

describe('a browser that is refused', () => {
  const FROM_BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const open = async (path: string, headers: Record<string, string> = FROM_BROWSER) => {
    const answer = await fetch(logins.url + path, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const NAUGHTY = '<script>alert(1)</script>';

  test.each([
    [
      400,
      'LOGIN_FAILED',
      `/auth/callback?state=${encodeURIComponent(NAUGHTY)}&code=${encodeURIComponent(NAUGHTY)}`,
    ],
    [
      400,
      'RETURN_TO_NOT_ALLOWED',
      `/auth/login?returnTo=${encodeURIComponent(`https://evil.example/${NAUGHTY}`)}`,
    ],
    [400, 'VALIDATION_FAILED', `/auth/login?${encodeURIComponent(NAUGHTY)}=${encodeURIComponent(NAUGHTY)}`],
  ])('sees a page: %i %s', async (status, code, path) => {
    const page = await open(path);
    expect(page.status).toBe(status);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(code);
    expect(page.text).toContain(page.headers.get('x-request-id'));
    expect(page.text).toContain(`<a href="${logins.url}/auth/login">`);
    // The styles of all pages name scripts.
    expect(page.text.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/script|alert|evil/i);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('vary')).toMatch(/(^|, )Accept(,|$)/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')?.replace(/'sha256-[^']+'/, 'STYLE')).toBe(
      "default-src 'none'; style-src STYLE; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );

    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.5, */*']) {
      const data = await open(path, { accept });
      expect(data.status).toBe(status);
      expect(JSON.parse(data.text).error.code, accept).toBe(code);
      expect(data.headers.get('vary')).toMatch(/(^|, )Accept(,|$)/);
    }
  });

  test('sees JSON everywhere else', async () => {
    const answer = await open('/auth/me');
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});
