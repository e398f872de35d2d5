import { describe, expect, test } from 'vitest';
import { dueAt } from '../../src/domains/matches/machine.ts';
import { copyOf } from '../../src/domains/matches/state.ts';
import { Game, limits, replay, SECOND, START } from './game.ts';

/** Lost connections: graces, the budget, who wins, who is penalised, and outages of the service. */

const grace = (game: Game, seat: 'red' | 'blue'): number | null => {
  const { presence } = game[seat].seat;
  return presence.kind === 'away' ? presence.deadlineAt - game.now : null;
};

/** In the second pick: nothing is special about it any more. */
const inSecondPick = (): Game => {
  const game = new Game().toPick();
  game.playRound(0.9, 0.9);
  return game;
};

describe('a lost connection', () => {
  test('makes the seat away for the grace, and coming back restores it', () => {
    const game = inSecondPick();
    expect(game.red.goes()).toBe('changed');
    expect(game.last.cause).toEqual({ type: 'presenceChanged', seat: 'red' });
    expect(grace(game, 'red')).toBe(60_000);
    game.wait(30 * SECOND);
    expect(game.red.returns()).toBe('changed');
    expect(game.red.seat.presence).toEqual({ kind: 'present' });
    expect(game.red.seat.budgetUsedMs).toBe(30_000);
  });

  test('that is known already, or a return of a present player, changes nothing', () => {
    const game = inSecondPick();
    expect(game.red.returns()).toBe('unchanged');
    game.red.goes();
    expect(game.red.goes()).toBe('unchanged');
    expect(game.red.losesNode()).toBe('unchanged');
  });

  test('of a player who was offline when the match was made runs from the start', () => {
    const game = new Game({ red: { connected: false } });
    expect(game.red.seat.presence).toEqual({
      kind: 'away',
      since: START,
      deadlineAt: START + 60_000,
      free: false,
    });
    expect(game.red.seat.budgetRunningSince).toBe(START);
  });

  test('that lasts loses, with a penalty', () => {
    const game = inSecondPick();
    game.red.goes();
    game.wait(45 * SECOND);
    expect(game.status).toBe('preparing');
    game.wait(15 * SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
    expect(game.last).toMatchObject({
      cause: { type: 'finished', seat: 'red' },
      effects: [{ type: 'penalise', seat: 'red', reason: 'disconnected' }],
    });
  });

  test('of a seat that is ready stops the countdown; coming back starts a full one', () => {
    const game = new Game().toCountdown();
    game.wait(3 * SECOND);
    game.blue.goes();
    expect(game.state.startsAt).toBeNull();
    expect(game.blue.seat.ready).toBe('ready');
    game.wait(20 * SECOND);
    expect(game.status).toBe('preparing');
    game.blue.returns();
    expect(game.state.startsAt).toBe(game.now + 5000);
    expect(game.last.cause.type).toBe('presenceChanged');
    game.wait(5 * SECOND);
    expect(game.status).toBe('playing');
  });

  test('at the preparation’s limit counts as not ready', () => {
    const game = new Game().toPreparing();
    game.red.isReady();
    game.wait(90 * SECOND);
    game.red.goes();
    game.blue.isReady();
    game.wait(30 * SECOND);
    expect(game.state.rounds).toMatchObject([{ winner: 'blue', damage: 0.25 }]);
  });
});

describe('a connection that is lost after the limit of a preparation', () => {
  /** Red stops the countdown for the third time, so long after the limit. */
  const stopped = (lateMs: number = SECOND): Game => {
    const game = new Game().toPreparing();
    game.wait(119 * SECOND);
    game.red.isReady();
    game.blue.isReady();
    game.red.goes();
    game.red.returns();
    game.wait(SECOND + lateMs);
    game.red.goes();
    game.red.returns();
    game.red.goes();
    expect(dueAt(game.state)).toBe(game.now - lateMs);
    return game;
  };

  test.each([SECOND, 0])(
    'comes back too late for another countdown: the limit counts first (%d)',
    (lateMs) => {
      const game = stopped(lateMs);
      expect(game.red.returns()).toBe('changed');
      expect(game.status).toBe('round_results');
      expect(game.state.rounds).toMatchObject([{ winner: 'blue', damage: 0.25, void: false }]);
      expect(game.red.seat.presence).toEqual({ kind: 'present' });
      expect(game.steps.slice(-2).map(({ event }) => event.type)).toEqual(['limitPassed', 'connected']);
      expect(replay(game.log)).toEqual(game.state);
    },
  );

  test('loses the match with it the second time', () => {
    const game = stopped();
    game.state = copyOf(game.state);
    game.state.seats.red.notReadyLosses = 1;
    game.red.returns();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'not_ready', winner: 'blue' });
    expect(game.last.event.type).toBe('limitPassed');
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'not_ready' }]);
  });

  test('starts a countdown when the limit passed only while it was lost: the return may have been in time', () => {
    const game = new Game().toPreparing();
    game.wait(119 * SECOND);
    game.blue.isReady();
    game.red.isReady();
    for (let times = 1; times <= 3; times++) {
      game.red.goes();
      if (times < 3) game.red.returns();
    }
    game.now += 2 * SECOND;
    game.red.returns();
    expect(game.state.startsAt).toBe(game.now + 5 * SECOND);
  });
});

