import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { EventReader } from '../harness/event-reader.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import {
  meet,
  partWays,
  type SocketPlayer,
  scoreOf,
  toFirstPick,
  toPlaying,
  toPreparing,
} from '../harness/socket-player.ts';
import { valuesIn } from '../harness/values.ts';

let service: TestService;
let queueGuid: string;
let pair = 0;
const readers: EventReader[] = [];
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => service.stop());

async function follow(matchGuid: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(`${service.url}/matches/${matchGuid}/events`, headers);
  readers.push(reader);
  return reader;
}
async function two(name = ''): Promise<[SocketPlayer, SocketPlayer]> {
  pair += 1;
  return [await service.connect(`Ann${pair}${name}`), await service.connect(`Ben${pair}${name}`)];
}
const read = async (path: string) => (await service.request(null, 'GET', path)).body;
const versionsOf = ({ events }: EventReader) =>
  events.filter(({ id }) => id !== null).map(({ data }) => data.match.version);

test('a match is followed from the pairing to its end, version by version', async () => {
  const [anna, bert] = await two();
  await anna.do('joinQueue', { queueGuid });
  await bert.do('joinQueue', { queueGuid });
  const { matchGuid } = await anna.status('waiting_players');
  const reader = await follow(matchGuid, { origin: 'https://anywhere.example' });
  expect(reader.status).toBe(200);
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-request-id': expect.any(String),
  });
  const first = await reader.event('match');
  expect(reader.retryMs).toBeGreaterThanOrEqual(2000);
  expect(reader.retryMs).toBeLessThanOrEqual(6000);
  expect(first.data).toMatchObject({
    cause: null,
    match: { matchGuid, status: 'waiting_players', players: [], live: { roundNumber: 0, seats: [] } },
  });
  expect(first.id).toBe(String(first.data.match.version));
  expect(Object.keys(first.data)).toEqual(['time', 'match', 'cause']);

  await Promise.all([anna, bert].map((one) => one.do('joinMatch', { matchGuid })));
  await Promise.all([anna, bert].map((one) => one.status('awaiting_discards')));
  const hidden = reader.events.filter(({ data }) => data.match.status === 'waiting_players');
  expect(hidden.map(({ data }) => data.cause?.playerGuid ?? null)).toEqual(hidden.map(() => null));
  for (const { playerGuid } of [anna, bert].map(({ match }) => match.you.player))
    expect(JSON.stringify(hidden)).not.toContain(playerGuid);

  const [picker, waiter] = await toFirstPick(anna, bert, matchGuid);
  const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
  const score = scoreOf(currentMap, 0.7771);
  await anna.do('submitScore', { matchGuid, roundNumber, ...score });
  await reader.event('match', ({ match }) => match.live.seats.some((seat: any) => seat.scoreSubmitted));
  expect(valuesIn(reader.events), 'a lone score').not.toContain(score.rawScore);
  await bert.do('forfeit', { matchGuid });
  await reader.ended();

  const { events } = reader;
  expect(events.at(-1)).toMatchObject({ event: 'end', data: {}, id: null });
  const last = events.at(-2);
  const { spectators: _, ...shown } = await read(`/matches/${matchGuid}`);
  expect(last?.data.match).toEqual(shown);
  expect(last?.data.cause).toEqual({ type: 'finished', playerGuid: bert.match.you.player.playerGuid });
  // Every version, each once, as the players were told them.
  const [from = 0, ...versions] = versionsOf(reader);
  expect(versions).toEqual(versions.map((_, at) => from + 1 + at));
  expect(versions.at(-1)).toBe(bert.match.version);
  for (const { data } of events.slice(1, -1)) {
    const told = bert.updates.find(({ match }) => match.version === data.match.version);
    expect(told.cause.type).toBe(data.cause.type);
    expect(told.match.status).toBe(data.match.status);
  }
  // Never a card of a hand.
  const heard = JSON.stringify(events);
  for (const player of [anna, bert])
    for (const { cardGuid, map } of player.match.you.hand) {
      expect(heard).not.toContain(cardGuid);
      if (map.mapGuid !== currentMap.mapGuid) expect(heard).not.toContain(map.mapGuid);
    }
  const running = JSON.stringify(events.slice(0, -2));
  expect(running).not.toContain(shown.seed);
});

