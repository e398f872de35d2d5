import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLosses } from '../../src/domains/connections/losses.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { servedBefore } from '../../src/domains/outages/rules.ts';
import { insertBan } from '../../src/domains/players/bans-store.ts';
import { lockPlayers } from '../../src/domains/players/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { waitingForLocks } from '../harness/database.ts';
import { START } from '../matches/game.ts';
import { openMatches } from '../matches/service.ts';
import { type Crowd, openCrowd } from './crowd.ts';

/** The matches of a tick are made in sets of pairs. */

let crowd: Crowd;
beforeAll(async () => {
  crowd = await openCrowd();
});
afterAll(() => crowd.drop());
beforeEach(async () => {
  const { prisma, matched, errors } = crowd;
  await prisma.runningSeat.deleteMany();
  await prisma.queueEntry.deleteMany();
  await prisma.matchEvent.deleteMany();
  await prisma.match.deleteMany();
  matched.length = 0;
  errors.length = 0;
});

const waitingPlayers = async () =>
  (await crowd.prisma.queueEntry.findMany()).map(({ playerGuid }) => playerGuid).sort();
const seatedPlayers = async () =>
  (await crowd.prisma.runningSeat.findMany()).map(({ playerGuid }) => playerGuid).sort();
const playersOfMatches = async () =>
  (await crowd.prisma.match.findMany()).flatMap(({ redGuid, blueGuid }) => [redGuid, blueGuid]).sort();

/** Players wait, in this order. */
async function wait(players: readonly string[]): Promise<void> {
  await crowd.prisma.queueEntry.createMany({
    data: players.map((playerGuid, nth) => ({
      playerGuid,
      queueGuid: crowd.queueGuid,
      joinedAt: new Date(START - 1000 + nth),
      rating: 1000,
      pluginVersion: '1.0.0',
    })),
  });
}
/** New players who wait, in this order. */
async function newcomers(count: number): Promise<string[]> {
  const players = await crowd.addPlayers(count);
  await wait(players);
  return players;
}

/** A ban that is stored as staff store it. */
async function ban(playerGuid: string): Promise<void> {
  const createdAt = new Date(START);
  await inTransaction(crowd, [], async (db) => {
    await lockPlayers(db, [playerGuid]);
    await insertBan(db, { playerGuid, reason: 'cheating', createdByGuid: newGuid(), createdAt, until: null });
  });
}

test('the number of statements does not grow with the number of pairs', async () => {
  const pairing = crowd.open();
  const counts: number[] = [];
  for (const pairs of [10, 10, 40]) {
    await newcomers(2 * pairs);
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => spy.mockRestore());
    await pairing.tick(crowd.lease);
    counts.push(spy.mock.calls.length);
    spy.mockRestore();
    expect(crowd.matched.length).toBe(2 * pairs);
    crowd.matched.length = 0;
  }
  // The first tick also reads what is cached.
  expect(counts[2]).toBe(counts[1]);
});

test('a set has every pair of which both may still play, and the others go on waiting', async () => {
  const { prisma, lease } = crowd;
  const [seated = '', opponent = ''] = await newcomers(2);
  await crowd.open().tick(lease);
  expect(await seatedPlayers()).toEqual([seated, opponent].sort());

  const [banned = '', penalized = '', away = '', ...others] = await crowd.addPlayers(11);
  const remaining = [banned, penalized, away, seated].flatMap((one, nth) => [one, others[nth] ?? '']);
  await wait([...remaining, ...others.slice(4)]);
  await ban(banned);
  const [at, until] = [new Date(START), new Date(START + 60_000)];
  await prisma.penalty.create({
    data: {
      penaltyGuid: newGuid(),
      playerGuid: penalized,
      matchGuid: newGuid(),
      reason: 'dodged',
      at,
      until,
    },
  });
  crowd.matched.length = 0;
  const pairing = crowd.open((matches) => ({
    matches: {
      ...matches,
      // Asked for after the waiting players were read.
      recentMeetings: async (...about) => {
        await prisma.queueEntry.update({ where: { playerGuid: away }, data: { disconnectedAt: at } });
        return matches.recentMeetings(...about);
      },
    },
  }));
  await pairing.tick(lease);
  expect(await waitingPlayers()).toEqual(remaining.sort());
  expect(crowd.matched.sort()).toEqual(others.slice(4).sort());
  expect(crowd.errors).toEqual([]);
});

