import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Gate } from '../../src/domains/maps/gate.ts';
import { createRequests } from '../../src/domains/maps/requests.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { manualClock } from '../harness/clock.ts';

test('a pause that cannot be stored is a failure of the database and not of the host', async () => {
  const host = createServer((_request, response) => response.writeHead(429, { 'retry-after': '5' }).end());
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const said: string[] = [];
  const requests = createRequests({
    userAgent: 'test',
    accept: '*/*',
    types: /./,
    timeoutMs: 5000,
    clock: manualClock(),
    mayFollow: () => false,
    gate: {
      enter: async () => {},
      pause: () => Promise.reject(new OutOfReach(new Error('away'))),
      answered: () => said.push('answered'),
      failed: () => said.push('failed'),
    } as unknown as Gate,
  });
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  const asked = requests.ask(address, 1000, { rank: 'check', deadline: performance.now() + 5000 });
  await expect(asked).rejects.toBeInstanceOf(OutOfReach);
  expect(said).toEqual(['answered']);
  host.close();
});
