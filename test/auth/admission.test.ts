import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAdmission } from '../../src/domains/auth/index.ts';
import { createMatch } from '../../src/domains/matches/machine.ts';
import { insertMatches } from '../../src/domains/matches/store.ts';
import { createAdmissionLine } from '../../src/platform/admission-line.ts';
import { partsOf } from '../../src/platform/batches.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { setupOf } from '../matches/game.ts';
import { type AuthFixture, codeOf, openAuth } from './fixture.ts';

let fixture: AuthFixture;
let admit: ReturnType<typeof createAdmission>;
/** The values that the admission reads from other parts of the service. Each test sets those that it needs. */
const world = { accepted: ['1.4.0'], published: ['1.4.0'], draining: false };
const putOff: string[] = [];

beforeAll(async () => {
  fixture = await openAuth();
  const { auth, database, clock } = fixture;
  admit = createAdmission({
    auth,
    database,
    clock,
    line: createAdmissionLine(),
    onPutOff: (subject) => void putOff.push(subject),
    pluginVersions: async () => ({ accepted: world.accepted, published: world.published }),
    isDraining: () => world.draining,
  });
});
beforeEach(() => {
  Object.assign(world, { accepted: ['1.4.0'], published: ['1.4.0'], draining: false });
});
afterAll(() => fixture.close());

let nextId = 5_000_000;
/** A plugin's token of somebody new. */
const gameToken = (claims: Record<string, unknown> = {}) => {
  nextId += 1;
  const platformId = String(nextId);
  return fixture.provider.mint({
    sub: `game:${platformId}`,
    tokenType: 'platform:game',
    platformId,
    ...claims,
  });
};
const refusalOf = (handshake: Record<string, unknown>): Promise<{ code: string; message: string }> =>
  admit(handshake).then(
    () => ({ code: 'admitted', message: '' }),
    (error) => error,
  );

/** Seats the player in a running match that began with plugin version 1.4.0. */
async function seat(playerGuid: string): Promise<void> {
  const setup = { ...setupOf(), matchGuid: newGuid() };
  const state = createMatch(setup, fixture.clock.now());
  const cause = { type: 'created', seat: null } as const;
  const created = { event: { type: 'created', setup } as const, state, cause, effects: [] };
  const seats = [{ playerGuid, queuedSince: 0, pluginVersion: '1.4.0', gameVersion: null }];
  await insertMatches(fixture.database.prisma, [{ created, dueAt: state.deadlineAt, seats }]);
}

describe('a plugin is admitted', () => {
  test('as the player of its token', async () => {
    const token = await gameToken({ username: 'Ann', platformId: '42424242', sub: 'ann' });
    const session = await admit({ token, pluginVersion: '1.4.0+build.7', gameVersion: '1.40.8' });
    expect(session).toEqual({
      playerGuid: expect.any(String),
      platformId: '42424242',
      username: 'Ann',
      avatarUrl: expect.stringContaining('/avatars/'),
      roles: [],
      pluginVersion: '1.4.0',
      gameVersion: '1.40.8',
      tokenExpiresAt: fixture.clock.now() + 3_600_000 + 30_000,
    });
    expect((await admit({ token, pluginVersion: '1.4.0' })).playerGuid).toBe(session.playerGuid);
  });

  test.each([undefined, null, 7, {}, '', 'x'.repeat(33), '1.0\u0000'])(
    'without a game version: %j',
    async (gameVersion) => {
      const session = await admit({ token: await gameToken(), pluginVersion: '1.4.0', gameVersion });
      expect(session.gameVersion).toBeNull();
    },
  );

  test('with the version its running match began with, also while draining', async () => {
    const token = await gameToken();
    const { playerGuid } = await admit({ token, pluginVersion: '1.4.0' });
    Object.assign(world, { accepted: ['2.0.0'], published: ['2.0.0'], draining: true });
    expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('PLUGIN_VERSION_NOT_ACCEPTED');
    await seat(playerGuid);
    expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('passed');
    expect(await codeOf(admit({ token, pluginVersion: '1.3.0' }))).toBe('PLUGIN_VERSION_NOT_ACCEPTED');
    expect(await codeOf(admit({ token, pluginVersion: '2.0.0' }))).toBe('passed');
  });

  test('as one player when many connections with its token come at once', async () => {
    const token = await gameToken();
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => admit({ token, pluginVersion: '1.4.0' })),
    );
    expect(new Set(sessions.map(({ playerGuid }) => playerGuid)).size).toBe(1);
  });
});