describe('a reader who comes back', () => {
  test('gets the present version only if it has another one', async () => {
    const [anna, bert] = await two();
    const matchGuid = await meet(anna, bert, queueGuid);
    const { version } = await read(`/matches/${matchGuid}`);
    const knows = await follow(matchGuid, { 'last-event-id': String(version) });
    const others = await Promise.all(
      [version - 1, version + 1, `0${version}`, 'x', ''].map((id) =>
        follow(matchGuid, { 'last-event-id': String(id) }),
      ),
    );
    for (const other of others)
      expect((await other.event('match')).data).toMatchObject({ cause: null, match: { version } });
    expect(knows.events).toEqual([]);
    await anna.do('discardMaps', { matchGuid, cardGuids: [] });
    await knows.event('match', ({ match }) => match.version === version + 1);
    expect(versionsOf(knows)).toEqual([version + 1]);
    await partWays(anna, bert, matchGuid);
  });

  test('of a match that is over gets its last version and the end, or 204 when it knows that version', async () => {
    const [anna, bert] = await two();
    const matchGuid = await meet(anna, bert, queueGuid);
    await partWays(anna, bert, matchGuid);
    const { version } = await read(`/matches/${matchGuid}`);
    const reader = await follow(matchGuid, { 'last-event-id': String(version - 1) });
    await reader.ended();
    expect(reader.events.map(({ event, id }) => [event, id])).toEqual([
      ['match', String(version)],
      ['end', null],
    ]);
    expect(reader.events[0]?.data.cause).toBeNull();
    const known = await follow(matchGuid, { 'last-event-id': String(version) });
    expect(known.status).toBe(204);
    // A correction leaves the version, so the stream of the match is over for good.
    const corrected = await service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
      outcome: 'draw',
      winnerGuid: null,
      reason: 'Reviewed.',
    });
    expect(corrected.body.version).toBe(version);
    expect((await follow(matchGuid, { 'last-event-id': String(version) })).status).toBe(204);
    const again = await follow(matchGuid);
    await again.ended();
    expect(again.events[0]).toMatchObject({
      id: String(version),
      data: { match: { result: { outcome: 'draw' } } },
    });
  });
});

test('the progress of a download is sent without an id, at most once a second', async () => {
  const [anna, bert] = await two();
  const { matchGuid, picker } = await toPreparing(anna, bert, queueGuid);
  const { roundNumber } = picker.match;
  const says = (progress: number) =>
    picker.do('setReady', { matchGuid, roundNumber, state: 'downloading', progress });
  await says(0.1);
  const reader = await follow(matchGuid);
  const { version } = (await reader.event('match')).data.match;
  for (const share of [0.2, 0.3, 0.4, 0.5]) await says(share);
  const seats = ({ match }: any) => match.live.seats.map(({ progress }: any) => progress);
  const last = await reader.event('match', (data) => seats(data).includes(0.5));
  const shares = reader.events.slice(1);
  expect(shares.length).toBeLessThanOrEqual(3);
  for (const { id, data } of shares) {
    expect([id, data.match.version]).toEqual([null, version]);
    expect(data.cause).toEqual({ type: 'readyChanged', playerGuid: picker.match.you.player.playerGuid });
  }
  expect(seats(last.data)).toContain(null);
  expect((await read(`/matches/${matchGuid}`)).version).toBe(version);
  await partWays(anna, bert, matchGuid);
});

