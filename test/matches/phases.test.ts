import { describe, expect, test } from 'vitest';
import { dueAt, followUp, transition } from '../../src/domains/matches/machine.ts';
import { play } from '../../src/domains/matches/play.ts';
import type { PoolMap } from '../../src/domains/pools/index.ts';
import { Game, replay, SECOND, START, scoreOn } from './game.ts';

/** Each phase: what it waits for, what happens at its limit, and what comes next. */

describe('waiting_players', () => {
  test('ends when both have joined, each a change of its own', () => {
    const game = new Game();
    expect(game.state).toMatchObject({ version: 1, status: 'waiting_players', deadlineAt: START + 30_000 });
    game.red.joins();
    game.wait(10 * SECOND);
    game.blue.joins();
    expect(game.steps.map(({ state, cause }) => [state.version, state.status, cause])).toEqual([
      [2, 'waiting_players', { type: 'playerJoined', seat: 'red' }],
      [3, 'waiting_players', { type: 'playerJoined', seat: 'blue' }],
      [4, 'awaiting_discards', { type: 'playerJoined', seat: null }],
    ]);
    expect(game.state.deadlineAt).toBe(START + 70_000);
  });

  test('aborts at the limit: the player who joined waits again, the other gets a penalty', () => {
    const game = new Game();
    game.blue.joins();
    game.wait(29_999);
    expect(game.status).toBe('waiting_players');
    game.wait(1);
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'not_joined', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'not_joined' },
      { type: 'requeue', seat: 'blue' },
    ]);
    expect(game.last.cause).toEqual({ type: 'finished', seat: null });
  });

  test('aborts with a penalty for both when nobody joined', () => {
    const game = new Game();
    game.wait(30_000);
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'not_joined' },
      { type: 'penalise', seat: 'blue', reason: 'not_joined' },
    ]);
  });
});

describe('awaiting_pick', () => {
  test('begins with red; odd rounds are red’s, even ones blue’s', () => {
    const game = new Game().toPick();
    const pickers: string[] = [];
    for (let round = 1; round <= 5; round++) {
      expect(game.state.roundNumber).toBe(round);
      pickers.push(game.picker.name);
      game.playRound(0.9, 0.9);
    }
    expect(pickers).toEqual(['red', 'blue', 'red', 'blue', 'red']);
  });

  test('refuses the other seat, and a card that is not in the hand', () => {
    const game = new Game().toPick();
    expect(game.blue.picks()).toBe('NOT_YOUR_TURN');
    expect(game.red.picksCard(game.blue.card(0))).toBe('CARD_NOT_IN_HAND');
    expect(game.red.picksCard('00000000-0000-8000-8000-000000000000')).toBe('CARD_NOT_IN_HAND');
  });

  test('checks the turn before the card', () => {
    const game = new Game().toPick();
    expect(game.blue.picksCard(game.red.card(0))).toBe('NOT_YOUR_TURN');
  });

  test('selects the first card of the hand at the limit, without a player as the cause', () => {
    const game = new Game().toPick();
    const [first] = game.red.hand;
    game.wait(45 * SECOND);
    expect(game.status).toBe('preparing');
    expect(game.state.current).toEqual({ pickerSeat: 'red', card: first, pickedByPlayer: false });
    expect(game.last.cause).toEqual({ type: 'mapSelected', seat: null });
    expect(game.red.hand).not.toContainEqual(first);
  });

  test('passes to the other when the picker has no card left', () => {
    const game = new Game().toPick();
    // From five cards each no real play gets there: a shorter hand stands in.
    game.state = structuredClone(game.state);
    game.state.seats.blue.hand = [];
    game.playRound(0.9, 0.9);
    expect(game.state).toMatchObject({ status: 'awaiting_pick', roundNumber: 2, pickerSeat: 'red' });
    expect(game.red.picks()).toBe('changed');
  });

  test('knows a repeated pick in its round, in later ones and after the end', () => {
    const game = new Game().toPick();
    const card = game.red.card(2);
    game.red.picksCard(card);
    expect(game.red.picksCard(card)).toBe('unchanged');
    expect(game.red.picks()).toBe('WRONG_PHASE');
    expect(game.blue.picksCard(card)).toBe('WRONG_PHASE');
    game.wait(130 * SECOND);
    expect(game.state.roundNumber).toBe(2);
    expect(game.red.picksCard(card)).toBe('unchanged');
    game.blue.forfeits();
    expect(game.red.picksCard(card)).toBe('unchanged');
  });

  test('does not take the choice of the limit for a pick of the player', () => {
    const game = new Game().toPick();
    const card = game.red.card(0);
    game.wait(45 * SECOND);
    expect(game.red.picksCard(card)).toBe('WRONG_PHASE');
  });
});

