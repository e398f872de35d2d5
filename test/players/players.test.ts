import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPlayers, ensurePlayer, type Identity, type Role } from '../../src/domains/players/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { type AuthFixture, bearer, openAuth, openHttp } from '../auth/fixture.ts';

let fixture: AuthFixture;
let app: Http;
const banned: { playerGuid: string; reason: string; until: number | null }[] = [];
const CONFIGURED = 'configured-admin';
/** The admins by configuration, set by each test. */
const adminSubjects: string[] = [];
const ratings = [
  {
    queueGuid: newGuid(),
    seasonGuid: newGuid(),
    rating: 1010,
    provisional: true,
    rank: 3,
    wins: 1,
    losses: 0,
    draws: 0,
  },
];

beforeAll(async () => {
  fixture = await openAuth({ adminSubjects });
  app = await openHttp(fixture, async (http) => {
    const players = createPlayers({
      database: fixture.database,
      clock: fixture.clock,
      adminSubjects,
      ratingsOf: async () => ratings,
      onRolesChanged: () => fixture.auth.forgetRoles(),
      onBanned: async (playerGuid, ban) => {
        banned.push({ playerGuid, ...ban });
      },
    });
    await players.routes(http);
  });
});
afterAll(async () => {
  await app.close();
  await fixture.close();
});
beforeEach(async () => {
  adminSubjects.length = 0;
  banned.length = 0;
  const { prisma } = fixture.database;
  await prisma.ban.deleteMany();
  await prisma.roleGrant.deleteMany();
  await prisma.auditEntry.deleteMany();
  await prisma.player.deleteMany();
  fixture.auth.forgetRoles();
});

const identity = (subject: string, change: Partial<Identity> = {}): Identity => ({
  subject,
  platformId: null,
  username: subject,
  avatarUrl: null,
  providerRoles: [],
  issuedAt: fixture.clock.now(),
  ...change,
});
const player = async (subject: string, change: Partial<Identity> = {}): Promise<string> =>
  (await ensurePlayer(fixture.database, identity(subject, change), fixture.clock.now())).playerGuid;
/** A person to whom the provider gives these roles, and their requests. */
const person = async (subject: string, roles: Role[] = []) => {
  const claims = { sub: subject, username: subject, platformId: null, permissions: roles };
  const token = await fixture.provider.mint(claims);
  const playerGuid = await player(subject, { providerRoles: roles });
  const ask = async (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
    headers = {},
  ) => {
    const answer = await app.inject({ method, url, payload, headers: { ...bearer(token), ...headers } });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body ? answer.json() : null,
      code: answer.statusCode < 400 ? null : answer.json().error.code,
    };
  };
  return { playerGuid, ask };
};
const makeAdmin = async (playerGuid: string): Promise<void> => {
  await fixture.database.prisma.roleGrant.create({
    data: { playerGuid, role: 'role:admin', grantedByGuid: playerGuid, grantedAt: new Date() },
  });
  fixture.auth.forgetRoles();
};
const read = async (url: string) => {
  const answer = await app.inject(url);
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};

describe('a player', () => {
  test('is read by everybody, with the ratings', async () => {
    const playerGuid = await player('Ann', { avatarUrl: 'https://a.example/ann.png', platformId: '11' });
    const answer = await read(`/players/${playerGuid}`);
    expect(answer.body).toEqual({
      playerGuid,
      username: 'Ann',
      avatarUrl: 'https://a.example/ann.png',
      joinedAt: new Date(fixture.clock.now()).toISOString(),
      ratings,
    });
    expect(answer.headers.etag).toBeDefined();
    expect(answer.headers['cache-control']).toContain('public');
  });

  test('that does not exist is 404; a malformed id is 400', async () => {
    expect((await read(`/players/${newGuid()}`)).body.error.code).toBe('PLAYER_NOT_FOUND');
    expect((await read('/players/not-a-guid')).body.error.code).toBe('VALIDATION_FAILED');
  });
});

