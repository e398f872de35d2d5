import { describe, expect, test } from 'vitest';
import type { TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { play } from '../../src/domains/matches/play.ts';
import { Game, SECOND, scoreOn } from './game.ts';

/** The texts of refusals, and commands and decisions that come again. */

/** Message and details of the refusal of an event. */
function refusal(game: Game, event: TransitionEvent): { message: string; details: unknown } {
  const outcome = play(game.state, event, game.now);
  if (outcome.kind !== 'refused') throw new Error(`${event.type} was ${outcome.kind}.`);
  return { message: outcome.error.message, details: outcome.error.details };
}

describe('a refusal names', () => {
  test('the end of the match', () => {
    const game = new Game().toPick();
    game.red.forfeits();
    expect(refusal(game, { type: 'forfeit', seat: 'blue' })).toEqual({
      message: 'The match is aborted: it has ended.',
      details: { status: 'aborted' },
    });
    expect(refusal(game, { type: 'abortedByStaff' }).details).toEqual({ status: 'aborted' });
  });

  test('the current phase, and the one the command belongs to', () => {
    const game = new Game().toDiscards();
    const said = refusal(game, { type: 'selectMap', seat: 'red', cardGuid: game.red.card(0) });
    expect(said.message).toContain('awaiting_discards');
    expect(said.message).toContain('awaiting_pick');
    expect(said.details).toEqual({ status: 'awaiting_discards' });
  });

  test('an absence that lasted too long', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.9);
    game.red.goes();
    game.wait(30 * SECOND);
    game.blue.goes();
    game.wait(30 * SECOND);
    const said = refusal(game, { type: 'selectMap', seat: 'red', cardGuid: game.red.card(0) });
    expect(said.message).toContain('away too long');
    expect(said.details).toEqual({ status: game.status });
  });

  test('how many cards may be discarded, and how many these are', () => {
    const game = new Game().toDiscards();
    const cardGuids = game.red.hand.slice(0, 3).map((card) => card.cardGuid);
    expect(refusal(game, { type: 'discardMaps', seat: 'red', cardGuids }).message).toBe(
      'At most 2 cards may be discarded; these are 3.',
    );
  });

  test('how often the countdown has been stopped', () => {
    const game = new Game().toCountdown();
    const [red, round] = [game.red, game.state.roundNumber];
    for (const _ of [1, 2]) {
      red.says('downloading');
      red.isReady();
    }
    const stop: TransitionEvent = {
      type: 'setReady',
      seat: 'red',
      roundNumber: round,
      state: 'downloading',
    };
    const said = refusal(game, stop);
    expect(said.message).toContain('2 times');
    expect(said.details).toEqual({ status: 'preparing' });
  });

  test('the score that was submitted before', () => {
    const game = new Game().toPlaying();
    game.wait(game.map.durationSeconds * SECOND);
    game.red.scores(0.9);
    const event: TransitionEvent = {
      type: 'submitScore',
      seat: 'red',
      roundNumber: game.state.roundNumber,
      score: scoreOn(game.map, 0.8),
    };
    expect(refusal(game, event).message).toBe('You have submitted another score for round 1: 900000.');
  });

  test.each([
    ['the maximum of the map', { rawScore: 1_000_001 }, 'rawScore 1000001 is not within 0 and 1000000'],
    ['a No Fail that is not on', { noFailTriggered: true }, 'No Fail cannot be triggered'],
    ['misses of a full combo', { fullCombo: true }, 'A full combo cannot have 3 misses and 1 bad cuts.'],
    [
      'the modified score that would follow',
      { modifiedScore: 5 },
      'modifiedScore 5 does not follow from rawScore 900000: it would be 900000.',
    ],
  ])('%s', (_, about, expected) => {
    const game = new Game().toPlaying();
    game.wait(game.map.durationSeconds * SECOND);
    const score = { ...scoreOn(game.map, 0.9), ...about };
    const event: TransitionEvent = { type: 'submitScore', seat: 'red', roundNumber: 1, score };
    expect(refusal(game, event).message).toContain(expected);
  });

  test('how early a score came and when it may, counted from the start of the map', () => {
    const game = new Game().toPlaying();
    game.wait(79_900);
    const score = scoreOn(game.map, 0.9);
    expect(refusal(game, { type: 'submitScore', seat: 'red', roundNumber: 1, score }).message).toBe(
      'A finished score after 79.9 s is too early: this map takes at least 80.0 s.',
    );
    game.wait(100);
    expect(game.red.submits(score)).toBe('changed');
  });
});

describe('a decision by staff', () => {
  test.each([
    [{ type: 'decidedByStaff', outcome: 'draw', winner: null }, 'draw', null],
    [{ type: 'decidedByStaff', outcome: 'no_contest', winner: null }, 'no_contest', null],
    [{ type: 'decidedByStaff', outcome: 'decided', winner: 'blue' }, 'decided', 'blue'],
  ] as const)('%o', (event, outcome, winner) => {
    const game = new Game().toPick();
    expect(game.happens(event)).toBe('changed');
    expect(game.result).toEqual({ outcome, reason: 'decided_by_staff', winner });
  });
});

test('staff decide again for the other player, and the same decision again is no change', () => {
  const game = new Game().toPick();
  const decide = (winner: 'red' | 'blue') =>
    game.happens({ type: 'decidedByStaff', outcome: 'decided', winner });
  expect([decide('red'), decide('red'), decide('blue')]).toEqual(['changed', 'unchanged', 'changed']);
  expect(game.result?.winner).toBe('blue');
});

describe('an outage leaves alone', () => {
  test('a player who is present, and a countdown that has not begun', () => {
    const game = new Game().toPreparing();
    game.red.isReady();
    game.resumes(60 * SECOND);
    expect(game.red.seat.presence).toEqual({ kind: 'present' });
    expect(game.red.seat.budgetUsedMs).toBe(0);
    expect(game.state.startsAt).toBeNull();
    game.blue.isReady();
    expect(game.state.startsAt).toBe(game.now + game.state.limits.countdownMs);
  });

  test('the budget of a player who was away at no cost', () => {
    const game = new Game().toPick();
    game.red.losesNode();
    game.wait(5 * SECOND);
    game.resumes(SECOND);
    expect(game.red.seat.budgetUsedMs).toBe(0);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(0);
  });
});

describe('a late repeat', () => {
  test('is known by its own round when several were played', () => {
    const game = new Game().toPick();
    game.playRound(0.9, 0.9);
    game.playRound(0.8, 0.8);
    expect(game.red.submits(scoreOn(game.state.rounds[0]?.card.map as never, 0.9), 1)).toBe('unchanged');
    expect(game.red.submits(scoreOn(game.state.rounds[1]?.card.map as never, 0.8), 2)).toBe('unchanged');
    expect(game.red.submits(scoreOn(game.state.rounds[1]?.card.map as never, 0.9), 2)).toBe(
      'SCORE_ALREADY_SUBMITTED',
    );
    expect(game.red.says('ready', 1)).toBe('unchanged');
    // Nothing was ever said of round 3 but that it is being picked.
    expect(game.red.says('ready', 3)).toBe('WRONG_PHASE');
  });

  test('is no discard of fewer or more cards than before', () => {
    const game = new Game().toDiscards();
    const [first, second] = [game.red.card(0), game.red.card(1)];
    game.red.discardsCards([first, second]);
    expect(game.red.discardsCards([second, first])).toBe('unchanged');
    expect(game.red.discardsCards([first])).toBe('DISCARD_ALREADY_DONE');
    expect(game.red.discardsCards([`${first},${second}`])).toBe('DISCARD_ALREADY_DONE');
  });
});
