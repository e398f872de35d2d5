import { expect, test } from 'vitest';
import { variables } from '../../src/config-variables.ts';
import {
  modifiedScoreOf,
  playingMs,
  requirePossible,
  scoresDueAt,
} from '../../src/domains/matches/scoring.ts';
import { RESULT_REASONS } from '../../src/domains/matches/state.ts';
import { windowAfter } from '../../src/domains/pairing/rules.ts';
import { timeOutMs } from '../../src/domains/penalties/rules.ts';
import { modifierCodes } from '../../src/domains/pools/rules.ts';
import { queueRules } from '../../src/domains/queues/schemas.ts';
import { afterMatch, NEWCOMER, shownRating } from '../../src/domains/ratings/rules.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { Game, limits, poolMap, SECOND, scoreOn } from '../matches/game.ts';
import { pageOf, tableOf } from './tables.ts';

/** The numbers of `docs/rules.md`, from the code. */
const page = pageOf('rules.md');
const table = (head: string) => tableOf(page, head);
const secondsOf = (variable: { default: string }) => Number(variable.default);
type ModifierCode = (typeof modifierCodes)[number];
const modifiersIn = (cell: string) => (cell === '–' ? [] : (cell.split(' ') as ModifierCode[]));

test('the windows of the page are those of the default pairing rules', () => {
  const { pairing } = queueRules.parse({});
  expect(page).toContain(
    `${pairing.initialGap} points at once and ${pairing.gapPerSecond} more for each second`,
  );
  for (const [seconds, window] of table('| Seconds waited'))
    expect(windowAfter(pairing, Number(seconds) * SECOND), seconds).toBe(Number(window));
  expect(page).toContain(`within ${secondsOf(variables.rematchMs)} s of their last match's end`);
});

test('the limits of the page are the default limits', () => {
  const given = Object.fromEntries(table('| Status').map(([status, seconds]) => [status, seconds]));
  expect(given).toEqual({
    '`waiting_players`': variables.joinMs.default,
    '`awaiting_discards`': variables.discardMs.default,
    '`awaiting_pick`': variables.pickMs.default,
    '`preparing`': variables.prepareMs.default,
    '`playing`': `1.5 × the map + ${variables.scoreGraceMs.default}`,
    '`round_results`': variables.roundResultsMs.default,
  });
  expect(page).toContain(`a countdown of ${variables.countdownMs.default} s`);
});

test('the playing times of the page are those of the scoring, and an earlier score is refused', () => {
  const share = Number(variables.scoreEarliestShare.default);
  const grace = secondsOf(variables.scoreGraceMs) * SECOND;
  for (const [modifiers = '', takes, earliest, waited] of table('| Modifiers | The map takes')) {
    const map = poolMap(1, { durationSeconds: 180, modifiers: modifiersIn(modifiers) });
    expect([takes, earliest, waited], modifiers).toEqual(
      [playingMs(map), share * playingMs(map), scoresDueAt(map, 0, grace)].map((ms) => `${ms / SECOND} s`),
    );
    const score = scoreOn(map, 0.9);
    const playedMs = Number.parseFloat(earliest ?? '') * SECOND;
    expect(() => requirePossible(map, score, playedMs, share)).not.toThrow();
    expect(() => requirePossible(map, score, playedMs - 1, share)).toThrow(ServiceError);
  }
});

test('the page has every modifier with its hundredths and its speed', () => {
  const rows = table('| Modifier | Hundredths');
  expect(rows.map(([code]) => code)).toEqual([...modifierCodes]);
  for (const [code = '', hundredths, speed] of rows) {
    expect(modifiedScoreOf(100, [code], false) - 100, code).toBe(Number(hundredths));
    expect((100 * SECOND) / playingMs(poolMap(1, { modifiers: [code as ModifierCode] })), code).toBeCloseTo(
      Number(speed),
      3,
    );
  }
  expect(modifiedScoreOf(100, ['NF'], true)).toBe(50);
});

test('the scores of the page are accepted and have the accuracies of the page', () => {
  for (const [maxScore, modifiers = '', triggered, rawScore, accuracy, modifiedScore] of table(
    '| maxScore',
  )) {
    const game = new Game({
      map: { maxScore: Number(maxScore), modifiers: modifiersIn(modifiers) },
    }).toPlaying();
    const noFailTriggered = triggered === 'yes';
    game.wait(130 * SECOND);
    const score = scoreOn(game.map, 0, { rawScore: Number(rawScore), noFailTriggered });
    expect(score.modifiedScore, `${modifiers} ${rawScore}`).toBe(Number(modifiedScore));
    expect(game.red.submits(score)).toBe('changed');
    game.blue.submits(score);
    expect(game.state.rounds[0]?.accuracy.red).toBe(Number(accuracy));
  }
});