describe('preparing', () => {
  test('starts a countdown when both are ready, and the map at its end', () => {
    const game = new Game().toPreparing();
    expect(game.state.deadlineAt).toBe(game.now + 120_000);
    game.red.isReady();
    expect(game.state.startsAt).toBeNull();
    game.wait(7 * SECOND);
    game.blue.isReady();
    expect(game.state).toMatchObject({
      status: 'preparing',
      startsAt: game.now + 5000,
      deadlineAt: game.now + 5000,
    });
    game.wait(4999);
    expect(game.status).toBe('preparing');
    game.wait(1);
    expect(game.status).toBe('playing');
    expect(game.last.cause).toEqual({ type: 'mapStarted', seat: null });
    expect(game.state.startsAt).toBe(game.now);
  });

  test('keeps the announced start when the limit is noticed late', () => {
    const game = new Game().toCountdown();
    const announced = game.state.startsAt;
    game.now += 5700;
    game.happens({ type: 'limitPassed', version: game.state.version });
    expect(game.state).toMatchObject({ status: 'playing', startsAt: announced });
  });

  test('keeps the last report of a seat; the same again is a repeat', () => {
    const game = new Game().toPreparing();
    expect(game.red.says('downloading')).toBe('changed');
    expect(game.red.seat.ready).toBe('downloading');
    expect(game.red.says('downloading')).toBe('unchanged');
    expect(game.red.says('ready')).toBe('changed');
    expect(game.red.says('ready')).toBe('unchanged');
    expect(game.red.says('downloading')).toBe('changed');
  });

  test('refuses another round and names both', () => {
    const game = new Game().toPreparing();
    const outcome = play(
      game.state,
      { type: 'setReady', seat: 'red', roundNumber: 3, state: 'ready' },
      game.now,
    );
    expect(outcome).toMatchObject({
      kind: 'refused',
      error: { code: 'WRONG_ROUND', message: 'The current round is 1, not 3.' },
    });
  });

  test('a report of an earlier round is a repeat in that round and in no other', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.9);
    game.picker.picks();
    game.red.says('downloading');
    game.red.isReady();
    game.blue.isReady();
    game.wait(game.state.limits.countdownMs);
    game.finishPlay(0.9, 0.9);
    game.wait(game.state.limits.roundResultsMs);
    expect(game.red.says('downloading', 2)).toBe('unchanged');
    expect(game.red.says('downloading', 1)).toBe('WRONG_PHASE');
  });

  test('names the current phase and the one a command belongs to', () => {
    const game = new Game().toPreparing();
    const outcome = play(game.state, { type: 'discardMaps', seat: 'red', cardGuids: [] }, game.now);
    expect(outcome.kind).toBe('unchanged');
    const wrong = play(game.state, { type: 'selectMap', seat: 'red', cardGuid: 'x' }, game.now);
    expect(wrong).toMatchObject({
      kind: 'refused',
      error: {
        code: 'WRONG_PHASE',
        message: 'The match is in preparing; selectMap belongs to awaiting_pick.',
        details: { status: 'preparing' },
      },
    });
  });

  test('checks the phase before the round', () => {
    const game = new Game().toPick();
    expect(game.red.says('ready', 7)).toBe('WRONG_PHASE');
    expect(game.red.submits(scoreOn({ ...game.red.hand[0]?.map } as never, 0.5), 7)).toBe('WRONG_PHASE');
  });

  test('stops the countdown by another state and goes back to the limit', () => {
    const game = new Game().toPreparing();
    const limit = game.state.deadlineAt;
    game.red.isReady();
    game.blue.isReady();
    game.wait(2 * SECOND);
    game.blue.says('downloading');
    expect(game.state).toMatchObject({ status: 'preparing', startsAt: null, deadlineAt: limit });
    game.blue.isReady();
    expect(game.state.startsAt).toBe(game.now + 5000);
  });

  test('lets each seat stop it twice a round by setReady, then no more', () => {
    const game = new Game().toCountdown();
    for (let stop = 1; stop <= 2; stop++) {
      expect(game.blue.says('failed')).toBe('changed');
      game.blue.isReady();
    }
    expect(game.blue.says('failed')).toBe('WRONG_PHASE');
    expect(game.blue.isReady()).toBe('unchanged');
    expect(game.red.says('downloading')).toBe('changed');
    game.red.isReady();
    game.wait(5 * SECOND);
    expect(game.status).toBe('playing');
  });

  test('leaves ten seconds after a stop by setReady, also when lost connections stopped it before', () => {
    const game = new Game().toPreparing();
    game.wait(110 * SECOND);
    game.blue.isReady();
    game.red.isReady();
    for (let times = 0; times < 2; times++) {
      game.wait(4 * SECOND);
      game.red.goes();
      game.red.returns();
    }
    for (let times = 0; times < 2; times++) {
      game.wait(4 * SECOND);
      expect(game.red.says('downloading')).toBe('changed');
      expect(game.state.deadlineAt).toBe(game.now + 10 * SECOND);
      game.red.isReady();
    }
    game.wait(4 * SECOND);
    game.red.goes();
    expect(game.state.deadlineAt).toBeLessThan(game.now);
  });

  test('counts the stops anew in the next round', () => {
    const game = new Game().toCountdown();
    for (const state of ['failed', 'ready', 'failed', 'ready'] as const) game.blue.says(state);
    game.wait(5 * SECOND);
    game.finishPlay(0.9, 0.9);
    game.wait(6 * SECOND);
    game.blue.picks();
    game.wait(119 * SECOND);
    game.red.isReady();
    game.blue.isReady();
    expect(game.blue.says('failed')).toBe('changed');
    expect(game.state.deadlineAt).toBe(game.now + 10_000);
  });

  test('leaves ten seconds after a stop at the very end, twice; then the limit stays', () => {
    const game = new Game().toPreparing();
    game.wait(119 * SECOND);
    game.red.isReady();
    game.blue.isReady();
    for (let stop = 1; stop <= 2; stop++) {
      game.wait(4 * SECOND);
      game.blue.goes();
      expect(game.state.deadlineAt).toBe(game.now + 10_000);
      game.blue.returns();
      expect(game.state.deadlineAt).toBe(game.now + 5000);
    }
    game.blue.goes();
    expect(game.state.deadlineAt).toBeLessThan(game.now);
    game.wait(0);
    expect(game.status).toBe('round_results');
    expect(game.state.rounds).toMatchObject([{ winner: 'red', void: false }]);
  });

  test('loses the round with a gap of 0.25 for a seat that is not ready at the limit', () => {
    const game = new Game().toPreparing();
    game.blue.isReady();
    game.wait(120 * SECOND);
    expect(game.status).toBe('round_results');
    expect(game.state.rounds).toMatchObject([
      {
        winner: 'blue',
        damage: 0.25,
        multiplier: 1,
        void: false,
        accuracy: { red: 0, blue: 0 },
        scores: { red: null, blue: null },
      },
    ]);
    expect(game.red.seat.health).toBe(0.75);
    expect(game.last).toMatchObject({ cause: { type: 'roundFinished', seat: null }, effects: [] });
  });

  test('loses the match with a penalty for being not ready a second time', () => {
    const game = new Game().toPreparing();
    game.blue.isReady();
    game.wait(126 * SECOND);
    game.blue.picks();
    game.blue.isReady();
    game.wait(120 * SECOND);
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'not_ready', winner: 'blue' });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'not_ready' }]);
  });

  test('counts such losses for each seat by itself', () => {
    const game = new Game().toPreparing();
    game.blue.isReady();
    game.wait(126 * SECOND);
    game.blue.picks();
    game.red.isReady();
    game.wait(120 * SECOND);
    expect(game.status).toBe('round_results');
    expect([game.red.seat.health, game.blue.seat.health]).toEqual([0.75, 0.75]);
  });

  test('ends early when one has failed and the other is ready for 20 s', () => {
    const game = new Game().toPreparing();
    game.red.says('failed');
    game.wait(30 * SECOND);
    expect(game.status).toBe('preparing');
    game.blue.isReady();
    expect(dueAt(game.state)).toBe(game.now + 20_000);
    game.wait(19_999);
    expect(game.status).toBe('preparing');
    game.wait(1);
    expect(game.status).toBe('round_results');
    expect(game.red.seat.health).toBe(0.75);
  });

  test('counts these 20 s anew when they were interrupted', () => {
    const game = new Game().toPreparing();
    game.red.says('failed');
    game.blue.isReady();
    game.wait(15 * SECOND);
    game.blue.goes();
    game.wait(SECOND);
    game.blue.returns();
    game.wait(10 * SECOND);
    game.red.says('downloading');
    game.red.says('failed');
    game.wait(19_999);
    expect(game.status).toBe('preparing');
    game.wait(1);
    expect(game.status).toBe('round_results');
  });

  test('does not wait 20 s beyond the limit', () => {
    const game = new Game().toPreparing();
    game.blue.isReady();
    game.wait(110 * SECOND);
    game.red.says('failed');
    game.wait(10 * SECOND);
    expect(game.status).toBe('round_results');
  });

  test('is void when both have failed: the card is used up, no health is lost', () => {
    const game = new Game().toPreparing();
    const spent = game.state.current?.card;
    game.red.says('failed');
    game.blue.says('failed');
    expect(game.status).toBe('round_results');
    expect(game.causes.slice(-2)).toEqual(['readyChanged', 'roundFinished']);
    expect(game.state.rounds).toMatchObject([
      { void: true, winner: null, damage: 0, multiplier: 0, card: spent },
    ]);
    expect([game.red.seat.health, game.blue.seat.health]).toEqual([1, 1]);
    expect(game.red.hand).toHaveLength(4);
    game.wait(6 * SECOND);
    expect(game.state).toMatchObject({ status: 'awaiting_pick', roundNumber: 2, pickerSeat: 'blue' });
  });

  test('is void at the limit when neither is ready', () => {
    const game = new Game().toPreparing();
    game.red.says('downloading');
    game.wait(120 * SECOND);
    expect(game.state.rounds).toMatchObject([{ void: true }]);
    expect(game.last.effects).toEqual([]);
  });
});

