import { generateKeyPairSync } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { wordsOf } from '../../src/domains/sessions/provider.ts';
import { freePort } from '../../src/local/postgres.ts';
import type { Service } from '../../src/service.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { type Browser, createBrowser } from '../local/browser.ts';
import { browserWith, cookieOf, json, type LoginFixture, openLogins, PROVIDER, WEBSITE } from './fixture.ts';

/** Logins and sessions with an identity provider that fails. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let logins: LoginFixture;
/** A second node on the same database, at the same time. */
let second: Service;
let secondUrl: string;
/** The lines in the log of the second node. */
const lines: { msg: string; code?: string; reason?: string }[] = [];
beforeAll(async () => {
  logins = await openLogins();
  const port = await freePort();
  secondUrl = `http://127.0.0.1:${port}`;
  const config = loadConfig({
    ...logins.environment,
    PORT: String(port),
    OAUTH_CALLBACK_URL: logins.callback,
    BASE_URL: secondUrl,
  });
  second = await startObservedService(config, {
    logger: pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) }),
    clock: logins.clock,
  });
});
afterAll(async () => {
  await second.stop();
  await logins.stop();
});
afterEach(() => {
  logins.door.answer(null);
  logins.identityProvider.fail(null);
  logins.identityProvider.alterLogins(null);
});

/** Wrong answers of the provider instead of tokens. */
const NONSENSE: [string, () => Parameters<LoginFixture['door']['answer']>[0]][] = [
  ['a page', () => (response) => void response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>')],
  [
    'JSON that is none',
    () => (response) => void response.setHeader('content-type', 'application/json').end('{'),
  ],
  ['an empty answer', () => json('')],
  ['null', () => json(null)],
  ['a list', () => json([])],
  ['a text', () => json('token')],
  ['no access token', () => json({ token_type: 'Bearer', expires_in: 60 })],
  ['an access token of another type', () => json({ access_token: { a: 1 }, expires_in: 60 })],
  ['an access token that is no JWT', () => json({ access_token: 'opaque', refresh_token: 'r' })],
  ['an error', () => json({ error: 'server_error' }, 500)],
  ['an error in a page', () => (response) => void response.writeHead(503).end('<h1>Down</h1>')],
  ['a redirect', () => (response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
  ['no answer', () => (response) => void response.destroy()],
  [
    'half an answer',
    () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"access_token":');
      setImmediate(() => response.destroy());
    },
  ],
  ['more than is sensible', () => json({ access_token: 'a'.repeat(100_000) })],
];

describe('a login', () => {
  test.each(NONSENSE)(
    'whose code is answered with %s ends on the website with provider_error',
    async (_case, answer) => {
      const browser = createBrowser();
      const callback = await logins.toCallback(browser);
      logins.door.answer(answer());
      const finished = await browser.request(callback);
      expect([finished.status, finished.headers.get('location')]).toEqual([
        302,
        `${WEBSITE}/home?loginError=provider_error`,
      ]);
      expect(cookieOf(finished)).toBeNull();
    },
  );

  test('does not wait for a provider that answers slowly or never ends its answer', async () => {
    const begin = async () => {
      const browser = createBrowser();
      return { browser, callback: await logins.toCallback(browser) };
    };
    const [silent, dripping] = [await begin(), await begin()];
    logins.door.answer(() => undefined);
    const first = silent.browser.request(silent.callback);
    await expect.poll(() => logins.door.asked.length).toBeGreaterThan(0);
    let isClosed = false;
    logins.door.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 200);
      response.on('close', () => {
        clearInterval(drip);
        isClosed = true;
      });
    });
    const answers = await Promise.all([first, dripping.browser.request(dripping.callback)]);
    for (const answer of answers)
      expect(answer.headers.get('location')).toBe(`${WEBSITE}/home?loginError=provider_error`);
    await expect.poll(() => isClosed).toBe(true);
  });

  test.each([
    ['another key', { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }],
    ['no key', { alg: 'none' }],
  ])('fails with a token signed with %s', async (_case, options) => {
    const token = await logins.identityProvider.mint({}, options);
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    logins.door.answer(json({ access_token: token, token_type: 'Bearer' }));
    const finished = await browser.request(callback);
    expect(finished.headers.get('location')).toBe(`${WEBSITE}/home?loginError=provider_error`);
  });

  test('that the provider refuses with an unknown error code is a provider_error', async () => {
    for (const error of ['server_error', 'invalid_scope', 'x'.repeat(5000), '<script>']) {
      const browser = createBrowser();
      const callback = await logins.toCallback(browser);
      callback.searchParams.delete('code');
      callback.searchParams.set('error', error);
      const finished = await browser.request(callback);
      expect(finished.headers.get('location')).toBe(`${WEBSITE}/home?loginError=provider_error`);
    }
  });

  test('without a refresh token lasts as long as its access token', async () => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    const token = await logins.identityProvider.accountToken('player-one', 600);
    logins.door.answer(json({ access_token: token, token_type: 'bearer', refresh_token: null }));
    expect((await browser.request(callback)).headers.get('location')).toBe(`${WEBSITE}/home`);
    const asked = logins.door.asked.length;
    logins.clock.advance(9 * MINUTE);
    expect((await logins.me(browser)).status).toBe(200);
    logins.clock.advance(2 * MINUTE);
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(logins.door.asked.length).toBe(asked);
  });
});

