import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePlayer, type Identity, lockPlayers, playersByGuid } from '../../src/domains/players/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { codeOf } from '../auth/fixture.ts';
import { cloneDatabase, type TestDatabase, waitingForLocks } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const identity = (subject: string, change: Partial<Identity> = {}): Identity => ({
  subject,
  platformId: null,
  username: 'Ann',
  avatarUrl: null,
  providerRoles: [],
  issuedAt: NOW,
  ...change,
});
const ensure = (...given: Parameters<typeof identity>) => ensurePlayer(database, identity(...given), NOW);

test('creates one player for a subject and finds it again', async () => {
  const first = await ensure('one');
  expect(first).toMatchObject({ subject: 'one', username: 'Ann', platformId: null, grantedRoles: [] });
  expect(await ensure('one')).toEqual(first);
});

test('calls a player Player if no token has had a name', async () => {
  expect((await ensure('nameless', { username: null })).username).toBe('Player');
  expect((await ensure('nameless', { username: 'Bob' })).username).toBe('Bob');
  expect((await ensure('nameless', { username: null })).username).toBe('Bob');
});

test('takes over newer tokens of the provider, and ignores older ones', async () => {
  const { playerGuid } = await ensure('renamed', { avatarUrl: 'https://a.example/1' });
  const later: Partial<Identity> = {
    username: 'Anna',
    avatarUrl: null,
    platformId: '100',
    providerRoles: ['role:pooler'],
    issuedAt: NOW + 1000,
  };
  const expected = {
    playerGuid,
    username: 'Anna',
    avatarUrl: null,
    platformId: '100',
    providerRoles: ['role:pooler'],
  };
  expect(await ensure('renamed', later)).toMatchObject(expected);
  expect(await ensure('renamed', { avatarUrl: 'https://a.example/1' })).toMatchObject(expected);
});

test('keeps the provider’s roles when a game token has no roles', async () => {
  await ensure('staff', { providerRoles: ['role:admin'] });
  expect((await ensure('staff', { providerRoles: null })).providerRoles).toEqual(['role:admin']);
  expect((await ensure('staff', { providerRoles: [] })).providerRoles).toEqual([]);
});

test('stores a newer token once, and writes nothing when nothing changed', async () => {
  await ensure('steady');
  const written = async () =>
    (await database.pool.query('SELECT xmin FROM "Player" WHERE "subject" = $1', ['steady'])).rows;
  const first = await written();
  await ensure('steady', { issuedAt: NOW + 5000 });
  const before = await written();
  expect(before).not.toEqual(first);
  const issuedAt = [NOW + 5000, NOW + 5000, NOW, NOW - 5000, NOW + 5000];
  await Promise.all(issuedAt.map((at) => ensure('steady', { issuedAt: at })));
  expect(await written()).toEqual(before);
});

test('does not move a platform id because of an older token, also when the newest one changed nothing', async () => {
  const at = (seconds: number, platformId: string) =>
    ensure('linked', { platformId, issuedAt: NOW + seconds * 1000 });
  await at(0, '500');
  expect((await at(20, '501')).platformId).toBe('501');
  expect((await at(0, '500')).platformId).toBe('501');
  expect((await at(19, '502')).platformId).toBe('501');
  await at(40, '501');
  expect((await at(30, '500')).platformId).toBe('501');
  // A platform id that was given up is free, one in use is not.
  expect(await codeOf(ensure('another', { platformId: '501' }))).toBe('PLATFORM_ID_TAKEN');
  expect((await ensure('another', { platformId: '500' })).platformId).toBe('500');
  // A token with a platform id that belongs to somebody else now is refused, however old the token is.
  expect(await codeOf(at(0, '500'))).toBe('PLATFORM_ID_TAKEN');
});

test('takes a platform id from an older token if none is known', async () => {
  await ensure('late', { issuedAt: NOW + 5000, username: 'Anna' });
  expect(await ensure('late', { platformId: '510' })).toMatchObject({ platformId: '510', username: 'Anna' });
});

