import { expect, test, vi } from 'vitest';
import { createLocalConnections, type Session } from '../../src/domains/connections/local-connections.ts';
import { createNotices } from '../../src/domains/connections/notices.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { newGuid } from '../../src/platform/clock.ts';

test('a player of whom it is not known whether a match runs keeps no other expired token from its end', async () => {
  const connections = createLocalConnections();
  const sessions = [newGuid(), newGuid()].map((playerGuid) => ({
    playerGuid,
    connectionGuid: newGuid(),
    tokenExpiresAt: 0,
  }));
  for (const session of sessions) connections.add(session as Session);
  const disconnect = vi.fn();
  const options = {
    clock: { now: () => 1 },
    channel: () => ({ sendTo: () => undefined, disconnect }),
    matches: {
      runningSeatOf: async (playerGuid: string) => {
        if (playerGuid === sessions[0]?.playerGuid) throw new Error('A test.');
        return null;
      },
      awaitsEnd: () => false,
    },
  } as unknown as ConnectionsOptions;
  await expect(createNotices(options, connections).dismissExpired()).rejects.toThrow('A test.');
  expect(disconnect.mock.calls).toEqual([[sessions[1]?.connectionGuid]]);
});