describe('void rounds', () => {
  test('two in a row abort the match, with a penalty for seats that were unready in the last one', () => {
    const game = new Game().toPick();
    game.voidRound();
    game.blue.picks();
    game.blue.says('failed');
    game.wait(120 * SECOND);
    expect(game.status).toBe('round_results');
    game.wait(6 * SECOND);
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'void_rounds', winner: null });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'not_ready' }]);
  });

  test('carry no penalty when both downloads failed', () => {
    const game = new Game().toPick();
    for (let round = 1; round <= 2; round++) {
      game.picker.picks();
      game.red.says('failed');
      game.blue.says('failed');
      game.wait(6 * SECOND);
    }
    expect(game.result?.reason).toBe('void_rounds');
    expect(game.last.effects).toEqual([]);
  });

  test('with a scored one between them go on', () => {
    const game = new Game().toPick();
    game.voidRound();
    game.playRound(0.9, 0.9);
    game.voidRound();
    expect(game.state).toMatchObject({ status: 'awaiting_pick', roundNumber: 4 });
  });

  test('do not move the multiplier', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.9);
    game.voidRound();
    game.playRound(0.9, 0.9);
    game.playRound(0.9, 0.9);
    expect(game.state.rounds.map((round) => round.multiplier)).toEqual([1, 0, 1, 4.5]);
  });

  test('that used up the cards without one scored round abort the match', () => {
    const game = new Game().toPick();
    game.state = structuredClone(game.state);
    game.state.seats.red.hand = game.state.seats.red.hand.slice(0, 1);
    game.state.seats.blue.hand = [];
    game.voidRound();
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'void_rounds', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'not_ready' },
      { type: 'penalise', seat: 'blue', reason: 'not_ready' },
    ]);
  });
});

