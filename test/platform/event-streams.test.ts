import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventStreams, type EventStream, eventText } from '../../src/platform/http/event-streams.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';

/** A stream without events, and a stream that its reader does not read. */

const SECOND_MS = 1_000;
/** More than the systems of both sides take for a reader that waits. */
const LARGE = Buffer.from(eventText('large', JSON.stringify('x'.repeat(16 * 1024 * 1024))));

let http: Http;
let opened: EventStream[];
let closed: EventStream[];
beforeEach(async () => {
  // Comments and looks at connections are the only timers that are advanced by hand; everything else really happens.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [opened, closed] = [[], []];
  http = await createQuietHttp();
  const streams = createEventStreams(http);
  http.get('/stream', async (request, reply) => {
    const owner = { onTaken: () => {}, onClosed: (stream: EventStream) => void closed.push(stream) };
    const stream = streams.open(request, reply, owner);
    if (stream !== null) opened.push(stream);
    return reply;
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  vi.useRealTimers();
  http.server.closeAllConnections();
  await http.close();
});

/** Waits for something that really happens. Vitest's own way to wait would advance the timers. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

/** Opens a stream and reads its head. @returns its connection, and what was read until now */
async function open(): Promise<{ client: Socket; server: Socket; text: () => string }> {
  const accepted = once(http.server, 'connection') as Promise<[Socket]>;
  const client = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  client.on('error', () => {}).on('data', (chunk) => (text += chunk));
  client.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
  const [server] = await accepted;
  await until(() => /retry: \d+\n\n/.test(text));
  return { client, server, text: () => text };
}
const commentsIn = (text: string): number => text.split('\n\n').filter((block) => block === ':').length;

test('each reader gets its own reconnect time, between 2 and 6 seconds', async () => {
  const readers = [];
  for (let n = 0; n < 12; n++) readers.push(await open());
  const times = readers.map(({ text }) => Number(/retry: (\d+)/.exec(text())?.[1]));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(2_000);
  expect(Math.max(...times)).toBeLessThanOrEqual(6_000);
  expect(new Set(times).size).toBeGreaterThan(1);
  for (const { client } of readers) client.destroy();
  await until(() => closed.length === readers.length);
});

test('a stream without events has a comment every 15 seconds, and is not cut', async () => {
  const { client, server, text } = await open();
  for (let round = 1; round <= 8; round++) {
    vi.advanceTimersByTime(14 * SECOND_MS);
    // A comment of this second would come before this event.
    opened[0]?.write(Buffer.from(eventText('value', `${round}`)));
    await until(() => text().includes(`data: ${round}\n\n`));
    expect(commentsIn(text())).toBe(round - 1);
    vi.advanceTimersByTime(SECOND_MS);
    await until(() => commentsIn(text()) === round);
  }
  expect([server.destroyed, closed]).toEqual([false, []]);
  client.destroy();
  await until(() => closed.length === 1);
});

test('a stream that is not read is cut after a minute, and gets no comments meanwhile', async () => {
  const [silent, reading] = [await open(), await open()];
  silent.client.pause();
  const [stream] = opened;
  stream?.write(LARGE);
  await until(() => silent.server.bytesWritten > LARGE.length);
  const waiting = silent.server.writableLength;
  expect([waiting > 0, stream?.isBusy()]).toEqual([true, true]);
  vi.advanceTimersByTime(55 * SECOND_MS);
  await sleep(20);
  expect([silent.server.destroyed, silent.server.writableLength]).toEqual([false, waiting]);
  vi.advanceTimersByTime(20 * SECOND_MS);
  await until(() => closed.length === 1);
  expect(closed).toEqual([stream]);
  expect([silent.server.destroyed, reading.server.destroyed]).toEqual([true, false]);
  await until(() => commentsIn(reading.text()) >= 1);
  for (const { client } of [silent, reading]) client.destroy();
  await until(() => closed.length === 2);
});