describe('a connection that is lost after the end of a countdown', () => {
  test.each(['goes', 'losesNode'] as const)('does not stop the map that both have begun (%s)', (loss) => {
    const game = new Game().toCountdown();
    game.now += limits.countdownMs;
    expect(game.red[loss]()).toBe('changed');
    expect(game.status).toBe('playing');
    expect(game.red.seat.presence.kind).toBe('away');
    expect(game.steps.slice(-2).map(({ event }) => event.type)).toEqual([
      'limitPassed',
      loss === 'goes' ? 'disconnected' : 'nodeLost',
    ]);
    expect(replay(game.log)).toEqual(game.state);
    game.red.returns();
    game.finishPlay(0.9, 0.8);
    expect(game.state.rounds).toMatchObject([{ winner: 'red', void: false }]);
  });

  test('stops the countdown until its last millisecond', () => {
    const game = new Game().toCountdown();
    game.now += limits.countdownMs - 1;
    game.red.goes();
    expect([game.status, game.state.startsAt]).toEqual(['preparing', null]);
  });
});

describe('the budget', () => {
  test('is used up by time away, and shortens the grace, to no less than ten seconds', () => {
    const game = inSecondPick();
    const graces: (number | null)[] = [];
    for (let absence = 1; absence <= 4; absence++) {
      game.red.goes();
      graces.push(grace(game, 'red'));
      game.wait(Math.min(55, (graces.at(-1) ?? 0) / SECOND - 1) * SECOND);
      game.red.returns();
      // Whatever phase the limits have led to meanwhile, a pick costs the same.
      game.state = { ...game.state, status: 'awaiting_pick', deadlineAt: game.now + 3_600_000 };
    }
    expect(graces).toEqual([60_000, 60_000, 60_000, 15_000]);
    game.red.goes();
    expect(grace(game, 'red')).toBe(10_000);
  });

  test('is not used while a map is played or its result shown', () => {
    const game = new Game().toPlaying();
    game.wait(10 * SECOND);
    game.red.goes();
    game.wait(50 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(0);
  });

  test('runs only for the part of an absence that costs', () => {
    const game = new Game().toCountdown();
    game.wait(5 * SECOND);
    game.finishPlay(0.9, 0.9);
    game.red.goes();
    game.wait(6 * SECOND);
    expect(game.status).toBe('awaiting_pick');
    game.wait(20 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(20_000);
  });
});

describe('a grace that ends while a map is played', () => {
  const absentInPlay = (): Game => {
    const game = new Game().toPlaying();
    game.red.goes();
    game.wait(60 * SECOND);
    return game;
  };

  test('makes the seat absent and decides nothing', () => {
    const game = absentInPlay();
    expect(game.status).toBe('playing');
    expect(game.red.seat.presence).toEqual({ kind: 'absent', final: false });
    expect(game.last.cause).toEqual({ type: 'presenceChanged', seat: 'red' });
  });

  test('is undone by coming back before the result was shown', () => {
    const game = absentInPlay();
    game.wait(40 * SECOND);
    game.blue.scores(0.9);
    game.red.returns();
    expect(game.red.seat.presence).toEqual({ kind: 'present' });
    game.red.scores(0.9);
    game.wait(6 * SECOND);
    expect(game.status).toBe('awaiting_pick');
  });

  test('loses once the result was shown', () => {
    const game = absentInPlay();
    game.wait(40 * SECOND);
    game.blue.scores(0.9);
    game.wait(86 * SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'disconnected' }]);
  });

  test('decides after what was played: an absent seat wins by health', () => {
    const game = new Game().toPlaying();
    game.wait(90 * SECOND);
    game.red.scores(1);
    game.red.goes();
    game.wait(60 * SECOND);
    expect(game.red.seat.presence.kind).toBe('absent');
    game.blue.scores(0);
    game.wait(6 * SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'health', winner: 'red' });
    expect(game.last.effects).toEqual([]);
  });

  test('of both aborts once the result was shown, with a penalty for both', () => {
    const game = new Game().toPlaying();
    game.red.goes();
    game.wait(30 * SECOND);
    game.blue.goes();
    game.wait(156 * SECOND);
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'disconnected', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'disconnected' },
      { type: 'penalise', seat: 'blue', reason: 'disconnected' },
    ]);
  });

  test('with the other away: the next pick begins, and the other wins by returning', () => {
    const game = absentInPlay();
    game.wait(115 * SECOND);
    game.blue.goes();
    game.wait(11 * SECOND);
    expect(game.state).toMatchObject({ status: 'awaiting_pick', roundNumber: 2 });
    expect(game.red.seat.presence).toEqual({ kind: 'absent', final: true });
    expect(game.red.returns()).toBe('unchanged');
    game.wait(40 * SECOND);
    game.blue.returns();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'disconnected' }]);
  });
});