describe('playing', () => {
  test.each<[PoolMap['modifiers'], number]>([
    [[], 150_000],
    [['SS'], 187_500],
    [['FS'], 125_001],
    [['SFS'], 100_001],
  ])('waits one and a half times the map and the grace with %j', (modifiers, patienceMs) => {
    const game = new Game({ map: { modifiers, durationSeconds: 100 } }).toPlaying();
    expect(game.state.deadlineAt).toBe(game.now + patienceMs + 30_000);
  });

  test('ends when both scores are in', () => {
    const game = new Game().toPlaying();
    game.wait(90 * SECOND);
    game.blue.scores(0.9);
    expect(game.status).toBe('playing');
    game.red.scores(0.8);
    expect(game.status).toBe('round_results');
    expect(game.causes.slice(-3)).toEqual(['scoreSubmitted', 'scoreSubmitted', 'roundFinished']);
  });

  test('takes a missing score for accuracy 0 at the limit', () => {
    const game = new Game().toPlaying();
    game.wait(90 * SECOND);
    game.blue.scores(0.4);
    game.wait(90 * SECOND);
    expect(game.status).toBe('round_results');
    expect(game.state.rounds).toMatchObject([
      { accuracy: { red: 0, blue: 0.4 }, scores: { red: null }, winner: 'blue', damage: 0.4 },
    ]);
  });

  test('is a scored round without damage when no score came', () => {
    const game = new Game().toPlaying();
    game.wait(180 * SECOND);
    expect(game.state.rounds).toMatchObject([{ void: false, winner: null, damage: 0, multiplier: 1 }]);
  });

  test('counts the score of a failed play', () => {
    const game = new Game().toPlaying();
    game.wait(10 * SECOND);
    const before = game.state.seats;
    game.red.scores(0.1, { failed: true });
    const { score } = game.red.seat;
    expect(game.state.seats, 'nothing else changes').toEqual({ ...before, red: { ...before.red, score } });
    game.wait(90 * SECOND);
    game.blue.scores(0.6);
    expect(game.state.rounds[0]?.accuracy).toEqual({ red: 0.1, blue: 0.6 });
    expect(game.red.seat.health).toBe(0.5);
  });

  test('knows a repeated score in its round, in later ones and after the end; another one is refused', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    const score = scoreOn(game.map, 0.9);
    game.red.submits(score);
    expect(game.red.submits({ ...score })).toBe('unchanged');
    expect(game.red.submits({ ...score, missCount: 4 })).toBe('SCORE_ALREADY_SUBMITTED');
    game.blue.scores(0.9);
    game.wait(6 * SECOND);
    expect(game.state.roundNumber).toBe(2);
    expect(game.red.submits(score, 1)).toBe('unchanged');
    expect(game.red.submits({ ...score, missCount: 4 }, 1)).toBe('SCORE_ALREADY_SUBMITTED');
    expect(game.red.submits(score, 2)).toBe('WRONG_PHASE');
    game.blue.forfeits();
    expect(game.red.submits(score, 1)).toBe('unchanged');
  });

  test('knows a repeated score of a round that the end of the match cut off', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    const score = scoreOn(game.map, 0.9);
    game.red.submits(score);
    game.blue.forfeits();
    expect(game.red.submits(score)).toBe('unchanged');
    expect(game.red.submits({ ...score, missCount: 0 })).toBe('SCORE_ALREADY_SUBMITTED');
    expect(game.red.isReady()).toBe('unchanged');
    expect(game.red.says('failed')).toBe('WRONG_PHASE');
  });

  test('refuses the score of another round', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    expect(game.red.submits(scoreOn(game.map, 0.9), 2)).toBe('WRONG_ROUND');
  });
});

