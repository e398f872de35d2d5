import { describe, expect, test } from 'vitest';
import { dueAt } from '../../src/domains/matches/machine.ts';
import type { TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { play } from '../../src/domains/matches/play.ts';
import { ENDED, type MatchState, RUNNING } from '../../src/domains/matches/state.ts';
import { Game, SECOND, scoreOn } from './game.ts';

/**
 * Every status × every event has an answer. Each cell is the status afterwards, `same` when only the
 * version grew, `-` when nothing changed, or the code of a refusal.
 */

/** Each status as real play brings it about; red has answered where one can, blue has not. */
const statuses: Record<string, () => Game> = {
  waiting_players: () => {
    const game = new Game();
    game.red.joins();
    return game;
  },
  awaiting_discards: () => {
    const game = new Game().toDiscards();
    game.red.discards(0);
    return game;
  },
  awaiting_pick: () => new Game().toPick(),
  preparing: () => {
    const game = new Game().toPreparing();
    game.red.isReady();
    return game;
  },
  countdown: () => new Game().toCountdown(),
  playing: () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    game.red.scores(0.9);
    return game;
  },
  round_results: () => new Game().toResults(),
  standstill: () => {
    const game = new Game().toPreparing();
    game.blue.goes();
    game.wait(30 * SECOND);
    game.red.goes();
    game.wait(30 * SECOND);
    return game;
  },
  completed: () => {
    const game = new Game().toResults();
    game.blue.forfeits();
    return game;
  },
  aborted: () => {
    const game = new Game();
    game.wait(30 * SECOND);
    return game;
  },
};

/** A possible score: of the current map, and where there is none of any. */
const anyScore = ({ current, seats }: MatchState, accuracy: number) => {
  const card = current?.card ?? seats.red.hand[0];
  if (card === undefined) throw new Error('Red holds no card.');
  return scoreOn(card.map, accuracy);
};
const handCard = (state: MatchState, seat: 'red' | 'blue') => state.seats[seat].hand[0]?.cardGuid ?? '';

const events: Record<string, (game: Game) => TransitionEvent> = {
  'joinMatch red': () => ({ type: 'joinMatch', seat: 'red' }),
  'joinMatch blue': () => ({ type: 'joinMatch', seat: 'blue' }),
  'discardMaps red again, differently': ({ state }) => ({
    type: 'discardMaps',
    seat: 'red',
    cardGuids: [handCard(state, 'red')],
  }),
  'discardMaps blue': () => ({ type: 'discardMaps', seat: 'blue', cardGuids: [] }),
  'selectMap red': ({ state }) => ({ type: 'selectMap', seat: 'red', cardGuid: handCard(state, 'red') }),
  'selectMap blue': ({ state }) => ({ type: 'selectMap', seat: 'blue', cardGuid: handCard(state, 'blue') }),
  'setReady blue ready': ({ state }) => ({
    type: 'setReady',
    seat: 'blue',
    roundNumber: state.roundNumber,
    state: 'ready',
  }),
  'setReady blue failed': ({ state }) => ({
    type: 'setReady',
    seat: 'blue',
    roundNumber: state.roundNumber,
    state: 'failed',
  }),
  'submitScore red': ({ state }) => ({
    type: 'submitScore',
    seat: 'red',
    roundNumber: state.roundNumber,
    score: anyScore(state, 0.5),
  }),
  'submitScore blue': ({ state }) => ({
    type: 'submitScore',
    seat: 'blue',
    roundNumber: state.roundNumber,
    score: anyScore(state, 0.9),
  }),
  'forfeit red': () => ({ type: 'forfeit', seat: 'red' }),
  'forfeit blue': () => ({ type: 'forfeit', seat: 'blue' }),
  'connected red': () => ({ type: 'connected', seat: 'red' }),
  'connected blue': () => ({ type: 'connected', seat: 'blue' }),
  'disconnected blue': () => ({ type: 'disconnected', seat: 'blue' }),
  'nodeLost blue': () => ({ type: 'nodeLost', seat: 'blue' }),
  'putOff red': () => ({ type: 'putOff', seat: 'red' }),
  'putOff blue': () => ({ type: 'putOff', seat: 'blue' }),
  'banned blue': () => ({ type: 'banned', seat: 'blue' }),
  'limitPassed too early': ({ state }) => ({ type: 'limitPassed', version: state.version }),
  'limitPassed of another version': ({ state }) => ({ type: 'limitPassed', version: state.version - 1 }),
  'limitPassed when due': ({ state }) => ({ type: 'limitPassed', version: state.version }),
  phaseOver: () => ({ type: 'phaseOver' }),
  serviceResumed: (game) => ({ type: 'serviceResumed', outage: 1, downMs: 40_000, until: game.now }),
  abortedByStaff: () => ({ type: 'abortedByStaff' }),
  'decidedByStaff for red': () => ({ type: 'decidedByStaff', outcome: 'decided', winner: 'red' }),
  'decidedByStaff as a draw': () => ({ type: 'decidedByStaff', outcome: 'draw', winner: null }),
  'decidedByStaff as no contest': () => ({ type: 'decidedByStaff', outcome: 'no_contest', winner: null }),
  undoneByStaff: () => ({ type: 'undoneByStaff' }),
};