describe('an absent seat while the other is away', () => {
  /** Red is gone for good, blue has 30 s left. */
  const standstill = (): Game => {
    const game = inSecondPick();
    game.red.goes();
    game.wait(30 * SECOND);
    game.blue.goes();
    game.wait(30 * SECOND);
    return game;
  };

  test('cannot be undone: the match waits for the other seat, and no other limit runs', () => {
    const game = standstill();
    expect(game.red.seat.presence).toEqual({ kind: 'absent', final: true });
    expect(game.status).toBe('preparing');
    expect(dueAt(game.state)).toBe(game.now + 30_000);
    expect(game.state.deadlineAt).toBe(game.now + 30_000);
    expect(game.red.returns()).toBe('unchanged');
    expect(game.red.isReady()).toBe('WRONG_PHASE');
  });

  test('lets the other seat have a minute more, once put off', () => {
    const game = standstill();
    expect(game.red.isPutOff()).toBe('unchanged');
    expect(game.blue.isPutOff()).toBe('changed');
    expect(dueAt(game.state)).toBe(game.now + 90_000);
    expect(game.state.deadlineAt).toBe(game.now + 90_000);
  });

  test('keeps the match where it is, even when a last message of the other still arrives', () => {
    const game = new Game().toPreparing();
    game.red.says('failed');
    game.red.goes();
    game.wait(30 * SECOND);
    game.blue.goes();
    game.wait(30 * SECOND);
    expect(game.blue.says('failed')).toBe('changed');
    expect(game.status).toBe('preparing');
    expect(dueAt(game.state)).toBe(game.now + 30_000);
  });

  test('loses when the other returns in time', () => {
    const game = standstill();
    game.wait(29_999);
    game.blue.returns();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
    expect(game.last).toMatchObject({
      cause: { type: 'finished', seat: 'blue' },
      effects: [{ type: 'penalise', seat: 'red', reason: 'disconnected' }],
    });
  });

  test('makes it no contest, with a penalty for both, when the other does not', () => {
    const game = standstill();
    game.red.returns();
    game.wait(30_000);
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'disconnected', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'disconnected' },
      { type: 'penalise', seat: 'blue', reason: 'disconnected' },
    ]);
  });

  test('does not win by a ban of the other', () => {
    const game = standstill();
    game.blue.isBanned();
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'banned', winner: null });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'disconnected' }]);
  });

  test('has left before the first pick when the other is banned before it', () => {
    const game = new Game({ limits: { reconnectGraceMs: 10 * SECOND } }).toPick();
    game.red.goes();
    game.wait(5 * SECOND);
    game.blue.goes();
    game.wait(5 * SECOND);
    game.blue.isBanned();
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'banned', winner: null });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'left_before_first_pick' }]);
  });

  test('may give up, with the same penalty', () => {
    const game = standstill();
    game.red.forfeits();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
    expect(game.last.effects).toEqual([{ type: 'penalise', seat: 'red', reason: 'disconnected' }]);
    expect(game.red.forfeits()).toBe('unchanged');
  });

  test('waits through an outage with the other’s grace', () => {
    const game = standstill();
    game.wait(10 * SECOND);
    game.now += 300 * SECOND;
    game.resumes(300 * SECOND);
    expect(game.state.deadlineAt).toBe(game.now + 60_000);
    expect(dueAt(game.state)).toBe(game.now + 60_000);
  });
});

