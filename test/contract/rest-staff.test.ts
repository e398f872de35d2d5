import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listEntries, loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type Answer, ask } from '../harness/ask.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Permissions of staff over HTTP, with tokens of the identity provider. */

let service: TestService;
let tokens: Record<'admin' | 'developer' | 'pooler' | 'reviewer' | 'player' | 'game', string>;
beforeAll(async () => {
  service = await startTestService();
  const { identityProvider } = service;
  const mint = (sub: string, claims: object) => identityProvider.mint({ sub, platformId: null, ...claims });
  tokens = {
    admin: await identityProvider.accountToken('admin'),
    developer: await mint('developer', { permissions: ['role:developer'] }),
    pooler: await identityProvider.accountToken('pooler-one'),
    reviewer: await identityProvider.accountToken('pooler-two'),
    player: await identityProvider.accountToken('player-one'),
    game: await mint('gamer', {
      tokenType: 'platform:game',
      platformId: '770011',
      platformVerified: true,
      permissions: ['role:pooler', 'role:admin', 'role:developer'],
    }),
  };
});
afterAll(() => service.stop());

type Who = keyof typeof tokens | null;
const as = (who: Who, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  ask(`${service.url}${path}`, method, { token: who && tokens[who], body, headers });
const outcome = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body.error.code}`);

const UNKNOWN = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
const producers: Who[] = ['admin', 'developer'];
const poolers: Who[] = ['pooler'];
const staff: Who[] = ['admin', 'developer', 'pooler'];
const admins: Who[] = ['admin'];

describe('a staff route', () => {
  test.each<[string, string, Who[]]>([
    ['POST', '/seasons', producers],
    ['PATCH', '/seasons/{}', producers],
    ['POST', '/map-categories', producers],
    ['PATCH', '/map-categories/{}', producers],
    ['DELETE', '/map-categories/{}', producers],
    ['POST', '/pools', producers],
    ['PATCH', '/pools/{}', producers],
    ['DELETE', '/pools/{}', producers],
    ['POST', '/pools/{}/maps', poolers],
    ['POST', '/pools/{}/maps/batch', poolers],
    ['PATCH', '/pools/{}/maps/{}', poolers],
    ['DELETE', '/pools/{}/maps/{}', poolers],
    ['POST', '/pools/{}/submit', poolers],
    ['POST', '/pools/{}/reviews', staff],
    ['GET', '/pools/{}/reviews', staff],
    ['POST', '/pools/{}/publish', producers],
    ['POST', '/pools/{}/retire', producers],
    ['POST', '/pools/{}/copy', producers],
    ['POST', '/queues', producers],
    ['PATCH', '/queues/{}', producers],
    ['POST', '/queues/{}/open', producers],
    ['POST', '/queues/{}/drain', producers],
    ['POST', '/queues/{}/close', producers],
    ['PUT', '/players/{}/roles', admins],
    ['GET', '/players/{}/roles', admins],
    ['POST', '/players/{}/bans', admins],
    ['GET', '/players/{}/bans', admins],
    ['GET', '/players/{}/bans/{}', admins],
    ['DELETE', '/players/{}/bans/{}', admins],
    ['POST', '/matches/{}/result/preview', admins],
    ['GET', '/matches/{}/replays', staff],
    ['GET', '/players/{}/standing', admins],
    ['GET', '/audit-log', admins],
    ['GET', '/audit-log/actions', admins],
    ['GET', '/reports', admins],
    ['PATCH', '/reports/{}', admins],
    ['GET', '/replay-reviews', admins],
    ['GET', '/replay-reviews/{}', admins],
  ])('allows exactly the roles of the table: %s %s', async (method, pattern, allowed) => {
    const path = pattern.replaceAll('{}', UNKNOWN);
    const body = method === 'GET' || method === 'DELETE' ? undefined : { unexpected: true };
    expect(outcome(await as(null, method, path, body))).toBe('401 UNAUTHENTICATED');
    for (const who of ['player', 'game', 'admin', 'developer', 'pooler'] as const) {
      const answer = await as(who, method, path, body);
      const refused = answer.body?.error?.code === 'FORBIDDEN';
      expect([who, refused]).toEqual([who, !allowed.includes(who)]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (refused) expect(answer.status).toBe(403);
      // The caller is allowed: the request fails later, by its content or an unknown resource.
      else expect([200, 400, 404]).toContain(answer.status);
    }
  });

  test('needs credentials exactly where the HTTP reference says so', async () => {
    const { body: document } = await as(null, 'GET', '/openapi.json');
    for (const [path, operations] of Object.entries<Record<string, { security?: object[] }>>(document.paths))
      for (const [method, { security }] of Object.entries(operations)) {
        const url = path.replaceAll(/\{\w*[gG]uid\}/g, UNKNOWN);
        if (url.includes('{')) continue;
        const { status } = await fetch(`${service.url}${url}`, { method: method.toUpperCase() });
        const needs = (security ?? []).length > 0;
        expect([method, path, status === 401]).toEqual([method, path, needs]);
      }
  });
});

describe('credentials', () => {
  test('are checked in this order: expiry, issuer and audience, scope', async () => {
    const { mint } = service.identityProvider;
    const now = Math.floor(Date.now() / 1000);
    const ask = async (claims: Record<string, unknown>) => {
      const token = await mint({ sub: 'somebody', platformId: null, ...claims });
      const answer = await fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
      const { error } = (await answer.json()) as { error?: { code: string } };
      return error ? `${answer.status} ${error.code}` : answer.status;
    };
    const wrong = { exp: now - 60, iss: 'https://else.example', aud: 'else', scope: 'other' };
    expect(await ask({})).toBe(200);
    expect(await ask({ exp: now - 20 })).toBe(200);
    expect(await ask(wrong)).toBe('401 TOKEN_EXPIRED');
    expect(await ask({ ...wrong, exp: now + 60 })).toBe('401 UNAUTHENTICATED');
    expect(await ask({ aud: 'else', scope: 'other' })).toBe('401 UNAUTHENTICATED');
    expect(await ask({ scope: 'other' })).toBe('403 INSUFFICIENT_SCOPE');
    expect(await ask({ scope: undefined, scopes: ['other', 'service'] })).toBe(200);
    expect(await ask({ nbf: now + 300 })).toBe('401 UNAUTHENTICATED');
  });

  test('name the player', async () => {
    const { body } = await as('pooler', 'GET', '/auth/me');
    const person = z.strictObject({
      subject: z.string(),
      playerGuid: z.guid(),
      username: z.string(),
      avatarUrl: z.string().nullable(),
      platformId: z.string().regex(/^\d+$/),
      roles: z.tuple([z.literal('role:pooler')]),
      expiresAt: z.iso.datetime(),
    });
    expect(person.safeParse(body).error).toBeUndefined();
  });

  test('of a banned person can read and not write', async () => {
    const { playerGuid } = (await as('developer', 'GET', '/auth/me')).body;
    const ban = await as('admin', 'POST', `/players/${playerGuid}/bans`, { reason: 'Why', until: null });
    expect(ban.status).toBe(201);
    expect(outcome(await as('developer', 'GET', '/pools'))).toBe(200);
    expect(outcome(await as('developer', 'POST', '/pools', { name: 'x' }))).toBe('403 BANNED');
    const lift = () => as('admin', 'DELETE', `/players/${playerGuid}/bans/${ban.body.banGuid}`);
    expect([await lift(), await lift()].map(outcome)).toEqual([204, 204]);
    expect(outcome(await as('developer', 'POST', '/pools', { name: 'x' }))).toBe('400 VALIDATION_FAILED');
  });

  test('have the roles of all sources, each with its source', async () => {
    const me = (await as('player', 'GET', '/auth/me')).body.playerGuid;
    const set = (who: string, roles: string[]) => as('admin', 'PUT', `/players/${who}/roles`, { roles });
    expect(outcome(await set(me, ['role:pooler', 'role:pooler']))).toBe('400 VALIDATION_FAILED');
    expect(outcome(await set(me, ['role:king']))).toBe('400 VALIDATION_FAILED');
    expect((await set(me, ['role:pooler'])).body.roles).toEqual([
      expect.objectContaining({ role: 'role:pooler', source: 'granted' }),
    ]);
    expect((await as('player', 'GET', '/auth/me')).body.roles).toEqual(['role:pooler']);
    expect(outcome(await as('player', 'POST', `/pools/${UNKNOWN}/submit`))).toBe('404 POOL_NOT_FOUND');
    expect((await set(me, [])).body.roles).toEqual([]);
    expect(outcome(await as('player', 'POST', `/pools/${UNKNOWN}/submit`))).toBe('403 FORBIDDEN');
  });
});

describe('a pool becomes a queue', () => {
  const entries = listEntries(loadCatalogue()).filter((entry) => entry.playable && entry.maxScore !== null);

  test('from a season to an open queue, by all roles', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const season = await as('developer', 'POST', '/seasons', {
      name: 'One',
      startsAt: at(-1),
      endsAt: at(1),
    });
    expect(season.status).toBe(201);
    const overlap = { name: 'Two', startsAt: at(0), endsAt: at(2) };
    expect(outcome(await as('admin', 'POST', '/seasons', overlap))).toBe('409 SEASON_OVERLAP');
    const next = { ...overlap, startsAt: season.body.endsAt };
    expect(outcome(await as('admin', 'POST', '/seasons', next))).toBe(201);

    const category = await as('admin', 'POST', '/map-categories', { name: 'tech', color: '#ff00aa' });
    expect(category.body).toEqual({
      categoryGuid: expect.any(String),
      name: 'tech',
      color: '#FF00AA',
      position: expect.any(Number),
    });
    expect(outcome(await as('admin', 'POST', '/map-categories', { name: 'tech' }))).toBe('409 CONFLICT');

    const { seasonGuid } = season.body;
    const { categoryGuid } = category.body;
    const pool = (await as('admin', 'POST', '/pools', { seasonGuid, name: 'Pool' })).body;
    expect(pool).toEqual({
      poolGuid: expect.any(String),
      seasonGuid,
      name: 'Pool',
      status: 'draft',
      revision: expect.any(Number),
      mapCount: 0,
      submittedBy: null,
      publishedAt: null,
      playlistUrl: null,
      oneClickUrl: null,
    });
    const path = `/pools/${pool.poolGuid}`;
    expect(outcome(await as(null, 'GET', `${path}/maps`))).toBe('404 POOL_NOT_FOUND');
    expect(outcome(await as('game', 'GET', `${path}/maps`))).toBe('404 POOL_NOT_FOUND');
    for (const who of staff) expect(outcome(await as(who, 'GET', `${path}/maps`))).toBe(200);

    const row = (index: number) => {
      const { key, characteristic, difficulty } = entries[index] ?? { key: '0' };
      return { key, characteristic, difficulty, categoryGuid, modifiers: [] as string[] };
    };
    const add = (body: object) => as('pooler', 'POST', `${path}/maps`, body);
    const first = await add({ ...row(0), key: row(0).key.toUpperCase(), modifiers: ['SS', 'NF'] });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      mapGuid: expect.any(String),
      key: row(0).key,
      hash: expect.stringMatching(/^[0-9A-F]{40}$/),
      name: expect.any(String),
      characteristic: row(0).characteristic,
      difficulty: row(0).difficulty,
      categoryGuid,
      modifiers: ['SS', 'NF'],
      durationSeconds: expect.any(Number),
      maxScore: entries[0]?.maxScore,
      coverUrl: expect.any(String),
      stale: false,
      addedAt: expect.stringMatching(/Z$/),
    });
    for (const [body, expected] of [
      [{ ...row(0), key: row(0).key.toUpperCase() }, '409 MAP_ALREADY_IN_POOL'],
      [{ ...row(1), hash: 'A'.repeat(40) }, '400 VALIDATION_FAILED'],
      [{ ...row(1), maxScore: 1 }, '400 VALIDATION_FAILED'],
      [{ ...row(1), modifiers: ['XX'] }, '400 VALIDATION_FAILED'],
      [{ ...row(1), modifiers: ['NF', 'NF'] }, '400 VALIDATION_FAILED'],
      [{ ...row(1), modifiers: ['SS', 'SFS'] }, '400 MODIFIERS_CONFLICT'],
      [{ ...row(1), modifiers: undefined }, '400 VALIDATION_FAILED'],
      [{ ...row(1), key: 'fffffff' }, '404 MAP_NOT_FOUND'],
      [{ ...row(1), key: '../maps' }, '400 VALIDATION_FAILED'],
      [{ ...row(1), difficulty: 'Impossible' }, '422 DIFFICULTY_NOT_FOUND'],
      [{ ...row(1), categoryGuid: UNKNOWN }, '404 CATEGORY_NOT_FOUND'],
    ] as const)
      expect(outcome(await add(body))).toBe(expected);

    const batch = (maps: object[]) => as('pooler', 'POST', `${path}/maps/batch`, { maps });
    const wrong = await batch([row(1), { ...row(2), modifiers: ['SS', 'FS'] }, row(0), { key: 1 }]);
    expect(outcome(wrong)).toBe('400 VALIDATION_FAILED');
    expect(Object.keys(wrong.body.error.details)).toEqual(['rows']);
    expect(wrong.body.error.details.rows.map((one: object) => Object.keys(one).sort())).toEqual(
      Array(3).fill(['code', 'index', 'message']),
    );
    expect(
      wrong.body.error.details.rows.map(({ index, code }: Record<string, unknown>) => [index, code]),
    ).toEqual([
      [1, 'MODIFIERS_CONFLICT'],
      [2, 'MAP_ALREADY_IN_POOL'],
      [3, 'VALIDATION_FAILED'],
    ]);
    expect(outcome(await batch([]))).toBe('400 VALIDATION_FAILED');
    expect(outcome(await batch(Array.from({ length: 201 }, () => row(1))))).toBe('400 VALIDATION_FAILED');
    expect((await as('pooler', 'GET', `${path}/maps`)).body.maps).toHaveLength(1);

    expect(outcome(await as('admin', 'POST', `${path}/publish`))).toBe('409 REVIEW_REQUIRED');
    const approve = () => as('pooler', 'POST', `${path}/reviews`, { verdict: 'approve' });
    expect(outcome(await as('pooler', 'POST', `${path}/submit`))).toBe(200);
    expect(outcome(await add(row(1)))).toBe('409 POOL_NOT_EDITABLE');
    expect(outcome(await approve())).toBe('403 SELF_REVIEW');
    const review = await as('reviewer', 'POST', `${path}/reviews`, { verdict: 'approve', comment: 'Good' });
    expect(review.status).toBe(201);
    const published = await as('developer', 'POST', `${path}/publish`);
    expect(published.body).toMatchObject({ status: 'published', mapCount: 1 });
    const tags = await Promise.all([as(null, 'GET', `${path}/maps`), as('admin', 'GET', `${path}/maps`)]);
    expect(tags[0].headers.get('etag')).toBe(tags[1].headers.get('etag'));
    expect(outcome(await as('admin', 'PATCH', path, { name: 'Other' }))).toBe('409 POOL_NOT_EDITABLE');
    expect(outcome(await as('admin', 'DELETE', path))).toBe('409 POOL_NOT_EDITABLE');
    expect(outcome(await as('admin', 'DELETE', `/map-categories/${categoryGuid}`))).toBe(
      '409 CATEGORY_IN_USE',
    );

    const queue = await as('admin', 'POST', '/queues', { name: 'Queue', poolGuid: pool.poolGuid });
    expect(queue.status).toBe(201);
    expect(outcome(await as(null, 'GET', `/queues/${queue.body.queueGuid}`))).toBe('404 QUEUE_NOT_FOUND');
    const open = await as('admin', 'POST', `/queues/${queue.body.queueGuid}/open`);
    expect(outcome(open)).toBe('409 POOL_TOO_SMALL');
    expect(open.body.error.details).toEqual({ required: 10, actual: 1 });
    expect(open.body.error.message).toMatch(/10.*1/);

    const copy = await as('admin', 'POST', `${path}/copy`, { name: 'Copy' });
    expect(copy.body).toMatchObject({ status: 'draft', mapCount: 1, publishedAt: null });
    const draft = { name: 'Q', poolGuid: copy.body.poolGuid };
    expect(outcome(await as('admin', 'POST', '/queues', draft))).toBe('409 POOL_NOT_PUBLISHED');

    const audited = z.strictObject({
      at: z.iso.datetime(),
      actor: z.guid().nullable(),
      action: z.string(),
      target: z.string().startsWith('/'),
      before: z.unknown(),
      after: z.unknown(),
    });
    const log = (await as('admin', 'GET', '/audit-log?limit=100')).body;
    expect(Object.keys(log).sort()).toEqual(['items', 'nextCursor']);
    for (const entry of log.items) audited.parse(entry);
  });

  test('the second of two writes against the same state is refused and changes nothing', async () => {
    const category = (await as('admin', 'POST', '/map-categories', { name: 'speed' })).body;
    const path = `/map-categories/${category.categoryGuid}`;
    const etag = (await as(null, 'GET', path)).headers.get('etag') ?? '';
    const rename = (name: string, ifMatch: string) =>
      as('admin', 'PATCH', path, { name }, { 'if-match': ifMatch });
    // A weak tag says that two states mean the same, not that they are: it never matches (RFC 9110, 13.1.1).
    for (const made of ['"other"', `W/${etag}`, `"other", W/${etag}`, etag.slice(1, -1)])
      expect(outcome(await rename('fast', made)), made).toBe('412 STALE');
    expect(outcome(await rename('fast', `"other", ${etag}`))).toBe(200);
    expect(outcome(await rename('faster', etag))).toBe('412 STALE');
    expect(outcome(await as('admin', 'DELETE', path, undefined, { 'if-match': etag }))).toBe('412 STALE');
    expect((await as(null, 'GET', path)).body.name).toBe('fast');
    expect(outcome(await rename('fastest', '*'))).toBe(200);
    const gone = await as('admin', 'DELETE', path);
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect(outcome(await as('admin', 'DELETE', path))).toBe('404 CATEGORY_NOT_FOUND');
  });

  test('every write is refused with the tag of another state, and accepted with the current one', async () => {
    const at = (days: number) => new Date(Date.now() + (100 + days) * 86_400_000).toISOString();
    const made = async (who: Who, path: string, body: object) => (await as(who, 'POST', path, body)).body;
    const season = await made('admin', '/seasons', { name: 'S', startsAt: at(0), endsAt: at(1) });
    const category = await made('admin', '/map-categories', { name: 'stamina' });
    const unused = await made('admin', '/map-categories', { name: 'unused' });
    const { seasonGuid } = season;
    const pool = `/pools/${(await made('admin', '/pools', { seasonGuid, name: 'P' })).poolGuid}`;
    const other = `/pools/${(await made('admin', '/pools', { seasonGuid, name: 'O' })).poolGuid}`;
    const row = ({ key, characteristic, difficulty }: (typeof entries)[number]) => ({
      key,
      characteristic,
      difficulty,
      categoryGuid: category.categoryGuid,
      modifiers: [],
    });
    const [first, second, ...more] = entries.map(row);
    const map = `${pool}/maps/${(await made('pooler', `${pool}/maps`, first as object)).mapGuid}`;
    const { playerGuid } = (await as('player', 'GET', '/auth/me')).body;
    const bans = `/players/${playerGuid}/bans`;
    const { banGuid } = await made('admin', bans, { reason: 'x', until: null });

    const write = async (who: Who, method: string, path: string, body: unknown, own: string) => {
      const stale = await as(who, method, path, body, { 'if-match': '"another"' });
      expect(`${method} ${path} ${outcome(stale)}`).toBe(`${method} ${path} 412 STALE`);
      const etag = (await as('admin', 'GET', own)).headers.get('etag');
      const answer = await as(who, method, path, body, { 'if-match': etag ?? '' });
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer.body;
    };
    const maps = `${pool}/maps`;
    await write('admin', 'PATCH', `/seasons/${seasonGuid}`, { name: 'T' }, `/seasons/${seasonGuid}`);
    for (const [method, { categoryGuid }, body] of [
      ['PATCH', category, { position: 7 }],
      ['DELETE', unused, undefined],
    ] as const)
      await write(
        'admin',
        method,
        `/map-categories/${categoryGuid}`,
        body,
        `/map-categories/${categoryGuid}`,
      );
    await write('admin', 'PATCH', pool, { name: 'Q' }, pool);
    await write('admin', 'PATCH', pool, { name: 'R' }, maps);
    await write('admin', 'DELETE', other, undefined, other);
    await write('pooler', 'POST', maps, second, maps);
    await write('pooler', 'POST', `${maps}/batch`, { maps: more.slice(0, 10) }, maps);
    await write('pooler', 'PATCH', map, { modifiers: ['NF'] }, maps);
    await write('pooler', 'DELETE', map, undefined, maps);
    await write('pooler', 'POST', `${pool}/submit`, undefined, maps);
    await write('reviewer', 'POST', `${pool}/reviews`, { verdict: 'approve' }, maps);
    await write('admin', 'POST', `${pool}/publish`, undefined, maps);
    await write('admin', 'POST', `${pool}/copy`, { name: 'C' }, pool);
    const poolGuid = pool.slice('/pools/'.length);
    const queue = `/queues/${(await made('admin', '/queues', { name: 'Q', poolGuid })).queueGuid}`;
    await write('admin', 'PATCH', queue, { rules: { maxDiscards: 0 } }, queue);
    for (const verb of ['open', 'drain', 'close'])
      await write('admin', 'POST', `${queue}/${verb}`, undefined, queue);
    await write('admin', 'POST', `${pool}/retire`, undefined, maps);
    const roles = `/players/${playerGuid}/roles`;
    await write('admin', 'PUT', roles, { roles: ['role:pooler'] }, roles);
    await write('admin', 'PUT', roles, { roles: [] }, roles);
    await write('admin', 'DELETE', `${bans}/${banGuid}`, undefined, `${bans}/${banGuid}`);
  });
});