function answer(game: Game, event: TransitionEvent, atLimit: boolean): string {
  const now = atLimit ? Math.max(game.now, dueAt(game.state) ?? 0) : game.now;
  const outcome = play(game.state, event, now);
  if (outcome.kind === 'refused') return outcome.error.code;
  if (outcome.kind === 'unchanged') return '-';
  const status = outcome.steps.at(-1)?.state.status ?? '';
  return status === game.status ? 'same' : status;
}

const expected = `
                                   | waiting_players   awaiting_discards awaiting_pick preparing     countdown     playing       round_results standstill completed aborted
joinMatch red                      | -                 -                 -             -             -             -             -             -          -         PHASE
joinMatch blue                     | awaiting_discards -                 -             -             -             -             -             -          -         PHASE
discardMaps red again, differently | PHASE             DISCARDED         DISCARDED     DISCARDED     DISCARDED     DISCARDED     DISCARDED     DISCARDED  DISCARDED PHASE
discardMaps blue                   | PHASE             awaiting_pick     -             -             -             -             -             -          -         PHASE
selectMap red                      | PHASE             PHASE             preparing     PHASE         PHASE         PHASE         PHASE         PHASE      PHASE     PHASE
selectMap blue                     | PHASE             PHASE             TURN          PHASE         PHASE         PHASE         PHASE         PHASE      PHASE     PHASE
setReady blue ready                | PHASE             PHASE             PHASE         same          -             -             -             PHASE      -         PHASE
setReady blue failed               | PHASE             PHASE             PHASE         same          same          PHASE         PHASE         PHASE      PHASE     PHASE
submitScore red                    | PHASE             PHASE             PHASE         PHASE         PHASE         SUBMITTED     SUBMITTED     PHASE      SUBMITTED PHASE
submitScore blue                   | PHASE             PHASE             PHASE         PHASE         PHASE         round_results -             PHASE      -         PHASE
forfeit red                        | aborted           aborted           aborted       completed     completed     completed     completed     aborted    PHASE     PHASE
forfeit blue                       | aborted           aborted           aborted       completed     completed     completed     completed     completed  -         PHASE
connected red                      | -                 -                 -             -             -             -             -             completed  -         -
connected blue                     | -                 -                 -             -             -             -             -             -          -         -
disconnected blue                  | same              same              same          same          same          same          same          -          -         -
nodeLost blue                      | same              same              same          same          same          same          same          -          -         -
putOff red                         | -                 -                 -             -             -             -             -             same       -         -
putOff blue                        | -                 -                 -             -             -             -             -             -          -         -
banned blue                        | aborted           aborted           aborted       completed     completed     completed     completed     completed  -         -
limitPassed too early              | -                 -                 -             -             -             -             -             -          -         -
limitPassed of another version     | -                 -                 -             -             -             -             -             -          -         -
limitPassed when due               | aborted           awaiting_pick     preparing     round_results playing       round_results awaiting_pick aborted    -         -
phaseOver                          | -                 -                 -             -             -             -             -             -          -         -
serviceResumed                     | same              same              same          same          same          same          same          same       -         -
abortedByStaff                     | aborted           aborted           aborted       aborted       aborted       aborted       aborted       aborted    PHASE     PHASE
decidedByStaff for red             | completed         completed         completed     completed     completed     completed     completed     completed  same      completed
decidedByStaff as a draw           | completed         completed         completed     completed     completed     completed     completed     completed  same      completed
decidedByStaff as no contest       | aborted           aborted           aborted       aborted       aborted       aborted       aborted       aborted    aborted   same
undoneByStaff                      | PHASE             PHASE             PHASE         PHASE         PHASE         PHASE         PHASE         PHASE      aborted   UNDONE
`;

const codes: Record<string, string> = {
  PHASE: 'WRONG_PHASE',
  TURN: 'NOT_YOUR_TURN',
  DISCARDED: 'DISCARD_ALREADY_DONE',
  SUBMITTED: 'SCORE_ALREADY_SUBMITTED',
  UNDONE: 'ALREADY_UNDONE',
};
const [columns = [], ...rows] = expected
  .trim()
  .split('\n')
  .map((line) => [line.split('|')[0]?.trim() ?? '', ...(line.split('|')[1] ?? '').trim().split(/ +/)]);

describe('every status has an answer to every event', () => {
  test('the states are in the status they are named after', () => {
    const built = Object.entries(statuses).map(([name, build]) => [name, build().status]);
    expect(built.filter(([name, status]) => name !== status)).toEqual([
      ['countdown', 'preparing'],
      ['standstill', 'preparing'],
    ]);
  });

  test('the table has every status and every event, without a gap', () => {
    expect(columns.slice(1)).toEqual(Object.keys(statuses));
    expect(new Set(columns.slice(1))).toEqual(new Set([...RUNNING, ...ENDED, 'countdown', 'standstill']));
    expect(rows.map(([event]) => event)).toEqual(Object.keys(events));
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });

  test.each(rows)('%s', (event, ...answers) => {
    const make = events[event];
    const given = Object.values(statuses).map((build) => {
      const game = build();
      return make && answer(game, make(game), event === 'limitPassed when due');
    });
    expect(given).toEqual(answers.map((code) => codes[code] ?? code));
  });
});
