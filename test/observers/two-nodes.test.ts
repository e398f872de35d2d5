import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EventReader } from '../harness/event-reader.ts';
import { hasRedis, redisNeeded, startRedis, type TestRedis } from '../harness/redis.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, type SocketPlayer, toFirstPick, toPreparing } from '../harness/socket-player.ts';

let first: TestService;
let second: SecondNode;
let poolGuid: string;
const readers: EventReader[] = [];
beforeAll(async () => {
  first = await startTestService();
  ({ poolGuid } = await first.openQueue());
  second = await startSecondNode(first);
});
afterAll(async () => {
  for (const reader of readers) reader.close();
  await second?.service.stop();
  await first?.stop();
});

async function follow(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(url, headers);
  readers.push(reader);
  return reader;
}
/** A met pair whose first map is picked. @returns how each says how far the download is */
async function toDownloads(pair: [SocketPlayer, SocketPlayer], queueGuid: string) {
  const { matchGuid } = await toPreparing(...pair, queueGuid);
  const downloads = (player: SocketPlayer, progress: number) =>
    player.do('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress });
  return { matchGuid, downloads };
}
/** Waits until the progress of a player is shown. */
const shows = (reader: EventReader, player: SocketPlayer, progress: number) =>
  reader.event('match', ({ match }) =>
    match.live.seats.some(
      (seat: any) => seat.playerGuid === player.match.you.player.playerGuid && seat.progress === progress,
    ),
  );
/** The updates of a player that only tell of progress: they repeat the version of the update before. */
const progressUpdates = ({ updates }: SocketPlayer) =>
  updates.filter(({ match }, at) => match.version === updates[at - 1]?.match.version);
/** Ten times as often as players are told. */
const REPORT_EVERY_MS = 50;
/**
 * Both players report often, until each has received some updates about progress. Then both the players and those who follow
 * see the last report of each.
 */
async function downloadTogether(
  pair: [SocketPlayer, SocketPlayer],
  queueGuid: string,
  followedAt: readonly { url: string }[],
) {
  const { matchGuid, downloads } = await toDownloads(pair, queueGuid);
  const followers = await Promise.all(
    followedAt.map(({ url }) => follow(`${url}/matches/${matchGuid}/events`)),
  );
  await Promise.all(followers.map((reader) => reader.event('match')));
  const [a, b] = pair;
  // Afterwards no change comes between the updates about progress.
  for (const player of pair) await downloads(player, 0);
  for (const player of pair)
    await player.until(
      () => [player.match.you, player.match.opponent].every(({ ready }) => ready === 'downloading'),
      'both downloads',
    );
  const startedAt = performance.now();
  const before = pair.map((player) => progressUpdates(player).length);
  const told = () => pair.map((player, at) => progressUpdates(player).length - (before[at] ?? 0));
  for (let step = 1; Math.min(...told()) < 6; step++) {
    await downloads(a, step / 10_000);
    await downloads(b, 0.5 + step / 10_000);
    await sleep(REPORT_EVERY_MS);
  }
  await downloads(a, 0.9);
  await downloads(b, 0.8);
  const isLast = ({ you, opponent }: any, own: number, other: number) =>
    you.progress === own && opponent.progress === other;
  await a.until(() => isLast(a.match, 0.9, 0.8), 'how far both are');
  await b.until(() => isLast(b.match, 0.8, 0.9), 'how far both are');
  const seconds = (performance.now() - startedAt) / 1000;
  for (const updates of told()) expect(updates).toBeLessThanOrEqual(1 + Math.ceil(2 * seconds));
  await Promise.all(followers.flatMap((reader) => [shows(reader, a, 0.9), shows(reader, b, 0.8)]));
  await partWays(...pair, matchGuid);
}
const versionsOf = ({ events }: EventReader) => events.flatMap(({ id }) => (id === null ? [] : [Number(id)]));

test('a match is followed on a node that none of its players is connected to', async () => {
  const { queueGuid } = await first.openQueue({ poolGuid });
  const all = await follow(`${second.url}/events`);
  await all.event('snapshot');
  const [anna, bert] = [await first.connect('Anna'), await first.connect('Bert')];
  const matchGuid = await meet(anna, bert, queueGuid);
  const events = `/matches/${matchGuid}/events`;
  const [own, other] = [await follow(first.url + events), await follow(second.url + events)];
  await other.event('match', ({ match }) => match.status === 'awaiting_discards');
  await toFirstPick(anna, bert, matchGuid);
  const { data, id } = await other.event('match', ({ match }) => match.status === 'awaiting_pick');
  expect(data.match).toEqual(
    (await own.event('match', ({ match }) => String(match.version) === id)).data.match,
  );

  // The reader goes on at the other node, where it ended.
  own.close();
  const resumed = await follow(second.url + events, { 'last-event-id': String(id) });
  const { match: ended } = await anna.do('forfeit', { matchGuid });
  // A reader who has seen the end elsewhere is ahead of the readers of this node.
  const known = await fetch(second.url + events, { headers: { 'last-event-id': String(ended.version) } });
  expect(known.status).toBe(204);
  await Promise.all([other.ended(), resumed.ended()]);
  for (const reader of [other, resumed]) {
    expect(reader.events.at(-1)?.event).toBe('end');
    const versions = versionsOf(reader);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(anna.match.version);
  }
  expect(versionsOf(resumed)).not.toContain(Number(id));
  expect(other.events.at(-2)?.data.cause.type).toBe('finished');
  await all.event('matchStarted', (match) => match.matchGuid === matchGuid);
  await all.event('matchFinished', (match) => match.matchGuid === matchGuid);
  await all.event('queue', (queue) => queue.playing === 0);
});

test('the progress of both downloads is shown on the nodes of both players', async () => {
  const { queueGuid } = await first.openQueue({ poolGuid });
  const pair: [SocketPlayer, SocketPlayer] = [await first.connect('Emil'), await second.connect('Fred')];
  const { matchGuid, downloads } = await toDownloads(pair, queueGuid);
  const both = await Promise.all(
    [first, second].map(({ url }) => follow(`${url}/matches/${matchGuid}/events`)),
  );
  await Promise.all(both.map((reader) => reader.event('match')));
  // Both at once: the node of one stores the change after that of the other.
  for (const share of [0.1, 0.2]) {
    for (const player of pair) await downloads(player, share);
    await Promise.all(both.flatMap((reader) => pair.map((player) => shows(reader, player, share))));
  }
  for (const { events } of both)
    for (const { id, data } of events.slice(1))
      if (id === null)
        expect(data.match.live.seats.map((seat: any) => seat.progress)).not.toEqual([null, null]);
  await partWays(...pair, matchGuid);
});

describe('the progress of two downloads is told to a player at most twice a second, without Redis', () => {
  test('when both players are on one node', async () => {
    const { queueGuid } = await first.openQueue({ poolGuid });
    await downloadTogether([await first.connect('Karl'), await first.connect('Lena')], queueGuid, [first]);
  });

  test('when each is on another node, and on both nodes to those who follow', async () => {
    const { queueGuid } = await first.openQueue({ poolGuid });
    const pair: [SocketPlayer, SocketPlayer] = [await first.connect('Mara'), await second.connect('Nils')];
    await downloadTogether(pair, queueGuid, [first, second]);
  });
});

describe.skipIf(!hasRedis)(`with a Redis${redisNeeded}`, () => {
  let redis: TestRedis;
  let withPlayers: TestService;
  let without: SecondNode;
  let poolGuid: string;
  beforeAll(async () => {
    redis = await startRedis();
    withPlayers = await startTestService({ environment: { REDIS_URL: redis.url } });
    ({ poolGuid } = await withPlayers.openQueue());
    without = await startSecondNode(withPlayers);
    const other = new Redis(redis.url);
    const listeners = async () => {
      const [channel = ''] = (await other.pubsub('CHANNELS', '*:progress')) as string[];
      const [, count] = (await other.pubsub('NUMSUB', channel)) as [string, number];
      return count;
    };
    await vi.waitFor(async () => expect(await listeners()).toBe(2), { timeout: 20_000 });
    other.disconnect();
  });
  afterAll(async () => {
    for (const reader of readers) reader.close();
    await without?.service.stop();
    await withPlayers?.stop();
    await redis?.stop();
  });

  test('the progress of downloads is shown on a node without players, at most once a second, and nonsense in its channel is ignored', async () => {
    const { queueGuid } = await withPlayers.openQueue({ poolGuid });
    const pair: [SocketPlayer, SocketPlayer] = [
      await withPlayers.connect('Gina'),
      await withPlayers.connect('Hans'),
    ];
    const { matchGuid, downloads } = await toDownloads(pair, queueGuid);
    const reader = await follow(`${without.url}/matches/${matchGuid}/events`);
    await reader.event('match');
    const other = new Redis(redis.url);
    const [channel = ''] = (await other.pubsub('CHANNELS', '*:progress')) as string[];
    for (const nonsense of ['{', 'null', JSON.stringify({ matchGuid, progress: 'much' })])
      expect(await other.publish(channel, nonsense)).toBe(2);
    other.disconnect();
    const shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    const startedAt = Date.now();
    for (const share of shares) for (const player of pair) await downloads(player, share);
    await Promise.all(pair.map((player) => shows(reader, player, 0.6)));
    const told = reader.events.filter(({ id, event }) => event === 'match' && id === null);
    expect(told.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - startedAt) / 1000));
    await partWays(...pair, matchGuid);
    await reader.ended();
  });

  test('the progress of a download reaches the opponent on another node without the database', async () => {
    const { queueGuid } = await withPlayers.openQueue({ poolGuid });
    const pair: [SocketPlayer, SocketPlayer] = [
      await withPlayers.connect('Ines'),
      await without.connect('Jan'),
    ];
    const { matchGuid, downloads } = await toDownloads(pair, queueGuid);
    const [ines, jan] = pair;
    const messages = () =>
      withPlayers.database.prisma
        .$queryRaw`SELECT last_value FROM pg_sequences WHERE sequencename = 'PeerMessage_sequence_seq'`;
    const before = await messages();
    for (const share of [0.1, 0.4]) {
      for (const player of pair) await downloads(player, share);
      await jan.until(() => jan.match.opponent.progress === share, 'the progress of Ines');
      await ines.until(() => ines.match.opponent.progress === share, 'the progress of Jan');
    }
    expect(await messages()).toEqual(before);
    await partWays(...pair, matchGuid);
  });

  test('the progress of a download reaches the opponent on another node while the nodes may not use channels', async () => {
    const { queueGuid } = await withPlayers.openQueue();
    const pair: [SocketPlayer, SocketPlayer] = [
      await withPlayers.connect('Tine'),
      await without.connect('Udo'),
    ];
    const { matchGuid, downloads } = await toDownloads(pair, queueGuid);
    const admin = new Redis(redis.url);
    const problems = async (): Promise<(string | null)[]> =>
      Promise.all(
        [withPlayers, without].map(
          async ({ url }) =>
            ((await (await fetch(`${url}/health/ready`)).json()) as any).checks.redis.message,
        ),
      );
    const REFUSED = 'refuses SUBSCRIBE (NOPERM); this node goes on without it';
    await admin.call('ACL', 'SETUSER', 'default', 'resetchannels');
    await vi.waitFor(async () => expect(await problems()).toEqual([REFUSED, REFUSED]), { timeout: 20_000 });
    const [tine, udo] = pair;
    for (const player of pair) await downloads(player, 0.3);
    await udo.until(() => udo.match.opponent.progress === 0.3, 'the progress of Tine');
    await tine.until(() => tine.match.opponent.progress === 0.3, 'the progress of Udo');
    await admin.call('ACL', 'SETUSER', 'default', 'allchannels');
    await vi.waitFor(async () => expect(await problems()).toEqual([null, null]), { timeout: 20_000 });
    admin.disconnect();
    await partWays(...pair, matchGuid);
  });

  describe('the progress of two downloads is told to a player at most twice a second, and on both nodes to those who follow', () => {
    test.each([
      ['both players are on one node', 'Olga', 'Paul', () => withPlayers],
      ['each is on another node', 'Rosa', 'Sven', () => without],
    ])('when %s', async (_, one, two, nodeOfTwo) => {
      const { queueGuid } = await withPlayers.openQueue({ poolGuid });
      const pair: [SocketPlayer, SocketPlayer] = [
        await withPlayers.connect(one),
        await nodeOfTwo().connect(two),
      ];
      await downloadTogether(pair, queueGuid, [withPlayers, without]);
    });
  });
});
