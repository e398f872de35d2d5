import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { PairingOptions } from '../../src/domains/pairing/service.ts';
import { insertBan } from '../../src/domains/players/bans-store.ts';
import { releaseErrors } from '../../src/domains/releases/errors.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { START } from '../matches/game.ts';
import { type Crowd, openCrowd } from './crowd.ts';

/** Joining a queue is one statement. */

let crowd: Crowd;
beforeAll(async () => {
  crowd = await openCrowd();
});
afterAll(() => crowd.drop());

const [at, later] = [new Date(START), new Date(START + 60_000)];

test('a join is refused for the first reason that holds, and an existing place is kept in any case', async () => {
  const { prisma, queueGuid, lease } = crowd;
  const pairing = crowd.open();
  const [playerGuid = '', opponent = ''] = await crowd.addPlayers(2);
  const join = (queue = queueGuid) => pairing.join(crowd.joiner(playerGuid), queue);
  const refused = async () => {
    const error = await join().then(
      () => 'joined',
      ({ code, message }) => ({ code, message }),
    );
    return error;
  };
  for (const joiner of [playerGuid, opponent]) await pairing.join(crowd.joiner(joiner), queueGuid);
  await pairing.tick(lease);
  const queue = await prisma.queue.findUniqueOrThrow({ where: { queueGuid } });
  const other = { ...queue, rules: queue.rules as object, queueGuid: newGuid(), name: 'Other' };
  await prisma.queue.create({ data: other });
  await prisma.queueEntry.create({
    data: { playerGuid, queueGuid: other.queueGuid, joinedAt: at, rating: 1234, pluginVersion: '1.0.0' },
  });
  await insertBan(prisma, {
    playerGuid,
    reason: 'cheating',
    createdByGuid: newGuid(),
    createdAt: at,
    until: later,
  });
  const penalty = {
    penaltyGuid: newGuid(),
    playerGuid,
    matchGuid: newGuid(),
    reason: 'dodged',
    at,
    until: later,
  };
  await prisma.penalty.create({ data: penalty });
  await prisma.queue.update({ where: { queueGuid }, data: { status: 'draining' } });

  await expect(join(newGuid())).rejects.toThrow(expect.objectContaining({ code: 'QUEUE_NOT_FOUND' }));
  expect(await refused()).toMatchObject({ code: 'ALREADY_IN_MATCH' });
  const seats = await prisma.runningSeat.findMany();
  await prisma.runningSeat.deleteMany();
  expect(await refused()).toEqual({ code: 'QUEUE_NOT_OPEN', message: 'This queue is draining, not open.' });
  await prisma.runningSeat.createMany({ data: seats });
  expect(await join(other.queueGuid)).toMatchObject({ queueGuid: other.queueGuid, rating: 1234 });
  await prisma.queue.update({ where: { queueGuid }, data: { status: 'open' } });
  const until = later.toISOString();
  expect(await refused()).toEqual({ code: 'BANNED', message: `You are banned until ${until}: cheating` });
  await prisma.ban.deleteMany();
  expect(await refused()).toMatchObject({ code: 'ALREADY_IN_MATCH' });
  await prisma.runningSeat.deleteMany();
  expect(await refused()).toEqual({ code: 'PENALIZED', message: `You may queue again at ${until}: dodged.` });
  await prisma.penalty.deleteMany();
  expect(await refused()).toMatchObject({ code: 'ALREADY_QUEUED' });
  await prisma.queueEntry.deleteMany();
  expect(await join()).toMatchObject({ queueGuid, rating: 1000, joinedAt: at.toISOString() });
});

test('a player who was paired meanwhile is told of the match, whatever the service refuses to others', async () => {
  const { queueGuid, lease } = crowd;
  const playerGuids = await crowd.addPlayers(2);
  const [playerGuid = ''] = playerGuids;
  const pairing = crowd.open();
  for (const one of playerGuids) await pairing.join(crowd.joiner(one), queueGuid);
  await pairing.tick(lease);
  const [stranger = ''] = await crowd.addPlayers(1);
  const codeOf = async (about: Partial<PairingOptions>, one: string) =>
    crowd
      .open(() => about)
      .join(crowd.joiner(one), queueGuid)
      .catch(({ code }) => code);
  for (const [code, about] of [
    ['DRAINING', { isDraining: () => true }],
    ['QUEUE_NOT_OPEN', { config: { maintenance: true } as PairingOptions['config'] }],
    [
      'PLUGIN_VERSION_NOT_ACCEPTED',
      { requireAccepted: () => Promise.reject(releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED()) },
    ],
  ] as const) {
    expect(await codeOf(about, playerGuid)).toBe('ALREADY_IN_MATCH');
    expect(await codeOf(about, stranger)).toBe(code);
  }
});

test('a join and a departure are one statement each', async () => {
  const pairing = crowd.open();
  const [playerGuid = ''] = await crowd.addPlayers(1);
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  await pairing.join(crowd.joiner(playerGuid), crowd.queueGuid);
  await pairing.join(crowd.joiner(playerGuid), crowd.queueGuid);
  await pairing.leave(playerGuid);
  const sent = spy.mock.calls.length;
  spy.mockRestore();
  expect(sent).toBe(3);
  expect(await crowd.prisma.queueEntry.count({ where: { playerGuid } })).toBe(0);
});

test('a place has the rating of the queue in the season of its pool', async () => {
  const { prisma, queueGuid } = crowd;
  const [playerGuid = ''] = await crowd.addPlayers(1);
  const { pool } = await prisma.queue.findUniqueOrThrow({ where: { queueGuid }, include: { pool: true } });
  const none = { playerGuid, mu: 25, sigma: 5, wins: 0, losses: 0, draws: 0, winStreak: 0 };
  await prisma.rating.createMany({
    data: [
      { ...none, queueGuid, seasonGuid: pool.seasonGuid, rating: 1300 },
      { ...none, queueGuid, seasonGuid: newGuid(), rating: 1400 },
      { ...none, queueGuid: newGuid(), seasonGuid: pool.seasonGuid, rating: 1500 },
    ],
  });
  expect(await crowd.open().join(crowd.joiner(playerGuid), queueGuid)).toMatchObject({ rating: 1300 });
});
