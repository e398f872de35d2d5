import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePlayer, type Identity, playersByGuid } from '../../src/domains/players/index.ts';
import { codeOf } from '../auth/fixture.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

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
const ensure = (...given: Parameters<typeof identity>) =>
  ensurePlayer(database.prisma, identity(...given), NOW);

it('makes one player of a subject and finds it again', async () => {
  const first = await ensure('one');
  expect(first).toMatchObject({ subject: 'one', username: 'Ann', platformId: null, grantedRoles: [] });
  expect(await ensure('one')).toEqual(first);
});

it('calls somebody Player whose token names nobody', async () => {
  expect((await ensure('nameless', { username: null })).username).toBe('Player');
  expect((await ensure('nameless', { username: 'Bob' })).username).toBe('Bob');
  expect((await ensure('nameless', { username: null })).username).toBe('Bob');
});

it('follows the provider, and a token issued earlier changes nothing back', async () => {
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

it('keeps the provider’s roles when a game token does not speak of roles', async () => {
  await ensure('staff', { providerRoles: ['role:admin'] });
  expect((await ensure('staff', { providerRoles: null })).providerRoles).toEqual(['role:admin']);
  expect((await ensure('staff', { providerRoles: [] })).providerRoles).toEqual([]);
});

it('writes nothing while nothing changed', async () => {
  await ensure('steady');
  const written = async () =>
    (await database.pool.query('SELECT xmin FROM "Player" WHERE "subject" = $1', ['steady'])).rows;
  const before = await written();
  await Promise.all(Array.from({ length: 5 }, () => ensure('steady', { issuedAt: NOW + 5000 })));
  expect(await written()).toEqual(before);
});

it('makes one player of many first logins at once', async () => {
  const players = await Promise.all(Array.from({ length: 20 }, () => ensure('crowd', { platformId: '200' })));
  expect(new Set(players.map(({ playerGuid }) => playerGuid)).size).toBe(1);
  expect(await database.prisma.player.count({ where: { subject: 'crowd' } })).toBe(1);
});

it('gives a platform id to one of many who bring it at once, new and old players', async () => {
  await Promise.all([ensure('old-1'), ensure('old-2')]);
  const rivals = ['old-1', 'old-2', 'new-1', 'new-2', 'new-3'];
  const codes = await Promise.all(rivals.map((subject) => codeOf(ensure(subject, { platformId: '300' }))));
  expect(codes.filter((code) => code === 'passed')).toHaveLength(1);
  expect(codes.filter((code) => code === 'PLATFORM_ID_TAKEN')).toHaveLength(4);
  expect(await database.prisma.player.count({ where: { platformId: '300' } })).toBe(1);
});

it('lets a subject move to another platform id that is free', async () => {
  await ensure('mover', { platformId: '400' });
  expect((await ensure('mover', { platformId: '401' })).platformId).toBe('401');
  expect((await ensure('next', { platformId: '400' })).platformId).toBe('400');
});

it('finds many players at once and leaves out unknown ones', async () => {
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
