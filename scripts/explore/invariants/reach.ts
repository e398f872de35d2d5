import { SEATS, type Seat } from '../../../src/domains/matches/state.ts';
import type { Invariant, Step } from './kinds.ts';

/** Which members of a match each event may change. */

type Members = readonly (keyof Seat)[];
const PRESENCE: Members = ['presence', 'budgetUsedMs', 'budgetRunningSince'];

/** The members of its own seat that an event may change. A connection that is lost may stop a countdown. */
const OWN: Partial<Record<Step['event']['type'], Members>> = {
  joinMatch: ['joined'],
  discardMaps: ['hand', 'discarded'],
  setReady: ['ready', 'readyStates', 'countdownsStopped', 'countdownsBroken'],
  submitScore: ['score'],
  connected: PRESENCE,
  disconnected: [...PRESENCE, 'countdownsBroken'],
  nodeLost: [...PRESENCE, 'countdownsBroken'],
  putOff: PRESENCE,
};

/** The members of both seats that the beginning of a phase may change. */
const BEGINS: Partial<Record<Step['state']['status'], Members>> = {
  awaiting_pick: ['ready', 'readyStates', 'score', 'countdownsStopped', 'countdownsBroken'],
  preparing: ['hand'],
  round_results: ['health', 'notReadyLosses'],
};

export const changesAreOwn: Invariant = {
  name: 'a change touches nothing else',
  says: 'A command changes of its player what it says, and nothing of the other; a connection changes presence and budget, and may stop the countdown; only the beginning of a phase, a limit and an outage change both seats.',
  step: ({ before, event, state }) => {
    const begins = state.status !== before.status;
    const both: Members = [
      ...(begins ? (BEGINS[state.status] ?? []) : []),
      ...(begins || event.type === 'limitPassed' || event.type === 'serviceResumed' ? PRESENCE : []),
    ];
    for (const seat of SEATS) {
      const own = ('seat' in event && event.seat === seat && OWN[event.type]) || [];
      const [was, is] = [before.seats[seat], state.seats[seat]];
      for (const member of Object.keys(is) as (keyof Seat)[])
        if (is[member] !== was[member] && !own.includes(member) && !both.includes(member))
          return `${event.type} changes ${member} of ${seat}`;
    }
    return null;
  },
};
