import type { TransitionEvent } from '../../src/domains/matches/match-events.ts';
import {
  type MatchState,
  other,
  type ReadyState,
  SEATS,
  type SeatName,
} from '../../src/domains/matches/state.ts';
import { type Setting, scoreOf, TICK } from './settings.ts';
import type { Machine, Moment } from './walk.ts';

/** A possible next step: an event at a time, or time that passes without one. */
export type Next = { event: TransitionEvent; at: number } | { event: null; at: number };

/** How long an outage lasts. A longer one leads to where several of these lead; a promise checks it. */
export const OUTAGE_MS = TICK;

/** The service goes down now, for the shortest time. */
export function outageAfter({ lastOutage }: MatchState, now: number) {
  const until = now + OUTAGE_MS;
  const event = { type: 'serviceResumed', outage: lastOutage + 1, downMs: OUTAGE_MS, until } as const;
  return { event, at: until };
}

/** Everything that may happen in a moment, in an order that depends on nothing but its canonical form. */
export function createEvents(setting: Setting, machine: Pick<Machine, 'dueAt'>) {
  const without = new Set<string>(setting.without);
  const scores = setting.accuracies.map(scoreOf);
  const impossible = { ...scoreOf(50), rawScore: 1_000_001, modifiedScore: 1_000_001 };

  function discards(match: MatchState, seat: SeatName): TransitionEvent[] {
    const held = match.seats[seat].hand.map((card) => card.cardGuid);
    const given = match.seats[seat].discarded?.map((card) => card.cardGuid);
    const foreign = match.seats[other(seat)].hand[0]?.cardGuid;
    const [first = ''] = held;
    const sets: string[][] = given === undefined ? [] : [given];
    for (let count = 0; count <= Math.min(held.length, setting.maxDiscards + 1); count++)
      sets.push(held.slice(0, count));
    if (match.status === 'awaiting_discards') {
      sets.push([first, first]);
      if (foreign !== undefined) sets.push([foreign]);
    }
    return sets.map((cardGuids) => ({ type: 'discardMaps', seat, cardGuids }));
  }

  function picks(match: MatchState, seat: SeatName): TransitionEvent[] {
    const last = match.status === 'awaiting_pick' ? match.rounds.at(-1)?.card : match.current?.card;
    return [match.seats[seat].hand[0], match.seats[other(seat)].hand[0], last]
      .filter((card) => card !== undefined)
      .map(({ cardGuid }) => ({ type: 'selectMap', seat, cardGuid }));
  }

  function reports(match: MatchState, seat: SeatName): TransitionEvent[] {
    const { roundNumber } = match;
    const ready = (state: ReadyState, round: number): TransitionEvent => ({
      type: 'setReady',
      seat,
      roundNumber: round,
      state,
    });
    const submit = (score: (typeof scores)[number], round: number): TransitionEvent => ({
      type: 'submitScore',
      seat,
      roundNumber: round,
      score,
    });
    const played = scores.map((score) => submit(score, roundNumber));
    const now = [
      ...setting.reports.map((state) => ready(state, roundNumber)),
      ready('ready', roundNumber + 1),
      ...played,
    ];
    if (match.status === 'playing') now.push(submit(impossible, roundNumber));
    if (match.status === 'playing' && scores[0]) now.push(submit(scores[0], roundNumber + 1));
    // Afterwards a repeat of the last round may come.
    if (match.status !== 'awaiting_pick' || match.rounds.length === 0) return now;
    return [
      ...now,
      ...setting.reports.map((state) => ready(state, roundNumber - 1)),
      ...scores.map((score) => submit(score, roundNumber - 1)),
    ];
  }

  function staff(match: MatchState): TransitionEvent[] {
    const decide = (
      outcome: 'decided' | 'draw' | 'no_contest',
      winner: SeatName | null,
    ): TransitionEvent => ({
      type: 'decidedByStaff',
      outcome,
      winner,
    });
    return [
      { type: 'abortedByStaff' },
      decide('decided', 'red'),
      decide('decided', 'blue'),
      decide('draw', null),
      decide('no_contest', null),
      { type: 'undoneByStaff' },
      { type: 'phaseOver' },
      { type: 'limitPassed', version: match.version - 1 },
    ];
  }

  /** The next limit passes, or time goes on to just before it or just after it. */
  function times({ state, now }: Moment): Next[] {
    const due = machine.dueAt(state);
    const { version } = state;
    const next: Next[] = [];
    if (due === null) return [{ event: { type: 'limitPassed', version }, at: now }];
    if (due > now) next.push({ event: { type: 'limitPassed', version }, at: now });
    next.push({ event: { type: 'limitPassed', version }, at: Math.max(now, due) });
    if (due > now + setting.stepMs) next.push({ event: null, at: due - setting.stepMs });
    const isLate = state.prepareDeadlineAt !== null && state.prepareDeadlineAt < now;
    if (due > now && setting.late && !(isLate && setting.late === 'once'))
      next.push({ event: null, at: due + setting.stepMs });
    if (!without.has('serviceResumed')) next.push(outageAfter(state, now));
    return next;
  }

  return (moment: Moment): Next[] => {
    const { state, now } = moment;
    const events: TransitionEvent[] = [];
    for (const seat of SEATS) {
      events.push({ type: 'joinMatch', seat }, ...discards(state, seat), ...picks(state, seat));
      events.push(...reports(state, seat));
      for (const type of ['forfeit', 'connected', 'disconnected', 'nodeLost', 'putOff', 'banned'] as const)
        events.push({ type, seat });
    }
    events.push(...staff(state));
    const next: Next[] = [];
    for (const event of events) if (!without.has(event.type)) next.push({ event, at: now });
    next.push(...times(moment));
    return next;
  };
}
