import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../../src/local/postgres.ts';
import type { Service } from '../../src/service.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, SocketPlayer } from '../harness/socket-player.ts';

let first: TestService;
let second: Service;
let secondUrl: string;
let queueGuid: string;

const startSecond = async (): Promise<void> => {
  const port = await freePort();
  secondUrl = `http://127.0.0.1:${port}`;
  const config = loadConfig({ ...first.environment, PORT: String(port), BASE_URL: secondUrl });
  second = await startObservedService(config, { logger: pino({ level: config.logLevel }) });
  // The first node looks for peers every second.
  await new Promise((resolve) => setTimeout(resolve, 1200));
};
/** Connects to the second node. */
const connectThere = async (name: string): Promise<SocketPlayer> =>
  SocketPlayer.connect({
    url: secondUrl,
    name,
    token: await first.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }),
    pluginVersion: '1.0.0',
  });

beforeAll(async () => {
  first = await startTestService();
  ({ queueGuid } = await first.openQueue());
  await startSecond();
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

describe('two nodes on one database', () => {
  test('play a match between their players, and every change is sent once and in order', async () => {
    const [anna, bert] = [await first.connect('Anna'), await connectThere('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    await Promise.all([anna, bert].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
    for (const round of [1, 2, 3]) {
      await playRound(anna, bert, 0.95, 0.6);
      await Promise.all(
        [anna, bert].map((one) => one.until(() => one.match.rounds.length === round, 'the round')),
      );
    }
    await Promise.all([anna.status('completed'), bert.status('completed')]);
    for (const player of [anna, bert]) {
      const versions = player.updates.map(({ match }) => match.version);
      expect(versions).toEqual(versions.map((_, at) => at + 1));
    }
    expect(anna.match.result.outcome).toBe('win');
    expect(bert.match.result.outcome).toBe('loss');
    const changes = await first.database.prisma.ratingChange.count({ where: { matchGuid } });
    expect(changes).toBe(2);
    anna.leave();
    bert.leave();
  });

  test('a newer connection on the other node takes the seat over within a second', async () => {
    const [cara, dirk] = [await first.connect('Cara'), await first.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    const there = await connectThere('Cara');
    await cara.until(() => !cara.socket.connected, 'being replaced', 1500);
    expect(cara.notices.map(({ type }) => type)).toEqual(['sessionReplaced']);
    expect((await there.do('hello')).match.matchGuid).toBe(matchGuid);
    await dirk.do('discardMaps', { matchGuid, cardGuids: [] });
    await there.until(() => there.match?.opponent.discarded, 'what the other did on the other node');
    await partWays(dirk, there, matchGuid);
  });

  test('a ban on one node ends a connection on the other within a second', async () => {
    const emil = await connectThere('Emil');
    const { player } = await emil.do('hello');
    await emil.do('joinQueue', { queueGuid });
    const banned = await first.request('admin', 'POST', `/players/${player.playerGuid}/bans`, {
      reason: 'testing',
      until: null,
    });
    expect(banned.status).toBe(201);
    await emil.until(() => !emil.socket.connected, 'being banned', 1500);
    expect(emil.notices.at(-1).type).toBe('banned');
    expect(emil.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'banned' });
  });

  test('a player of a killed node is away with the whole grace, and the opponent is told', async () => {
    const [gina, hans] = [await first.connect('Gina'), await connectThere('Hans')];
    const matchGuid = await meet(gina, hans, queueGuid);
    await second.stop();
    await gina.until(() => gina.match.opponent.presence === 'away', 'the other being away', 5000);
    await startSecond();
    const back = await connectThere('Hans');
    await gina.until(() => gina.match.opponent.presence === 'present', 'the other being back');
    expect((await back.do('getMatchState', { matchGuid })).match.you.hand).toHaveLength(5);
    await partWays(gina, back, matchGuid);
  });
});
