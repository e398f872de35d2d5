import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LivePeer } from '../harness/live.ts';
import { hasRedis, redisNeeded, startRedis, type TestRedis } from '../harness/redis.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

describe.skipIf(!hasRedis)(`a live channel on two nodes${redisNeeded}`, () => {
  let redis: TestRedis;
  let first: TestService;
  let second: SecondNode;
  let matchGuid: string;
  const peers: LivePeer[] = [];
  const anna = platformIdOf('Anna');

  beforeAll(async () => {
    redis = await startRedis();
    first = await startTestService({
      environment: { REDIS_URL: redis.url, TRUST_PROXY: '1', DISCARD_SECONDS: '3600' },
    });
    const { queueGuid } = await first.openQueue();
    second = await startSecondNode(first);
    matchGuid = await meet(await first.connect('Anna'), await first.connect('Bert'), queueGuid);
  });
  afterAll(async () => {
    await second?.service.stop();
    await first?.stop();
    await redis?.stop();
  });
  afterEach(async () => {
    for (const peer of peers.splice(0)) peer.leave();
    await expect.poll(() => spectatorsAt(first.url)).toBe(0);
  });

  let addresses = 0;
  const enter = async (url: string, headers: Record<string, string>): Promise<LivePeer> => {
    addresses += 1;
    const peer = await LivePeer.open(url, anna, { 'x-forwarded-for': `192.0.2.${addresses}`, ...headers });
    peers.push(peer);
    return peer;
  };
  const watch = (url: string, headers: Record<string, string> = {}) => enter(url, headers);
  const publish = async (url: string) => {
    const token = await first.identityProvider.gameToken({ platformId: anna, username: 'Anna' });
    return enter(url, { authorization: `Bearer ${token}`, 'x-service-plugin-version': '1.0.0' });
  };
  const spectatorsAt = async (url: string): Promise<number> => {
    const page = (await (await fetch(`${url}/matches/${matchGuid}`)).json()) as { spectators: number };
    return page.spectators;
  };
  const send = (publisher: LivePeer, ...texts: string[]) => {
    for (const text of texts) publisher.socket.send(Buffer.from(text));
  };

  test('sends every frame to spectators on the other node', async () => {
    const [here, there] = [await watch(first.url), await watch(second.url)];
    const publisher = await publish(first.url);
    const texts = Array.from({ length: 60 }, (_, at) => `frame ${at}`);
    send(publisher, ...texts);
    expect(await here.texts(60)).toEqual(texts);
    expect(await there.texts(60)).toEqual(texts);
  });

  test('sends a late spectator on the other node the first frame first, and sends it once', async () => {
    const publisher = await publish(first.url);
    send(publisher, 'opening', 'missed');
    const here = await watch(first.url);
    expect(await here.texts(1)).toEqual(['opening']);
    const late = await watch(second.url);
    expect(await late.texts(1)).toEqual(['opening']);
    const later = await watch(second.url);
    expect(await later.texts(1)).toEqual(['opening']);
    send(publisher, 'next');
    for (const spectator of [here, late, later])
      expect(await spectator.texts(2)).toEqual(['opening', 'next']);
  });

  test('follows a publisher that comes back at another node', async () => {
    const [here, there] = [await watch(first.url), await watch(second.url)];
    const publisher = await publish(first.url);
    send(publisher, 'first');
    await Promise.all([here.texts(1), there.texts(1)]);
    const again = await publish(second.url);
    expect(await publisher.closeCode()).toBe(4000);
    send(again, 'second', 'third');
    for (const spectator of [here, there])
      expect(await spectator.texts(3)).toEqual(['first', 'second', 'third']);
    again.socket.close();
    await again.closeCode();
    const back = await publish(first.url);
    send(back, 'fourth');
    for (const spectator of [here, there]) expect((await spectator.texts(4)).at(-1)).toBe('fourth');
  });

  test('counts spectators on all nodes, in the match page and against the limit of an address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    for (const at of Array.from({ length: 10 }).keys()) await watch(at % 2 ? first.url : second.url, from);
    /** The refusal of one more. While Redis does not answer in time a node counts alone, and lets some in. */
    const refusalAt = async (url: string): Promise<string | undefined> => {
      const more = await watch(url, from).catch(({ code }: { code: string }) => code);
      if (typeof more === 'string') return more;
      more.leave();
    };
    for (const { url } of [first, second]) {
      await expect.poll(() => refusalAt(url), { interval: 500 }).toBe('TOO_MANY_SPECTATORS');
      await expect.poll(() => spectatorsAt(url)).toBe(10);
    }
  });

  test('goes on for spectators on the publisher’s node without Redis, and for all when Redis is back', async () => {
    const [here, there] = [await watch(first.url), await watch(second.url)];
    const publisher = await publish(first.url);
    send(publisher, 'opening');
    await Promise.all([here.texts(1), there.texts(1)]);
    await redis.kill();
    send(publisher, 'alone');
    expect(await here.texts(2)).toEqual(['opening', 'alone']);
    await redis.start();
    await expect
      .poll(
        () => {
          send(publisher, 'again');
          return there.frames.map(String).at(-1);
        },
        { interval: 200 },
      )
      .toBe('again');
  });
});