describe('damage', () => {
  test('is the gap times 1, 1, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 15', () => {
    const game = new Game().toPick();
    for (let round = 1; round <= 10; round++) game.playRound(0.905, 0.9);
    expect(game.state.rounds.map((round) => round.multiplier)).toEqual([
      1, 1, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 15,
    ]);
    expect(game.state.rounds.map((round) => round.damage)).toEqual([
      0.005, 0.005, 0.0225, 0.03, 0.0375, 0.045, 0.0525, 0.06, 0.0675, 0.075,
    ]);
    // One minus the sum of the above: no drift of binary fractions.
    expect(game.blue.seat.health).toBe(0.6);
  });

  test('counts a round lost by not being ready as scored', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.9);
    game.playRound(0.9, 0.9);
    game.picker.picks();
    game.red.isReady();
    game.wait(126 * SECOND);
    expect(game.state.rounds.at(-1)).toMatchObject({ damage: 1.125, multiplier: 4.5, winner: 'red' });
    expect(game.blue.seat.health).toBe(0);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'health', winner: 'red' });
  });

  test('goes to the lower accuracy, halved by No Fail, whatever the modified score is', () => {
    const game = new Game({ map: { modifiers: ['NF'] } }).toPlaying();
    game.wait(100 * SECOND);
    game.red.scores(0.9, { noFailTriggered: true });
    game.blue.scores(0.5);
    expect(game.state.rounds).toMatchObject([{ accuracy: { red: 0.45, blue: 0.5 }, damage: 0.05 }]);
    expect(game.red.seat.health).toBe(0.95);
  });

  test('is rounded to six decimals, and health never falls below 0', () => {
    const game = new Game({ map: { maxScore: 3 } }).toPick();
    game.playRound(1 / 3, 0);
    expect(game.state.rounds[0]?.damage).toBe(0.333333);
    expect(game.blue.seat.health).toBe(0.666667);
    game.playRound(1, 0);
    expect(game.blue.seat.health).toBe(0);
  });

  test('that leaves no health loses the match, once the round was shown', () => {
    const game = new Game().toResults(1, 0);
    expect(game.blue.seat.health).toBe(0);
    expect(game.status).toBe('round_results');
    game.wait(6 * SECOND);
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'health', winner: 'red' });
    expect(game.last.effects).toEqual([]);
    expect(dueAt(game.state)).toBeNull();
  });
});

