import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, scoreOf, toFirstPick } from '../harness/socket-player.ts';

/** The limits of the documented defaults, passed by moving the clock. */
const clock = manualClock(Date.now());
let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService({
    clock,
    environment: { COUNTDOWN_SECONDS: '5', ROUND_RESULTS_SECONDS: '6', PENALTY_FIRST_SECONDS: '20' },
  });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const SECOND = 1000;
const pair = async (a: string, b: string) => [await service.connect(a), await service.connect(b)] as const;
const guidOf = (player: SocketPlayer): string => player.match.you.player.playerGuid;
const both = (players: readonly SocketPlayer[], ...statuses: string[]) =>
  Promise.all(players.map((player) => player.status(...statuses)));
/** Takes both players out of match and queue before the next test. */
const goHome = async (...players: SocketPlayer[]) => {
  for (const player of players) {
    await player.do('leaveQueue');
    player.leave();
  }
};
const penaltyOf = async (player: SocketPlayer) => (await player.do('hello')).penalty;
const inMs = (time: string): number => Date.parse(time) - clock.now();

/** A match whose first map is selected and not prepared. */
async function toPreparing(a: SocketPlayer, b: SocketPlayer) {
  const matchGuid = await meet(a, b, queueGuid);
  const [picker, waiter] = await toFirstPick(a, b, matchGuid);
  await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
  await both([a, b], 'preparing');
  return { matchGuid, picker, waiter };
}
const say = (player: SocketPlayer, state: string, roundNumber = player.match.roundNumber) =>
  player.do('setReady', { matchGuid: player.match.matchGuid, roundNumber, state });