test('follows the newest of many tokens that come at once', async () => {
  await ensure('hasty', { platformId: '600' });
  const tokens = Array.from({ length: 20 }, (_, nth) => ({
    platformId: String(601 + nth),
    username: `Name ${nth}`,
    issuedAt: NOW + nth * 1000,
  }));
  await Promise.all(tokens.map((token) => ensure('hasty', token)));
  expect(await ensure('hasty', { platformId: '600' })).toMatchObject({
    platformId: '620',
    username: 'Name 19',
    tokenIssuedAt: NOW + 19_000,
  });
});

const banOf = (playerGuid: string, until: Date | null = null) => ({
  banGuid: newGuid(),
  playerGuid,
  reason: 'cheated',
  createdByGuid: playerGuid,
  createdAt: new Date(NOW),
  until,
});

test('keeps the platform id of a banned player until the ban is over', async () => {
  const { playerGuid } = await ensure('banned', { platformId: '700' });
  const until = new Date(NOW + 60_000);
  await database.prisma.ban.create({ data: banOf(playerGuid, until) });
  const moved = { platformId: '701', username: 'Else', issuedAt: NOW + 1000 };
  expect(await ensure('banned', moved)).toMatchObject({ platformId: '700', username: 'Else' });
  expect(await codeOf(ensure('second account', { platformId: '700' }))).toBe('PLATFORM_ID_TAKEN');
  const after = await ensurePlayer(database, identity('banned', moved), until.getTime());
  expect(after.platformId).toBe('701');
});

test('waits for a ban that is being stored before it moves a platform id', async () => {
  const { playerGuid } = await ensure('nearly banned', { platformId: '710' });
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const banning = database.prisma.$transaction(async (tx) => {
    await lockPlayers(tx, [playerGuid]);
    await tx.ban.create({ data: banOf(playerGuid) });
    isLocked();
    await mayEnd;
  });
  await locked;
  let isDone = false;
  const moving = ensure('nearly banned', { platformId: '711', issuedAt: NOW + 1000 }).finally(() => {
    isDone = true;
  });
  await expect.poll(async () => isDone || (await waitingForLocks(database)) === 1).toBe(true);
  end();
  await banning;
  expect((await moving).platformId).toBe('710');
});

test('creates one player when many first logins come at once', async () => {
  const players = await Promise.all(Array.from({ length: 20 }, () => ensure('crowd', { platformId: '200' })));
  expect(new Set(players.map(({ playerGuid }) => playerGuid)).size).toBe(1);
  expect(await database.prisma.player.count({ where: { subject: 'crowd' } })).toBe(1);
});

test('gives a platform id to one of many concurrent logins, of new and old players', async () => {
  await Promise.all([ensure('old-1'), ensure('old-2')]);
  const rivals = ['old-1', 'old-2', 'new-1', 'new-2', 'new-3'];
  const codes = await Promise.all(rivals.map((subject) => codeOf(ensure(subject, { platformId: '300' }))));
  expect(codes.filter((code) => code === 'passed')).toHaveLength(1);
  expect(codes.filter((code) => code === 'PLATFORM_ID_TAKEN')).toHaveLength(4);
  expect(await database.prisma.player.count({ where: { platformId: '300' } })).toBe(1);
});

test('lets a subject move to another platform id that is free', async () => {
  await ensure('mover', { platformId: '400' });
  expect((await ensure('mover', { platformId: '401' })).platformId).toBe('401');
  expect((await ensure('next', { platformId: '400' })).platformId).toBe('400');
});

test('finds many players at once and leaves out unknown ones', async () => {
  const [a, b] = [await ensure('many-a'), await ensure('many-b')];
  const found = await playersByGuid(database.prisma, [a.playerGuid, b.playerGuid, crypto.randomUUID()]);
  expect([...found.keys()].sort()).toEqual([a.playerGuid, b.playerGuid].sort());
  expect(found.get(a.playerGuid)).toEqual({
    playerGuid: a.playerGuid,
    platformId: null,
    username: 'Ann',
    avatarUrl: null,
  });
});