describe('before the first pick', () => {
  test.each([
    ['while joining', () => new Game()],
    ['while discarding', () => new Game().toDiscards()],
    ['while picking', () => new Game().toPick()],
  ])('a lost connection %s is no contest, with a penalty for the leaver', (_name, build) => {
    const game = build();
    if (game.status === 'waiting_players') game.blue.joins();
    // The join limit is shorter than a grace; with it moved away the grace decides.
    game.state = { ...game.state, deadlineAt: game.now + 90_000 };
    game.red.goes();
    game.wait(60 * SECOND);
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'left_before_first_pick', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'left_before_first_pick' },
      { type: 'requeue', seat: 'blue' },
    ]);
  });

  test('the join limit runs together with the grace', () => {
    const game = new Game({ red: { connected: false } });
    game.blue.joins();
    game.wait(30 * SECOND);
    expect(game.result?.reason).toBe('not_joined');
  });

  test('both leaving is no contest with a penalty for both', () => {
    const game = new Game().toDiscards();
    game.red.goes();
    game.blue.goes();
    game.wait(60 * SECOND);
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'left_before_first_pick', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'left_before_first_pick' },
      { type: 'penalise', seat: 'blue', reason: 'left_before_first_pick' },
    ]);
  });

  test('the second time in 14 days is a loss', () => {
    const game = new Game({ red: { record: { leftBeforeFirstPick: 1, earlyForfeits: 0 } } }).toDiscards();
    game.red.goes();
    game.wait(60 * SECOND);
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'dodged', winner: 'blue' });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'red', reason: 'dodged' },
      { type: 'requeue', seat: 'blue' },
    ]);
  });
});

test('leaving after a void first round loses: the first pick was made', () => {
  const game = new Game().toPick();
  game.voidRound();
  game.red.goes();
  game.wait(60 * SECOND);
  expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
});

describe('a forfeit', () => {
  test.each([
    ['preparing', () => new Game().toPreparing()],
    ['playing', () => new Game().toPlaying()],
    ['round_results', () => new Game().toResults()],
  ])('in %s loses now, without a penalty', (status, build) => {
    const game = build();
    expect(game.status).toBe(status);
    game.blue.forfeits();
    expect(game.status).toBe('completed');
    expect(game.result).toEqual({ outcome: 'decided', reason: 'forfeit', winner: 'red' });
    expect(game.last).toMatchObject({ cause: { type: 'finished', seat: 'blue' }, effects: [] });
    expect(game.blue.forfeits()).toBe('unchanged');
    expect(game.red.forfeits()).toBe('WRONG_PHASE');
  });

  test('before the first pick is no contest, with a penalty; the other waits again', () => {
    const game = new Game().toPick();
    game.blue.forfeits();
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'left_before_first_pick', winner: null });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'blue', reason: 'left_before_first_pick' },
      { type: 'requeue', seat: 'red' },
    ]);
  });

  test('before the first pick is a loss the second time in 14 days', () => {
    const game = new Game({ blue: { record: { leftBeforeFirstPick: 1, earlyForfeits: 0 } } }).toPick();
    game.blue.forfeits();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'dodged', winner: 'red' });
    expect(game.last.effects).toEqual([
      { type: 'penalise', seat: 'blue', reason: 'dodged' },
      { type: 'requeue', seat: 'red' },
    ]);
  });

  test.each([
    [0, []],
    [1, []],
    [2, [{ type: 'penalise', seat: 'blue', reason: 'repeated_forfeit' }]],
    [3, [{ type: 'penalise', seat: 'blue', reason: 'repeated_forfeit' }]],
  ])('before any scored round, after %i such ones in 24 h', (earlyForfeits, effects) => {
    const game = new Game({ blue: { record: { leftBeforeFirstPick: 0, earlyForfeits } } }).toPreparing();
    game.blue.forfeits();
    expect(game.result?.reason).toBe('forfeit');
    expect(game.last.effects).toEqual(effects);
  });

  test('after a scored round is no offence, however many there were', () => {
    const game = new Game({ blue: { record: { leftBeforeFirstPick: 0, earlyForfeits: 5 } } }).toResults();
    game.blue.forfeits();
    expect(game.last.effects).toEqual([]);
  });
});

