import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, openChromium } from '../harness/chromium.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A real browser, a website of another origin, and two hostile websites. */

const WAIT = { timeout: 60_000 };
const executable = findChromium();
const needed = executable === null ? ' (skipped: no Chromium on the PATH, and CHROMIUM names none)' : '';

/** The script of a website in as few lines as possible; docs/sign-in.md explains them. */
const websitePage = (api: string): string => `<!doctype html>
<title>Website</title>
<a id="log-in" href="">Log in</a> <button id="log-out">Log out</button>
<p id="who"></p><p id="refusal"></p>
<script>
  const api = ${JSON.stringify(api)};
  document.querySelector('#log-in').href = api + '/auth/login?returnTo=' + encodeURIComponent(location.origin + '/home');
  document.querySelector('#refusal').textContent = new URLSearchParams(location.search).get('loginError') ?? '';
  async function show() {
    const answer = await fetch(api + '/auth/me', { credentials: 'include' });
    const body = await answer.json();
    document.querySelector('#who').textContent = answer.ok ? body.username : body.error.code;
  }
  document.querySelector('#log-out').onclick = async () => {
    await fetch(api + '/auth/logout', { method: 'POST', credentials: 'include' });
    await show();
  };
  show();
</script>`;

/** Tries to log the visitor out: with a form, which needs no permission of the service, and with a script. */
const attackPage = (api: string): string => `<!doctype html>
<title>Attack</title>
<iframe name="inside"></iframe>
<form method="post" action="${api}/auth/logout-everywhere" target="inside"><button id="form">Win</button></form>
<p id="read"></p>
<script>
  const read = async () => {
    try {
      const answer = await fetch('${api}/auth/me', { credentials: 'include' });
      return 'read ' + (await answer.text());
    } catch { return 'unreadable'; }
  };
  const write = () => fetch('${api}/auth/logout-everywhere', { method: 'POST', mode: 'no-cors', credentials: 'include' });
  write().then(read).then((text) => { document.querySelector('#read').textContent = text; });
</script>`;

const serve = async (page: () => string): Promise<{ server: Server; port: number }> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
};

/** An OpenAPI document with these paths alone, and with the components that they name, directly or through others. */
function withPaths({ paths, components, ...document }: any, kept: string[]): object {
  const parts: any = { securitySchemes: components.securitySchemes };
  const add = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      parts[kind] ??= {};
      if (name in parts[kind]) continue;
      parts[kind][name] = components[kind][name];
      add(parts[kind][name]);
    }
  };
  const shown = Object.fromEntries(kept.map((path) => [path, paths[path]]));
  add(shown);
  return { ...document, paths: shown, components: parts };
}