test('an event is one line of data, whatever characters are in its names', async () => {
  const hostile = [
    `<script>alert(1)</script>`,
    'a\nb\r\ndata: x\n\nevent: end\ndata: {}',
    '‮gnp.exe⁦',
    '👾'.repeat(1000) + 'x'.repeat(2000),
    '\u2028\u2029\u0000\u200b',
  ];
  const [anna, bert] = await two();
  const matchGuid = await meet(anna, bert, queueGuid);
  const { playerGuid } = anna.match.you.player;
  for (const username of hostile) {
    const kept = username.replaceAll('\u0000', '');
    await service.database.prisma.player.update({ where: { playerGuid }, data: { username: kept } });
    await service.database.prisma.queue.update({ where: { queueGuid }, data: { name: kept } });
    // Rows that were changed by hand show after a write that the node knows of.
    await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: 'Queue' });
    await service.database.prisma.queue.update({ where: { queueGuid }, data: { name: kept } });
    const reader = await follow(matchGuid);
    const { data, lines } = await reader.event('match');
    expect(lines).toBe(1);
    expect(data.match.players.map((one: any) => one.username)).toContain(kept);
    expect(data.match.queueName).toBe(kept);
    expect(reader.events).toHaveLength(1);
    const feed = await EventReader.open(`${service.url}/events?queueGuid=${queueGuid}`);
    readers.push(feed);
    const { data: all } = await feed.event('snapshot');
    expect(all.matches[0].players.map((one: any) => one.username)).toContain(kept);
    reader.close();
  }
  await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: 'Queue' });
  await partWays(anna, bert, matchGuid);
});

test('HEAD answers the headers, and refusals are ordinary answers', async () => {
  const [anna, bert] = await two();
  const matchGuid = await meet(anna, bert, queueGuid);
  const head = await follow(matchGuid, { method: 'HEAD' });
  await head.ended();
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(head.events).toEqual([]);
  for (const [path, expected] of [
    ['/matches/x/events', [400, 'VALIDATION_FAILED']],
    [`/matches/${newGuid()}/events`, [404, 'MATCH_NOT_FOUND']],
    ['/events?queueGuid=x', [400, 'VALIDATION_FAILED']],
    [`/events?queueGuid=${newGuid()}`, [404, 'QUEUE_NOT_FOUND']],
    ['/events?other=1', [400, 'VALIDATION_FAILED']],
  ] as const) {
    const { status, body } = await service.request(null, 'GET', path);
    expect([path, status, body.error.code]).toEqual([path, ...expected]);
  }
  const post = await service.request(null, 'POST', `/matches/${matchGuid}/events`);
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  // Credentials are not looked at, bad ones neither.
  for (const name of ['authorization', 'cookie'])
    expect((await follow(matchGuid, { [name]: 'Bearer nonsense' })).status).toBe(200);
  const preflight = await fetch(`${service.url}/matches/${matchGuid}/events`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://anywhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'last-event-id',
    },
  });
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('last-event-id');
  await partWays(anna, bert, matchGuid);
});

test('a slow reader gets the last version when it reads, no version twice, and the end', async () => {
  const [anna, bert] = await two();
  // So large that a few versions fill what the systems of both sides take.
  const { queueGuid: large } = await service.openQueue();
  const name = 'x'.repeat(2_000_000);
  await service.database.prisma.queue.update({ where: { queueGuid: large }, data: { name } });
  const matchGuid = await meet(anna, bert, large);
  const slow = await follow(matchGuid);
  slow.pause();
  const quick = await follow(matchGuid);
  await quick.event('match');
  const [picker, waiter] = await toFirstPick(anna, bert, matchGuid);
  await toPlaying(picker, waiter, matchGuid);
  await bert.do('forfeit', { matchGuid });
  await quick.ended();
  slow.resume();
  await slow.ended();
  const versions = versionsOf(slow);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expect(versions.length).toBeLessThan(versionsOf(quick).length);
  expect(versions.at(-1)).toBe(versionsOf(quick).at(-1));
  expect(slow.events.at(-1)?.event).toBe('end');
  await service.database.prisma.queue.update({ where: { queueGuid: large }, data: { name: 'Large' } });
  for (const player of [anna, bert]) player.leave();
});