describe('players', () => {
  const names = async (query: string) => {
    const { body } = await read(`/players?${query}`);
    return body.items.map(({ username }: { username: string }) => username);
  };

  test('are found by a part of the name in any case, or by a whole platform id', async () => {
    await player('s-1', { username: 'Annika', platformId: '76561' });
    await player('s-2', { username: 'Joanna' });
    await player('s-3', { username: 'Bob', platformId: '99' });
    expect(await names('query=ANN')).toEqual(['Annika', 'Joanna']);
    expect(await names('query=99')).toEqual(['Bob']);
    expect(await names('query=7656')).toEqual([]);
    expect(await names('query=nn')).toEqual(['Annika', 'Joanna']);
    expect(await names('query=nnnn')).toEqual([]);
    await player('s-4', { username: 'Émilie 東方不敗' });
    for (const part of ['éMILIE', 'Émil', 'ILIE', '東方', '方不敗', '敗'])
      expect(await names(`query=${encodeURIComponent(part)}`), part).toEqual(['Émilie 東方不敗']);
    expect((await names('')).length).toBe(4);
  });

  test('are found literally: no character of a query is a wildcard', async () => {
    await player('s-1', { username: '100%' });
    await player('s-2', { username: '100x' });
    await player('s-3', { username: 'a_b' });
    await player('s-4', { username: 'a\\b' });
    expect(await names('query=100%25')).toEqual(['100%']);
    expect(await names('query=a_b')).toEqual(['a_b']);
    expect(await names(`query=${encodeURIComponent('\\')}`)).toEqual(['a\\b']);
    expect(await names(`query=${encodeURIComponent("'; DROP TABLE x; --")}`)).toEqual([]);
    expect((await read('/players?query=a%00b')).status).toBe(400);
    expect((await read(`/players?query=${'x'.repeat(101)}`)).status).toBe(400);
    expect((await read('/players?other=1')).status).toBe(400);
  });

  test('come a page at a time, each once, in order of the name', async () => {
    for (const n of [3, 1, 2, 2, 5, 4, 2]) await player(newGuid(), { username: `Name ${n}` });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await read(`/players?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.items.map((item: { username: string }) => item.username));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(['Name 1', 'Name 2', 'Name 2', 'Name 2', 'Name 3', 'Name 4', 'Name 5']);
  });

  test('are not listed for a forged cursor', async () => {
    for (const cursor of [
      'x',
      Buffer.from('["a"]').toString('base64url'),
      Buffer.from('["a","b"]').toString('base64url'),
    ])
      expect((await read(`/players?cursor=${cursor}`)).status).toBe(400);
  });
});

describe('roles', () => {
  test('are granted and revoked by an admin, with who and when', async () => {
    const admin = await person('admin', ['role:admin']);
    const target = await player('target');
    const url = `/players/${target}/roles`;
    const granted = await admin.ask('PUT', url, { roles: ['role:pooler', 'role:developer'] });
    const grant = {
      source: 'granted',
      grantedBy: admin.playerGuid,
      grantedAt: new Date(fixture.clock.now()).toISOString(),
    };
    expect(granted.body).toEqual({
      playerGuid: target,
      roles: [
        { role: 'role:developer', ...grant },
        { role: 'role:pooler', ...grant },
      ],
    });
    const read = await admin.ask('GET', url);
    expect(read.body).toEqual(granted.body);
    const again = await admin.ask('GET', url, undefined, { 'if-none-match': read.headers.etag });
    expect([again.status, again.body]).toEqual([304, null]);
    fixture.clock.advance(1000);
    const fewer = await admin.ask('PUT', url, { roles: ['role:pooler'] });
    expect(fewer.body.roles, 'what stays keeps its date').toEqual([{ role: 'role:pooler', ...grant }]);
    expect((await admin.ask('PUT', url, { roles: [] })).body.roles).toEqual([]);
    const entries = await fixture.database.prisma.auditEntry.findMany({ orderBy: { auditGuid: 'asc' } });
    expect(entries.map(({ action, target: what }) => [action, what])).toEqual(
      Array.from({ length: 3 }, () => ['setRoles', `/players/${target}`]),
    );
    expect(entries[2]).toMatchObject({ before: { roles: [{ role: 'role:pooler' }] }, after: { roles: [] } });
  });

  test('may be granted to oneself, beside those of the provider', async () => {
    const admin = await person('admin', ['role:admin']);
    const url = `/players/${admin.playerGuid}/roles`;
    const answer = await admin.ask('PUT', url, { roles: ['role:pooler'] });
    expect(answer.status).toBe(200);
    expect(
      answer.body.roles.map(({ role, source }: { role: string; source: string }) => [role, source]),
    ).toEqual([
      ['role:admin', 'provider'],
      ['role:pooler', 'granted'],
    ]);
  });

  test('show the configuration as the source', async () => {
    adminSubjects.push(CONFIGURED);
    const playerGuid = await player(CONFIGURED);
    const admin = await person('admin', ['role:admin']);
    const { body } = await admin.ask('GET', `/players/${playerGuid}/roles`);
    expect(body.roles).toEqual([
      { role: 'role:admin', source: 'configuration', grantedBy: null, grantedAt: null },
    ]);
  });

  test('from the provider or the configuration cannot be revoked here', async () => {
    const admin = await person('admin', ['role:admin']);
    const other = await person('other', ['role:pooler']);
    adminSubjects.push(CONFIGURED);
    for (const playerGuid of [other.playerGuid, await player(CONFIGURED)]) {
      const refused = await admin.ask('PUT', `/players/${playerGuid}/roles`, { roles: [] });
      expect([refused.status, refused.code]).toEqual([409, 'ROLE_NOT_GRANTED_HERE']);
    }
  });

  test('never leave the service without an admin', async () => {
    const admin = await person('admin');
    await makeAdmin(admin.playerGuid);
    const url = `/players/${admin.playerGuid}/roles`;
    for (const roles of [[], ['role:pooler']]) {
      const refused = await admin.ask('PUT', url, { roles });
      expect([refused.status, refused.code]).toEqual([409, 'LAST_ADMIN']);
    }
    expect((await admin.ask('PUT', url, { roles: ['role:admin', 'role:pooler'] })).status).toBe(200);
    const second = await player('second');
    await admin.ask('PUT', `/players/${second}/roles`, { roles: ['role:admin'] });
    expect((await admin.ask('PUT', url, { roles: ['role:pooler'] })).status).toBe(200);
    expect((await admin.ask('PUT', url, { roles: ['role:admin'] })).code, 'no admin any more').toBe(
      'FORBIDDEN',
    );
  });

  test.each<[string, () => Promise<void>]>([
    ['the configuration', async () => void adminSubjects.push('never-logged-in')],
    ['the provider', async () => void (await player('by-provider', { providerRoles: ['role:admin'] }))],
  ])('of an admin may all be revoked while there is an admin by %s', async (_source, another) => {
    await another();
    const admin = await person('admin');
    await makeAdmin(admin.playerGuid);
    expect((await admin.ask('PUT', `/players/${admin.playerGuid}/roles`, { roles: [] })).status).toBe(200);
  });

  test('of a banned admin do not count: another admin can still be the last one', async () => {
    adminSubjects.push(CONFIGURED);
    const others = [await player(CONFIGURED), await player('by-provider', { providerRoles: ['role:admin'] })];
    const admin = await person('admin');
    await makeAdmin(admin.playerGuid);
    const revoke = () => admin.ask('PUT', `/players/${admin.playerGuid}/roles`, { roles: [] });
    const until = new Date(fixture.clock.now() + 60_000).toISOString();
    for (const other of others)
      await admin.ask('POST', `/players/${other}/bans`, { reason: 'Cheating', until });
    expect((await revoke()).code).toBe('LAST_ADMIN');
    fixture.clock.advance(60_000);
    expect((await revoke()).status, 'their bans have ended').toBe(200);
  });

  test.each<[string, Role[]]>([
    ['the provider', ['role:admin']],
    ['the configuration', []],
  ])('of the last admin, who is one by %s, are not revoked', async (source, roles) => {
    if (source === 'the configuration') adminSubjects.push(CONFIGURED);
    const admin = await person(CONFIGURED, roles);
    const refused = await admin.ask('PUT', `/players/${admin.playerGuid}/roles`, { roles: [] });
    expect([refused.status, refused.code]).toEqual([409, 'LAST_ADMIN']);
  });

  test('keep one admin when two revoke each other at once', async () => {
    const one = await person('one');
    const two = await person('two');
    for (let round = 0; round < 5; round++) {
      await fixture.database.prisma.roleGrant.deleteMany();
      await makeAdmin(one.playerGuid);
      await makeAdmin(two.playerGuid);
      const answers = await Promise.all([
        one.ask('PUT', `/players/${two.playerGuid}/roles`, { roles: [] }),
        two.ask('PUT', `/players/${one.playerGuid}/roles`, { roles: [] }),
      ]);
      expect(await fixture.database.prisma.roleGrant.count({ where: { role: 'role:admin' } })).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test('are not overwritten with an older state', async () => {
    const admin = await person('admin', ['role:admin']);
    const target = await player('target');
    const url = `/players/${target}/roles`;
    const { headers } = await admin.ask('GET', url);
    const changes = await Promise.all([
      admin.ask('PUT', url, { roles: ['role:pooler'] }, { 'if-match': headers.etag }),
      admin.ask('PUT', url, { roles: ['role:developer'] }, { 'if-match': headers.etag }),
    ]);
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = changes.find(({ status }) => status === 200);
    const next = await admin.ask('PUT', url, { roles: ['role:admin'] }, { 'if-match': won?.headers.etag });
    expect(next.status).toBe(200);
  });

  test.each([
    {},
    { roles: 'role:admin' },
    { roles: ['role:king'] },
    { roles: ['role:pooler', 'role:pooler'] },
    { roles: [null] },
    { roles: ['role:pooler'], extra: 1 },
  ])('are not set by %j', async (body) => {
    const admin = await person('admin', ['role:admin']);
    const answer = await admin.ask('PUT', `/players/${await player('target')}/roles`, body);
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('are for admins only', async () => {
    const developer = await person('developer', ['role:developer', 'role:pooler']);
    const target = await player('target');
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { roles: ['role:pooler'] }],
    ] as const)
      expect((await developer.ask(method, `/players/${target}/roles`, body)).code).toBe('FORBIDDEN');
    expect(
      (await developer.ask('PUT', `/players/${developer.playerGuid}/roles`, { roles: ['role:admin'] })).code,
    ).toBe('FORBIDDEN');
  });
});

describe('a ban', () => {
  const inAnHour = () => new Date(fixture.clock.now() + 3_600_000).toISOString();

  test('is stored, announced after that, listed, and lifted', async () => {
    const admin = await person('admin', ['role:admin']);
    const target = await player('target');
    const url = `/players/${target}/bans`;
    const until = inAnHour();
    const created = await admin.ask('POST', url, { reason: ' Cheating ', until });
    expect(created.status).toBe(201);
    expect(created.headers['cache-control']).toBe('no-store');
    expect(created.body).toEqual({
      banGuid: expect.any(String),
      playerGuid: target,
      reason: 'Cheating',
      until,
      createdAt: new Date(fixture.clock.now()).toISOString(),
      createdBy: admin.playerGuid,
      liftedAt: null,
      liftedBy: null,
    });
    expect(banned).toEqual([{ playerGuid: target, reason: 'Cheating', until: Date.parse(until) }]);
    const forGood = await admin.ask('POST', url, { reason: 'Again', until: null });
    expect((await admin.ask('GET', url)).body).toEqual({
      items: [forGood.body, created.body],
      nextCursor: null,
    });

    const first = `${url}/${created.body.banGuid}`;
    expect((await admin.ask('DELETE', first)).status).toBe(204);
    fixture.clock.advance(1000);
    expect((await admin.ask('DELETE', first)).status, 'again').toBe(204);
    const { items } = (await admin.ask('GET', url)).body;
    expect(items[1]).toMatchObject({ liftedBy: admin.playerGuid });
    expect(Date.parse(items[1].liftedAt), 'the first time counts').toBe(fixture.clock.now() - 1000);
    const audit = await fixture.database.prisma.auditEntry.findMany({ orderBy: { auditGuid: 'asc' } });
    expect(audit.map(({ action, actorGuid }) => [action, actorGuid])).toEqual([
      ['banPlayer', admin.playerGuid],
      ['banPlayer', admin.playerGuid],
      ['liftBan', admin.playerGuid],
    ]);
  });

  test('is listed a page at a time, newest first', async () => {
    const admin = await person('admin', ['role:admin']);
    const url = `/players/${await player('target')}/bans`;
    for (const reason of ['one', 'two', 'three']) await admin.ask('POST', url, { reason, until: null });
    const first = (await admin.ask('GET', `${url}?limit=2`)).body;
    const second = (await admin.ask('GET', `${url}?limit=2&cursor=${first.nextCursor}`)).body;
    const reasons = [...first.items, ...second.items].map(({ reason }: { reason: string }) => reason);
    expect([reasons, second.nextCursor]).toEqual([['three', 'two', 'one'], null]);
  });

  test.each<[string, object]>([
    ['no reason', { until: null }],
    ['an empty reason', { reason: '  ', until: null }],
    ['an endless reason', { reason: 'x'.repeat(501), until: null }],
    ['a zero character', { reason: 'a\u0000', until: null }],
    ['no end given', { reason: 'x' }],
    ['an end that is no time', { reason: 'x', until: 'tomorrow' }],
    ['an end in the past', { reason: 'x', until: '2020-01-01T00:00:00.000Z' }],
    ['an end in a year of five digits', { reason: 'x', until: '9999-12-31T23:59:59-01:00' }],
    ['an end beyond the calendar', { reason: 'x', until: '+275760-09-13T00:00:00.000Z' }],
    ['more than is asked', { reason: 'x', until: null, by: 'me' }],
  ])('with %s is refused and not announced', async (_case, body) => {
    const admin = await person('admin', ['role:admin']);
    const answer = await admin.ask('POST', `/players/${await player('target')}/bans`, body);
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(banned).toEqual([]);
    expect(await fixture.database.prisma.ban.count()).toBe(0);
  });

  test('is refused for an unknown player and for oneself, and is not lifted through another player', async () => {
    const admin = await person('admin', ['role:admin']);
    const body = { reason: 'x', until: null };
    expect((await admin.ask('POST', `/players/${newGuid()}/bans`, body)).code).toBe('PLAYER_NOT_FOUND');
    expect((await admin.ask('GET', `/players/${newGuid()}/bans`)).code).toBe('PLAYER_NOT_FOUND');
    expect((await admin.ask('POST', `/players/${admin.playerGuid}/bans`, body)).code).toBe('SELF_BAN');
    const [one, two] = [await player('one'), await player('two')];
    const { banGuid } = (await admin.ask('POST', `/players/${one}/bans`, body)).body;
    expect((await admin.ask('DELETE', `/players/${two}/bans/${banGuid}`)).code).toBe('BAN_NOT_FOUND');
  });

  test('leaves one admin when two ban each other at once', async () => {
    const one = await person('one');
    const two = await person('two');
    for (const { playerGuid } of [one, two]) await makeAdmin(playerGuid);
    for (let round = 0; round < 5; round++) {
      await fixture.database.prisma.ban.deleteMany();
      banned.length = 0;
      const body = { reason: 'x', until: null };
      const answers = await Promise.all([
        one.ask('POST', `/players/${two.playerGuid}/bans`, body),
        two.ask('POST', `/players/${one.playerGuid}/bans`, body),
      ]);
      expect(await fixture.database.prisma.ban.count()).toBe(1);
      expect(banned).toHaveLength(1);
      const refused = answers.find(({ status }) => status !== 201);
      // A player who was banned before the request is decided is refused as banned.
      expect([
        [409, 'LAST_ADMIN'],
        [403, 'BANNED'],
      ]).toContainEqual([refused?.status, refused?.code]);
    }
  });

  test('leaves one admin when roles are changed at the same moment', async () => {
    const one = await person('one');
    const two = await person('two');
    for (let round = 0; round < 5; round++) {
      await fixture.database.prisma.ban.deleteMany();
      await fixture.database.prisma.roleGrant.deleteMany();
      for (const { playerGuid } of [one, two]) await makeAdmin(playerGuid);
      await Promise.all([
        one.ask('POST', `/players/${two.playerGuid}/bans`, { reason: 'x', until: null }),
        two.ask('PUT', `/players/${one.playerGuid}/roles`, { roles: [] }),
      ]);
      const { prisma } = fixture.database;
      const admins = await prisma.player.count({
        where: { bans: { none: {} }, roleGrants: { some: { role: 'role:admin' } } },
      });
      expect(admins).toBe(1);
    }
  });

  test('may hit two admins while a third one is left', async () => {
    const admin = await person('admin', ['role:admin']);
    for (const subject of ['one', 'two']) {
      const target = await player(subject, { providerRoles: ['role:admin'] });
      const answer = await admin.ask('POST', `/players/${target}/bans`, { reason: 'x', until: null });
      expect(answer.status).toBe(201);
    }
  });

  test('is lifted once when five requests come at once', async () => {
    const admin = await person('admin', ['role:admin']);
    const url = `/players/${await player('target')}/bans`;
    const { banGuid } = (await admin.ask('POST', url, { reason: 'x', until: null })).body;
    await Promise.all(Array.from({ length: 5 }, () => admin.ask('DELETE', `${url}/${banGuid}`)));
    expect(await fixture.database.prisma.auditEntry.count({ where: { action: 'liftBan' } })).toBe(1);
  });
});