describe('at the limit of', () => {
  test('waiting_players the player who joined is queued again with the old waiting time; the other gets a penalty, twice as long the next time', async () => {
    const [anna, bert] = await pair('Anna', 'Bert');
    for (const [offence, seconds] of [20, 40].entries()) {
      await anna.do('joinQueue', { queueGuid });
      const { joinedAt } = anna.queueUpdates.at(-1).queueEntry;
      await bert.do('joinQueue', { queueGuid });
      await anna.until(() => anna.match?.status === 'waiting_players', 'the match');
      const { matchGuid, deadlineAt, remainingMs } = anna.match;
      expect(inMs(deadlineAt)).toBe(30 * SECOND);
      expect(remainingMs).toBe(30 * SECOND);
      await anna.do('joinMatch', { matchGuid });
      clock.advance(30 * SECOND);
      await both([anna, bert], 'aborted');
      expect(bert.match.result).toMatchObject({
        outcome: 'no_contest',
        reason: 'not_joined',
        winnerGuid: null,
      });
      await anna.until(() => anna.queueUpdates.at(-1).reason === 'requeued', 'being queued again');
      expect(anna.queueUpdates.at(-1).queueEntry).toMatchObject({ joinedAt, waitingMs: 30 * SECOND });
      const penalty = await penaltyOf(bert);
      expect(penalty).toEqual({ reason: 'not_joined', until: expect.any(String) });
      expect(inMs(penalty.until), `offence ${offence + 1}`).toBe(seconds * SECOND);
      const answer = await bert.ask('joinQueue', { queueGuid });
      expect(answer).toMatchObject({ ok: false, error: { code: 'PENALIZED' } });
      if (!answer.ok) {
        expect(answer.error.message).toContain('not_joined');
        expect(answer.error.message).toContain(penalty.until);
      }
      await anna.do('leaveQueue');
      clock.advance(seconds * SECOND);
      expect(await penaltyOf(bert)).toBeNull();
    }
    await goHome(anna, bert);
  });

  test.each([
    ['kept after 14 s', 14, 1],
    ['lost after 16 s', 16, 0],
  ])('waiting_players the place of a player who joined and is away is %s', async (_, awaySeconds, places) => {
    const [gina, hans] = await pair(`Gina${places}`, `Hans${places}`);
    await gina.do('joinQueue', { queueGuid });
    const { joinedAt } = gina.queueUpdates.at(-1).queueEntry;
    await hans.do('joinQueue', { queueGuid });
    await gina.until(() => gina.match?.status === 'waiting_players', 'the match');
    await gina.do('joinMatch', { matchGuid: gina.match.matchGuid });
    clock.advance(25 * SECOND);
    gina.leave();
    await hans.until(() => hans.match.opponent.presence === 'away', 'the other being away');
    clock.advance(5 * SECOND);
    await hans.status('aborted');
    clock.advance((awaySeconds - 5) * SECOND);
    const placesOf = () => service.database.prisma.queueEntry.count({ where: { queueGuid } });
    await expect.poll(placesOf).toBe(places);
    const back = await service.connect(`Gina${places}`);
    const { queueEntry, penalty } = await back.do('hello');
    expect(queueEntry).toEqual(places === 0 ? null : expect.objectContaining({ queueGuid, joinedAt }));
    expect(penalty).toBeNull();
    await goHome(back, hans);
  });

  test('awaiting_discards the hands stay, of awaiting_pick the first card is selected', async () => {
    const [cara, dirk] = await pair('Cara', 'Dirk');
    const matchGuid = await meet(cara, dirk, queueGuid);
    const hand = cara.match.you.hand;
    expect(cara.match.remainingMs).toBe(60 * SECOND);
    clock.advance(60 * SECOND);
    await both([cara, dirk], 'awaiting_pick');
    expect(cara.match.you).toMatchObject({ hand, discarded: false });
    expect(cara.match.remainingMs).toBe(45 * SECOND);
    const [picker] = guidOf(cara) === cara.match.pickerGuid ? [cara, dirk] : [dirk, cara];
    const [first] = picker.match.you.hand;
    clock.advance(45 * SECOND);
    await both([cara, dirk], 'preparing');
    expect(dirk.match.currentMap).toEqual(first.map);
    expect(dirk.updates.at(-1).cause).toEqual({ type: 'mapSelected', playerGuid: null });
    expect(picker.match.you.handSize).toBe(4);
    expect(cara.match.remainingMs).toBe(120 * SECOND);
    await cara.do('forfeit', { matchGuid });
    await goHome(cara, dirk);
  });

  test('preparing the player who is not ready loses a quarter of the health, and the second time the match, with a penalty', async () => {
    const [emil, fred] = await pair('Emil', 'Fred');
    const { matchGuid } = await toPreparing(emil, fred);
    await say(emil, 'ready');
    await say(fred, 'downloading');
    clock.advance(120 * SECOND);
    await both([emil, fred], 'round_results');
    expect(fred.match.you.health).toBe(0.75);
    expect(fred.match.rounds[0]).toMatchObject({
      winnerGuid: guidOf(emil),
      damage: 0.25,
      multiplier: 1,
      void: false,
    });
    expect(fred.match.rounds[0].scores).toEqual(
      expect.arrayContaining([expect.objectContaining({ submitted: false, rawScore: null, accuracy: 0 })]),
    );
    clock.advance(6 * SECOND);
    await both([emil, fred], 'awaiting_pick');
    clock.advance(45 * SECOND);
    await both([emil, fred], 'preparing');
    await say(emil, 'ready', 2);
    clock.advance(120 * SECOND);
    await both([emil, fred], 'completed');
    expect(fred.match.result).toMatchObject({
      outcome: 'loss',
      reason: 'not_ready',
      winnerGuid: guidOf(emil),
    });
    expect(await penaltyOf(fred)).toMatchObject({ reason: 'not_ready' });
    expect(await penaltyOf(emil)).toBeNull();
    expect(await emil.do('getMatchState', { matchGuid })).toMatchObject({ match: { status: 'completed' } });
    await goHome(emil, fred);
  });

  test('preparing a round without a ready player is void; two in a row are no contest, without a penalty for a failed download', async () => {
    const [gina, hans] = await pair('Gina', 'Hans');
    await toPreparing(gina, hans);
    clock.advance(120 * SECOND);
    await both([gina, hans], 'round_results');
    expect(gina.match.rounds[0]).toMatchObject({ void: true, damage: 0, multiplier: 0, winnerGuid: null });
    expect(gina.match.you.health).toBe(1);
    clock.advance(6 * SECOND);
    await both([gina, hans], 'awaiting_pick');
    clock.advance(45 * SECOND);
    await both([gina, hans], 'preparing');
    await say(gina, 'failed', 2);
    clock.advance(120 * SECOND);
    await both([gina, hans], 'round_results');
    clock.advance(6 * SECOND);
    await both([gina, hans], 'aborted');
    expect(gina.match.result).toMatchObject({ outcome: 'no_contest', reason: 'void_rounds' });
    expect(gina.match.result.ratingAfter).toBe(gina.match.result.ratingBefore);
    expect(await penaltyOf(gina)).toBeNull();
    expect(await penaltyOf(hans)).toMatchObject({ reason: 'not_ready' });
    await goHome(gina, hans);
  });

  test('preparing the round ends at once when both downloads failed, after 20 s when one failed and the other is ready', async () => {
    const [ines, jens] = await pair('Ines', 'Jens');
    const { matchGuid } = await toPreparing(ines, jens);
    await say(ines, 'failed');
    await say(jens, 'failed');
    await both([ines, jens], 'round_results');
    expect(ines.match.rounds[0].void).toBe(true);
    clock.advance(6 * SECOND);
    await both([ines, jens], 'awaiting_pick');
    clock.advance(45 * SECOND);
    await both([ines, jens], 'preparing');
    await say(ines, 'failed', 2);
    await say(jens, 'ready', 2);
    clock.advance(19 * SECOND);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(ines.match.status).toBe('preparing');
    clock.advance(1 * SECOND);
    await both([ines, jens], 'round_results');
    expect(ines.match.you.health).toBe(0.75);
    await jens.do('forfeit', { matchGuid });
    await goHome(ines, jens);
  });

  test('the countdown the map starts; it is stopped twice at most, and by a lost connection', async () => {
    const [kira, lars] = await pair('Kira', 'Lars');
    const { matchGuid } = await toPreparing(kira, lars);
    await say(lars, 'ready');
    for (let stops = 0; stops < 2; stops++) {
      await say(kira, 'ready');
      await kira.until(() => kira.match.startsAt !== null, 'the countdown');
      expect(kira.match).toMatchObject({ startsInMs: 5 * SECOND, deadlineAt: kira.match.startsAt });
      await say(kira, 'downloading');
      await lars.until(() => lars.match.startsAt === null, 'the end of the countdown');
      expect(kira.match.remainingMs).toBe(120 * SECOND);
    }
    await say(kira, 'ready');
    const answer = await kira.ask('setReady', { matchGuid, roundNumber: 1, state: 'failed' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'WRONG_PHASE' } });
    if (!answer.ok) expect(answer.error.message).toContain('preparing');
    lars.drop();
    await kira.until(() => kira.match.startsAt === null, 'the end of the countdown');
    const back = await service.connect('Lars');
    await kira.until(() => kira.match.startsAt !== null, 'the countdown');
    const { startsAt } = kira.match;
    clock.advance(5 * SECOND);
    await both([kira, back], 'playing');
    expect(kira.match.startsAt).toBe(startsAt);
    expect(kira.updates.at(-1).cause).toEqual({ type: 'mapStarted', playerGuid: null });
    await kira.do('forfeit', { matchGuid });
    await goHome(kira, back);
  });

  test('playing a missing score is accuracy 0', async () => {
    const [mona, nils] = await pair('Mona', 'Nils');
    const { matchGuid, picker, waiter } = await toPreparing(mona, nils);
    await say(picker, 'ready');
    await say(waiter, 'ready');
    clock.advance(5 * SECOND);
    await both([mona, nils], 'playing');
    const { currentMap, remainingMs } = mona.match;
    expect(remainingMs).toBe((30 + 1.5 * currentMap.durationSeconds) * SECOND);
    await mona.do('submitScore', { matchGuid, roundNumber: 1, ...scoreOf(currentMap, 0.5) });
    clock.advance(remainingMs);
    await both([mona, nils], 'round_results');
    const [round] = nils.match.rounds;
    const scoreOfPlayer = (player: SocketPlayer) =>
      round.scores.find((score: any) => score.playerGuid === guidOf(player));
    expect(scoreOfPlayer(nils)).toEqual({
      playerGuid: guidOf(nils),
      rawScore: null,
      modifiedScore: null,
      accuracy: 0,
      submitted: false,
      failed: false,
      replay: 'missing',
    });
    expect(scoreOfPlayer(mona).accuracy).toBeCloseTo(0.5, 3);
    expect(nils.match.you.health).toBeCloseTo(1 - round.damage, 9);
    await mona.do('forfeit', { matchGuid });
    await goHome(mona, nils);
  });
});

