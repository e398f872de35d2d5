import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventReader } from '../harness/event-reader.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, type SocketPlayer } from '../harness/socket-player.ts';

/** Nodes ask for the changes of others every 250 ms; a busy machine needs longer. */
const SOON_MS = 5000;

const METRICS_TOKEN = 'a-token-of-the-operators-of-two-nodes';
let first: TestService;
let second: SecondNode;
let queueGuid: string;
beforeAll(async () => {
  first = await startTestService({ environment: { METRICS_TOKEN } });
  ({ queueGuid } = await first.openQueue());
  second = await startSecondNode(first);
});
afterAll(async () => {
  await second.service.stop();
  await first.stop();
});

/** Whoever waits after a test that failed would be paired in the next one. */
beforeEach(async () => {
  await first.database.prisma.queueEntry.deleteMany();
});

describe('two nodes on one database', () => {
  test('let their players play a match; every change is delivered once and in order, also to followers', async () => {
    const [anna, bert] = [await first.connect('Anna'), await second.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const readers = await Promise.all(
      [first.url, second.url].map((url) => EventReader.open(`${url}/matches/${matchGuid}/events`)),
    );
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
    for (const reader of readers) {
      await reader.ended();
      const followed = reader.events.filter(({ event }) => event === 'match');
      const [from = 0] = followed.map(({ data }) => data.match.version);
      expect(followed.map(({ id }) => Number(id))).toEqual(followed.map((_, at) => from + at));
      expect(followed.at(-1)?.data.match.version).toBe(anna.match.version);
      for (const { data } of followed.slice(1)) {
        const told = anna.updates.find(({ match }) => match.version === data.match.version);
        expect(data.cause).toEqual(told.cause);
        expect(data.match.status).toBe(told.match.status);
      }
    }
    const changes = await first.database.prisma.ratingChange.count({ where: { matchGuid } });
    expect(changes).toBe(2);
    anna.leave();
    bert.leave();
  });

  describe('deliver the end of a match before they say that its player waits again', () => {
    /** The reasons and causes that the player gets, in order. `matched` is left out: it may come after the match. */
    const toldTo = ({ socket }: SocketPlayer): string[] => {
      const told: string[] = [];
      socket.on('queueUpdated', ({ reason }) => reason !== 'matched' && told.push(reason));
      socket.on('matchUpdated', ({ cause }) => told.push(cause.type));
      return told;
    };

    test('when the match was over before the other node read that it was made', async () => {
      const [ella, dora] = [await first.connect('Ella'), await second.connect('Dora')];
      const told = toldTo(dora);
      ella.socket.once('matchUpdated', ({ match: { matchGuid } }) => void ella.do('forfeit', { matchGuid }));
      for (const player of [dora, ella]) await player.do('joinQueue', { queueGuid });
      await expect.poll(() => told).toEqual(['joined', 'created', 'finished', 'requeued']);
      await dora.do('leaveQueue');
      ella.leave();
      dora.leave();
    });

    test('when the match went on for a while', async () => {
      const [hugo, ines] = [await first.connect('Hugo'), await second.connect('Ines')];
      const told = toldTo(ines);
      const matchGuid = await meet(hugo, ines, queueGuid);
      await hugo.do('forfeit', { matchGuid });
      await expect.poll(() => told).toContain('requeued');
      expect(told.slice(-2)).toEqual(['finished', 'requeued']);
      await ines.do('leaveQueue');
      hugo.leave();
      ines.leave();
    });
  });

  test('tell a player the present place last when one node drains a queue and the player joins another queue on the other node', async () => {
    const { queueGuid: drained } = await first.openQueue();
    const jana = await first.connect('Jana');
    await jana.do('joinQueue', { queueGuid: drained });
    const headers = { authorization: `Bearer ${await first.identityProvider.accountToken('admin')}` };
    const answer = await fetch(`${second.url}/queues/${drained}/drain`, { method: 'POST', headers });
    expect(answer.status).toBe(200);
    await jana.do('joinQueue', { queueGuid });
    await expect.poll(() => first.database.prisma.peerMessage.count()).toBe(0);
    expect((await jana.do('hello')).queueEntry.queueGuid).toBe(queueGuid);
    expect(jana.queueUpdates.at(-1)).toMatchObject({ queueEntry: { queueGuid }, reason: 'joined' });
    await jana.do('leaveQueue');
    jana.leave();
  });

  test('name a node with another secret and another storage in the log, once, and count it while it lives', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'another-storage-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const SESSION_SECRET = 'another-secret-of-32-characters-or-more';
    const lines: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const others = () => first.database.prisma.serviceNode.findMany();
    const asked = vi.spyOn(pg.Pool.prototype, 'query');
    onTestFinished(() => asked.mockRestore());
    const rounds = () =>
      asked.mock.calls.filter(([one]: unknown[]) => (one as pg.QueryConfig).name === 'configurations').length;
    const differing = async (node: { url: string }) => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const text = await (await fetch(`${node.url}/metrics`, { headers })).text();
      return /^nodes_configured_differently (\d+)$/m.exec(text)?.[1];
    };

    const environment = { SESSION_SECRET, STORAGE_DIR: folder };
    const known = await others();
    const stranger = await startSecondNode(first, { logger, environment });
    for (const node of [first, second])
      await expect.poll(() => differing(node), { timeout: SOON_MS }).toBe('1');
    await expect.poll(() => differing(stranger)).toBe('2');
    const seen = rounds();
    // Two more rounds of each of the three nodes, and one that has begun.
    await expect.poll(rounds, { timeout: 2 * SOON_MS }).toBeGreaterThan(seen + 7);
    const variables = ['SESSION_SECRET', 'STORAGE_DIR'];
    const line = { level: 40, machine: hostname(), variables };
    expect(lines).toHaveLength(2);
    for (const { nodeGuid } of known)
      expect(lines).toContainEqual(expect.objectContaining({ ...line, nodeGuid }));
    expect(JSON.stringify(await others())).not.toContain(SESSION_SECRET);

    await stranger.service.stop();
    for (const node of [first, second])
      await expect.poll(() => differing(node), { timeout: SOON_MS }).toBe('0');
    expect(await readdir(path.join(folder, 'nodes'))).toEqual([]);
    const files = await readdir(path.join(first.environment.STORAGE_DIR ?? '', 'nodes'));
    expect(files.toSorted()).toEqual(known.map(({ nodeGuid }) => nodeGuid).toSorted());
  });

  test('give the seat to a newer connection on the other node', async () => {
    const [cara, dirk] = [await first.connect('Cara'), await first.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    const there = await second.connect('Cara');
    await cara.until(() => !cara.socket.connected, 'being replaced', SOON_MS);
    expect(cara.notices.map(({ type }) => type)).toEqual(['sessionReplaced']);
    expect((await there.do('hello')).match.matchGuid).toBe(matchGuid);
    await dirk.do('discardMaps', { matchGuid, cardGuids: [] });
    await there.until(() => there.match?.opponent.discarded, 'what the other did on the other node');
    await partWays(dirk, there, matchGuid);
  });

  test('acknowledge a command with a match that is no older than an update before it', async () => {
    const [kim, lee] = [await first.connect('Kim'), await second.connect('Lee')];
    const matchGuid = await meet(kim, lee, queueGuid);
    const discard = (player: SocketPlayer) => player.do('discardMaps', { matchGuid, cardGuids: [] });
    await discard(kim);
    const { version } = kim.match;
    const { query } = pg.Pool.prototype;
    let isHeld = false;
    /** The stored match arrives after the change of the other player. */
    async function holdAnswer(this: pg.Pool, config: pg.QueryConfig) {
      const answer = await (query as (config: pg.QueryConfig) => Promise<unknown>).call(this, config);
      if (isHeld || config.name !== 'match-load' || config.values?.[0] !== matchGuid) return answer;
      isHeld = true;
      await discard(lee);
      await kim.until(() => kim.match.version > version, 'the change of the other');
      return answer;
    }
    const spy = vi.spyOn(pg.Pool.prototype, 'query').mockImplementation(holdAnswer as typeof query);
    onTestFinished(() => spy.mockRestore());
    const { match } = await discard(kim);
    expect(isHeld).toBe(true);
    expect(match.version).toBeGreaterThan(version);
    spy.mockRestore();
    await partWays(kim, lee, matchGuid);
  });

  /** How often the next test was tried: a player who is banned stays so, and each attempt has another one. */
  let attempts = 0;
  test('end a connection soon after a ban on the other node', async () => {
    attempts += 1;
    const emil = await second.connect(`Emil ${attempts}`);
    const { player } = await emil.do('hello');
    await emil.do('joinQueue', { queueGuid });
    const banned = await first.request('admin', 'POST', `/players/${player.playerGuid}/bans`, {
      reason: 'testing',
      until: null,
    });
    expect(banned.status).toBe(201);
    await emil.until(() => !emil.socket.connected, 'being banned', SOON_MS);
    expect(emil.notices.at(-1).type).toBe('banned');
    expect(emil.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'banned' });
  });

  test('end a connection, and remove the name from answers, soon after an erasure on the other node', async () => {
    const frida = await second.connect('Frida');
    const { player } = await frida.do('hello');
    await frida.do('joinQueue', { queueGuid });
    const nameThere = async () => {
      const answer = await fetch(`${second.url}/players/${player.playerGuid}`);
      return ((await answer.json()) as { username: string }).username;
    };
    expect(await nameThere()).toBe('Frida');
    const confirm = player.playerGuid;
    const erased = await first.request('admin', 'POST', `/players/${confirm}/erase`, { confirm });
    expect(erased.status).toBe(200);
    await frida.until(() => !frida.socket.connected, 'being erased', SOON_MS);
    expect(frida.notices.at(-1).type).toBe('erased');
    await expect.poll(nameThere, { timeout: SOON_MS }).toBe('Erased player');
    expect(await first.database.prisma.queueEntry.count({ where: { playerGuid: confirm } })).toBe(0);
  });

  test('show the opponent of a player whose node stops that the player is away, until the player is back on another node', async () => {
    const [gina, hans] = [await first.connect('Gina'), await second.connect('Hans')];
    const matchGuid = await meet(gina, hans, queueGuid);
    await second.service.stop();
    await gina.until(() => gina.match.opponent.presence === 'away', 'the other being away', SOON_MS);
    second = await startSecondNode(first);
    const back = await second.connect('Hans');
    await gina.until(() => gina.match.opponent.presence === 'present', 'the other being back');
    expect((await back.do('getMatchState', { matchGuid })).match.you.hand).toHaveLength(5);
    await partWays(gina, back, matchGuid);
  });
});
