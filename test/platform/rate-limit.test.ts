import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { addressLimit, type RateLimit, TokenBuckets, windowLimit } from '../../src/platform/rate-limit.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { manualClock } from '../harness/clock.ts';
import { hasRedis, redisNeeded, startRedis } from '../harness/redis.ts';

const LIMIT = { perSecond: 2, burst: 3 };
const MANY = 8;

test('a caller has its burst and no more, alone or among others', () => {
  for (const others of [0, 5]) {
    const buckets = new TokenBuckets(LIMIT, 1, manualClock());
    for (let other = 0; other < others; other++) buckets.take(`other ${other}`);
    const waits = Array.from({ length: MANY }, () => buckets.take('caller'));
    expect(waits).toEqual([0, 0, 0, 500, 500, 500, 500, 500]);
  }
});

test('tokens are refilled over time, up to the burst', () => {
  const clock = manualClock();
  const buckets = new TokenBuckets(LIMIT, 1, clock);
  const granted = () =>
    Array.from({ length: MANY }, () => buckets.take('caller')).filter((ms) => ms === 0).length;
  expect(granted()).toBe(3);
  clock.advance(1000);
  expect(granted()).toBe(2);
  clock.advance(60_000);
  expect(granted()).toBe(3);
});

test('a factor multiplies both, and at least one is always granted', () => {
  const twice = new TokenBuckets(LIMIT, 2, manualClock());
  expect(Array.from({ length: MANY }, () => twice.take('caller')).filter((ms) => ms === 0)).toHaveLength(6);
  const hardly = new TokenBuckets(LIMIT, 0.01, manualClock());
  expect([hardly.take('caller'), hardly.take('caller')]).toEqual([0, 50_000]);
});

test('callers are forgotten when they have their burst again, also after the clock was set back', () => {
  const clock = manualClock();
  const buckets = new TokenBuckets(LIMIT, 1, clock);
  const set = vi.spyOn(Map.prototype, 'set');
  buckets.take('first');
  const [kept] = set.mock.contexts as Map<string, unknown>[];
  set.mockRestore();
  for (const setBackMs of [0, 3_600_000]) {
    clock.advance(-setBackMs);
    for (let other = 0; other < 100; other++) {
      clock.advance(1000);
      buckets.take(`${setBackMs} ${other}`);
    }
    expect(kept?.size).toBe(1);
  }
});

describe('a window', () => {
  const THREE = { most: 3, everyMs: 60_000 };
  const waits = async (limit: RateLimit, times: number, caller = 'caller') => {
    const all: number[] = [];
    for (let time = 0; time < times; time++) all.push(await limit.take(caller));
    return all;
  };

  test('allows its number, gives the time to wait, and begins again', async () => {
    const clock = manualClock();
    const limit = windowLimit('test', THREE, { factor: 1, clock, redis: null });
    expect(await waits(limit, 2)).toEqual([0, 0]);
    clock.advance(20_000);
    expect(await waits(limit, 3)).toEqual([0, 40_000, 40_000]);
    expect(await waits(limit, 1, 'another')).toEqual([0]);
    clock.advance(40_000);
    expect(await waits(limit, 4)).toEqual([0, 0, 0, 60_000]);
  });

  test('begins again when the clock was set back', async () => {
    const clock = manualClock();
    const limit = windowLimit('test', THREE, { factor: 1, clock, redis: null });
    for (let nth = 0; nth < 4; nth++) await limit.take('a');
    clock.advance(-300_000);
    expect(await limit.take('a')).toBe(0);
  });

  test('grows with the factor, allows one at least, and everything at factor 0', async () => {
    const clock = manualClock();
    const withFactor = (factor: number) => windowLimit('test', THREE, { factor, clock, redis: null });
    const granted = async (factor: number) =>
      (await waits(withFactor(factor), 20)).filter((wait) => wait === 0).length;
    expect([await granted(2), await granted(0.01), await granted(0)]).toEqual([6, 1, 20]);
  });

  test('is not evicted by many others while it lasts', async () => {
    const limit = windowLimit('test', THREE, { factor: 1, clock: manualClock(), redis: null });
    await waits(limit, 4);
    for (let other = 0; other < 40_000; other++) limit.take(`other ${other}`);
    expect(await waits(limit, 1)).toEqual([60_000]);
  });

  test.skipIf(!hasRedis)(`is one for all nodes, until Redis is gone${redisNeeded}`, async () => {
    const server = await startRedis();
    const logger = pino({ level: 'silent' });
    const redises = [
      await openRedis({ url: server.url, namespace: 'tests', logger }),
      await openRedis({ url: server.url, namespace: 'tests', logger }),
    ];
    const [one, other] = redises.map((redis) =>
      windowLimit('test', THREE, { factor: 1, clock: manualClock(), redis }),
    ) as [RateLimit, RateLimit];
    expect([...(await waits(one, 2)), ...(await waits(other, 1))]).toEqual([0, 0, 0]);
    const [wait = 0] = await waits(other, 1);
    expect(wait > 0 && wait <= 60_000).toBe(true);
    await server.kill();
    expect((await waits(one, 4)).filter((ms) => ms === 0)).toHaveLength(3);
    for (const redis of redises) redis.close();
  });
});

describe('a window of addresses', () => {
  const TWO = { most: 2, everyMs: 60_000 };
  const limitOf = () => addressLimit('test', TWO, { factor: 1, clock: manualClock(), redis: null });

  test('is the same for every spelling of an address', async () => {
    const limit = limitOf();
    const writings = ['203.0.113.7', '::ffff:203.0.113.7', '[64:ff9b::203.0.113.7]:80', '2002:cb00:7107::1'];
    const waits = await Promise.all(writings.map((address) => limit.take(address)));
    expect(waits).toEqual([0, 0, 60_000, 60_000]);
    expect(await limit.take('203.0.113.8')).toBe(0);
  });

  test('is ten times as wide for a network of 48 bits, and the addresses in it keep their own limits', async () => {
    const limit = limitOf();
    const take = (network: number) => limit.take(`2001:db8:7:${network.toString(16)}::1`);
    // A refused request of one address uses nothing of the limit of its network.
    for (let times = 0; times < 30; times++) expect((await take(0)) > 0).toBe(times >= 2);
    for (let network = 1; network <= 9; network++)
      expect([await take(network), await take(network)]).toEqual([0, 0]);
    expect(await take(10)).toBe(60_000);
    expect(await limit.take('2001:db8:8::1')).toBe(0);
  });
});