test('the match of the page is played with its damages, multipliers and healths', () => {
  const multipliers = (table('| Scored round')[0] ?? []).slice(1).map(Number);
  const game = new Game().toPick();
  const rows = table('| Round | Red');
  for (const [round, red, blue, ...rest] of rows) {
    game.playRound(Number(red), Number(blue));
    const last = game.state.rounds.at(-1);
    const health = [game.red.seat.health, game.blue.seat.health];
    const [gap, multiplier, damage, ...left] = rest.map(Number);
    expect(Math.abs(Number(red) - Number(blue))).toBeCloseTo(gap ?? 0, 9);
    expect([last?.roundNumber, last?.multiplier, last?.damage, ...health]).toEqual([
      Number(round),
      multiplier,
      damage,
      ...left,
    ]);
  }
  expect(game.result).toEqual({ outcome: 'decided', reason: 'health', winner: 'blue' });
  // Equal plays hurt nobody, so this match goes through all multipliers.
  const long = new Game().toPick();
  for (const _ of multipliers) long.playRound(0.9, 0.9);
  expect(long.state.rounds.map(({ multiplier }) => multiplier)).toEqual(multipliers);
  expect(long.result).toEqual({ outcome: 'draw', reason: 'cards_used_up', winner: null });
});

test('the graces of the page follow from the budget', () => {
  const [grace, budget] = [secondsOf(variables.reconnectGraceMs), secondsOf(variables.reconnectBudgetMs)];
  expect([grace, budget]).toEqual([limits.reconnectGraceMs / SECOND, limits.reconnectBudgetMs / SECOND]);
  expect(page).toContain(`is ${grace} s, at most what is left of ${budget} s per match`);
  const game = new Game({ limits: { pickMs: 3_600_000 } }).toPick();
  for (const [nth, away = '', shown] of table('| Lost for the')) {
    game.red.goes();
    const { presence } = game.red.seat;
    const graceMs = presence.kind === 'away' ? presence.deadlineAt - presence.since : 0;
    expect(`${graceMs / SECOND} s`, nth).toBe(shown);
    game.wait(Number.parseFloat(away) * SECOND);
    game.red.returns();
  }
});

test('leaving a match has the result and the penalty of the page', () => {
  const leave = {
    forfeit: (game: Game) => void game.red.forfeits(),
    'lost connection': (game: Game) => {
      game.red.goes();
      game.wait(limits.reconnectGraceMs);
    },
  };
  const begin: Record<string, () => Game> = {
    'before the first pick': () => new Game().toDiscards(),
    'the same, for the second time in 14 days': () =>
      new Game({ red: { record: { leftBeforeFirstPick: 1, earlyForfeits: 0 } } }).toDiscards(),
    later: () => new Game().toPreparing(),
    'before any scored round, for the third time in 24 hours': () =>
      new Game({ red: { record: { leftBeforeFirstPick: 0, earlyForfeits: 2 } } }).toPreparing(),
  };
  for (const [when = '', how = '', result, penalty] of table('| When | How')) {
    for (const way of how.split(' or ') as (keyof typeof leave)[]) {
      const game = begin[when]?.() ?? new Game();
      leave[way](game);
      const outcome = game.result?.outcome === 'no_contest' ? 'no contest' : 'loss';
      expect(`${outcome} (\`${game.result?.reason}\`)`, when).toBe(result);
      expect(game.last.effects.some(({ type }) => type === 'penalise') ? 'yes' : 'no', when).toBe(penalty);
    }
  }
});

test('the time-outs of the page are those of the offences', () => {
  const first = secondsOf(variables.penaltyFirstMs) * SECOND;
  const [[, ...minutes] = []] = table('| Offence');
  expect(minutes.map(Number)).toEqual(minutes.map((_, earlier) => timeOutMs(first, earlier) / 60_000));
});

test('the ratings of the page are those after a first match', () => {
  const scores = { red: 1, blue: 0, draw: 0.5 } as const;
  for (const [, , winner, red, blue] of table('| Red before')) {
    const after = afterMatch(NEWCOMER, NEWCOMER, scores[winner as keyof typeof scores]);
    expect([shownRating(after.red), shownRating(after.blue)], winner).toEqual([Number(red), Number(blue)]);
  }
});

test('the page has every reason of an end', () => {
  expect(table('| `reason`').map(([reason]) => reason)).toEqual(RESULT_REASONS.map((one) => `\`${one}\``));
});