describe('a ban', () => {
  test('loses the running match, without a penalty', () => {
    const game = new Game().toPreparing();
    game.red.isBanned();
    expect(game.result).toEqual({ outcome: 'decided', reason: 'banned', winner: 'blue' });
    expect(game.last.effects).toEqual([]);
    expect(game.red.isBanned()).toBe('unchanged');
  });

  test('before the first pick is no contest, and the other waits again', () => {
    const game = new Game().toPick();
    game.red.isBanned();
    expect(game.status).toBe('aborted');
    expect(game.result).toEqual({ outcome: 'no_contest', reason: 'banned', winner: null });
    expect(game.last.effects).toEqual([{ type: 'requeue', seat: 'blue' }]);
  });
});

describe('a dying node', () => {
  test('costs nothing: the full grace, and no budget', () => {
    const game = inSecondPick();
    game.state = structuredClone(game.state);
    game.state.seats.red.budgetUsedMs = 175_000;
    game.red.losesNode();
    expect(grace(game, 'red')).toBe(60_000);
    game.wait(40 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(175_000);
    game.red.goes();
    expect(grace(game, 'red')).toBe(10_000);
  });

  test('costs nothing either when the absence lasts from a played map into a pick', () => {
    const game = new Game().toResults();
    game.red.losesNode();
    game.wait(30 * SECOND);
    expect(game.status).toBe('awaiting_pick');
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(0);
  });

  test('loses the match of a player who does not come back', () => {
    const game = inSecondPick();
    game.red.losesNode();
    game.wait(60 * SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
  });
});

describe('a player who came back and was put off', () => {
  test('has a minute more, once in an absence', () => {
    const game = inSecondPick();
    game.red.goes();
    game.wait(59 * SECOND);
    expect(game.red.isPutOff()).toBe('changed');
    expect(game.last.cause).toEqual({ type: 'presenceChanged', seat: 'red' });
    expect(grace(game, 'red')).toBe(61_000);
    expect(dueAt(game.state)).toBeLessThanOrEqual(game.now + 61_000);
    game.wait(SECOND);
    expect(game.red.isPutOff()).toBe('unchanged');
    expect(grace(game, 'red')).toBe(60_000);
  });

  test('has it again in another absence', () => {
    const game = inSecondPick();
    for (let times = 0; times < 2; times++) {
      game.red.goes();
      expect(game.red.isPutOff()).toBe('changed');
      expect(grace(game, 'red')).toBe(120_000);
      game.red.returns();
    }
  });

  test('loses after the extended grace', () => {
    const game = inSecondPick();
    game.waitForLimit();
    game.red.goes();
    game.red.isPutOff();
    game.wait(119 * SECOND);
    expect(game.red.seat.presence.kind).toBe('away');
    game.wait(SECOND);
    expect(game.result).toEqual({ outcome: 'decided', reason: 'disconnected', winner: 'blue' });
  });

  test('uses no budget from then on', () => {
    const game = inSecondPick();
    game.red.goes();
    game.wait(4 * SECOND);
    game.red.isPutOff();
    game.wait(20 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(4000);
  });

  test('has no minute more when not away: present, absent, or after the end', () => {
    const game = inSecondPick();
    expect(game.red.isPutOff()).toBe('unchanged');
    game.red.goes();
    game.red.isBanned();
    expect(game.red.isPutOff()).toBe('unchanged');
    const played = new Game().toPlaying();
    played.red.goes();
    played.wait(60 * SECOND);
    expect(played.red.seat.presence).toEqual({ kind: 'absent', final: false });
    expect(played.red.isPutOff()).toBe('unchanged');
  });

  test.each([30, 60])('keeps the minute when an outage starts a grace of %d s anew', (seconds) => {
    const game = new Game({ limits: { reconnectGraceMs: seconds * SECOND } }).toPick();
    game.red.goes();
    game.wait(2 * SECOND);
    game.red.isPutOff();
    game.now += 5 * SECOND;
    game.resumes(5 * SECOND);
    expect(grace(game, 'red')).toBe((seconds + 60) * SECOND);
    expect(replay(game.log)).toEqual(game.state);
  });

  test('keeps what an outage gives, and has the minute on top of it', () => {
    const game = inSecondPick();
    game.red.goes();
    game.now += 30 * SECOND;
    game.resumes(30 * SECOND);
    game.red.isPutOff();
    expect(grace(game, 'red')).toBe(120_000);
  });
});

describe('an outage', () => {
  const down = (game: Game, ms: number): void => {
    game.now += ms;
    game.resumes(ms);
  };

  test('extends the limit by its length', () => {
    const game = new Game().toPick();
    game.wait(10 * SECOND);
    down(game, 300 * SECOND);
    expect(game.state.deadlineAt).toBe(game.now + 35_000);
    expect(game.last.cause).toEqual({ type: 'presenceChanged', seat: null });
  });

  test('sets no limit and begins no countdown', () => {
    const game = new Game().toPick();
    down(game, 300 * SECOND);
    const { prepareDeadlineAt, failedDeadlineAt } = game.state;
    expect({ prepareDeadlineAt, failedDeadlineAt }).toEqual({
      prepareDeadlineAt: null,
      failedDeadlineAt: null,
    });
    game.toPreparing();
    down(game, 300 * SECOND);
    expect(game.state).toMatchObject({ status: 'preparing', startsAt: null });
  });

  test('leaves at least 15 s', () => {
    const game = new Game().toPick();
    game.wait(44 * SECOND);
    down(game, 300 * SECOND);
    expect(game.state.deadlineAt).toBe(game.now + 15_000);
  });

  test('moves a countdown as a whole, and the limit behind it', () => {
    const game = new Game().toCountdown();
    game.wait(SECOND);
    down(game, 60 * SECOND);
    expect(game.state).toMatchObject({ startsAt: game.now + 15_000, deadlineAt: game.now + 15_000 });
    game.red.says('downloading');
    expect(game.state.deadlineAt).toBe(game.now + 119_000);
  });

  test('does not move the start of a map that is played, but the limit for its scores', () => {
    const game = new Game().toPlaying();
    const { startsAt, deadlineAt } = game.state;
    game.wait(50 * SECOND);
    down(game, 200 * SECOND);
    expect(game.state.startsAt).toBe(startsAt);
    expect(game.state.deadlineAt).toBe((deadlineAt ?? 0) + 200_000);
    expect(game.red.scores(0.9)).toBe('changed');
  });

  test('moves the 20 s of a failed download', () => {
    const game = new Game().toPreparing();
    game.red.says('failed');
    game.blue.isReady();
    game.wait(19 * SECOND);
    down(game, 60 * SECOND);
    expect(dueAt(game.state)).toBe(game.now + 15_000);
  });

  test('moves a countdown of half a second as a whole', () => {
    const game = new Game({ limits: { countdownMs: 500 } }).toCountdown();
    down(game, 20 * SECOND);
    expect(game.state).toMatchObject({ startsAt: game.now + 15_000, deadlineAt: game.now + 15_000 });
    game.wait(15 * SECOND);
    expect(game.state.status).toBe('playing');
  });

  test('is given back once, by its number', () => {
    const game = new Game().toPick();
    down(game, 60 * SECOND);
    const { deadlineAt, version } = game.state;
    expect(game.resumes(60 * SECOND, 1)).toBe('unchanged');
    expect(game.state).toMatchObject({ deadlineAt, version });
    expect(game.resumes(60 * SECOND, 2)).toBe('changed');
    expect(game.state.deadlineAt).toBe((deadlineAt ?? 0) + 60_000);
  });

  test('counts from its end, even when the match learns of it late', () => {
    const game = new Game().toPick();
    const event = { type: 'serviceResumed', outage: 1, downMs: 5000, until: game.now + 5000 } as const;
    game.now += 12_000;
    expect(game.happens(event)).toBe('changed');
    expect(game.state.deadlineAt).toBe(game.now - 12_000 + 50_000);
  });

  test('does nothing to a grace that began after it', () => {
    const game = inSecondPick();
    const event = { type: 'serviceResumed', outage: 1, downMs: 30_000, until: game.now } as const;
    game.wait(SECOND);
    game.red.goes();
    game.wait(5 * SECOND);
    game.happens(event);
    expect(grace(game, 'red')).toBe(55_000);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(5000);
  });

  test('starts a grace anew that began in it', () => {
    const game = inSecondPick();
    game.now += 10 * SECOND;
    game.red.goes();
    game.now += 20 * SECOND;
    game.resumes(30 * SECOND);
    expect(grace(game, 'red')).toBe(60_000);
    game.wait(2 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(2000);
  });

  test('starts graces anew and is not charged to the budget', () => {
    const game = inSecondPick();
    game.red.goes();
    game.wait(20 * SECOND);
    down(game, 600 * SECOND);
    expect(grace(game, 'red')).toBe(60_000);
    game.wait(15 * SECOND);
    game.red.returns();
    expect(game.red.seat.budgetUsedMs).toBe(35_000);
  });
});
