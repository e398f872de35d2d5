import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createOpenStreams } from '../../src/domains/observers/open-streams.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { BOUNDS } from '../../src/platform/limits.ts';
import { EventReader } from '../harness/event-reader.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
const readers: EventReader[] = [];
beforeAll(async () => {
  // The limits are one stream instead of 200, and 15 openings in a minute instead of 3000.
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '0.005' } });
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => service.stop());

async function follow(localAddress: string, path = '/events'): Promise<EventReader> {
  const reader = await EventReader.open(`${service.url}${path}`, { localAddress });
  readers.push(reader);
  return reader;
}

test('an address has a limited number of streams, and closing one makes room', async () => {
  const first = await follow('127.0.1.1');
  await first.event('snapshot');
  const refused = await follow('127.0.1.1');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
  expect((await follow('127.0.1.2')).status).toBe(200);
  first.close();
  await expect.poll(async () => (await follow('127.0.1.1')).status, { interval: 200 }).toBe(200);
});

test('opening a stream counts as a page and not as a public read', async () => {
  const open = (path: string) => follow('127.0.2.1', path);
  const statuses: number[] = [];
  for (let n = 0; n < 17; n++) statuses.push((await open(`/matches/${newGuid()}/events`)).status);
  expect(statuses).toEqual([...Array(15).fill(404), 429, 429]);
  expect(Number(readers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  // Two public reads are allowed in this minute.
  expect((await open('/queues')).status).toBe(200);
});

test('a reader that asks for more on its connection is cut off', async () => {
  const { port, hostname } = new URL(service.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.3.1' });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      received += chunk;
    });
  const ask = 'GET /events HTTP/1.1\r\nhost: x\r\n\r\n';
  socket.write(ask);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write(ask);
  await closed;
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
});

test('streams are counted by address, by network and in total', () => {
  const refusedAs: string[] = [];
  let isDraining = false;
  const onRefused = (code: string): void => void refusedAs.push(code);
  const streams = createOpenStreams({ rateLimitFactor: 1, isDraining: () => isDraining, onRefused });
  const refusal = (address: string) => {
    const before = refusedAs.length;
    try {
      streams.enter(address);
    } catch {
      return refusedAs[before];
    }
    return null;
  };
  const most = BOUNDS.streamsOfAddress.value;
  for (let n = 0; n < most; n++) expect(refusal('192.0.2.1')).toBeNull();
  for (const same of ['192.0.2.1', '::ffff:192.0.2.1']) expect(refusal(same)).toBe('TOO_MANY_STREAMS');
  // A network of 48 bits has ten times as much as one of 64.
  for (let n = 0; n < 10 * most; n++) expect(refusal(`2001:db8:0:${(n % 10).toString(16)}::1`)).toBeNull();
  expect(refusal('2001:db8:0:99::1')).toBe('TOO_MANY_STREAMS');
  for (let n = streams.count(); n < BOUNDS.streams.value; n++)
    expect(refusal(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)).toBeNull();
  expect(refusal('198.51.100.1')).toBe('SERVICE_UNAVAILABLE');
  streams.leave('192.0.2.1');
  isDraining = true;
  expect(refusal('192.0.2.1')).toBe('DRAINING');
  isDraining = false;
  expect(refusal('192.0.2.1')).toBeNull();
  const without = createOpenStreams({ rateLimitFactor: 0, isDraining: () => false, onRefused });
  for (let n = 0; n <= most; n++) without.enter('192.0.2.1');
  expect(without.count()).toBe(most + 1);
});

test('a node has a limited number of streams, and closing one makes room', async () => {
  const limit = vi.spyOn(BOUNDS.streams, 'value', 'get').mockReturnValue(2 as typeof BOUNDS.streams.value);
  onTestFinished(() => limit.mockRestore());
  const opens = (localAddress: string) =>
    expect.poll(async () => (await follow(localAddress)).status, { interval: 200 }).toBe(200);
  // Streams of the tests before may just be closing.
  await opens('127.0.5.1');
  const first = readers.at(-1);
  await opens('127.0.5.2');
  const { status, body, headers } = await service.request(null, 'GET', '/events');
  expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '10']);
  first?.close();
  await opens('127.0.5.3');
});

test('a node that stops refuses new streams and ends the others', async () => {
  const reader = await follow('127.0.4.1');
  await reader.event('snapshot');
  const stopped = service.service.stop({ drainMs: 500, finishMs: 5000 });
  const refused = await follow('127.0.4.2');
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
  expect(reader.hasEnded).toBe(false);
  await reader.ended();
  await stopped;
});