describe('the last card', () => {
  test.each([
    ['red', 0.91],
    ['blue', 0.89],
  ] as const)('makes %s win, who has more health left', (winner, red) => {
    const game = new Game().toPick();
    game.playRound(red, 0.9);
    for (let round = 2; round <= 10; round++) game.playRound(0.9, 0.9);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'cards_used_up', winner });
    expect(game.red.hand.length + game.blue.hand.length).toBe(0);
  });

  test('decides before an absence: a player who leads and is absent at the end wins', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.91);
    for (let round = 2; round <= 9; round++) game.playRound(0.9, 0.9);
    game.picker.picks();
    game.red.isReady();
    game.blue.isReady();
    game.wait(5 * SECOND);
    game.blue.goes();
    game.wait(90 * SECOND);
    expect(game.blue.seat.presence).toEqual({ kind: 'absent', final: false });
    for (const player of [game.red, game.blue]) player.scores(0.9);
    game.wait(6 * SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'cards_used_up', winner: 'blue' });
    expect(game.last.effects).toEqual([]);
  });

  test('makes a draw of equal health, without a penalty and without a new place in the queue', () => {
    const game = new Game().toPick();
    for (let round = 1; round <= 10; round++) game.playRound(0.9, 0.9);
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'draw', reason: 'cards_used_up', winner: null });
    expect(game.last.effects).toEqual([]);
  });
});