describe('a person is put off', () => {
  const withoutDatabase = (token: string) => {
    const away = () => Promise.reject(new OutOfReach(new Error('full')));
    const { auth, database, clock } = fixture;
    const door = createAdmission({
      auth,
      database,
      clock,
      line: createAdmissionLine(),
      onPutOff: (subject) => void putOff.push(subject),
      pluginVersions: away,
      isDraining: () => false,
    });
    return door({ token, pluginVersion: '1.4.0' });
  };

  test('when the database is full and the token is valid', async () => {
    putOff.length = 0;
    await expect(withoutDatabase(await gameToken({ sub: 'patient' }))).rejects.toBeInstanceOf(OutOfReach);
    for (const claims of [{ exp: 1000 }, { tokenType: 'web' }, { platformVerified: false }])
      expect(await codeOf(withoutDatabase(await gameToken(claims)))).not.toBe('passed');
    expect(putOff).toEqual(['patient']);
  });

  test('but not by another refusal or by an admission', async () => {
    putOff.length = 0;
    expect(await codeOf(admit({ token: await gameToken(), pluginVersion: '1.0.0' }))).not.toBe('passed');
    expect(await codeOf(admit({ token: await gameToken(), pluginVersion: '1.4.0' }))).toBe('passed');
    expect(putOff).toEqual([]);
  });

  test('by waiting in the line, whatever the answer is in the end', async () => {
    putOff.length = 0;
    const { auth, database, clock } = fixture;
    const held = Promise.withResolvers<void>();
    const door = createAdmission({
      auth,
      database,
      clock,
      line: createAdmissionLine(),
      onPutOff: (subject) => {
        putOff.push(subject);
        held.resolve();
      },
      pluginVersions: async () => {
        await held.promise;
        return { accepted: world.accepted, published: world.published };
      },
      isDraining: () => false,
    });
    const token = await gameToken({ sub: 'waiting' });
    expect(await codeOf(door({ token, pluginVersion: '1.4.0' }))).toBe('passed');
    expect(putOff).toEqual(['waiting']);
  });
});

