import { describe, expect, test } from 'vitest';
import { checkClosed } from '../../scripts/explore/closing.ts';
import { GLOBAL, INVARIANTS } from '../../scripts/explore/invariants/all.ts';
import { Found, Search, type Violation } from '../../scripts/explore/search.ts';
import { SETTINGS, type Setting, START, TICK } from '../../scripts/explore/settings.ts';
import { storyOf } from '../../scripts/explore/story.ts';
import { type Machine, SERVICE } from '../../scripts/explore/walk.ts';
import type { Outcome } from '../../src/domains/matches/machine.ts';
import type { LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { statesOf } from '../../src/domains/matches/play.ts';
import { copyOf, type MatchState, other, SEATS, type Seat } from '../../src/domains/matches/state.ts';

/** For every invariant there are rules with a defect, and an exploration with this invariant alone finds the defect. */

const named = (name: string): Setting => SETTINGS.find((setting) => setting.name === name) as Setting;
const deal = named('small-deal');
const map = named('small-map');
const absence = named('small-absence');
/** Both players are always present and have few choices: enough for most defects, and explored in a moment. */
const fewScores: Setting = { ...map, reports: ['ready'], accuracies: [90] };
const allThere: Setting = { ...deal, without: [...deal.without, 'connected', 'disconnected', 'banned'] };
const outage: Setting = {
  ...absence,
  without: absence.without.filter((one) => one !== 'serviceResumed'),
};

type Changed = Outcome & { kind: 'changed' };
type Defect = (
  changed: Changed,
  before: MatchState,
  event: TransitionEvent,
  now: number,
) => Partial<Changed> | null;

/** Rules whose changes are spoilt where the defect says so. The defect gets a copy of the state. */
const spoiling = (defect: Defect): Partial<Machine> => ({
  transition: (state, event, now) => {
    const outcome = SERVICE.transition(state, event, now);
    if (outcome.kind !== 'changed') return outcome;
    const copy = { ...outcome, state: copyOf(outcome.state) };
    const spoilt = defect(copy, state, event, now);
    return spoilt === null ? outcome : { ...copy, ...spoilt };
  },
});

/** Spoils the state alone. */
const spoilt = (
  change: (after: MatchState, before: MatchState, event: TransitionEvent, now: number) => void,
) =>
  spoiling(({ state }, before, event, now) => {
    change(state, before, event, now);
    return { state };
  });

/** Rules that answer some events in another way. */
const answering = (
  answer: (state: MatchState, event: TransitionEvent, now: number) => Outcome | null,
): Partial<Machine> => ({
  transition: (state, event, now) => answer(state, event, now) ?? SERVICE.transition(state, event, now),
});

const DEFECTS: Record<string, [Setting, Partial<Machine>]> = {
  'a way out exists': [
    allThere,
    { dueAt: (state) => (state.status === 'preparing' ? null : SERVICE.dueAt(state)) },
  ],
  'versions grow by one': [
    allThere,
    spoilt((after, before) => {
      if (before.status === 'awaiting_pick') after.version += 1;
    }),
  ],
  'a change touches nothing else': [
    map,
    spoilt((after, _, event) => {
      if (event.type === 'submitScore' && event.score.failed) after.seats[event.seat].ready = null;
    }),
  ],
  'a state is well formed': [
    deal,
    spoilt((after) => {
      if (after.result?.outcome === 'no_contest') after.result = { ...after.result, winner: 'red' };
    }),
  ],
  'phases follow each other': [
    fewScores,
    spoiling(({ cause }) =>
      cause.type === 'mapStarted' ? { cause: { ...cause, type: 'mapSelected' } } : null,
    ),
  ],
  'the innocent keep what they have': [
    deal,
    spoiling(({ effects }) => ({
      effects: effects.map((one) => (one.type === 'penalise' ? { ...one, seat: other(one.seat) } : one)),
    })),
  ],
  'leaving gains nothing': [
    map,
    spoilt((after, _, event) => {
      if (event.type === 'forfeit' && after.result) after.result = { ...after.result, winner: event.seat };
    }),
  ],
  'penalties fit': [
    deal,
    spoiling(({ effects }) => ({
      effects: effects.map((one) => (one.type === 'penalise' ? { ...one, reason: 'repeated_forfeit' } : one)),
    })),
  ],
  'neither ready, neither wins': [
    allThere,
    spoiling(({ state }) => (state.result?.reason === 'void_rounds' ? { effects: [] } : null)),
  ],
  'play decides': [
    map,
    spoilt((after, before) => {
      const { result } = after;
      if (before.result === null && result?.reason === 'health' && result.winner !== null)
        after.result = { ...result, winner: other(result.winner) };
    }),
  ],
  'health adds up': [
    map,
    spoilt((after, before) => {
      for (const seat of SEATS)
        after.seats[seat].health = Math.max(after.seats[seat].health, before.seats[seat].health - 0.5);
    }),
  ],
  'rounds add up': [
    fewScores,
    spoilt((after, before) => {
      const last = after.rounds.at(-1);
      if (last && before.status === 'playing' && after.status === 'round_results')
        after.rounds = [...after.rounds.slice(0, -1), { ...last, scores: { ...last.scores, red: null } }];
    }),
  ],
  'cards add up': [
    deal,
    spoilt((after, before, event) => {
      if (event.type === 'selectMap') after.seats[event.seat].hand = before.seats[event.seat].hand;
    }),
  ],
  'pickers take turns': [
    allThere,
    spoilt((after) => {
      if (after.status === 'awaiting_pick' && after.roundNumber === 2) after.pickerSeat = 'red';
    }),
  ],
  'the countdown is fair': [
    absence,
    spoilt((after, before, event) => {
      if (event.type === 'disconnected' && after.status === 'preparing') after.startsAt = before.startsAt;
    }),
  ],
  'deadlines stand': [
    absence,
    spoilt((after, _, event) => {
      if (event.type === 'connected' && after.status === 'awaiting_pick' && after.deadlineAt !== null)
        after.deadlineAt += TICK;
    }),
  ],
  'graces are kept': [
    absence,
    spoilt((after, _, event) => {
      if (event.type !== 'disconnected') return;
      const { presence } = after.seats[event.seat];
      if (presence.kind === 'away')
        after.seats[event.seat].presence = { ...presence, deadlineAt: presence.deadlineAt - TICK };
    }),
  ],
  'the budget adds up': [
    absence,
    spoilt((after, _, event) => {
      if (event.type === 'connected') after.seats[event.seat].budgetUsedMs += TICK;
    }),
  ],
  'an outage costs nothing': [
    outage,
    spoilt((after, before, event) => {
      if (event.type === 'serviceResumed' && after.status === 'playing') after.deadlineAt = before.deadlineAt;
    }),
  ],
  'a return is never punished': [
    absence,
    answering(({ status }, event) =>
      event.type === 'connected' && status === 'playing' ? { kind: 'unchanged' } : null,
    ),
  ],
  'an end stays': [
    deal,
    answering((state, event) =>
      event.type === 'connected' && state.endedAt !== null
        ? {
            kind: 'changed',
            state: { ...state, version: state.version + 1 },
            cause: { type: 'presenceChanged', seat: event.seat },
            effects: [],
          }
        : null,
    ),
  ],
  'a command counts when it is allowed': [
    fewScores,
    answering((state, event, now) =>
      event.type === 'submitScore' ? SERVICE.transition(state, event, now + 12 * TICK) : null,
    ),
  ],
  'staff decide': [
    deal,
    answering(({ status }, { type }) =>
      type === 'abortedByStaff' && status === 'preparing' ? { kind: 'unchanged' } : null,
    ),
  ],
  'a repeat changes nothing': [
    map,
    answering((state, event, now) => {
      const outcome = SERVICE.transition(state, event, now);
      if (outcome.kind !== 'unchanged' || event.type !== 'setReady') return null;
      return {
        kind: 'changed',
        state: { ...state, version: state.version + 1 },
        cause: { type: 'readyChanged', seat: event.seat },
        effects: [],
      };
    }),
  ],
  'commands of both players commute': [
    map,
    spoilt((after, before, event) => {
      const isFirst = event.type === 'setReady' && before.seats.blue.ready === null;
      if (isFirst && event.seat === 'red' && event.state === 'failed') after.prepareDeadlineAt = null;
    }),
  ],
  'secrets are kept': [
    fewScores,
    {
      viewFor: (match, seat, now, extras) => {
        const view = SERVICE.viewFor(match, seat, now, extras);
        const score = match.seats[other(seat)].score?.rawScore ?? 0;
        return { ...view, opponent: { ...view.opponent, progress: score } };
      },
    },
  ],
  'nothing crashes': [
    fewScores,
    answering(({ status }, event) => {
      if (event.type === 'forfeit' && status === 'playing') throw new TypeError('a defect');
      return null;
    }),
  ],
  'a refusal changes nothing': [
    fewScores,
    answering((state, event, now) => {
      const outcome = SERVICE.transition(state, event, now);
      if (outcome.kind === 'refused' && event.type === 'undoneByStaff' && state.status === 'playing')
        state.roundNumber += 1;
      return outcome;
    }),
  ],
  'every match ends': [
    fewScores,
    answering((state, event, now) =>
      event.type === 'limitPassed' &&
      state.status === 'awaiting_pick' &&
      state.roundNumber === 10 &&
      (state.deadlineAt ?? now) <= now
        ? {
            kind: 'changed',
            state: { ...state, version: state.version + 1, deadlineAt: now + TICK },
            cause: { type: 'pickStarted', seat: null },
            effects: [],
          }
        : null,
    ),
  ],
  'the log replays': [
    fewScores,
    spoilt((after, before) => {
      // The state of a real match has another version than the one that stands for it.
      if (before.version > 80 && after.status === 'playing') after.seats.red.health = 0.5;
    }),
  ],
};

const begins = (status: MatchState['status'], after: MatchState, before: MatchState): boolean =>
  after.status === status && before.status !== status;
const graceOf = ({ presence }: Seat): number => (presence.kind === 'away' ? presence.deadlineAt : 0);

/** More defects, of places where the canonical form or a setting could hide one. */
const MORE: [invariant: string, what: string, setting: Setting, machine: Partial<Machine>][] = [
  [
    'an end stays',
    'a correction moves the end',
    map,
    spoilt((after, before, _, now) => {
      if (before.endedAt !== null) after.endedAt = now;
    }),
  ],
  ...(['countdownsStopped', 'countdownsBroken'] as const).map((member): (typeof MORE)[number] => [
    'pickers take turns',
    `${member} is kept over rounds`,
    deal,
    spoilt((after, before) => {
      if (begins('awaiting_pick', after, before)) after.seats.red[member] = before.seats.red[member];
    }),
  ]),
  [
    'rounds add up',
    'a round that was lost by not being ready is forgotten',
    named('brief-rounds'),
    spoilt((after, before) => {
      if (begins('awaiting_pick', after, before))
        for (const seat of SEATS) after.seats[seat].notReadyLosses = 0;
    }),
  ],
  [
    'an outage costs nothing',
    'less than 15 s remain of a failed download',
    named('brief-failures'),
    spoilt((after, { failedDeadlineAt }, event) => {
      if (event.type === 'serviceResumed' && failedDeadlineAt !== null)
        after.failedDeadlineAt = failedDeadlineAt + event.downMs;
    }),
  ],
  [
    'graces are kept',
    'a phase ends before a grace at the same time',
    absence,
    answering((state, event, now) => {
      const { deadlineAt, seats } = state;
      if (event.type !== 'limitPassed' || !SEATS.some((seat) => graceOf(seats[seat]) === deadlineAt))
        return null;
      return SERVICE.transition({ ...state, deadlineAt: (deadlineAt ?? 0) - 1 }, event, now);
    }),
  ],
  [
    'graces are kept',
    'a grace of five seconds once the budget is spent',
    absence,
    spoilt((after, before, event, now) => {
      if (event.type !== 'disconnected') return;
      const { presence } = after.seats[event.seat];
      const left = before.limits.reconnectBudgetMs - before.seats[event.seat].budgetUsedMs;
      const most = now + Math.max(TICK, left);
      if (presence.kind === 'away' && presence.deadlineAt > most)
        after.seats[event.seat].presence = { ...presence, deadlineAt: most };
    }),
  ],
  [
    'play decides',
    'absence decides before the cards',
    absence,
    spoilt((after, before) => {
      const gone = SEATS.find((seat) => before.seats[seat].presence.kind === 'absent');
      if (gone !== undefined && before.result === null && after.result?.reason === 'cards_used_up')
        after.result = { outcome: 'decided', reason: 'disconnected', winner: other(gone) };
    }),
  ],
  [
    'leaving gains nothing',
    'a ban frees the other, who is gone',
    deal,
    spoiling((_, before, { type }) => (type === 'banned' && before.result === null ? { effects: [] } : null)),
  ],
];

/** The violation that an exploration with one invariant finds; null: none. */
function violationOf(
  setting: Setting,
  invariant: string,
  machine: Partial<Machine>,
): { search: Search; violation: Violation } | null {
  const search = new Search(
    setting,
    INVARIANTS.filter(({ name }) => name === invariant),
    { ...SERVICE, ...machine },
  );
  try {
    while (search.layer());
    checkClosed(search, setting.longestMs);
    return null;
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { search, violation: error.violation };
  }
}

test('there is a defect for every invariant', () => {
  const names = [...INVARIANTS, ...GLOBAL].map(({ name }) => name);
  expect(Object.keys(DEFECTS).sort()).toEqual(names.sort());
  expect(names.length).toBeGreaterThanOrEqual(14);
});

describe('a defect is found', () => {
  test.each(Object.entries(DEFECTS))('by the invariant: %s', (name, [setting, machine]) => {
    const found = violationOf(setting, name, machine);
    expect(found?.violation.invariant).toBe(name);
    if (found === null) return;
    const story = storyOf(found.search, found.violation);
    expect(story).toContain(`${name}: `);
    expect(story).toContain('As a golden test');
    // From the deal, as a log that plays again by the rules with the defect.
    const { search, violation } = found;
    const log = [...story.matchAll(/^ {2}\[(\d+), (.*)\],$/gm)].map(
      ([, at, event]): LogLine => ({ at: START + Number(at), event: JSON.parse(event as string) }),
    );
    expect(log[0]?.event.type).toBe('created');
    const { beginning, choices } = violation.way;
    const before = search.walk({ beginning, choices: choices.slice(0, -1) });
    const states = statesOf(log.slice(0, before.log.length), search.machine);
    expect(states.at(-1)).toEqual(before.state);
    expect(log.length).toBeGreaterThanOrEqual(before.log.length);
  });

  test('and its story has the names of the cards', () => {
    const found = violationOf(deal, 'cards add up', DEFECTS['cards add up']?.[1] ?? {});
    const story = found === null ? '' : storyOf(found.search, found.violation);
    expect(story).toMatch(/selectMap red Map \d+ \(red's card 1\)/);
  });

  test.each(MORE)('by the invariant: %s; the defect: %s', (invariant, _, setting, machine) => {
    expect(violationOf(setting, invariant, machine)?.violation.invariant).toBe(invariant);
  });
});
