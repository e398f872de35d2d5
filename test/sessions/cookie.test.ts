import pino from 'pino';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/local/postgres.ts';
import { createRetention } from '../../src/retention.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { type Browser, createBrowser } from '../local/browser.ts';
import { browserWith, cookieOf, type LoginFixture, openLogins, WEBSITE } from './fixture.ts';

const DAY = 24 * 3_600_000;
const SECRETS = ['first-'.repeat(8), 'second-'.repeat(8), 'third-'.repeat(8)] as const;

let logins: LoginFixture;
beforeAll(async () => {
  logins = await openLogins({ SESSION_SECRET: SECRETS[0] });
});
afterAll(() => logins.stop());

describe('a request that changes something with the cookie', () => {
  const season = () => ({
    name: `Season ${logins.clock.now()}`,
    startsAt: new Date(logins.clock.now()).toISOString(),
    endsAt: new Date(logins.clock.now() + DAY).toISOString(),
  });

  test('is accepted from a page of the website or of this service', async () => {
    const { browser } = await logins.logIn('admin');
    expect((await logins.post(browser, '/seasons', WEBSITE, season())).status).toBe(201);
    logins.clock.advance(2 * DAY);
    expect((await logins.post(browser, '/seasons', logins.url, season())).status).toBe(201);
    const { browser: pooler } = await logins.logIn('pooler-one');
    expect(await logins.post(pooler, '/seasons', WEBSITE, season())).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  test.each([
    ['another site', 'http://evil.example'],
    ['a site that begins like ours', `${WEBSITE}.evil.example`],
    ['a sub-domain', 'http://www.website.example'],
    ['our host over another scheme', 'https://website.example'],
    ['our host at another port', `${WEBSITE}:8080`],
    ['a sandbox or a file', 'null'],
    ['an unknown place', null],
    ['an empty place', ''],
  ])('is refused from %s', async (_case, origin) => {
    const { browser } = await logins.logIn('admin');
    for (const path of ['/seasons', '/auth/logout', '/auth/logout-everywhere']) {
      const answer = await logins.post(browser, path, origin, season());
      expect([answer.status, answer.code], path).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    }
    expect((await logins.me(browser)).status).toBe(200);
  });

  test('is refused from a page of somebody who was signed in before', async () => {
    const { browser } = await logins.logIn('admin');
    const { body: me } = await logins.me(browser);
    const add = async (playerGuid: string, name: string) => {
      const answer = await browser.request(`${logins.url}/map-categories`, {
        method: 'POST',
        headers: { origin: WEBSITE, 'content-type': 'application/json', 'x-player-guid': playerGuid },
        body: JSON.stringify({ name }),
      });
      return answer.status;
    };
    expect(await add('01a204a0-408b-77c5-91e6-abf7d318e101', 'Jumps')).toBe(401);
    expect(await add(me.playerGuid, 'Jumps')).toBe(201);
  });

  test('needs no origin when it has a token', async () => {
    const { browser } = await logins.logIn('player-one');
    const token = await logins.identityProvider.accountToken('admin');
    const answer = await browser.request(`${logins.url}/map-categories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Tech' }),
    });
    expect(answer.status).toBe(201);
  });
});

describe('an invalid cookie', () => {
  test.each([
    ['an unknown one', 'A'.repeat(43)],
    ['one of another form', 'nonsense'],
    ['an empty one', ''],
    ['one that would not fit into a column', '%00'],
    ['a long one', 'A'.repeat(8000)],
  ])('%s is 401 where credentials are needed, and ignored on public reads', async (_case, value) => {
    const browser = browserWith({ session: value });
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await logins.post(browser, '/seasons')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    const read = await browser.request(`${logins.url}/seasons`);
    expect(read.status).toBe(200);
    expect(read.headers.get('cache-control')).toContain('public');
  });

  test('cannot be made from another person’s session in the database', async () => {
    await logins.logIn('admin');
    for (const { tokenHash, sessionGuid, accessToken } of await logins.sessions())
      for (const value of [tokenHash, sessionGuid, accessToken])
        expect((await logins.me(browserWith({ session: value }))).status).toBe(401);
  });
});

test('a public read with a cookie is not cached', async () => {
  const { browser } = await logins.logIn('pooler-one');
  const read = await browser.request(`${logins.url}/seasons`);
  expect(read.headers.get('cache-control')).toBe('no-store');
});

test('the handshake of a socket ignores the cookie and needs a game token', async () => {
  const { response } = await logins.logIn('player-one');
  const cookie = `session=${cookieOf(response)?.value}`;
  const socket = io(logins.url, {
    extraHeaders: { cookie },
    auth: { pluginVersion: '1.0.0' },
    reconnection: false,
  });
  const refusal = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
  socket.close();
  expect(refusal.message).toBe('TOKEN_MISSING');
});

describe('logging out', () => {
  test('ends the session of this browser and no other, and takes the cookie away', async () => {
    const [here, there] = [await logins.logIn('player-one'), await logins.logIn('player-one')];
    const answer = await logins.post(here.browser, '/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const stolen = browserWith({ session: cookieOf(here.response)?.value ?? '' });
    expect((await logins.me(stolen)).status).toBe(401);
    expect((await logins.me(there.browser)).status).toBe(200);
    expect((await logins.post(stolen, '/auth/logout')).status, 'it has ended before').toBe(204);
    expect((await logins.me(here.browser)).status).toBe(401);
  });

  test('needs a login', async () => {
    for (const path of ['/auth/logout', '/auth/logout-everywhere'])
      expect(await logins.post(createBrowser(), path)).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    const ended = browserWith({ session: 'A'.repeat(43) });
    expect((await logins.post(ended, '/auth/logout-everywhere')).status).toBe(401);
  });

  test('everywhere ends all sessions of that person and nobody else’s, by cookie or by token', async () => {
    const token = await logins.identityProvider.accountToken('player-two');
    for (const by of ['cookie', 'token']) {
      const [one, two] = [await logins.logIn('player-two'), await logins.logIn('player-two')];
      const other = await logins.logIn('player-one');
      if (by === 'cookie')
        expect((await logins.post(one.browser, '/auth/logout-everywhere')).status).toBe(204);
      else {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${logins.url}/auth/logout-everywhere`, { method: 'POST', headers });
        expect(answer.status).toBe(204);
      }
      for (const { response } of [one, two]) {
        const stolen = browserWith({ session: cookieOf(response)?.value ?? '' });
        expect((await logins.me(stolen)).status).toBe(401);
      }
      expect((await logins.me(other.browser)).status).toBe(200);
    }
  });
});

