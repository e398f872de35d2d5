import { describe, expect, test } from 'vitest';
import type { TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { lastOf, playUpToDate, statesOf } from '../../src/domains/matches/play.ts';
import { currentRules } from '../../src/domains/matches/rulebook.ts';
import { Game, SECOND } from './game.ts';

const picks = ({ state, picker }: Game, seat: 'red' | 'blue' = picker.name) =>
  ({ type: 'selectMap', seat, cardGuid: state.seats[seat].hand[0]?.cardGuid ?? '' }) as const;

describe('events that are played up to date', () => {
  test('come after the outages that the match missed, each with what follows from it', () => {
    const game = new Game().toDiscards();
    const outages = [1, 2].map((outage) => ({ outage, downMs: 40 * SECOND, until: game.now }));
    const discards = (['red', 'blue'] as const).map(
      (seat): TransitionEvent => ({ type: 'discardMaps', seat, cardGuids: [] }),
    );
    const { steps, refusal } = playUpToDate(game.state, outages, discards, game.now, currentRules);
    expect(steps?.map(({ event }) => event.type)).toEqual([
      'serviceResumed',
      'serviceResumed',
      'discardMaps',
      'discardMaps',
      'phaseOver',
    ]);
    expect(steps?.map(({ state }) => state.version)).toEqual([5, 6, 7, 8, 9]);
    expect(steps && lastOf(steps).state).toMatchObject({ status: 'awaiting_pick', lastOutage: 2 });
    expect(refusal).toBeNull();
  });

  test('have the refusal of the last of them, and no steps when nothing changes', () => {
    const game = new Game().toPick();
    const [good, bad] = [picks(game, 'red'), picks(game, 'blue')];
    const decide = (...events: (typeof good)[]) =>
      playUpToDate(game.state, [], events, game.now, currentRules);
    expect(decide(bad)).toMatchObject({ steps: null, refusal: { code: 'NOT_YOUR_TURN' } });
    expect(decide(bad, good)).toMatchObject({ steps: [{ event: good }], refusal: null });
    expect(decide()).toEqual({ steps: null, refusal: null });
  });
});

describe('the lines of a log', () => {
  test('go on from a state that is given', () => {
    const game = new Game().toPick();
    const before = game.state;
    game.picker.picks();
    expect(statesOf(game.log.slice(-1), currentRules, before)).toEqual([game.state]);
    expect(statesOf(game.log).slice(-2)).toEqual([before, game.state]);
    expect(statesOf([], currentRules, before)).toEqual([]);
  });

  test('are refused without a beginning, with two, and where one changes nothing', () => {
    const { log, state } = new Game().toPick();
    const [created, joined] = log.slice(0, 2);
    if (!created || !joined) throw new Error('A log has a line for each change.');
    expect(() => statesOf([joined])).toThrow('A log begins with');
    expect(() => statesOf([])).toThrow('A log begins with');
    expect(() => statesOf([created, created])).toThrow('created changes nothing in version 1');
    expect(() => statesOf([joined], currentRules, state)).toThrow(
      `joinMatch changes nothing in version ${state.version}`,
    );
  });
});