describe('a plugin is refused', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a browser’s token', { tokenType: 'web' }, 'TOKEN_TYPE_NOT_ALLOWED'],
    ['a token of no type', { tokenType: null }, 'TOKEN_TYPE_NOT_ALLOWED'],
    ['a platform id that nobody verified', { platformVerified: false }, 'PLATFORM_NOT_VERIFIED'],
    ['no platform id', { platformId: null }, 'PLATFORM_NOT_VERIFIED'],
    ['no scope', { scope: 'openid' }, 'INSUFFICIENT_SCOPE'],
    ['an expired token', { exp: 1000 }, 'TOKEN_EXPIRED'],
    ['another issuer', { iss: 'https://other.example' }, 'TOKEN_INVALID'],
  ])('for %s', async (_case, claims, code) => {
    expect(await codeOf(admit({ token: await gameToken(claims), pluginVersion: '1.4.0' }))).toBe(code);
  });

  test.each<[unknown, string]>([
    [undefined, 'PLUGIN_VERSION_MISSING'],
    [null, 'PLUGIN_VERSION_MISSING'],
    ['', 'PLUGIN_VERSION_MISSING'],
    [14, 'PLUGIN_VERSION_MISSING'],
    [['1.4.0'], 'PLUGIN_VERSION_MISSING'],
    ['1.4', 'PLUGIN_VERSION_NOT_ACCEPTED'],
    ['1.4.0-beta', 'PLUGIN_VERSION_NOT_ACCEPTED'],
    ['1.4.1', 'PLUGIN_VERSION_NOT_ACCEPTED'],
    ['<script>', 'PLUGIN_VERSION_NOT_ACCEPTED'],
    ['1'.repeat(10_000), 'PLUGIN_VERSION_NOT_ACCEPTED'],
  ])('for the version %j', async (pluginVersion, code) => {
    expect(await codeOf(admit({ token: await gameToken(), pluginVersion }))).toBe(code);
  });

  test('for an old version and one that never was, with the version to get', async () => {
    const messageFor = async (pluginVersion: string) =>
      (await refusalOf({ token: await gameToken(), pluginVersion })).message;
    Object.assign(world, { accepted: ['1.4.0', '1.10.0', '1.9.0'], published: ['1.9.0'] });
    for (const version of ['1.3.0', '1.11.0'])
      expect(await messageFor(version)).toBe(
        `Plugin version ${version} is not accepted. Please get version 1.9.0.`,
      );
    Object.assign(world, { published: ['3.0.0'] });
    expect(await messageFor('1.3.0'), 'the served one is not accepted').toContain('get version 1.10.0');
    Object.assign(world, { accepted: [], published: [] });
    expect(await messageFor('1.3.0')).toBe('Plugin version 1.3.0 is not accepted: at the moment none is.');
  });

  test('while banned, with the end and the reason', async () => {
    const token = await gameToken();
    const { playerGuid } = await admit({ token, pluginVersion: '1.4.0' });
    const until = new Date(fixture.clock.now() + 1000);
    const ban = { playerGuid, reason: 'Cheating', createdByGuid: newGuid(), createdAt: new Date() };
    await fixture.database.prisma.ban.create({ data: { banGuid: newGuid(), ...ban, until } });
    const refusal = await refusalOf({ token, pluginVersion: '1.4.0' });
    expect([refusal.code, refusal.message]).toEqual([
      'BANNED',
      `You are banned until ${until.toISOString()}: Cheating`,
    ]);
    fixture.clock.advance(1000);
    expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('passed');
  });

  test('while draining, unless in a match', async () => {
    const token = await gameToken();
    const { playerGuid } = await admit({ token, pluginVersion: '1.4.0' });
    world.draining = true;
    expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('DRAINING');
    await seat(playerGuid);
    expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('passed');
  });

  test('when its platform id is another player’s, with one entry in the audit log', async () => {
    await admit({ token: await gameToken({ sub: 'owner', platformId: '31337' }), pluginVersion: '1.4.0' });
    const thief = { sub: 'thief', platformId: '31337' };
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await codeOf(admit({ token: await gameToken(thief), pluginVersion: '1.4.0' }))).toBe(
        'PLATFORM_ID_TAKEN',
      );
    const entries = await fixture.database.prisma.auditEntry.findMany({
      where: { action: 'refusePlatformId' },
    });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ before: { platformId: '31337' }, after: { refusedSubject: 'thief' } });
    expect(await fixture.database.prisma.player.count({ where: { subject: 'thief' } })).toBe(0);
  });

  test('with one entry in the audit log for connections at the same moment, and another one a day later', async () => {
    const refusals = () =>
      fixture.database.prisma.auditEntry.count({ where: { before: { equals: { platformId: '31338' } } } });
    await admit({ token: await gameToken({ sub: 'owner-2', platformId: '31338' }), pluginVersion: '1.4.0' });
    const attempt = async () => {
      const token = await gameToken({ sub: 'thief-2', platformId: '31338' });
      expect(await codeOf(admit({ token, pluginVersion: '1.4.0' }))).toBe('PLATFORM_ID_TAKEN');
    };
    await Promise.all(Array.from({ length: 8 }, attempt));
    expect(await refusals()).toBe(1);
    fixture.clock.advance(23 * 3_600_000);
    await attempt();
    expect(await refusals()).toBe(1);
    fixture.clock.advance(2 * 3_600_000);
    await Promise.all([attempt(), attempt()]);
    expect(await refusals()).toBe(2);
  });

  test('with entries in the audit log for at most ten subjects a day for each platform id', async () => {
    const { auth, clock, database } = fixture;
    const claimsOf = async (sub: string, platformId: string) =>
      auth.verify(await gameToken({ sub, platformId }));
    await auth.ensured(await claimsOf('crowded', '31339'));
    const rivals = await Promise.all(Array.from({ length: 25 }, (_, nth) => claimsOf(`c${nth}`, '31339')));
    const codes = await Promise.all(rivals.map((claims) => codeOf(auth.ensured(claims))));
    expect(codes).toEqual(rivals.map(() => 'PLATFORM_ID_TAKEN'));
    const entries = () => database.prisma.auditEntry.count({ where: { action: 'refusePlatformId' } });
    const before = await entries();
    expect(
      await database.prisma.auditEntry.count({ where: { before: { equals: { platformId: '31339' } } } }),
    ).toBe(10);

    const many = Array.from({ length: 150 }, (_, nth) => String(9_000_000 + nth));
    await database.prisma.player.createMany({
      data: many.map((platformId) => ({
        playerGuid: newGuid(),
        subject: `owner of ${platformId}`,
        platformId,
        username: 'Somebody',
        joinedAt: new Date(clock.now()),
        tokenIssuedAt: new Date(clock.now()),
      })),
    });
    const template = await claimsOf('everybody', '31340');
    // As many at once as there are connections to the database: on a busy machine others would wait too long for one.
    for (const some of partsOf(many, 20)) {
      const refused = some.map((platformId) =>
        codeOf(auth.ensured({ ...template, subject: `t${platformId}`, platformId })),
      );
      expect(new Set(await Promise.all(refused))).toEqual(new Set(['PLATFORM_ID_TAKEN']));
    }
    expect(await entries()).toBe(before + many.length);
  });

  test('when the player is banned; the platform id stays taken although a newer token has another one', async () => {
    const token = await gameToken({ sub: 'cheater', platformId: '31341' });
    const { playerGuid } = await admit({ token, pluginVersion: '1.4.0' });
    const { clock, database } = fixture;
    await database.prisma.ban.create({
      data: {
        banGuid: newGuid(),
        playerGuid,
        reason: 'cheated',
        createdByGuid: playerGuid,
        createdAt: new Date(clock.now()),
        until: null,
      },
    });
    clock.advance(60_000);
    const moved = await gameToken({ sub: 'cheater', platformId: '31342' });
    expect(await codeOf(admit({ token: moved, pluginVersion: '1.4.0' }))).toBe('BANNED');
    const second = await gameToken({ sub: 'second account', platformId: '31341' });
    expect(await codeOf(admit({ token: second, pluginVersion: '1.4.0' }))).toBe('PLATFORM_ID_TAKEN');
  });

  test('when two people connect with one platform id at once: the unique index admits one', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 8 }, (_, i) => gameToken({ sub: `rival-${i}`, platformId: '8080' })),
    );
    const codes = await Promise.all(tokens.map((token) => codeOf(admit({ token, pluginVersion: '1.4.0' }))));
    expect(codes.filter((code) => code === 'passed')).toHaveLength(1);
    expect(codes.filter((code) => code === 'PLATFORM_ID_TAKEN')).toHaveLength(7);
  });

  test('with the first fault in the order of the contract', async () => {
    await admit({ token: await gameToken({ sub: 'first', platformId: '1717' }), pluginVersion: '1.4.0' });
    world.draining = true;
    const claims: Record<string, unknown> = {
      sub: 'second',
      platformId: '1717',
      exp: 1000,
      iss: 'https://other.example',
      scope: 'openid',
      tokenType: 'web',
      platformVerified: false,
    };
    const handshake: Record<string, unknown> = { pluginVersion: undefined };
    const answered = async () => codeOf(admit({ ...handshake, token: await gameToken(claims) }));
    const order = [await codeOf(admit(handshake)), await codeOf(admit({ ...handshake, token: 'x' }))];
    for (const [repair, value] of [
      ['exp', undefined],
      ['iss', fixture.provider.issuer],
      ['scope', 'service'],
      ['tokenType', 'platform:game'],
      ['platformVerified', true],
    ] as const) {
      order.push(String(await answered()));
      if (value === undefined) delete claims[repair];
      else claims[repair] = value;
    }
    order.push(String(await answered()));
    handshake.pluginVersion = '0.0.1';
    order.push(String(await answered()));
    handshake.pluginVersion = '1.4.0';
    order.push(String(await answered()));
    claims.platformId = '1718';
    order.push(String(await answered()));
    const { playerGuid } = await fixture.database.prisma.player.findUniqueOrThrow({
      where: { subject: 'second' },
    });
    const ban = { playerGuid, reason: 'Cheating', createdByGuid: newGuid(), createdAt: new Date() };
    await fixture.database.prisma.ban.create({ data: { banGuid: newGuid(), ...ban } });
    order.push(String(await answered()));
    expect(order).toEqual([
      'TOKEN_MISSING',
      'TOKEN_INVALID',
      'TOKEN_EXPIRED',
      'TOKEN_INVALID',
      'INSUFFICIENT_SCOPE',
      'TOKEN_TYPE_NOT_ALLOWED',
      'PLATFORM_NOT_VERIFIED',
      'PLUGIN_VERSION_MISSING',
      'PLUGIN_VERSION_NOT_ACCEPTED',
      'PLATFORM_ID_TAKEN',
      'DRAINING',
      // Only a stored player can be banned; from then on the answer is the ban.
      'BANNED',
    ]);
  });
});
