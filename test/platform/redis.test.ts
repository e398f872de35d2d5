import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis as Client } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openRedis, type Redis, script } from '../../src/platform/redis.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';
import { hasRedis, redisNeeded, startRedis, type TestRedis } from '../harness/redis.ts';

const logger = pino({ level: 'silent' });
const opened: Redis[] = [];
const open = async (url: string, namespace = 'tests'): Promise<Redis> => {
  const redis = await openRedis({ url, namespace, logger });
  opened.push(redis);
  return redis;
};
const until = (holds: () => boolean) => expect.poll(holds, { timeout: 10_000 }).toBe(true);
const GROW = script("return redis.call('INCR', KEYS[1])");

/** Until a message and a hint with this text have come. Those sent before a subscription or during a lost connection are missing. */
async function untilHeard(redis: Redis, heard: readonly string[], text: string): Promise<void> {
  await expect
    .poll(
      () => {
        redis.publish('channel', Buffer.from(`message ${text}`));
        redis.hint([`hint ${text}`]);
        return heard.includes(`message ${text}`) && heard.includes(`hint ${text}`);
      },
      { timeout: 15_000, interval: 20 },
    )
    .toBe(true);
}

/** Passes 500 kB a second on to a server, and its answers at once. */
async function startSlowProxy(server: string) {
  const slowly = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      await sleep(part.length / 500);
      yield part;
    }
  };
  const proxy = createServer((near: Socket) => {
    const far = connect(Number(new URL(server).port), '127.0.0.1');
    pipeline(near, slowly, far, () => undefined);
    pipeline(far, near, () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`, stop: () => proxy.close() };
}

afterEach(() => {
  for (const redis of opened.splice(0)) redis.close();
});

test('a node starts without Redis, and every command is refused at once', async () => {
  const redis = await open('redis://127.0.0.1:1');
  expect(redis.isConnected()).toBe(false);
  await expect(redis.run(GROW, ['count'], [])).rejects.toThrow('does not answer');
  expect(redis.publish('channel', Buffer.from('lost'))).toBe(false);
  redis.hint(['lost']);
  redis.onHint(() => undefined);
  redis.subscribe('channel', () => undefined).end();
});

test('a node says that Redis gives no answer when it starts without it', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `rediss://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const lines: unknown[] = [];
  const told = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const redis = await openRedis({ url, namespace: 'tests', logger: told });
  opened.push(redis);
  expect(lines).toEqual([expect.objectContaining({ reason: 'no answer yet' })]);
  silent.close();
});

describe.skipIf(!hasRedis)(`with a Redis${redisNeeded}`, () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  test('scripts of several nodes work on the same values', async () => {
    const [a, b] = [await open(server.url), await open(server.url)];
    await a.run(GROW, ['shared'], []);
    expect(await b.run(GROW, ['shared'], [])).toBe(2);
  });

  test('services and database numbers are separate, on channels too', async () => {
    const a = await open(server.url);
    const others = [await open(`${server.url}/3`), await open(server.url, 'others')];
    await a.run(GROW, ['separate'], []);
    for (const other of others) expect(await other.run(GROW, ['separate'], [])).toBe(1);
    const heard: string[] = [];
    await a.subscribe('separate', (message) => heard.push(String(message))).ready;
    for (const other of others) other.publish('separate', Buffer.from('theirs'));
    a.publish('separate', Buffer.from('ours'));
    await until(() => heard.length > 0);
    expect(heard).toEqual(['ours']);
  });

  test('a hint reaches every other node that is subscribed', async () => {
    const nodes = [await open(server.url), await open(server.url), await open(server.url)] as const;
    const heard = nodes.map((node) => {
      const topics: string[] = [];
      node.onHint((more) => topics.push(...more));
      return topics;
    });
    const said: string[] = [];
    // A subscriber receives only later hints, and does not know when it is subscribed.
    while (!heard.every((topics) => topics.includes(`hint ${said.length}`))) {
      said.push(`hint ${said.length + 1}`);
      nodes[0].hint([`hint ${said.length}`, 'and another']);
      await sleep(20);
    }
    expect(heard[1]).toContain('and another');
  });

  test('bytes are relayed unchanged and in order, to those who are still subscribed', async () => {
    const [a, b] = [await open(server.url), await open(server.url)];
    const [first, second]: [Buffer[], Buffer[]] = [[], []];
    const one = b.subscribe('frames', (message) => first.push(message));
    const other = b.subscribe('frames', (message) => second.push(message));
    await Promise.all([one.ready, other.ready]);
    const frames = Array.from({ length: 50 }, (_, at) => Buffer.alloc(at * 100, at));
    frames.push(Buffer.from([0, 255, 13, 10, 0]));
    for (const frame of frames) expect(a.publish('frames', frame)).toBe(true);
    await until(() => second.length === frames.length);
    expect(first).toEqual(frames);
    one.end();
    a.publish('frames', Buffer.from('last'));
    await until(() => second.length === frames.length + 1);
    expect(first).toHaveLength(frames.length);
  });

  test('after a restart of Redis subscriptions and commands work again by themselves', async () => {
    const own = await startRedis();
    const redis = await open(own.url);
    const heard: string[] = [];
    await redis.subscribe('channel', (message) => heard.push(String(message))).ready;
    redis.onHint((topics) => heard.push(...topics));
    // The connections are lost while a hint is waited for.
    await untilHeard(redis, heard, 'before');
    await own.kill();
    await until(() => !redis.isConnected());
    await own.start();
    await until(() => redis.isConnected());
    expect(await redis.run(GROW, ['count'], [])).toBe(1);
    await untilHeard(redis, heard, 'after');
    await own.stop();
  });

  test('after a fail-over that leaves the old master as a replica, every connection moves to the new one', async () => {
    const [old, next] = [await startRedis(), await startRedis()];
    const front = await startFaultyProxy(old.url);
    const redis = await open(front.url);
    const heard: string[] = [];
    redis.subscribe('channel', (message) => heard.push(String(message)));
    redis.onHint((topics) => heard.push(...topics));
    await untilHeard(redis, heard, 'before');
    const admin = new Client(old.url);
    const { hostname, port } = new URL(next.url);
    await admin.replicaof(hostname, port);
    front.moveTo(next.url);
    await expect.poll(() => redis.run(GROW, ['count'], []).catch(String), { timeout: 10_000 }).toBe(1);
    await untilHeard(redis, heard, 'after');
    const kinds = async () =>
      String(await admin.client('LIST')).match(/cmd=(evalsha|publish|subscribe|xread)/g);
    await expect.poll(kinds).toBeNull();
    admin.disconnect();
    for (const part of [front, old, next]) await part.stop();
  });

  test('a command that Redis refuses is logged once, and is a problem until it is executed again', async () => {
    const own = await startRedis();
    const lines: any[] = [];
    const redis = await openRedis({
      url: own.url,
      namespace: 'tests',
      logger: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    });
    opened.push(redis);
    const admin = new Client(own.url);
    const grow = () => redis.run(GROW, ['count'], []).catch(String);
    await admin.config('SET', 'maxmemory', '1');
    // Until the second refusal: after one nothing is sent for a second.
    const refusals: unknown[] = [];
    const refused = async () => {
      refusals.push(await grow());
      return refusals.filter((one) => String(one).includes('OOM')).length;
    };
    await expect.poll(refused, { timeout: 10_000 }).toBe(2);
    expect(redis.problem()).toBe('refuses EVALSHA (OOM)');
    await admin.config('SET', 'maxmemory', '0');
    await expect.poll(grow, { timeout: 10_000 }).toBe(1);
    await expect.poll(redis.problem, { timeout: 10_000 }).toBeNull();
    const warnings = lines.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([
      { command: 'evalsha', reason: expect.stringMatching(/^OOM /), msg: expect.stringContaining('refuses') },
    ]);
    admin.disconnect();
    await own.stop();
  });

  test('the documented rights of a user suffice; without channels nothing is published until they are given', async () => {
    const own = await startRedis();
    const admin = new Client(own.url);
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, rights = ''] = /ACL SETUSER matches on >\w+ ([^`]+)/.exec(page) ?? [];
    const grant = (...words: string[]) => admin.call('ACL', 'SETUSER', 'matches', ...words);
    await grant('on', '>word', ...rights.split(' '), 'resetchannels');
    const redis = await open(own.url.replace('//', '//matches:word@'));
    const heard: string[] = [];
    redis.onHint((topics) => heard.push(...topics));
    const { ready } = redis.subscribe('channel', (message) => heard.push(String(message)));
    const isRefused = () =>
      redis.problem() === 'refuses SUBSCRIBE (NOPERM)' && !redis.publish('channel', Buffer.from('lost'));
    await until(isRefused);
    expect(await redis.run(GROW, ['count'], [])).toBe(1);
    await grant(...rights.split(' '));
    await ready;
    await untilHeard(redis, heard, 'granted');
    await until(() => redis.problem() === null);
    // Redis ends the connection of a subscriber that may no longer be one.
    await grant('resetchannels');
    await until(isRefused);
    await grant(...rights.split(' '));
    await untilHeard(redis, heard, 'granted again');
    expect(heard).not.toContain('lost');
    admin.disconnect();
    await own.stop();
  });

  test('a Redis that hangs delays one command, and the next ones are refused at once', async () => {
    const own = await startRedis();
    const redis = await open(own.url);
    own.freeze();
    await expect(redis.run(GROW, ['count'], [])).rejects.toThrow('timed out');
    await expect(redis.run(GROW, ['count'], [])).rejects.toThrow('does not answer');
    own.thaw();
    await until(() => redis.isConnected());
    await redis.run(GROW, ['count'], []);
    await own.stop();
  });

  test('messages to a slow Redis do not pile up: they are dropped until it has answered', async () => {
    const proxy = await startSlowProxy(server.url);
    const [near, far] = [await open(server.url), await open(proxy.url)];
    const frame = Buffer.alloc(64 * 1024);
    let [sent, heard, refused, mostUnheard] = [0, 0, 0, 0];
    await near.subscribe('slow', () => {
      heard += 1;
    }).ready;
    while (heard < 16) {
      for (let at = 0; at < 4; at += 1) {
        if (far.publish('slow', frame)) sent += 1;
        else refused += 1;
      }
      mostUnheard = Math.max(mostUnheard, (sent - heard) * frame.length);
      await sleep(2);
    }
    expect(refused).toBeGreaterThan(0);
    expect(mostUnheard).toBeLessThan(6 * 1024 * 1024);
    proxy.stop();
  });

  test('a Redis that hangs gets no message after one without an answer, until it has answered', async () => {
    const own = await startRedis();
    const redis = await open(own.url);
    own.freeze();
    expect(redis.publish('channel', Buffer.from('late'))).toBe(true);
    // Sooner than a connection without answers is given up.
    await expect.poll(() => redis.publish('channel', Buffer.from('more')), { timeout: 5000 }).toBe(false);
    own.thaw();
    await until(() => redis.publish('channel', Buffer.from('in time')));
    await own.stop();
  });
});
