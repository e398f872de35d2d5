import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { socketContract } from '../../src/contract.ts';
import { ACCESS, type Access, accessOf, isStaffOnly } from '../../src/domains/auth/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { knock } from '../contract/raw-socket.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Every route of the running service, as Fastify reports them to tracing tools. */
const routes = new Map<string, { method: string; url: string; access: Access | undefined }>();
const onServer = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    // Preflights are answered before the guard.
    for (const one of [method].flat().filter((name) => name !== 'OPTIONS')) {
      const access = accessOf(one, config?.accessAs ?? url);
      routes.set(`${one} ${url}`, { method: one, url, access });
    }
  });
};

let service: TestService;
const tokens = new Map<string, string | null>();
const ROLES = ['role:pooler', 'role:developer', 'role:admin'];

beforeAll(async () => {
  subscribe('fastify.initialization', onServer);
  service = await startTestService();
  unsubscribe('fastify.initialization', onServer);
  const person = (name: string, permissions: string[], more = {}) =>
    service.identityProvider.mint({ sub: name, platformId: null, permissions, ...more });
  tokens.set('nobody', null);
  tokens.set('a game token with every role', await person('game', ROLES, { tokenType: 'platform:game' }));
  tokens.set('a person without a role', await person('person', []));
  for (const role of ROLES) tokens.set(role, await person(role, [role]));
  const banned = await person('banned', ROLES);
  tokens.set('banned', banned);
  const me = await fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${banned}` } });
  const { playerGuid } = (await me.json()) as { playerGuid: string };
  const ban = await service.request('admin', 'POST', `/players/${playerGuid}/bans`, {
    reason: 'x',
    until: null,
  });
  expect(ban.status).toBe(201);
});
afterAll(() => service.stop());

/** The refusal that the contract gives a caller on a route; null when the caller is let through. */
function refusalOf(caller: string, { access, method }: { access: Access | undefined; method: string }) {
  const isWrite = !['GET', 'HEAD'].includes(method);
  const isOpen = access === 'public' || access === 'anyone' || access === 'probe' || access === 'login';
  if (caller === 'nobody') return isOpen ? null : 'UNAUTHENTICATED';
  // The check of the plugin version comes before the ban, as on the socket.
  if (access === 'plugin') return caller.startsWith('a game token') ? null : 'TOKEN_TYPE_NOT_ALLOWED';
  if (caller === 'banned') return isWrite && access !== 'logout' ? 'BANNED' : null;
  // The path is about somebody else.
  if (access === 'erasure') return caller === 'role:admin' ? null : 'FORBIDDEN';
  if (access === 'person') return caller === 'role:admin' || caller === 'banned' ? null : 'FORBIDDEN';
  if (access === undefined || !isStaffOnly(access)) return null;
  return access.some((role) => role === caller) ? null : 'FORBIDDEN';
}

/** Routes that look at no credentials: the older pooling routes, which are always refused, and pages with their files. */
const BEFORE_GUARD =
  /^\/(queue(\/\*)?|assets\/[\w.-]+|favicon\.svg|robots\.txt|preview\.png|(match|overlay|ladder|player|pool)\/:\w+(\/preview\.png)?|me|staff(\/[a-z]+(\/:\w+)?)?)?$/;

const PARAMETERS: Record<string, string> = {
  gameVersion: '9.9.9',
  hash: 'A'.repeat(40),
  roundNumber: '1',
  platformId: '1',
  '*': 'static/swagger-ui.css',
};
const configProblems = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment);
    return '';
  } catch (error) {
    return String(error);
  }
};
const fill = (url: string): string =>
  url.replace(/:(\w+)|\*/g, (all, name = all) => PARAMETERS[name] ?? newGuid());

describe('every registered route', () => {
  test('has an entry in the access table, and every entry has a route', () => {
    expect(routes.size).toBeGreaterThan(60);
    const unknown = [...routes.values()].filter(({ access }) => access === undefined);
    expect(unknown.filter(({ url }) => !BEFORE_GUARD.test(url))).toEqual([]);
    // Wildcards cover the files of a page.
    const apart = /\/\*$|^PUT \/internal\//;
    const entries = Object.keys(ACCESS).filter((entry) => !apart.test(entry));
    expect(entries.filter((entry) => !routes.has(entry))).toEqual([]);
  });

  test('has a path that the callback of logins may not have', () => {
    const { environment } = service;
    const isTaken = ({ url }: { url: string }) => {
      const OAUTH_CALLBACK_URL = service.url + fill(url);
      return !configProblems({ ...environment, OAUTH_CALLBACK_URL }).includes('OAUTH_CALLBACK_URL');
    };
    const taken = [...routes.values()].filter(isTaken).map(({ url }) => url);
    expect(taken).toEqual(['/auth/callback']);
  });

  test.each(['nobody', 'a game token with every role', 'a person without a role', ...ROLES, 'banned'])(
    'lets %s in exactly where the table says so',
    async (caller) => {
      const token = tokens.get(caller) ?? null;
      const wrong: string[] = [];
      for (const [name, route] of routes) {
        if (route.access === 'internal' || /^\/queue(\/|$)/.test(route.url)) continue;
        const answer = await fetch(service.url + fill(route.url), {
          method: route.method,
          redirect: 'manual',
          headers: token === null ? {} : { authorization: `Bearer ${token}` },
        });
        if (route.access === undefined) {
          if ([401, 403].includes(answer.status)) wrong.push(`${name}: ${answer.status}`);
          continue;
        }
        const isStream = answer.headers.get('content-type') === 'text/event-stream';
        if (isStream) await answer.body?.cancel();
        const text = isStream ? '' : await answer.text();
        const code = answer.status >= 400 && text !== '' ? JSON.parse(text).error.code : null;
        const expected = refusalOf(caller, route);
        const isRefused = [401, 403].includes(answer.status);
        if (expected === null ? isRefused : route.method === 'HEAD' ? !isRefused : code !== expected)
          wrong.push(`${name}: ${answer.status} ${code}, expected ${expected ?? 'to be let in'}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('every message of the socket channel', () => {
  test.each([
    ['nobody', 'TOKEN_MISSING'],
    ['a person without a role', 'TOKEN_TYPE_NOT_ALLOWED'],
    ...ROLES.map((role) => [role, 'TOKEN_TYPE_NOT_ALLOWED']),
    ['a game token with every role', 'PLATFORM_NOT_VERIFIED'],
  ] as [string, string][])('cannot be sent by %s: the channel admits only players', async (caller, code) => {
    const refusal = await knock(service.url, { token: tokens.get(caller), pluginVersion: '1.0.0' });
    expect(refusal?.message).toBe(code);
  });

  test('can be sent by a player without a role', async () => {
    const anna = await service.connect('Anna');
    for (const event of Object.keys(socketContract.toServer)) {
      const answer = await anna.ask(event, {});
      expect(answer.ok ? 'ok' : answer.error.code, event).not.toMatch(
        /UNKNOWN_EVENT|FORBIDDEN|UNAUTHENTICATED/,
      );
    }
  });
});