describe('logging out by a page that names its player', () => {
  const logOut = async (browser: Browser, path: string, playerGuid: string) => {
    const headers = { origin: WEBSITE, 'x-player-guid': playerGuid };
    const answer = await browser.request(logins.url + path, { method: 'POST', headers });
    return answer.status;
  };
  const guidOf = async (browser: Browser): Promise<string> => (await logins.me(browser)).body.playerGuid;

  test.each(['/auth/logout', '/auth/logout-everywhere'])(
    'ends no login of somebody who has signed in since: %s',
    async (path) => {
      const { browser } = await logins.logIn('player-one');
      const former = await guidOf(browser);
      await logins.logIn('player-two', browser);
      const elsewhere = await logins.logIn('player-two');
      expect(await logOut(browser, path, former)).toBe(401);
      expect((await logins.me(elsewhere.browser)).status).toBe(200);
      expect(await logOut(browser, path, await guidOf(browser))).toBe(204);
      expect((await logins.me(browser)).status).toBe(401);
    },
  );

  test('or by somebody’s token ends no other person’s login, and leaves the cookie there', async () => {
    const { browser } = await logins.logIn('player-two');
    const one = await guidOf((await logins.logIn('player-one')).browser);
    const two = await guidOf(browser);
    const logOutWith = async (path: string, account: 'player-one' | 'player-two', playerGuid?: string) => {
      const authorization = `Bearer ${await logins.identityProvider.accountToken(account)}`;
      const headers = { authorization, ...(playerGuid && { 'x-player-guid': playerGuid }) };
      const answer = await browser.request(logins.url + path, { method: 'POST', headers });
      return answer.status;
    };
    expect(await logOutWith('/auth/logout', 'player-one', one), 'token and page').toBe(401);
    expect(await logOutWith('/auth/logout', 'player-two', one), 'page').toBe(401);
    expect(await logOutWith('/auth/logout', 'player-one'), 'token').toBe(401);
    expect(await logOutWith('/auth/logout-everywhere', 'player-one', one)).toBe(204);
    expect((await logins.me(browser)).status, 'the login and the cookie are there').toBe(200);
    expect(await logOutWith('/auth/logout', 'player-two', two)).toBe(204);
    expect((await logins.me(browser)).status).toBe(401);
  });

  test('takes the cookie of a login that has ended away', async () => {
    const { browser, response } = await logins.logIn('player-one');
    const playerGuid = await guidOf(browser);
    const ended = browserWith({ session: cookieOf(response)?.value ?? '' });
    expect(await logOut(browser, '/auth/logout', playerGuid)).toBe(204);
    expect(await logOut(ended, '/auth/logout', playerGuid)).toBe(204);
    expect(await logOut(ended, '/auth/logout-everywhere', playerGuid)).toBe(401);
  });
});

