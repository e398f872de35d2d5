import { expect, test } from 'vitest';
import { Game, replay, SECOND, START } from './game.ts';

/** One line per change: when, what, whose doing, and where the match stands. */
function told(game: Game): string[] {
  return game.steps.map(({ state, cause, event }, index) => {
    const seconds = ((game.log[index + 1]?.at ?? 0) - START) / SECOND;
    const { red, blue } = state.seats;
    return `${seconds}s v${state.version} ${cause.type} by ${cause.seat ?? event.type}: ${state.status} ${red.health}/${blue.health}`;
  });
}

test('a whole match: joins, discards, three maps, a lost connection, and health decides', () => {
  const game = new Game();
  const { red, blue } = game;
  red.joins();
  game.wait(2 * SECOND);
  blue.joins();
  game.wait(10 * SECOND);
  red.discards(0, 3);
  blue.discards();

  red.picks(1);
  red.says('downloading');
  blue.isReady();
  game.wait(3 * SECOND);
  red.isReady();
  game.wait(5 * SECOND);
  game.wait(100 * SECOND);
  blue.scores(0.9);
  red.scores(0.95);
  game.wait(6 * SECOND);

  blue.picks();
  blue.isReady();
  red.isReady();
  game.wait(2 * SECOND);
  red.goes();
  game.wait(4 * SECOND);
  red.returns();
  game.wait(5 * SECOND);
  game.wait(90 * SECOND);
  red.scores(0.4, { failed: true });
  blue.scores(0.8);
  game.wait(6 * SECOND);

  red.picks(2);
  red.isReady();
  blue.isReady();
  game.wait(5 * SECOND);
  game.wait(100 * SECOND);
  red.scores(0.75);
  blue.scores(0.97);
  game.wait(6 * SECOND);

  expect(told(game)).toMatchInlineSnapshot(`
    [
      "0s v2 playerJoined by red: waiting_players 1/1",
      "2s v3 playerJoined by blue: waiting_players 1/1",
      "2s v4 playerJoined by phaseOver: awaiting_discards 1/1",
      "12s v5 discarded by red: awaiting_discards 1/1",
      "12s v6 discarded by blue: awaiting_discards 1/1",
      "12s v7 pickStarted by phaseOver: awaiting_pick 1/1",
      "12s v8 mapSelected by red: preparing 1/1",
      "12s v9 readyChanged by red: preparing 1/1",
      "12s v10 readyChanged by blue: preparing 1/1",
      "15s v11 readyChanged by red: preparing 1/1",
      "20s v12 mapStarted by limitPassed: playing 1/1",
      "120s v13 scoreSubmitted by blue: playing 1/1",
      "120s v14 scoreSubmitted by red: playing 1/1",
      "120s v15 roundFinished by phaseOver: round_results 1/0.95",
      "126s v16 pickStarted by limitPassed: awaiting_pick 1/0.95",
      "126s v17 mapSelected by blue: preparing 1/0.95",
      "126s v18 readyChanged by blue: preparing 1/0.95",
      "126s v19 readyChanged by red: preparing 1/0.95",
      "128s v20 presenceChanged by red: preparing 1/0.95",
      "132s v21 presenceChanged by red: preparing 1/0.95",
      "137s v22 mapStarted by limitPassed: playing 1/0.95",
      "227s v23 scoreSubmitted by red: playing 1/0.95",
      "227s v24 scoreSubmitted by blue: playing 1/0.95",
      "227s v25 roundFinished by phaseOver: round_results 0.6/0.95",
      "233s v26 pickStarted by limitPassed: awaiting_pick 0.6/0.95",
      "233s v27 mapSelected by red: preparing 0.6/0.95",
      "233s v28 readyChanged by red: preparing 0.6/0.95",
      "233s v29 readyChanged by blue: preparing 0.6/0.95",
      "238s v30 mapStarted by limitPassed: playing 0.6/0.95",
      "338s v31 scoreSubmitted by red: playing 0.6/0.95",
      "338s v32 scoreSubmitted by blue: playing 0.6/0.95",
      "338s v33 roundFinished by phaseOver: round_results 0/0.95",
      "344s v34 finished by limitPassed: completed 0/0.95",
    ]
  `);
  expect(game.result).toEqual({ outcome: 'decided', reason: 'health', winner: 'blue' });
  expect(replay(game.log)).toEqual(game.state);
});
