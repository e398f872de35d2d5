import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { EventReader } from '../harness/event-reader.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, type SocketPlayer } from '../harness/socket-player.ts';

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

async function follow(query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(`${service.url}/events${query}`, headers);
  readers.push(reader);
  return reader;
}
async function two(): Promise<[SocketPlayer, SocketPlayer]> {
  pair += 1;
  return [await service.connect(`Ann${pair}`), await service.connect(`Ben${pair}`)];
}
const read = async (path: string) => (await service.request(null, 'GET', path)).body;

test('the first event is a snapshot; then queues are sent when they change', async () => {
  const [anna, bert] = await two();
  const matchGuid = await meet(anna, bert, queueGuid);
  const reader = await follow();
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  const { data, id } = await reader.event('snapshot');
  expect(id).toBeNull();
  expect(Object.keys(data)).toEqual(['time', 'queues', 'matches']);
  expect(data.queues).toEqual((await read('/queues')).items);
  const match = await read(`/matches/${matchGuid}`);
  expect(data.matches).toEqual([
    {
      matchGuid,
      queueGuid,
      queueName: match.queueName,
      status: match.status,
      rated: true,
      players: match.players,
      health: [1, 1],
      roundNumber: 0,
      startedAt: match.startedAt,
      endedAt: null,
      result: null,
    },
  ]);

  const cara = await service.connect('Cara');
  await cara.do('joinQueue', { queueGuid });
  const waiting = await reader.event('queue', (queue) => queue.waiting === 1);
  expect(waiting.data).toEqual((await read('/queues')).items[0]);
  expect(waiting.id).toBeNull();
  await cara.do('leaveQueue');
  await reader.event('queue', (queue) => queue.waiting === 0);
  await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: 'Renamed' });
  await reader.event('queue', (queue) => queue.name === 'Renamed' && queue.playing === 2);
  await anna.do('forfeit', { matchGuid });
  const finished = await reader.event('matchFinished', (one) => one.matchGuid === matchGuid);
  const ended = await read(`/matches/${matchGuid}`);
  expect(finished.data).toMatchObject({ status: ended.status, result: ended.result, endedAt: ended.endedAt });
  for (const player of [anna, bert]) await player.do('leaveQueue');
  await reader.event('queue', (queue) => queue.playing === 0);
});

test('a match is sent from the moment its players are known', async () => {
  const reader = await follow();
  await reader.event('snapshot');
  const [anna, bert] = await two();
  await anna.do('joinQueue', { queueGuid });
  await bert.do('joinQueue', { queueGuid });
  const { matchGuid: unknown } = await anna.status('waiting_players');
  await reader.event('queue', (queue) => queue.playing === 2);
  await service.request('admin', 'POST', `/matches/${unknown}/abort`, { reason: 'Over.' });
  await anna.status('aborted');
  await bert.status('aborted');
  for (const player of [anna, bert]) player.leave();

  const [cara, dirk] = await two();
  const known = await meet(cara, dirk, queueGuid);
  const started = await reader.event('matchStarted', (one) => one.matchGuid === known);
  expect(started.data).toMatchObject({ status: 'awaiting_discards', endedAt: null, result: null });
  await partWays(cara, dirk, known);
  await reader.event('matchFinished', (one) => one.matchGuid === known);

  // Begun and ended between two looks.
  const [emil, fred] = await two();
  const short = await meet(emil, fred, queueGuid);
  await partWays(emil, fred, short);
  await reader.event('matchFinished', (one) => one.matchGuid === short);
  const told = reader.events.filter(({ event }) => event.startsWith('match'));
  expect(told.map(({ event, data }) => [event, data.matchGuid])).toEqual([
    ['matchStarted', known],
    ['matchFinished', known],
    ['matchStarted', short],
    ['matchFinished', short],
  ]);
  expect(told.map(({ data }) => data.result === null)).toEqual([true, false, true, false]);
});

test('a stream of one queue sends that queue alone, and its closing once', async () => {
  const { queueGuid: other } = await service.openQueue();
  const [own, all] = [await follow(`?queueGuid=${other}`), await follow()];
  const { data } = await own.event('snapshot');
  expect(data.queues.map((queue: any) => queue.queueGuid)).toEqual([other]);
  expect(data.matches).toEqual([]);
  await all.event('snapshot');
  const cara = await service.connect('Cara');
  await cara.do('joinQueue', { queueGuid });
  await all.event('queue', (queue) => queue.queueGuid === queueGuid);
  await cara.do('leaveQueue');
  await service.request('admin', 'POST', `/queues/${other}/close`);
  await all.event('queue', (queue) => queue.queueGuid === other && queue.status === 'closed');
  await own.event('queue', (queue) => queue.status === 'closed');
  await service.request('admin', 'PATCH', `/queues/${other}`, { name: 'Closed' });
  await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: 'Still open' });
  await all.event('queue', (queue) => queue.name === 'Still open');
  expect(own.events.map(({ event }) => event)).toEqual(['snapshot', 'queue']);
  expect(all.events.filter(({ data: one }) => one.queueGuid === other)).toHaveLength(1);
  expect((await (await follow()).event('snapshot')).data.queues.map((one: any) => one.queueGuid)).toEqual([
    queueGuid,
  ]);
});

test('the closing of a queue is sent also less than a second after another change, and while other queues change', async () => {
  const { queueGuid: other } = await service.openQueue();
  const reader = await follow(`?queueGuid=${other}`);
  await reader.event('snapshot');
  await service.request('admin', 'PATCH', `/queues/${other}`, { name: 'About to close' });
  await reader.event('queue', (queue) => queue.name === 'About to close');
  await service.request('admin', 'POST', `/queues/${other}/close`);
  // The closed queue is read several times before it may be told.
  for (let n = 0; n < 20; n++) {
    await service.request('admin', 'PATCH', `/queues/${queueGuid}`, { name: `Another name ${n}` });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { data } = await reader.event('queue', (queue) => queue.status === 'closed');
  expect(data.queueGuid).toBe(other);
});

test('a queue that returns to an earlier state is sent to a reader whose snapshot shows the state between', async () => {
  const before = await follow();
  await before.event('snapshot');
  const erik = await service.connect('Erik');
  await erik.do('joinQueue', { queueGuid });
  await before.event('queue', (queue) => queue.waiting === 1);
  // This one is not sent within the same second.
  await erik.do('leaveQueue');
  const reader = await follow();
  const { data } = await reader.event('snapshot');
  expect(data.queues[0].waiting).toBe(0);
  await erik.do('joinQueue', { queueGuid });
  await reader.event('queue', (queue) => queue.waiting === 1);
  await erik.do('leaveQueue');
  await reader.event('queue', (queue) => queue.waiting === 0);
});

test('a queue is sent at most once a second, and its last state always', async () => {
  const reader = await follow();
  await reader.event('snapshot');
  const dora = await service.connect('Dora');
  const since = performance.now();
  for (let n = 0; n < 6; n++) {
    await dora.do('joinQueue', { queueGuid });
    await dora.do('leaveQueue');
  }
  await dora.do('joinQueue', { queueGuid });
  await reader.until(() => reader.events.at(-1)?.data.waiting === 1, 'the last state');
  await dora.do('leaveQueue');
  await reader.until(() => reader.events.at(-1)?.data.waiting === 0, 'the last state');
  const seconds = (performance.now() - since) / 1000;
  const told = reader.events.filter(({ event }) => event === 'queue').length;
  expect(told).toBeLessThanOrEqual(1 + Math.ceil(seconds));
});
