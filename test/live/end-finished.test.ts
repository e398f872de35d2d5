import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createService, type Live, type LiveOptions } from '../../src/domains/live/service.ts';
import { systemClock } from '../../src/platform/clock.ts';

type Accepted = NonNullable<ReturnType<Parameters<Live['enter']>[1]>>;

/** A connection that remembers how it was closed. */
const createPeer = () => {
  const closes: number[] = [];
  const peer: Accepted = {
    send: () => {},
    close: (code) => void closes.push(code),
    onFrame: () => {},
    onClose: () => {},
  };
  return { peer, closes };
};

const sessionOf = (name: string): Awaited<ReturnType<LiveOptions['admit']>> => ({
  playerGuid: name,
  platformId: name,
  username: name,
  avatarUrl: null,
  roles: [],
  pluginVersion: '1.0.0',
  gameVersion: null,
  tokenExpiresAt: Number.POSITIVE_INFINITY,
});

test('a publisher who starts while finished matches are searched is not disconnected', async () => {
  const answered = Promise.withResolvers<void>();
  const live = createService({
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    redis: null,
    rateLimitFactor: 0,
    nodeGuid: () => 'node',
    matches: {
      runningSeatOf: async () => ({ matchGuid: 'match', pluginVersion: '1.0.0' }),
      runningSeatsOf: async (playerGuids) => {
        await answered.promise;
        return new Map(playerGuids.filter((guid) => guid !== 'ended').map((guid) => [guid, 'match']));
      },
    },
    admit: async ({ token }) => sessionOf(String(token)),
    isDraining: () => false,
    onHandshake: () => {},
  });
  const publish = async (platformId: string) => {
    const { peer, closes } = createPeer();
    const client = { platformId, token: platformId, pluginVersion: undefined, address: '192.0.2.1' };
    await live.enter(client, () => peer);
    return closes;
  };

  const ended = await publish('ended');
  const running = await publish('running');
  const ending = live.endFinished();
  const begun = await publish('begun');
  answered.resolve();
  await ending;
  expect({ ended, running, begun }).toEqual({ ended: [4001], running: [], begun: [] });
  await live.close();
});