test('matches that an outage made longer than a day count as meetings and as early forfeits', async () => {
  const [minute, day] = [60_000, 86_400_000];
  const outages = [{ number: 1, since: START - 40 * day, until: START - 30 * minute }];
  const pairing = crowd.open(() => ({
    matches: openMatches(crowd, {
      outages: { missedBy: () => [], servedBefore: (at, ms) => servedBefore(at, ms, outages) },
    }),
  }));
  const [anna = '', bert = ''] = await crowd.addPlayers(2);
  const pairAgain = async () => {
    await wait([anna, bert]);
    await pairing.tick(crowd.lease);
    return crowd.prisma.match.findFirst({ where: { endedAt: null } });
  };
  /** Anna forfeits a match that began before the outage. */
  const end = async (endedAt: number) => {
    const { count } = await crowd.prisma.match.updateMany({
      where: { endedAt: null },
      data: {
        ...{ startedAt: new Date(START - 40.5 * day), endedAt: new Date(endedAt) },
        ...{ status: 'completed', outcome: 'decided', reason: 'forfeit', winnerGuid: bert },
      },
    });
    expect(count).toBe(1);
    await crowd.prisma.runningSeat.deleteMany();
  };
  for (const _ of [1, 2, 3]) {
    expect(await pairAgain()).toMatchObject({ rated: true });
    await end(START - 11 * minute);
  }
  const fourth = await pairAgain();
  const { seats } = (fourth as unknown as { state: MatchState }).state;
  const recordOf = (guid: string) =>
    Object.values(seats).find(({ playerGuid }) => playerGuid === guid)?.record;
  expect(fourth).toMatchObject({ rated: false });
  expect(recordOf(anna)).toMatchObject({ earlyForfeits: 3 });
  expect(recordOf(bert)).toMatchObject({ earlyForfeits: 0 });
  await end(START - 9 * minute);
  expect(await pairAgain(), 'they have just met').toBeNull();
});

describe('a lost connection', () => {
  const seat = (playerGuid: string) =>
    crowd.prisma.playerConnection.findUniqueOrThrow({ where: { playerGuid } });
  const entryOf = (playerGuid: string) => crowd.prisma.queueEntry.findUnique({ where: { playerGuid } });

  test('whose loss was stored before its player joined makes no match, and the player waits as away', async () => {
    const [anna = '', bert = ''] = await crowd.addPlayers(2);
    await crowd.prisma.playerConnection.delete({ where: { playerGuid: anna } });
    await wait([anna, bert]);
    const pairing = crowd.open();
    await pairing.tick(crowd.lease);
    expect(await seatedPlayers()).toEqual([]);
    expect(await entryOf(anna)).toMatchObject({ disconnectedAt: new Date(START) });
    expect(await entryOf(bert)).toMatchObject({ disconnectedAt: null });
    await wait(await crowd.addPlayers(1));
    await pairing.tick(crowd.lease);
    expect(await seatedPlayers()).toContain(bert);
    expect(await waitingPlayers()).toEqual([anna]);
  });

  test('makes no match while its loss is being stored', async () => {
    const [anna = '', bert = ''] = await crowd.addPlayers(2);
    const { connectionGuid } = await seat(anna);
    const pairing = crowd.open();
    const losses = createLosses({
      ...{ database: crowd, logger: pino({ level: 'silent' }), pairing },
      matches: {
        // The loss has found no entry.
        applyToPlayers: async () => {
          await wait([anna, bert]);
          await pairing.tick(crowd.lease);
          return { remaining: [], afterCommit: async () => undefined };
        },
      },
    } as unknown as ConnectionsOptions);
    await losses.record({ playerGuid: anna, connectionGuid }, 'disconnected');
    expect(await seatedPlayers()).toEqual([]);
    expect(await entryOf(anna)).toMatchObject({ disconnectedAt: new Date(START) });
    expect(await entryOf(bert)).toMatchObject({ disconnectedAt: null });
  });

  test('that is lost while a match is made is lost in the match', async () => {
    const [anna = '', bert = ''] = await newcomers(2);
    const { connectionGuid } = await seat(anna);
    const losses = createLosses({
      ...{ database: crowd, logger: pino({ level: 'silent' }), matches: openMatches(crowd) },
      // An entry that the loss does not find does not make it wait.
      pairing: { disconnected: async () => undefined },
    } as unknown as ConnectionsOptions);
    let stored: Promise<unknown> | undefined;
    const pairing = crowd.open((matches) => ({
      matches: {
        ...matches,
        create: async (...about) => {
          stored = losses.record({ playerGuid: anna, connectionGuid }, 'disconnected');
          await expect.poll(() => waitingForLocks(crowd)).toBe(1);
          return matches.create(...about);
        },
      },
    }));
    await pairing.tick(crowd.lease);
    await stored;
    expect(await seatedPlayers()).toEqual([anna, bert].sort());
    const { state } = await crowd.prisma.match.findFirstOrThrow();
    const seats = Object.values((state as unknown as MatchState).seats);
    expect(seats.find(({ playerGuid }) => playerGuid === anna)?.presence.kind).toBe('away');
  });
});