describe('a limit', () => {
  test('that is late for its version, or early for its time, does nothing', () => {
    const game = new Game().toPick();
    const { state } = game;
    const due = dueAt(state) ?? 0;
    expect(transition(state, { type: 'limitPassed', version: state.version }, due - 1).kind).toBe(
      'unchanged',
    );
    expect(transition(state, { type: 'limitPassed', version: state.version - 1 }, due).kind).toBe(
      'unchanged',
    );
    expect(transition(state, { type: 'limitPassed', version: state.version }, due).kind).toBe('changed');
  });

  test('accepts a command that is decided before it', () => {
    const game = new Game().toPick();
    game.now = (dueAt(game.state) ?? 0) + 500;
    expect(game.red.picks(1)).toBe('changed');
  });
});

describe('an early end', () => {
  test('is a change of its own that follows at once', () => {
    const game = new Game();
    game.red.joins();
    const outcome = transition(game.state, { type: 'joinMatch', seat: 'blue' }, game.now);
    if (outcome.kind !== 'changed') throw new Error(outcome.kind);
    expect(outcome.state.status).toBe('waiting_players');
    expect(followUp(outcome.state)).toEqual({ type: 'phaseOver' });
  });
});

describe('staff', () => {
  test('may abort: no contest, without a penalty and without a new place in the queue', () => {
    const game = new Game().toPlaying();
    game.happens({ type: 'abortedByStaff' });
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'aborted_by_staff', winner: null });
    expect(game.last.effects).toEqual([]);
    expect(game.happens({ type: 'abortedByStaff' })).toBe('WRONG_PHASE');
  });

  test('may decide', () => {
    const game = new Game().toPlaying();
    game.happens({ type: 'decidedByStaff', outcome: 'decided', winner: 'blue' });
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'decided_by_staff', winner: 'blue' });
  });

  test('may correct a result: the match keeps the time of its end, and the log has both results', () => {
    const game = new Game().toPlaying();
    game.blue.forfeits();
    const { endedAt } = game.state;
    game.wait(60 * SECOND);
    const decision = { type: 'decidedByStaff', outcome: 'decided', winner: 'blue' } as const;
    expect(game.happens(decision)).toBe('changed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'decided_by_staff', winner: 'blue' });
    expect([game.state.endedAt, game.last.effects, dueAt(game.state)]).toEqual([endedAt, [], null]);
    expect(game.happens(decision), 'said again').toBe('unchanged');
    expect(game.blue.forfeits(), 'a repeat is still known as one').toBe('unchanged');
    expect(replay(game.log)).toEqual(game.state);
  });

  test('may undo a result once, and decide anew', () => {
    const game = new Game().toPlaying();
    expect(game.happens({ type: 'undoneByStaff' })).toBe('WRONG_PHASE');
    game.blue.forfeits();
    game.happens({ type: 'undoneByStaff' });
    expect([game.status, game.result]).toEqual([
      'aborted',
      { outcome: 'no_contest', reason: 'decided_by_staff', winner: null },
    ]);
    expect(game.happens({ type: 'undoneByStaff' })).toBe('ALREADY_UNDONE');
    game.happens({ type: 'decidedByStaff', outcome: 'draw', winner: null });
    expect([game.status, game.result?.outcome]).toEqual(['completed', 'draw']);
    expect(game.happens({ type: 'undoneByStaff' })).toBe('changed');
  });
});