describe.skipIf(executable === null)(`in a real browser${needed}`, () => {
  let service: TestService;
  let website: { server: Server; port: number };
  let attacker: { server: Server; port: number };
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Hosts that a page of the service was told to load from, and what its policy refused. */
  let visited: Set<string>;
  let complaints: string[];

  beforeAll(async () => {
    website = await serve(() => websitePage(service.url));
    attacker = await serve(() => attackPage(service.url));
    service = await startTestService({
      environment: { WEBSITE_ORIGINS: `http://127.0.0.1:${website.port}` },
    });
    browser = await openChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    for (const { server } of [website, attacker]) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(WAIT.timeout);
    visited = new Set();
    complaints = [];
    page.on('request', (request) => visited.add(new URL(request.url()).host));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
  });
  afterEach(() => context.close());

  const home = () => `http://127.0.0.1:${website.port}/home`;
  const press = (account: string) => page.click(`button[value="${account}"]`);
  const shows = (selector: string, text: string) =>
    expect.poll(() => page.textContent(selector), WAIT).toBe(text);
  const logIn = async (account = 'player-one') => {
    await page.goto(home());
    await shows('#who', 'UNAUTHENTICATED');
    await page.click('#log-in');
    await press(account);
    await page.waitForURL(home());
  };

  test('a person logs in, is known to the website, and logs out', async () => {
    await logIn();
    await shows('#who', 'Local Player One');
    const [cookie] = (await context.cookies(service.url)).filter(({ name }) => name === 'session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', domain: '127.0.0.1', path: '/' });
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    await shows('#who', 'Local Player One');
    await page.click('#log-out');
    await shows('#who', 'UNAUTHENTICATED');
    const left = (await context.cookies(service.url)).map(({ name }) => name);
    expect(left.filter((name) => !name.startsWith('local_idp'))).toEqual([]);
  });

  test('a failed login shows a page that leads to a new login', async () => {
    const answer = await page.goto(`${service.url}/auth/callback?state=${'A'.repeat(43)}&code=old`);
    expect([answer?.status(), answer?.headers()['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await page.title()).toBe('Not logged in');
    await shows('h1', 'You are not logged in');
    expect(await page.textContent('main')).toMatch(/LOGIN_FAILED.*[0-9a-f-]{36}/s);
    // Its one style is allowed by its policy, and applied.
    expect(await page.evaluate('getComputedStyle(document.querySelector(`main`)).maxWidth')).not.toBe('none');
    expect(complaints).toEqual([]);
    await page.click('main a');
    await press('player-two');
    await page.waitForURL(`http://127.0.0.1:${website.port}/`);
    await shows('#who', 'Local Player Two');
  });

  test('a person who denies the login comes back, and the website knows why', async () => {
    await page.goto(home());
    await page.click('#log-in');
    await page.click('button[value="deny"]');
    await page.waitForURL(`${home()}?loginError=access_denied`);
    await shows('#refusal', 'access_denied');
    await shows('#who', 'UNAUTHENTICATED');
  });

  test.each([
    ['another site', 'localhost'],
    ['another origin of the same site', '127.0.0.1'],
  ])('%s can neither read nor change anything', async (_case, host) => {
    await logIn('player-two');
    await shows('#who', 'Local Player Two');
    await page.goto(`http://${host}:${attacker.port}/`);
    await shows('#read', 'unreadable');
    const posted = page.waitForResponse((response) => response.url().endsWith('/auth/logout-everywhere'));
    await page.click('#form');
    expect([401, 403]).toContain((await posted).status());
    await page.goto(home());
    await shows('#who', 'Local Player Two');
  });

  test('the HTTP reference signs a person in, sends the cookie, signs out, and uses a pasted token', async () => {
    // Swagger UI resolves the whole document for each operation that is opened, which takes seconds. This test needs two
    // operations; test/documents/pages opens the whole document.
    await page.route('**/docs/json', async (route) => {
      const answer = await route.fetch();
      const document = await answer.json();
      await route.fulfill({ response: answer, json: withPaths(document, ['/map-categories', '/auth/me']) });
    });
    await page.goto(`${service.url}/docs`);
    await page.click('#sign-in');
    await press('admin');
    await page.waitForURL(`${service.url}/docs`);
    await shows('#signed-in-as', 'Local Admin');

    const operation = page.locator('.opblock-post', { hasText: '/map-categories' });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('textarea.body-param__text').fill('{ "name": "Speed" }');
    const tried = page.waitForResponse((response) => response.url().endsWith('/map-categories'));
    await operation.locator('.execute').click();
    expect((await tried).status()).toBe(201);

    await page.click('#sign-out');
    await page.waitForSelector('#sign-in');
    expect([...visited]).toEqual(
      expect.arrayContaining([new URL(service.url).host, new URL(service.identityProvider.issuer).host]),
    );
    expect(visited.size).toBe(2);
    expect(complaints).toEqual([]);

    await page.click('.btn.authorize');
    const dialog = page.locator('.auth-container', { hasText: 'bearer' });
    await dialog.locator('input').fill(await service.identityProvider.accountToken('pooler-one'));
    await dialog.locator('button.authorize').click();
    await page.click('.btn-done');
    const me = page.locator('#operations-Auth-getMe');
    await me.locator('.opblock-summary-control').click();
    await me.locator('.try-out__btn').click();
    const answered = page.waitForResponse(
      (response) => response.request().headers().authorization !== undefined,
    );
    await me.locator('.execute').click();
    expect(await (await answered).json()).toMatchObject({ username: 'Local Pooler One' });
  }, 240_000);
});