describe('a set that cannot be stored', () => {
  test('is stored in halves: all pairs but the one that fails', async () => {
    const players = await newcomers(20);
    const [broken = '', opponent = ''] = players.slice(6);
    const pairing = crowd.open((matches) => ({
      matches: {
        ...matches,
        create: async (db, queue, pairs) => {
          const announce = await matches.create(db, queue, pairs);
          if (pairs.flat().some(({ playerGuid }) => playerGuid === broken)) throw new Error('broken');
          return announce;
        },
      },
    }));
    await pairing.tick(crowd.lease);
    expect(await waitingPlayers()).toEqual([broken, opponent].sort());
    const others = players.filter((one) => one !== broken && one !== opponent).sort();
    expect(await seatedPlayers()).toEqual(others);
    expect(crowd.matched.sort()).toEqual(others);
    expect(crowd.errors).toMatchObject([{ players: [broken, opponent] }]);
  });

  test('is not tried again by a node that has lost the lease', async () => {
    await newcomers(4);
    const lost = { ...crowd.lease, epoch: crowd.lease.epoch + 1 };
    await expect(crowd.open().tick(lost)).rejects.toThrow('Another node has taken over');
    expect(await seatedPlayers()).toEqual([]);
    expect((await waitingPlayers()).length).toBe(4);
  });
});

test('with joins, leaves and bans while sets are made nobody sits in two matches and nobody is lost', async () => {
  const pairing = crowd.open();
  const players = await crowd.addPlayers(120);
  const leaving = new Set(players.filter((_, nth) => nth % 6 === 1));
  const banned = new Set(players.filter((_, nth) => nth % 10 === 4));
  let isOver = false;
  const ticks = async () => {
    while (!isOver) await pairing.tick(crowd.lease);
  };
  /** Everything that one player does. A ban may come first. */
  const act = async (playerGuid: string): Promise<void> => {
    await pairing.join(crowd.joiner(playerGuid), crowd.queueGuid).catch((error) => {
      if (!banned.has(playerGuid)) throw error;
    });
    if (leaving.has(playerGuid)) await pairing.leave(playerGuid);
    // Again: a player who plays already is refused.
    await pairing.join(crowd.joiner(playerGuid), crowd.queueGuid).catch(({ code }) => {
      expect(['ALREADY_IN_MATCH', 'BANNED']).toContain(code);
    });
    if (leaving.has(playerGuid)) await pairing.leave(playerGuid);
  };
  const bans = async () => {
    for (const playerGuid of banned) {
      await ban(playerGuid);
      await pairing.banned(playerGuid);
    }
  };
  const acts = Promise.all([...players.map(act), bans()]).finally(() => {
    isOver = true;
  });
  await Promise.all([acts, ticks(), ticks()]);
  await pairing.tick(crowd.lease);

  const inMatches = await playersOfMatches();
  expect(inMatches).toEqual([...new Set(inMatches)]);
  expect(await seatedPlayers()).toEqual(inMatches);
  expect(crowd.matched.sort()).toEqual(inMatches);
  const waiting = await waitingPlayers();
  expect(waiting.filter((one) => inMatches.includes(one) || banned.has(one) || leaving.has(one))).toEqual([]);
  const staying = players.filter((one) => !banned.has(one) && !leaving.has(one));
  expect(staying.filter((one) => !inMatches.includes(one) && !waiting.includes(one))).toEqual([]);
  expect(waiting.length).toBeLessThan(2);
  expect(crowd.errors).toEqual([]);
});
