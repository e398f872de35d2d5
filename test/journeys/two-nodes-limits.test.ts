import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, redisNeeded, startRedis, type TestRedis } from '../harness/redis.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A client that asks both nodes has the same limits as a client that asks a single node. */

describe.skipIf(!hasRedis)(`limits of two nodes with a Redis${redisNeeded}`, () => {
  /** A tenth of the documented numbers: 30 reads, 12 writes of staff and 2 logins a minute. */
  const [READS, WRITES, LOGINS] = [30, 12, 2];
  let redis: TestRedis;
  let first: TestService;
  let second: SecondNode;
  let nodes: readonly [string, string];

  beforeAll(async () => {
    redis = await startRedis();
    first = await startTestService({
      environment: { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '0.1', TRUST_PROXY: '1' },
    });
    second = await startSecondNode(first);
    nodes = [first.url, second.url];
  });
  afterAll(async () => {
    await second?.service.stop();
    await first?.stop();
    await redis?.stop();
  });

  let addresses = 0;
  /** A client with a new address. */
  const newcomer = () => {
    const address = `192.0.2.${++addresses}`;
    return async (node: string, path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${node}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { 'x-forwarded-for': address, ...init.headers },
      });
      const text = await answer.text();
      const { status, headers } = answer;
      return { status, headers, code: status >= 400 ? JSON.parse(text).error.code : null };
    };
  };
  type Ask = ReturnType<typeof newcomer>;
  const times = <T>(count: number, ask: (nth: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, nth) => ask(nth)));
  const read = (ask: Ask, node: string) => ask(node, `/players/${crypto.randomUUID()}`);
  const letThrough = (answers: readonly { status: number }[]) =>
    answers.filter(({ status }) => status !== 429).length;
  const redisOf = async (node: string) =>
    ((await (await fetch(`${node}/health/ready`)).json()) as any).checks.redis.message;

  const expectTogether = async (): Promise<void> => {
    const ask = newcomer();
    const answers = await times(READS + 20, (nth) => read(ask, nodes[nth % 2] as string));
    expect(letThrough(answers)).toBe(READS);
    for (const { status, code, headers } of answers) {
      if (status !== 429) continue;
      expect(code).toBe('RATE_LIMITED');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    // Cached responses count as well, and another client is not refused.
    for (const node of nodes) {
      expect((await ask(node, '/maps/hashes')).status).toBe(429);
      expect((await read(newcomer(), node)).status).toBe(404);
    }
  };

  // A node counts alone for a second when Redis needs more than 250 ms, as it may on a busy machine.
  const again = { retry: 2 };

  test('count the reads of an address together', again, expectTogether);

  const writers = ['admin', 'developer'] as const;
  let attempts = 0;
  test('count the writes of a person and the logins of an address together', { retry: 1 }, async () => {
    // The writes of a first attempt still count at the second one, so that is another person's.
    const account = writers[attempts++ % writers.length] ?? 'admin';
    const authorization = `Bearer ${await first.identityProvider.accountToken(account)}`;
    const write = (node: string) =>
      newcomer()(node, '/seasons', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      });
    expect(letThrough(await times(2 * WRITES, (nth) => write(nodes[nth % 2] as string)))).toBe(WRITES);

    const ask = newcomer();
    expect(letThrough(await times(4 * LOGINS, (nth) => ask(nodes[nth % 2] as string, '/auth/login')))).toBe(
      LOGINS,
    );
  });

  test('are counted by each node while Redis is away, and shared again when it is back', again, async () => {
    await redis.kill();
    const isAway = async () => (await Promise.all(nodes.map(redisOf))).every((message) => message !== null);
    await expect.poll(isAway, { timeout: 20_000 }).toBe(true);
    const ask = newcomer();
    for (const node of nodes) expect(letThrough(await times(READS + 5, () => read(ask, node)))).toBe(READS);
    for (const node of nodes) expect((await fetch(`${node}/health/ready`)).status).toBe(200);

    await redis.start();
    const isBack = async () => (await Promise.all(nodes.map(redisOf))).every((message) => message === null);
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true);
    await expectTogether();
  });
});