describe('a lost connection', () => {
  test('has a grace; its end before the first pick costs a penalty, and the second time the match', async () => {
    const olga = await service.connect('Olga');
    let paul = await service.connect('Paul');
    for (const time of [1, 2]) {
      const matchGuid = await meet(olga, paul, queueGuid);
      paul.drop();
      await olga.until(() => olga.match.opponent.presence === 'away', 'the other being away');
      expect(inMs(olga.match.opponent.awayDeadlineAt)).toBe(60 * SECOND);
      clock.advance(60 * SECOND);
      await olga.status('aborted', 'completed');
      const back = await service.connect('Paul');
      await olga.until(() => olga.queueUpdates.at(-1).reason === 'requeued', 'being queued again');
      const { queueEntry } = olga.queueUpdates.at(-1);
      expect(queueEntry.joinedAt).toBe(olga.queueUpdates.at(-3).queueEntry.joinedAt);
      expect(queueEntry.rating).toBe(olga.match.result.ratingAfter);
      if (time === 1) {
        expect(olga.match).toMatchObject({ status: 'aborted', result: { reason: 'left_before_first_pick' } });
        expect(await penaltyOf(back)).toMatchObject({ reason: 'left_before_first_pick' });
        await olga.do('leaveQueue');
        clock.advance(20 * SECOND);
      } else {
        expect(olga.match).toMatchObject({
          status: 'completed',
          result: { outcome: 'win', reason: 'dodged' },
        });
        expect(olga.match.result.ratingAfter).toBeGreaterThan(olga.match.result.ratingBefore);
        const penalty = await penaltyOf(back);
        expect(penalty.reason).toBe('dodged');
        expect(inMs(penalty.until)).toBe(40 * SECOND);
      }
      expect((await back.do('hello')).lastMatch.matchGuid).toBe(matchGuid);
      paul = back;
    }
    await goHome(olga, paul);
  });

  test('after the first pick loses the match, with a penalty', async () => {
    const [quin, rosa] = await pair('Quin', 'Rosa');
    const { matchGuid } = await toPreparing(quin, rosa);
    quin.drop();
    await rosa.until(() => rosa.match.opponent.presence === 'away', 'the other being away');
    clock.advance(60 * SECOND);
    await rosa.status('completed');
    expect(rosa.match.result).toMatchObject({ outcome: 'win', reason: 'disconnected' });
    const back = await service.connect('Quin');
    expect(await penaltyOf(back)).toMatchObject({ reason: 'disconnected' });
    expect((await back.do('joinMatch', { matchGuid })).match.status).toBe('completed');
    await goHome(back, rosa);
  });

  test('while a map is played decides nothing before the round ends', async () => {
    const [sara, timo] = await pair('Sara', 'Timo');
    const { matchGuid } = await toPreparing(sara, timo);
    await say(sara, 'ready');
    await say(timo, 'ready');
    clock.advance(5 * SECOND);
    await both([sara, timo], 'playing');
    timo.drop();
    await sara.until(() => sara.match.opponent.presence === 'away', 'the other being away');
    clock.advance(60 * SECOND);
    await sara.until(() => sara.match.opponent.presence === 'absent', 'the other being absent');
    expect(sara.match.opponent.awayDeadlineAt).toBeNull();
    const back = await service.connect('Timo');
    await sara.until(() => sara.match.opponent.presence === 'present', 'the other being back');
    expect((await back.do('getMatchState', { matchGuid })).match.status).toBe('playing');
    await sara.do('forfeit', { matchGuid });
    await goHome(sara, back);
  });

  test('keeps the place in the queue for 15 s', async () => {
    const uwe = await service.connect('Uwe');
    const { queueEntry } = await uwe.do('joinQueue', { queueGuid });
    uwe.drop();
    await expect
      .poll(() => service.database.prisma.queueEntry.count({ where: { disconnectedAt: { not: null } } }))
      .toBe(1);
    clock.advance(15 * SECOND);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const back = await service.connect('Uwe');
    expect((await back.do('hello')).queueEntry.joinedAt).toBe(queueEntry.joinedAt);
    back.drop();
    await expect
      .poll(() => service.database.prisma.queueEntry.count({ where: { disconnectedAt: { not: null } } }))
      .toBe(1);
    clock.advance(16 * SECOND);
    await expect.poll(() => service.database.prisma.queueEntry.count()).toBe(0);
    const late = await service.connect('Uwe');
    expect((await late.do('hello')).queueEntry).toBeNull();
    late.leave();
  });
});

test('the grace is at least 10 s, also when a shorter one is configured', async () => {
  const short = await startTestService({
    clock,
    environment: { RECONNECT_GRACE_SECONDS: '0.5', RECONNECT_BUDGET_SECONDS: '1' },
  });
  try {
    const { queueGuid: queue } = await short.openQueue();
    const [vera, wim] = [await short.connect('Vera'), await short.connect('Wim')];
    const matchGuid = await meet(vera, wim, queue);
    await toFirstPick(vera, wim, matchGuid);
    wim.drop();
    await vera.until(() => vera.match.opponent.presence === 'away', 'the other being away');
    expect(inMs(vera.match.opponent.awayDeadlineAt)).toBe(10 * SECOND);
  } finally {
    await short.stop();
  }
});