describe('the log of a login that fails', () => {
  /** The line of a login that the second node refuses. @param loginError null: it stays at the service */
  const lineOf = async (browser: Browser, callback: URL, loginError: string | null = 'provider_error') => {
    const at = lines.length;
    callback.port = new URL(secondUrl).port;
    const finished = await browser.request(callback);
    expect(finished.headers.get('location')).toBe(
      loginError === null ? null : `${WEBSITE}/home?loginError=${loginError}`,
    );
    const [line, ...others] = lines.slice(at).filter(({ msg }) => msg.includes('login'));
    expect(others).toEqual([]);
    return line ?? expect.fail('nothing is logged');
  };

  test.each([
    [{ iss: 'https://other.example' }, 'The access token comes from another issuer.'],
    [{ aud: 'urn:another-service' }, 'The access token is meant for another service.'],
    [{ tokenType: 'platform:game' }, 'A game token is not for the login of a browser.'],
  ])('says what is wrong with a token with %o', async (claims, reason) => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    logins.identityProvider.alterLogins(claims);
    expect(await lineOf(browser, callback)).toMatchObject({ code: 'TOKEN_INVALID', reason });
  });

  test('says that another issuer than IDP_ISSUER answered', async () => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    const expected = logins.identityProvider.issuer;
    callback.searchParams.set('iss', `${expected}/`);
    const line = await lineOf(browser, callback, null);
    expect(line).toMatchObject({ expected, received: `${expected}/`, leftOut: 0 });
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'No such code.' }, 'invalid_grant (No such code.)'],
    [401, { error: 'invalid_client', error_description: 'Wrong secret.' }, 'invalid_client (Wrong secret.)'],
    [401, { error: 'unauthorized', error_description: null }, 'unauthorized'],
    [
      200,
      { error: 'bad_verification_code', error_description: 'Expired.' },
      'bad_verification_code (Expired.)',
    ],
    [400, { error: 7, error_description: 'No code.' }, 'Response Error: 400 Bad Request'],
    [200, {}, 'there is no token in it'],
    [200, 'token a.b.c was revoked', 'there is no token in it'],
    [503, { error: 'invalid_grant', error_description: 'Down.' }, 'invalid_grant (Down.)'],
  ])('says what the provider answered: %i %o', async (status, answer, said) => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    logins.door.answer(json(answer, status));
    expect((await lineOf(browser, callback)).reason).toBe(`The provider answered ${status}: ${said}`);
  });

  test.each([
    [{ error: 'server_error', error_description: 'Try later.' }, 'server_error (Try later.)'],
    [{ error: 'invalid_scope' }, 'invalid_scope'],
    [{}, 'no code'],
  ])('says what the provider sent the browser back with: %o', async (answer, reason) => {
    const browser = createBrowser();
    const callback = await logins.toCallback(browser);
    callback.searchParams.delete('code');
    for (const [name, value] of Object.entries(answer)) callback.searchParams.set(name, value);
    expect((await lineOf(browser, callback)).reason).toBe(reason);
  });

  test('is cut when the provider says very much', async () => {
    const browsers = [createBrowser(), createBrowser()] as const;
    const callbacks = await Promise.all(browsers.map((browser) => logins.toCallback(browser)));
    const [refused, answered] = callbacks as [URL, URL];
    refused.searchParams.set('error', 'e'.repeat(5000));
    logins.door.answer(json({ error: 'invalid_request', error_description: 'e'.repeat(5000) }, 400));
    for (const reason of [
      (await lineOf(browsers[0], refused)).reason,
      (await lineOf(browsers[1], answered)).reason,
    ])
      expect(reason?.length).toBeLessThan(250);
  });

  test('has none of the secrets that the provider repeats', async () => {
    const token = await logins.identityProvider.accountToken('player-one');
    const { OAUTH_CLIENT_SECRET = '' } = logins.environment;
    const secrets = new Set([OAUTH_CLIENT_SECRET, token, ...token.split('.')]);
    const repeat: Parameters<LoginFixture['door']['answer']>[0] = (response, authorization = '') => {
      const form = logins.door.asked.at(-1) ?? new URLSearchParams();
      const sent = ['code', 'code_verifier', 'refresh_token'].flatMap((name) => form.get(name) ?? []);
      for (const secret of [...sent, authorization.replace('Basic ', '')]) secrets.add(secret);
      const said = [...sent, authorization, OAUTH_CLIENT_SECRET, 'x'.repeat(20), token].join(' ');
      return json({ error: 'invalid_request', error_description: said }, 400)(response, authorization);
    };
    const broken: typeof repeat = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"access_token":"${token}"x`);
    const at = lines.length;
    const { browser } = await logins.logIn();
    logins.clock.advance(59.5 * MINUTE);
    for (const answer of [repeat, broken]) {
      const other = createBrowser();
      const callback = await logins.toCallback(other);
      logins.door.answer(answer);
      await lineOf(other, callback);
      expect((await logins.me(browser, secondUrl)).status).toBe(200);
      logins.clock.advance(10_000);
      logins.door.answer(null);
    }
    const logged = lines.slice(at).map(({ reason }) => reason);
    expect(logged).toHaveLength(4);
    for (const secret of secrets) expect(logged.filter((line) => line?.includes(secret))).toEqual([]);
    expect(logged.join()).not.toContain(token.slice(0, 8));
  });
});

test('a secret is taken out of the provider’s words as a form and an address spell it, too', () => {
  const secret = 'a b+/=%&c';
  const spellings = [secret, encodeURIComponent(secret), new URLSearchParams({ secret }).toString()];
  const words = wordsOf({ error: 'invalid_client', error_description: spellings.join(', ') }, [secret]);
  expect(words).toBe('invalid_client ([redacted], [redacted], secret=[redacted])');
});

test('a provider that accepts the client’s secret only in the body is detected once', async () => {
  const own = await openLogins();
  own.door.answer((response, authorization) =>
    authorization === undefined ? PROVIDER : response.writeHead(401).end('Unauthorized'),
  );
  for (const [login, requests] of [2, 1].entries()) {
    const before = own.door.asked.length;
    const { browser, location } = await own.logIn();
    expect([location, (await own.me(browser)).status]).toEqual([`${WEBSITE}/home`, 200]);
    expect(own.door.asked.length - before, `login ${login + 1}`).toBe(requests);
    expect(own.door.authorization()).toBeUndefined();
    expect(own.door.asked.at(-1)?.get('client_secret')).toBe(own.environment.OAUTH_CLIENT_SECRET);
  }
  await own.stop();
});

test('a secret that the provider refuses is sent twice, once in each way, and not again', async () => {
  const before = logins.door.asked.length;
  const browser = createBrowser();
  const callback = await logins.toCallback(browser);
  logins.door.answer((response) => void response.writeHead(401).end('Unauthorized'));
  const finished = await browser.request(callback);
  expect(finished.headers.get('location')).toBe(`${WEBSITE}/home?loginError=provider_error`);
  expect(logins.door.asked.length).toBe(before + 2);
});

describe('the tokens of a session', () => {
  /** A session whose access token is about to end (`due`), has ended within the tolerance for clocks (`late`), or before (`over`). */
  const AGES = { due: 59.5 * MINUTE, late: HOUR + 20_000, over: 2 * HOUR } as const;
  const logInUntil = async (state: keyof typeof AGES, account = 'player-one') => {
    const login = await logins.logIn(account);
    logins.clock.advance(AGES[state]);
    return login;
  };
  const renewals = () =>
    logins.door.asked.filter((form) => form.get('grant_type') === 'refresh_token').length;

  test('are renewed shortly before they end, once, and roles and name follow', async () => {
    const { browser } = await logins.logIn('player-one');
    const before = renewals();
    logins.clock.advance(58 * MINUTE);
    await logins.me(browser);
    expect(renewals()).toBe(before);
    logins.clock.advance(1.5 * MINUTE);
    logins.identityProvider.alterLogins({ username: 'Promoted', permissions: ['role:pooler'] });
    expect((await logins.me(browser)).body).toMatchObject({ username: 'Promoted', roles: ['role:pooler'] });
    await logins.me(browser);
    expect(renewals()).toBe(before + 1);
  });

  test.each(['due', 'over'] as const)(
    'are renewed once when many ask at once on two nodes (%s)',
    async (state) => {
      const { browser } = await logInUntil(state);
      const before = renewals();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => logins.me(browser, i % 2 === 0 ? logins.url : secondUrl)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      expect(renewals()).toBe(before + 1);
      // The provider ends a login whose refresh token comes twice. This session has the newest one.
      logins.clock.advance(HOUR);
      expect((await logins.me(browser)).status).toBe(200);
    },
  );

  test.each(['due', 'late'] as const)(
    'that are still accepted (%s) are used while another request renews them, on this node or another',
    async (state) => {
      const { browser } = await logInUntil(state);
      const before = renewals();
      const release = logins.door.hold();
      let isRenewed = false;
      const waiting = logins.me(browser).finally(() => {
        isRenewed = true;
      });
      await expect.poll(renewals).toBe(before + 1);
      for (const at of [logins.url, secondUrl]) expect((await logins.me(browser, at)).status).toBe(200);
      expect(isRenewed).toBe(false);
      release();
      expect((await waiting).status).toBe(200);
      expect(renewals()).toBe(before + 1);
    },
  );

  test('are renewed by one of those who wait, on two nodes, when the lease of a node that died has ended', async () => {
    const { prisma } = logins.database;
    const { browser } = await logInUntil('over');
    const before = renewals();
    const { sessionGuid } = (await logins.sessions()).at(-1) ?? expect.fail('no session');
    const lease = { renewalHeldUntil: new Date(logins.clock.now() + 40_000), version: { increment: 1 } };
    const ask = (at: string) => Array.from({ length: 6 }, () => logins.me(browser, at));
    const answers = await prisma.$transaction(
      async (tx) => {
        await tx.loginSession.update({ where: { sessionGuid }, data: lease });
        const asked = Promise.all([...ask(logins.url), ...ask(secondUrl)]);
        // Each node tries to get the lease, which the dead one has just taken.
        await expect.poll(() => waitingForLocks(logins.database)).toBe(2);
        logins.clock.advance(40_000);
        return { asked };
      },
      { timeout: 60_000 },
    );
    expect((await answers.asked).map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(renewals()).toBe(before + 1);
  });

  test('are renewed at once when the database that failed in the middle of a renewal works again', async () => {
    const { prisma } = logins.database;
    const { browser } = await logInUntil('over');
    await prisma.$executeRawUnsafe(
      `ALTER TABLE "LoginSession" ADD CONSTRAINT "broken" CHECK ("version" <> 3 AND NOT "renewalFailed") NOT VALID`,
    );
    expect((await logins.me(browser)).status).toBe(500);
    await prisma.$executeRawUnsafe('ALTER TABLE "LoginSession" DROP CONSTRAINT "broken"');
    expect((await logins.me(browser)).status).toBe(200);
  });

  test.each([
    // A renewal stores first the lease, then the refresh token (the third version), and both tokens after the player.
    ['the player cannot be stored', 'Player', `"username" <> 'Renamed'`],
    ['the refresh token cannot be stored', 'LoginSession', '"version" <> 3'],
  ])('are not lost when the provider has answered and %s', async (_case, table, condition) => {
    const { prisma } = logins.database;
    const { browser } = await logInUntil('due');
    logins.identityProvider.alterLogins({ username: 'Renamed' });
    await prisma.$executeRawUnsafe(
      `ALTER TABLE "${table}" ADD CONSTRAINT "broken" CHECK (${condition}) NOT VALID`,
    );
    const before = renewals();
    expect((await logins.me(browser)).status).toBe(500);
    await prisma.$executeRawUnsafe(`ALTER TABLE "${table}" DROP CONSTRAINT "broken"`);
    expect(renewals()).toBe(before + 1);
    logins.clock.advance(20_000);
    expect((await logins.me(browser)).body).toMatchObject({ username: 'Renamed' });
    logins.clock.advance(HOUR);
    expect((await logins.me(browser)).status).toBe(200);
  });

  test('are left to a node that renews them slowly', async () => {
    const { browser } = await logInUntil('due');
    const before = renewals();
    const release = logins.door.hold();
    const waiting = logins.me(browser);
    await expect.poll(renewals).toBe(before + 1);
    logins.clock.advance(25_000);
    expect((await logins.me(browser, secondUrl)).status).toBe(200);
    release();
    expect((await waiting).status).toBe(200);
    expect(renewals()).toBe(before + 1);
  });

  test('that are still valid are used while the provider is down, and the renewal is tried again later', async () => {
    const { browser } = await logInUntil('due');
    const before = renewals();
    logins.door.answer((response) => void response.destroy());
    for (let i = 0; i < 5; i++) expect((await logins.me(browser)).status).toBe(200);
    expect(renewals()).toBe(before + 1);
    logins.clock.advance(10_000);
    expect((await logins.me(browser)).status).toBe(200);
    expect(renewals()).toBe(before + 2);
  });

  test('that have ended while the provider is down are refused, and renewed when it is back', async () => {
    const { browser } = await logInUntil('over');
    logins.door.answer((response) => void response.destroy());
    const refused = await logins.me(browser);
    expect(refused).toMatchObject({ status: 401, code: 'TOKEN_EXPIRED' });
    expect(refused.body.error.message).toContain('could not be renewed');
    expect((await browser.request(`${logins.url}/seasons`)).status, 'a public read goes on').toBe(200);
    expect((await logins.post(browser, '/seasons')).status).toBe(401);
    logins.door.answer(null);
    logins.clock.advance(10_000);
    expect((await logins.me(browser)).status).toBe(200);
  });

  test.each(NONSENSE)('are not lost to %s', async (_case, answer) => {
    const { browser } = await logInUntil('due');
    logins.door.answer(answer());
    expect((await logins.me(browser)).status).toBe(200);
    logins.door.answer(null);
    logins.clock.advance(10_000);
    expect((await logins.me(browser)).status).toBe(200);
  });

  test.each([
    [400, 'invalid_grant'],
    [401, 'invalid_grant'],
    [401, 'invalid_token'],
    [400, 'expired_token'],
    [200, 'invalid_grant'],
  ])('end with the login at the provider, which says so with %i %s', async (status, error) => {
    const { browser, response } = await logInUntil('due');
    logins.door.answer(json({ error, error_description: 'revoked' }, status));
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    logins.door.answer(null);
    const cookie = cookieOf(response)?.value ?? '';
    expect((await logins.me(browserWith({ session: cookie }))).status).toBe(401);
  });

  test.each([
    [401, { error: 'invalid_client' }],
    [401, { error: 'unauthorized' }],
    [401, {}],
    [400, { error: 'unauthorized_client' }],
    [503, { error: 'temporarily_unavailable' }],
    [503, { error: 'invalid_grant' }],
    [429, { error: 'invalid_grant' }],
  ])('do not end with a refusal that is not of them: %i %o', async (status, answer) => {
    const { browser } = await logInUntil('over');
    logins.door.answer(json(answer, status));
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'TOKEN_EXPIRED' });
    logins.door.answer(null);
    logins.clock.advance(10_000);
    expect((await logins.me(browser)).status).toBe(200);
  });

  test('are not replaced by those of a game, as at a login', async () => {
    const { browser } = await logInUntil('due', 'admin');
    const before = renewals();
    logins.identityProvider.alterLogins({ tokenType: 'platform:game' });
    const read = async () => (await browser.request(`${logins.url}/audit-log`)).status;
    expect([await read(), await read()]).toEqual([200, 200]);
    expect(renewals()).toBe(before + 1);
    logins.identityProvider.alterLogins(null);
    logins.clock.advance(10_000);
    expect(await read()).toBe(200);
    expect(renewals()).toBe(before + 2);
  });

  test.each([
    ['takes the scope away', () => ({ scope: 'openid' })],
    ['renews them for somebody else', () => ({ sub: logins.identityProvider.accounts.admin.sub })],
    ['renews them for somebody who was never here', () => ({ sub: 'never-here' })],
  ])('end when the provider %s', async (_case, claims) => {
    await logins.logIn('admin');
    const { browser } = await logInUntil('due');
    logins.identityProvider.alterLogins(claims());
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    logins.identityProvider.alterLogins(null);
    expect(await logins.me(browser)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('are renewed when the provider has changed its key', async () => {
    const { browser } = await logins.logIn('player-two');
    const before = renewals();
    await logins.identityProvider.rotateKeys();
    // The service looks for new keys at most once a minute; a token of the new key makes it look.
    logins.clock.advance(2 * MINUTE);
    const token = await logins.identityProvider.accountToken('admin');
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${logins.url}/auth/me`, { headers })).status).toBe(200);
    expect((await logins.me(browser)).status).toBe(200);
    expect(renewals()).toBe(before + 1);
  });

  test('are renewed with a key that the provider has changed within the minute', async () => {
    const { browser } = await logInUntil('due');
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const unknown = await logins.identityProvider.mint({}, { key });
    const headers = { authorization: `Bearer ${unknown}` };
    expect((await fetch(`${logins.url}/auth/me`, { headers })).status).toBe(401);
    await logins.identityProvider.rotateKeys();
    const before = renewals();
    expect((await logins.me(browser)).status).toBe(200);
    expect(renewals()).toBe(before + 1);
    // The old refresh token is used up, and the provider would end the login at another use of it.
    logins.clock.advance(2 * HOUR);
    expect((await logins.me(browser)).status).toBe(200);
    expect(renewals()).toBe(before + 2);
  });

  test('cannot be decrypted in another row or column of the database', async () => {
    const player = await logins.logIn('player-one');
    logins.clock.advance(1);
    const admin = await logins.logIn('admin');
    const rows = (await logins.sessions()).slice(-2);
    const [own, theirs] = rows as [(typeof rows)[0], (typeof rows)[0]];
    const { loginSession } = logins.database.prisma;
    const where = { sessionGuid: own.sessionGuid };
    await loginSession.update({ where, data: { accessToken: theirs.accessToken } });
    expect((await logins.me(player.browser)).status).toBe(401);
    await loginSession.update({ where, data: { accessToken: own.refreshToken ?? '' } });
    expect((await logins.me(player.browser)).status).toBe(401);
    const last = own.accessToken.at(-1) === 'A' ? 'B' : 'A';
    await loginSession.update({
      where,
      data: { accessToken: own.accessToken.slice(0, -4) + last.repeat(4) },
    });
    expect((await logins.me(player.browser)).status).toBe(401);
    await loginSession.update({ where, data: { accessToken: own.accessToken } });
    expect((await logins.me(player.browser)).body.username).toBe('Local Player One');
    expect((await logins.me(admin.browser)).body.username).toBe('Local Admin');
  });
});

test('a login works on every node, also across nodes', async () => {
  const { browser } = await logins.logIn('player-two');
  const unfinished = createBrowser();
  const callback = await logins.toCallback(unfinished);
  expect((await logins.me(browser, secondUrl)).status).toBe(200);
  // The callback of a login may come to any node.
  const elsewhere = new URL(callback);
  elsewhere.port = new URL(secondUrl).port;
  expect((await unfinished.request(elsewhere)).headers.get('location')).toBe(`${WEBSITE}/home`);
});
