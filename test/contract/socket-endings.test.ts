import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound, type SocketPlayer, toFirstPick, toPlaying } from '../harness/socket-player.ts';

const clock = manualClock(Date.now());
let service: TestService;
let poolGuid: string;
beforeAll(async () => {
  service = await startTestService({
    clock,
    environment: { COUNTDOWN_SECONDS: '0.001', ROUND_RESULTS_SECONDS: '0.001' },
  });
  ({ poolGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const SECOND = 1000;
const openQueue = async () => (await service.openQueue({ poolGuid })).queueGuid;
/** The clock stands still: short limits pass when it is moved. */
const ticking = async <T>(work: () => Promise<T>): Promise<T> => {
  const timer = setInterval(() => clock.advance(2), 5);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
const guidOf = async (player: SocketPlayer): Promise<string> => (await player.do('hello')).player.playerGuid;
const ban = async (player: SocketPlayer, reason: string) => {
  const path = `/players/${await guidOf(player)}/bans`;
  const { status } = await service.request('admin', 'POST', path, { reason, until: null });
  expect(status).toBe(201);
};
const home = async (...players: SocketPlayer[]) => {
  for (const player of players) {
    await player.do('leaveQueue');
    player.leave();
  }
};
async function toFirstMap(a: SocketPlayer, b: SocketPlayer, queueGuid: string): Promise<string> {
  const matchGuid = await meet(a, b, queueGuid);
  const [picker, waiter] = await toFirstPick(a, b, matchGuid);
  await ticking(() => toPlaying(picker, waiter, matchGuid));
  return matchGuid;
}

describe('a ban', () => {
  test('sends a waiting player the reason, removes the place and closes the connection for good', async () => {
    const queueGuid = await openQueue();
    const anna = await service.connect('Anna');
    await anna.do('joinQueue', { queueGuid });
    const at = Date.now();
    await ban(anna, 'Insults');
    await anna.until(() => !anna.socket.connected, 'being disconnected');
    // At once, with room for a busy machine.
    expect(Date.now() - at).toBeLessThan(10_000);
    expect(anna.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'banned' });
    expect(anna.notices).toEqual([
      { type: 'banned', message: expect.stringContaining('Insults'), retryAfterMs: null },
    ]);
    expect(anna.disconnectReason).toBe('io server disconnect');
    await expect(service.connect('Anna')).rejects.toThrow('BANNED');
  });

  test('ends a running match as a loss of the banned player', async () => {
    const queueGuid = await openQueue();
    const [bert, cara] = [await service.connect('Bert'), await service.connect('Cara')];
    await toFirstMap(bert, cara, queueGuid);
    await ban(bert, 'Cheating');
    await Promise.all([cara.status('completed'), bert.status('completed')]);
    expect(cara.match.result).toMatchObject({ outcome: 'win', reason: 'banned' });
    expect(bert.match.result).toMatchObject({ outcome: 'loss', reason: 'banned' });
    expect(cara.match.result.ratingAfter).toBeGreaterThan(cara.match.result.ratingBefore);
    await bert.until(() => !bert.socket.connected, 'being disconnected');
    expect((await cara.do('hello')).lastMatch.result.reason).toBe('banned');
    cara.leave();
  });

  test('before the first pick makes the match no contest, and the other waits again', async () => {
    const queueGuid = await openQueue();
    const [dirk, emil] = [await service.connect('Dirk'), await service.connect('Emil')];
    await meet(dirk, emil, queueGuid);
    await ban(dirk, 'Cheating');
    await emil.status('aborted');
    expect(emil.match.result).toMatchObject({ outcome: 'no_contest', reason: 'banned', winnerGuid: null });
    await emil.until(() => emil.queueUpdates.at(-1).reason === 'requeued', 'being queued again');
    await home(emil);
  });
});

describe('matches of the same two', () => {
  test('are unrated from the fourth within 24 hours on, and the third early forfeit is an offence', async () => {
    const { queueGuid } = await service.openQueue({
      poolGuid,
      rules: { pairing: { initialGap: 5000 } },
    });
    const [fred, gina] = [await service.connect('Fred'), await service.connect('Gina')];
    const forfeits = [fred, fred, gina, fred];
    for (const [at, loser] of forfeits.entries()) {
      const matchGuid = await toFirstMap(fred, gina, queueGuid);
      await loser.do('forfeit', { matchGuid });
      await Promise.all([fred.status('completed'), gina.status('completed')]);
      const { rated, result } = loser.match;
      expect(result).toMatchObject({ outcome: 'loss', reason: 'forfeit' });
      expect(rated).toBe(at < 3);
      expect(result.ratingAfter < result.ratingBefore).toBe(at < 3);
      const { penalty } = await loser.do('hello');
      expect(penalty?.reason ?? null).toBe(at < 3 ? null : 'repeated_forfeit');
      clock.advance(10);
    }
    await home(fred, gina);
  });
});

describe('a match', () => {
  test('is a draw when the healths are equal and the cards are used up', async () => {
    const queueGuid = await openQueue();
    const [hans, ines] = [await service.connect('Hans'), await service.connect('Ines')];
    await meet(hans, ines, queueGuid);
    await toFirstPick(hans, ines, hans.match.matchGuid);
    await ticking(async () => {
      for (let round = 1; round <= 10; round++) {
        await playRound(hans, ines, 0.5, 0.5);
        await hans.until(() => hans.match.rounds.length === round, `round ${round}`);
      }
      await Promise.all([hans.status('completed'), ines.status('completed')]);
    });
    expect(hans.match.result).toMatchObject({ outcome: 'draw', reason: 'cards_used_up', winnerGuid: null });
    expect(ines.match.result.outcome).toBe('draw');
    expect(hans.match.rounds.map((round: any) => round.multiplier)).toEqual([
      1, 1, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 15,
    ]);
    const pickers = hans.match.rounds.map((round: any) => round.pickerGuid);
    expect(new Set(pickers.filter((_: string, at: number) => at % 2 === 0)).size).toBe(1);
    const { body } = await service.request(null, 'GET', `/matches/${hans.match.matchGuid}`);
    expect(body.result).toMatchObject({ outcome: 'draw', reason: 'cards_used_up', winnerGuid: null });
    expect(body.result.ratings).toHaveLength(2);
    await home(hans, ines);
  });
});

describe('a queue that stops pairing', () => {
  test('removes waiting players and tells them, and refuses new ones', async () => {
    for (const [reason, stop] of [
      ['queue_drained', (queue: string, _pool: string) => `/queues/${queue}/drain`],
      ['pool_retired', (_queue: string, pool: string) => `/pools/${pool}/retire`],
    ] as const) {
      const { queueGuid, poolGuid: own } = await service.openQueue();
      const jens = await service.connect('Jens');
      await jens.do('joinQueue', { queueGuid });
      expect((await service.request('admin', 'POST', stop(queueGuid, own))).status).toBeLessThan(300);
      await jens.until(() => jens.queueUpdates.at(-1).reason === reason, reason);
      expect(jens.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason });
      const hello = await jens.do('hello');
      expect(hello).toMatchObject({ queueEntry: null, penalty: null });
      expect(await jens.refused('joinQueue', { queueGuid })).toBe('QUEUE_NOT_OPEN');
      jens.leave();
    }
  });

  test('lets a running match finish, and its players are not queued again', async () => {
    const queueGuid = await openQueue();
    const [kira, lars] = [await service.connect('Kira'), await service.connect('Lars')];
    const matchGuid = await meet(kira, lars, queueGuid);
    const drained = await service.request('admin', 'POST', `/queues/${queueGuid}/drain`);
    expect(drained.body.status).toBe('draining');
    await lars.do('forfeit', { matchGuid });
    await kira.status('aborted');
    expect((await kira.do('hello')).queueEntry).toBeNull();
    expect((await service.request('admin', 'GET', `/queues/${queueGuid}`)).body.status).toBe('closed');
    await home(kira, lars);
  });
});

describe('two players of a match', () => {
  let usual: TestService;
  beforeAll(async () => {
    usual = await startTestService({
      clock,
      environment: { REMATCH_SECONDS: '600', COUNTDOWN_SECONDS: '0.001' },
    });
  });
  afterAll(() => usual.stop());

  test('are not paired again at once, unless no other player is in range for 60 s', async () => {
    const { queueGuid } = await usual.openQueue();
    const [mona, nils, olga] = [
      await usual.connect('Mona'),
      await usual.connect('Nils'),
      await usual.connect('Olga'),
    ];
    const matchGuid = await toFirstMap(mona, nils, queueGuid);
    await mona.do('forfeit', { matchGuid });
    await nils.status('completed');
    for (const player of [mona, nils]) await player.do('joinQueue', { queueGuid });
    clock.advance(50 * SECOND);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(nils.match.matchGuid).toBe(matchGuid);
    await olga.do('joinQueue', { queueGuid });
    await olga.status('waiting_players');
    await mona.status('waiting_players');
    await olga.do('forfeit', { matchGuid: olga.match.matchGuid });
    await mona.status('aborted');
    clock.advance(10 * SECOND);
    await Promise.all([mona.status('waiting_players'), nils.status('waiting_players')]);
    expect(nils.match.matchGuid).toBe(mona.match.matchGuid);
    await nils.do('forfeit', { matchGuid: nils.match.matchGuid });
  });
});

describe('in maintenance', () => {
  test('no player waits, new players are refused, reads work, and the status is maintenance', async () => {
    const resting = await startTestService({ environment: { MAINTENANCE: 'true' } });
    try {
      const { queueGuid } = await resting.openQueue();
      const paul = await resting.connect('Paul');
      await paul.until(() => paul.notices.length > 0, 'maintenance');
      expect(paul.notices).toEqual([
        { type: 'maintenance', message: expect.any(String), retryAfterMs: null },
      ]);
      const answer = await paul.ask('joinQueue', { queueGuid });
      expect(answer).toMatchObject({ ok: false, error: { code: 'QUEUE_NOT_OPEN' } });
      expect(JSON.stringify(answer)).toContain('maintenance');
      expect((await resting.request(null, 'GET', '/server/status')).body).toEqual({
        online: true,
        status: 'maintenance',
        allowedGameVersions: [],
        acceptedPluginVersions: ['1.0.0'],
        servedPluginVersion: null,
        time: expect.any(String),
      });
      for (const path of ['/health/ready', '/pools'])
        expect((await resting.request(null, 'GET', path)).status).toBe(200);
      // As left behind by a node that was not in maintenance.
      const { playerGuid } = (await paul.do('hello')).player;
      await resting.database.prisma.queueEntry.create({
        data: { playerGuid, queueGuid, joinedAt: new Date(), rating: 1000, pluginVersion: '1.0.0' },
      });
      await paul.until(() => paul.queueUpdates.length > 0, 'the place being given up');
      expect(paul.queueUpdates).toEqual([{ queueEntry: null, reason: 'maintenance' }]);
    } finally {
      await resting.stop();
    }
  });
});
