import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { authErrors } from '../../src/domains/auth/index.ts';
import { systemClock, systemRandomness } from '../../src/platform/clock.ts';
import { OutOfReach } from '../../src/platform/database/outage.ts';
import { createArrivals } from '../../src/platform/socket/arrivals.ts';
import { openChannel } from '../../src/platform/socket/channel.ts';
import { knock } from '../contract/raw-socket.ts';

/** A channel on a server of its own. @param admit refuses */
async function open(admit: () => Promise<never>) {
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
    bindings: [],
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { channel, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a channel that has closed sends new connections to another node', async () => {
  const { channel, address } = await open(() => Promise.reject(new Error('Nobody is admitted here.')));
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

test('a player who is put off is told the time of the turn', async () => {
  const { channel, address } = await open(() => Promise.reject(new OutOfReach(new Error('full'), 12_345)));
  expect(await knock(`http://${address}`, {})).toMatchObject({
    message: 'SERVICE_UNAVAILABLE',
    data: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 12_345 },
  });
  await channel.close();
});
