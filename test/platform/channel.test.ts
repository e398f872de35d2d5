import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pino } from 'pino';
import { io } from 'socket.io-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { authErrors } from '../../src/domains/auth/index.ts';
import { systemClock, systemRandomness } from '../../src/platform/clock.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { createArrivals } from '../../src/platform/socket/arrivals.ts';
import { openChannel } from '../../src/platform/socket/channel.ts';
import { knock } from '../contract/raw-socket.ts';

type Options = Parameters<typeof openChannel>[0];

/** A channel on a server of its own. */
async function open({ admit, bindings = [] }: Pick<Options, 'admit'> & Partial<Pick<Options, 'bindings'>>) {
  const server = createServer();
  const channel = openChannel({
    server,
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    arrivals: createArrivals(systemClock),
    randomness: systemRandomness,
    origins: [],
    addressOf: () => '192.0.2.1',
    forbidden: authErrors.FORBIDDEN,
    rateLimitFactor: 0,
    redis: null,
    observe: () => {},
    onHandshake: () => {},
    onCut: () => {},
    admit,
    connected: async () => {},
    disconnected: async () => {},
    bindings,
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const bytesRead = (): number => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
  return { channel, bytesRead, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a channel that has closed sends new connections to another node', async () => {
  const { channel, address } = await open({
    admit: () => Promise.reject(new Error('Nobody is admitted here.')),
  });
  await channel.close();

  const path = `${address}/socket.io/?EIO=4&transport=`;
  const polled = await fetch(`http://${path}polling`);
  expect([polled.status, (await polled.json()).error.code]).toEqual([503, 'DRAINING']);
  const upgraded = await new Promise<number | undefined>((resolve) =>
    new WebSocket(`ws://${path}websocket`)
      .on('unexpected-response', (_request, response) => resolve(response.statusCode))
      .on('error', () => {}),
  );
  expect(upgraded).toBe(503);
});

test('a player who is put off gets the time of the turn', async () => {
  const { channel, address } = await open({
    admit: () => Promise.reject(new OutOfReach(new Error('full'), 12_345)),
  });
  expect(await knock(`http://${address}`, {})).toMatchObject({
    message: 'SERVICE_UNAVAILABLE',
    data: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 12_345 },
  });
  await channel.close();
});

test('a player whom a failure of the service keeps out is told when to come again', async () => {
  const { channel, address } = await open({ admit: () => Promise.reject(new Error('A defect.')) });
  const refusal = await knock(`http://${address}`, {});
  expect(refusal).toMatchObject({ message: 'INTERNAL_ERROR', data: { code: 'INTERNAL_ERROR' } });
  expect(refusal?.data.retryAfterMs).toBeGreaterThanOrEqual(500);
  expect(refusal?.data.retryAfterMs).toBeLessThanOrEqual(5000);
  await channel.close();
});

test('a dismissed connection has its running changes acknowledged before it ends, and starts no others', async () => {
  const contract = { change: { description: '', payload: z.object({}), data: z.object({}), refusals: [] } };
  const hold = Promise.withResolvers<object>();
  const guids: string[] = [];
  const change = vi.fn(({ connectionGuid }: { connectionGuid: string }) => {
    guids.push(connectionGuid);
    return hold.promise;
  });
  const { channel, address, bytesRead } = await open({
    admit: async () => ({ playerGuid: 'player' }),
    bindings: [{ contract, handlers: { change } }],
  });
  const socket = io(`http://${address}`, { transports: ['websocket'] });
  const happened: string[] = [];
  const note = (what: string): void => void happened.push(what);
  const ended = new Promise<string>((resolve) => void socket.on('disconnect', resolve));
  socket.on('notice', () => note('notice'));
  socket.emit('change', {}, ({ ok }: { ok: boolean }) => note(`acknowledged: ${ok}`));
  await expect.poll(() => guids).toHaveLength(1);
  const [guid] = guids as [string];
  // A task that looks for connections to dismiss finds this one twice.
  for (let look = 0; look < 2; look += 1) {
    channel.sendTo(guid, 'notice', {});
    channel.disconnect(guid);
  }
  await expect.poll(() => happened).toEqual(['notice']);
  const before = bytesRead();
  socket.emit('change', {}, () => note('acknowledged too late'));
  await expect.poll(bytesRead).toBeGreaterThan(before);
  hold.resolve({});
  expect(await ended).toBe('io server disconnect');
  expect(happened).toEqual(['notice', 'acknowledged: true']);
  expect(change).toHaveBeenCalledOnce();
  await channel.close();
});
