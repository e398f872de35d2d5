import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { authErrors } from '../../src/domains/auth/index.ts';
import { systemClock, systemRandomness } from '../../src/platform/clock.ts';
import { createArrivals } from '../../src/platform/socket/arrivals.ts';
import { openChannel } from '../../src/platform/socket/channel.ts';

test('a channel that has closed sends new connections to another node', async () => {
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
    admit: () => Promise.reject(new Error('Nobody is admitted here.')),
    connected: async () => {},
    disconnected: async () => {},
    bindings: [],
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  await channel.close();

  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/socket.io/?EIO=4&transport=`;
  const polled = await fetch(`http://${address}polling`);
  expect([polled.status, (await polled.json()).error.code]).toEqual([503, 'DRAINING']);
  const upgraded = await new Promise<number | undefined>((resolve) =>
    new WebSocket(`ws://${address}websocket`)
      .on('unexpected-response', (_request, response) => resolve(response.statusCode))
      .on('error', () => {}),
  );
  expect(upgraded).toBe(503);
});
