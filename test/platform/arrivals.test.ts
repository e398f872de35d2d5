import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createArrivals } from '../../src/platform/socket/arrivals.ts';
import { manualClock } from '../harness/clock.ts';

const isDone = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

test('messages that arrived while the process was busy count as arrived before that', async () => {
  const clock = manualClock();
  const before = clock.now();
  const arrivals = createArrivals(clock);
  const arrivedAt: number[] = [];
  const server = createServer((socket) => socket.on('data', () => void arrivedAt.push(arrivals.now())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  // It is in the socket before the loop turns again, and the time passes before it is read.
  client.write('sent in time');
  clock.advance(60_000);
  const readAt = await arrivals.read();
  expect(arrivedAt).toEqual([before]);
  expect(arrivals.now()).toBe(readAt);
});

test('a clock that is set back is followed: what arrives now is not from the future', async () => {
  const clock = manualClock();
  clock.advance(600_000);
  const arrivals = createArrivals(clock);
  await arrivals.read();
  clock.advance(-300_000);
  expect(arrivals.now()).toBe(clock.now());
  expect(await arrivals.read()).toBe(clock.now());
  expect(arrivals.now()).toBe(clock.now());
});

test('the commands of some players that arrived before a time are waited for, and no other commands', async () => {
  const clock = manualClock();
  const arrivals = createArrivals(clock);
  const [early, later, others] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const first = arrivals.now();
  arrivals.add('anna', first, early?.promise as Promise<void>);
  arrivals.add('carl', first, others?.promise as Promise<void>);
  clock.advance(100);
  const second = await arrivals.read();
  arrivals.add('bert', second, later?.promise as Promise<void>);
  expect(await arrivals.doneUntil()).toBe(first);

  const before = arrivals.doneBefore(['anna', 'bert'], second);
  expect(await isDone(before)).toBe(false);
  early?.resolve();
  await before;
  expect(await isDone(arrivals.doneBefore(['anna', 'bert'], second + 1))).toBe(false);
  expect(await arrivals.doneUntil()).toBe(first);
  others?.resolve();
  await others?.promise;
  expect(await arrivals.doneUntil()).toBe(second);
  later?.resolve();
  await later?.promise;
  clock.advance(50);
  expect(await arrivals.doneUntil()).toBe(clock.now());
});
