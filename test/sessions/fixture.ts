import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { type Browser, createBrowser } from '../local/browser.ts';

export const WEBSITE = 'http://website.example';

/** Answers a token request instead of the provider, unless it returns `PROVIDER`. */
type TokenAnswer = (response: ServerResponse, authorization: string | undefined) => unknown;
export const PROVIDER = Symbol('the provider answers');

/** A proxy in front of the provider's token address, which records requests and lets a test answer them. */
export interface TokenDoor {
  url: string;
  /** The forms of all token requests, oldest first. */
  readonly asked: URLSearchParams[];
  /** The `Authorization` of the last one. */
  authorization(): string | undefined;
  /** Sets a function that answers instead of the provider, until called with null. */
  answer(answer: TokenAnswer | null): void;
  /** Holds every answer of the provider back until the returned function is called. */
  hold(): () => void;
  leadTo(url: string): void;
  stop(): Promise<void>;
}

async function openTokenDoor(): Promise<TokenDoor> {
  const asked: URLSearchParams[] = [];
  let authorization: string | undefined;
  let target = '';
  let instead: TokenAnswer | null = null;
  let held = Promise.resolve();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    asked.push(new URLSearchParams(body));
    authorization = request.headers.authorization;
    if (instead !== null && instead(response, authorization) !== PROVIDER) return;
    const { 'content-type': type = '' } = request.headers;
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': type, ...(authorization && { authorization }) },
      body,
    });
    const text = await answer.text();
    await held;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?tenant=one`,
    asked,
    authorization: () => authorization,
    answer: (answer) => {
      instead = answer;
    },
    hold: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    leadTo: (url) => {
      target = url;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const json = (body: unknown, status = 200): TokenAnswer => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
};

export interface LoginFixture extends Awaited<ReturnType<typeof openLogins>> {}

/** The service with a website, a clock moved by hand, and a door in front of the provider's token address. */
export async function openLogins(environment: Record<string, string> = {}) {
  const clock = manualClock(Date.now());
  const door = await openTokenDoor();
  const service: TestService = await startTestService({
    clock,
    environment: { WEBSITE_ORIGINS: WEBSITE, IDP_TOKEN_URL: door.url, ...environment },
  });
  const { url, identityProvider, database } = service;
  door.leadTo(identityProvider.tokenUrl);
  const callback = service.environment.OAUTH_CALLBACK_URL ?? `${url}/auth/callback`;

  /** Begins a login. @returns the provider's page. */
  const begin = async (browser: Browser, returnTo: string = `${WEBSITE}/home`): Promise<URL> => {
    const page = await browser.open(`${url}/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
    return page.url;
  };
  /** Presses a button of the provider's page. @returns the address of the callback. */
  const press = async (browser: Browser, page: URL, button: Record<string, string>): Promise<URL> => {
    const pressed = await browser.open(page, callback, {
      method: 'POST',
      body: new URLSearchParams(button),
    });
    return pressed.url;
  };

  return {
    ...service,
    clock,
    door,
    callback,
    begin,
    press,
    /** A login up to the callback, which is not opened. */
    toCallback: async (browser: Browser, account = 'player-one'): Promise<URL> =>
      press(browser, await begin(browser), { account }),
    /** A whole login. @returns the browser that did it, and where it was sent. */
    logIn: async (account = 'player-one', browser = createBrowser(), returnTo?: string) => {
      const page = await begin(browser, returnTo);
      const response = await browser.request(await press(browser, page, { account }));
      return { browser, response, location: response.headers.get('location') };
    },
    /** The answer of `GET /auth/me` to a browser. */
    me: async (browser: Browser, at = url) => {
      const response = await browser.request(`${at}/auth/me`);
      const body = (await response.json()) as any;
      return { status: response.status, body, code: body.error?.code as string | undefined };
    },
    /** A request with the cookie and an `Origin`; null leaves it out. */
    post: async (browser: Browser, path: string, origin: string | null = WEBSITE, body?: object) => {
      const response = await browser.request(url + path, {
        method: 'POST',
        headers: {
          ...(origin !== null && { origin }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        code: text && JSON.parse(text).error?.code,
        headers: response.headers,
      };
    },
    sessions: () => database.prisma.loginSession.findMany({ orderBy: { startedAt: 'asc' } }),
    pending: () => database.prisma.pendingLogin.count(),
    stop: async () => {
      await service.stop();
      await door.stop();
    },
  };
}

/** The value of the login cookie in an answer, with the attributes it came with. */
export function cookieOf(response: Response): { value: string; attributes: string[] } | null {
  const header = response.headers.getSetCookie().find((one) => one.startsWith('session='));
  if (header === undefined) return null;
  const [pair = '', ...attributes] = header.split(/;\s*/);
  return { value: pair.slice('session='.length), attributes };
}

/** A browser of somebody else that was given these cookies. */
export function browserWith(cookies: Record<string, string>): Browser {
  const header = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const request: Browser['request'] = (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', header);
    return fetch(url, { ...init, headers, redirect: 'manual' });
  };
  return {
    request,
    open: async (url) => ({ response: await request(url), url: new URL(url) }),
  };
}
