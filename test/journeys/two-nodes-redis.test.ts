import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, redisNeeded, startRedis, type TestRedis } from '../harness/redis.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound } from '../harness/socket-player.ts';

describe.skipIf(!hasRedis)(`two nodes with a Redis${redisNeeded}`, () => {
  let redis: TestRedis;
  let first: TestService;
  let second: SecondNode;
  let queueGuid: string;

  beforeAll(async () => {
    redis = await startRedis();
    first = await startTestService({ environment: { REDIS_URL: redis.url } });
    ({ queueGuid } = await first.openQueue());
    // This node reads everything once, at its start: then it hears of the other node only through Redis.
    second = await startSecondNode(first, { askPeersEveryMs: 3_600_000 });
  });
  afterAll(async () => {
    await second?.service.stop();
    await first?.stop();
    await redis?.stop();
  });

  const checks = async (): Promise<any> => (await first.request(null, 'GET', '/health/ready')).body.checks;

  test('learn of changes without polling the database', async () => {
    const [anna, bert] = [await first.connect('Anna'), await second.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    await Promise.all([anna, bert].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
    await playRound(anna, bert, 0.95, 0.6);
    await Promise.all([anna, bert].map((one) => one.until(() => one.match.rounds.length === 1, 'the round')));
    for (const player of [anna, bert]) {
      const versions = player.updates.map(({ match }) => match.version);
      expect(versions).toEqual(versions.map((_, at) => at + 1));
    }
    await partWays(anna, bert, matchGuid);

    const emil = await second.connect('Emil');
    const { player } = await emil.do('hello');
    await first.request('admin', 'POST', `/players/${player.playerGuid}/bans`, {
      reason: 'testing',
      until: null,
    });
    await emil.until(() => !emil.socket.connected, 'being banned');
    expect(emil.notices.at(-1).type).toBe('banned');
    expect((await checks()).redis).toEqual({ ok: true, message: null });
  });

  test('continue a match when Redis stops in the middle of it', async () => {
    const [cara, dirk] = [await first.connect('Cara'), await first.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    await redis.kill();
    await Promise.all([cara, dirk].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
    await playRound(cara, dirk, 0.95, 0.6);
    await Promise.all([cara, dirk].map((one) => one.until(() => one.match.rounds.length === 1, 'the round')));
    expect((await first.request(null, 'GET', '/health/ready')).status).toBe(200);
    expect((await checks()).redis.message).toContain('goes on without it');
    await partWays(cara, dirk, matchGuid);
  });
});