describe('a session ends', () => {
  test('after a week in which nobody used it', async () => {
    const { browser } = await logins.logIn();
    logins.clock.advance(7 * DAY - 1000);
    expect((await logins.me(browser)).status).toBe(200);
    logins.clock.advance(7 * DAY);
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('after thirty days, however much it was used', async () => {
    const start = logins.clock.now();
    const { browser } = await logins.logIn();
    for (let day = 5; day < 30; day += 5) {
      logins.clock.set(start + day * DAY);
      const { status, body } = await logins.me(browser);
      expect(status, `day ${day}`).toBe(200);
      const end = Math.min(start + (day + 7) * DAY, start + 30 * DAY);
      expect(body.expiresAt).toBe(new Date(end).toISOString());
    }
    logins.clock.set(start + 30 * DAY);
    expect((await logins.me(browser)).status).toBe(401);
  });

  test('and is removed a week later, as unfinished logins are', async () => {
    await logins.logIn();
    await logins.begin(createBrowser());
    logins.clock.advance(8 * DAY);
    await createRetention({ ...loadConfig(logins.environment), ...logins }).removeExpired();
    expect([await logins.pending(), (await logins.sessions()).length]).toEqual([0, 0]);
  });
});

/** Starts another node with these secrets, beside the first. */
const startNode = async (...secrets: string[]) => {
  const port = await freePort();
  const config = loadConfig({
    ...logins.environment,
    PORT: String(port),
    SESSION_SECRET: secrets.join(','),
  });
  const node = await startObservedService(config, {
    logger: pino({ level: config.logLevel }),
    clock: logins.clock,
  });
  return { at: `http://127.0.0.1:${port}`, stop: node.stop };
};

test('a new first secret keeps everybody logged in, and the old one may be removed after each has come back', async () => {
  const active = await logins.logIn('player-one');
  const away = await logins.logIn('player-two');
  /** The status of `GET /auth/me` for each of these browsers on a node with these secrets. */
  const statusesWith = async (...secrets: string[]) => {
    const { at, stop } = await startNode(...secrets);
    const statuses = { active: (await logins.me(active.browser, at)).status, away: 0 };
    if (secrets.length < 2) statuses.away = (await logins.me(away.browser, at)).status;
    await stop();
    return statuses;
  };
  const keyIds = async () =>
    (await logins.sessions()).map(({ accessToken, refreshToken }) => [
      accessToken.split('.')[0],
      refreshToken?.split('.')[0],
    ]);
  expect((await statusesWith(SECRETS[1], SECRETS[0])).active).toBe(200);
  const [[first], [second]] = (await keyIds()) as [string[], string[]];
  expect(first).not.toBe(second);
  expect(await statusesWith(SECRETS[1])).toEqual({ active: 200, away: 401 });
  expect((await statusesWith(SECRETS[2])).active).toBe(401);
});

test('a cookie counts on nodes with either of two secrets in front, as long as all have both', async () => {
  const { browser } = await logins.logIn('player-one');
  const nodes = [await startNode(SECRETS[0], SECRETS[1]), await startNode(SECRETS[1], SECRETS[0])];
  const statuses: number[] = [];
  for (const { at } of [...nodes, ...nodes]) statuses.push((await logins.me(browser, at)).status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  // The first node has the old secret alone, and does not know what the new one has written.
  expect((await logins.me(browser)).status).toBe(401);
  for (const { stop } of nodes) await stop();
});

test('twenty logins a minute may begin at one address, and as many come back', async () => {
  const limited = await openLogins({ RATE_LIMIT_FACTOR: '1' });
  const statusesOf = async (path: string) => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++)
      statuses.push((await fetch(`${limited.url}${path}`, { redirect: 'manual' })).status);
    return statuses;
  };
  expect(await statusesOf('/auth/login')).toEqual([...Array(20).fill(302), 429]);
  expect(await statusesOf('/auth/callback?state=x&code=y')).toEqual([...Array(20).fill(400), 429]);
  await limited.stop();
});

test('over https the cookies are secure and bound to the host', async () => {
  const port = await freePort();
  const own = await openLogins({
    PORT: String(port),
    BASE_URL: 'https://matches.example/ranked',
    OAUTH_CALLBACK_URL: 'https://matches.example/ranked/oauth/done',
  });
  const at = `http://127.0.0.1:${port}`;
  const begun = await fetch(`${at}/auth/login`, { redirect: 'manual' });
  const [header = ''] = begun.headers.getSetCookie();
  expect(header).toMatch(
    /^__Host-login-[\w-]{12}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  expect(asked.get('redirect_uri')).toBe('https://matches.example/ranked/oauth/done');
  const headers = { cookie: header.split(';')[0] ?? '' };
  const back = await fetch(`${at}/oauth/done?state=${asked.get('state')}&error=access_denied`, {
    headers,
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toBe(`${WEBSITE}/?loginError=access_denied`);
  const document = (await (await fetch(`${at}/openapi.json`)).json()) as any;
  expect(document.components.securitySchemes.loginCookie.name).toBe('__Host-session');
  expect(document.paths['/seasons'].post.security).toEqual([{ bearer: [] }, { loginCookie: [] }]);
  await own.stop();
});
