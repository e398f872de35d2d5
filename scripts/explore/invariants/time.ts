import {
  type MatchState,
  other,
  SEATS,
  type Seat,
  type SeatName,
} from '../../../src/domains/matches/state.ts';
import { OUTAGE_MS, outageAfter } from '../events.ts';
import { type Context, type Invariant, isGone, isTolerant, type Step, standsStill } from './kinds.ts';

/** Limits, graces, the budget and outages. */

const SHORTEST_GRACE_MS = 10_000;
const PUT_OFF_MS = 60_000;
const AFTER_OUTAGE_MS = 15_000;

export const wayOut: Invariant = {
  name: 'a way out exists',
  says: 'A running match has a next limit, no further away than the longest limit and an extension; when it passes something changes, and not before. An ended match has none.',
  moment: ({ state, now }, { machine, setting }) => {
    const due = machine.dueAt(state);
    if (state.endedAt !== null) return due === null ? null : 'an ended match has a limit';
    if (due === null) return 'nothing ends this';
    // The third countdown that is stopped leaves the limit of the preparation, which may have passed.
    if (due < now && !setting.late && state.status !== 'preparing')
      return 'a limit has passed, and nothing happened';
    const longest = Math.max(...Object.values(setting.limits)) + 30_000 + PUT_OFF_MS;
    return due - now > longest ? `the next limit is ${due - now} ms away` : null;
  },
  answer: ({ state, now }, event, at, played, { machine }) => {
    if (event.type !== 'limitPassed') return null;
    const due = machine.dueAt(state);
    const isDue = due !== null && due <= at && event.version === state.version;
    if (isDue !== (played.kind === 'changed'))
      return `a limit that ${isDue ? 'passed' : 'has not passed'} is ${played.kind}`;
    return due !== null && at < now ? 'time goes back' : null;
  },
};

export const versionGrows: Invariant = {
  name: 'versions grow by one',
  says: 'Every change is one version more, and the setup of a match never changes.',
  step: ({ before, state }) => {
    if (state.version !== before.version + 1) return `version ${state.version} follows ${before.version}`;
    for (const member of [
      'matchGuid',
      'seed',
      'seedHash',
      'limits',
      'maxDiscards',
      'rulesVersion',
      'rated',
      'createdAt',
      'queueGuid',
    ] as const)
      if (state[member] !== before[member]) return `${member} changes`;
    for (const seat of SEATS)
      for (const member of ['playerGuid', 'rating', 'provisional', 'record'] as const)
        if (state.seats[seat][member] !== before.seats[seat][member]) return `${member} of ${seat} changes`;
    return null;
  },
};

/** The parts of a seat that neither an outage nor a decision after the end touches. */
const PLAYED = [
  'health',
  'hand',
  'joined',
  'discarded',
  'ready',
  'score',
  'notReadyLosses',
  'readyStates',
] as const;

/** An outage that begins later: time passed before it, and counts. */
function laterProblem(before: MatchState, began: number, { canonical, machine }: Context): string | null {
  const LATER_MS = 5000;
  const after = (state: MatchState, from: number): string | null => {
    const { event, at } = outageAfter(state, from);
    const outcome = machine.transition(state, event, at);
    return outcome.kind === 'changed' ? canonical.encode(outcome.state, at).join() : null;
  };
  const twin = canonical.decode(canonical.encode(before, began + LATER_MS).slice());
  return after(before, began + LATER_MS) === after(twin.state, twin.now)
    ? null
    : 'time before an outage is not counted as time';
}

export const outageCostsNothing: Invariant = {
  name: 'an outage costs nothing',
  says: 'After an outage every limit has moved by it and is at least 15 s away, every grace begins anew in full, no budget was used by it, and nothing else has changed. It is given back once, whenever the match learns of it; a long outage has the same effect as several short ones.',
  answer: ({ state }, event, _at, played) =>
    event.type === 'serviceResumed' && (played.kind === 'changed') !== (state.endedAt === null)
      ? `an outage is ${played.kind}`
      : null,
  step: ({ before, event, at, state, effects }, context) => {
    if (event.type !== 'serviceResumed')
      return before.lastOutage === state.lastOutage ? null : 'an outage is counted by something else';
    const { downMs, until } = event;
    const moved = (limit: number): number => Math.max(limit + downMs, until + AFTER_OUTAGE_MS);
    if (state.status !== before.status || effects.length > 0 || state.result !== null)
      return 'an outage decides something';
    if (state.lastOutage !== event.outage) return 'an outage is not counted';
    for (const name of ['prepareDeadlineAt', 'failedDeadlineAt'] as const) {
      const [was, is] = [before[name], state[name]];
      if (is !== (was === null ? null : moved(was))) return `${name} has moved by ${(is ?? 0) - (was ?? 0)}`;
    }
    const still = standsStill(before);
    if (!still && before.deadlineAt !== null && state.deadlineAt !== moved(before.deadlineAt))
      return `deadlineAt has moved by ${(state.deadlineAt ?? 0) - before.deadlineAt}`;
    const starts =
      before.startsAt === null
        ? null
        : before.status === 'preparing'
          ? moved(before.startsAt)
          : before.startsAt;
    if (state.startsAt !== starts) return `startsAt is ${state.startsAt}`;
    for (const seat of SEATS) {
      const [was, is] = [before.seats[seat], state.seats[seat]];
      for (const member of PLAYED)
        if (was[member] !== is[member]) return `${member} of ${seat} changes by an outage`;
      if (is.presence.kind !== was.presence.kind) return `${seat} becomes ${is.presence.kind} by an outage`;
      if (was.presence.kind === 'away' && is.presence.kind === 'away' && was.presence.since < until) {
        const full = Math.max(SHORTEST_GRACE_MS, context.setting.limits.reconnectGraceMs);
        if (is.presence.deadlineAt !== until + full)
          return `${seat} has ${is.presence.deadlineAt - until} ms after an outage`;
      }
      const earlier =
        was.budgetRunningSince === null ? 0 : Math.max(0, until - downMs - was.budgetRunningSince);
      if (is.budgetUsedMs !== was.budgetUsedMs + earlier)
        return `${seat} pays ${is.budgetUsedMs - was.budgetUsedMs} ms for an outage`;
      if (is.budgetRunningSince !== null && is.budgetRunningSince < until)
        return `${seat} pays for an outage later`;
    }
    const again = context.machine.transition(state, event, at);
    if (again.kind !== 'unchanged') return 'an outage is given back twice';
    const late = context.machine.transition(before, event, at + 5000);
    if (late.kind !== 'changed') return 'an outage is forgotten when it is learnt of late';
    const { encode } = context.canonical;
    if (encode(state, at + 5000).join() !== encode(late.state, at + 5000).join())
      return 'it makes a difference when the match learns of an outage';
    const next = outageAfter(state, at);
    const twice = context.machine.transition(state, next.event, next.at);
    const longer = context.machine.transition(
      before,
      { ...event, downMs: downMs + OUTAGE_MS, until: next.at },
      next.at,
    );
    if (twice.kind !== 'changed' || longer.kind !== 'changed') return 'an outage changes nothing';
    return encode(twice.state, next.at).join() === encode(longer.state, next.at).join()
      ? laterProblem(before, until - downMs, context)
      : 'a long outage leads to another state than two short ones';
  },
};

const LIMITS = {
  awaiting_discards: 'discardMs',
  awaiting_pick: 'pickMs',
  preparing: 'prepareMs',
  round_results: 'roundResultsMs',
} as const;

/** Whether this change starts or stops the countdown. */
const movesCountdown = ({ before, state }: Step): boolean =>
  (before.startsAt === null) !== (state.startsAt === null);

export const deadlinesStand: Invariant = {
  name: 'deadlines stand',
  says: 'deadlineAt is set when a phase begins and stays: only a countdown that starts or stops, an outage, and a match that stands still move it. While it stands still it is the grace that it waits for.',
  step: (step, { setting }) => {
    const { before, event, at, state } = step;
    if (state.endedAt !== null) return null;
    if (standsStill(state)) {
      const graces = SEATS.map((seat) => state.seats[seat].presence).filter((one) => one.kind === 'away');
      const earliest = Math.min(...graces.map((one) => one.deadlineAt));
      return state.deadlineAt === earliest ? null : `the match stands still until ${state.deadlineAt}`;
    }
    if (state.status !== before.status) {
      if (state.status === 'playing' || state.startsAt !== null) return null;
      const limit = LIMITS[state.status as keyof typeof LIMITS];
      if (state.deadlineAt !== at + setting.limits[limit])
        return `${state.status} has the limit ${state.deadlineAt}`;
      return state.prepareDeadlineAt === (state.status === 'preparing' ? state.deadlineAt : null)
        ? null
        : 'the limit of the preparation is another';
    }
    if (event.type === 'serviceResumed') return null;
    if (state.prepareDeadlineAt !== before.prepareDeadlineAt) return 'the limit of the preparation moves';
    if (movesCountdown(step)) return null;
    return state.deadlineAt === before.deadlineAt
      ? null
      : `deadlineAt moves by ${(state.deadlineAt ?? 0) - (before.deadlineAt ?? 0)}`;
  },
};

function presenceProblem(
  was: Seat,
  is: Seat,
  own: boolean,
  { event, at, before, state }: Step,
): string | null {
  const [from, to] = [was.presence, is.presence];
  if (from === to) {
    if (
      from.kind === 'away' &&
      from.deadlineAt <= at &&
      event.type === 'limitPassed' &&
      state.version === before.version
    )
      return 'a grace does not end';
    return null;
  }
  if (to.kind === 'present') {
    if (!own || event.type !== 'connected') return `a seat is present by ${event.type}`;
    return from.kind === 'absent' && from.final ? 'a seat that is gone comes back' : null;
  }
  if (to.kind === 'away') {
    if (from.kind === 'away')
      return own && (event.type === 'putOff' || event.type === 'serviceResumed')
        ? null
        : event.type === 'serviceResumed'
          ? null
          : `a grace changes by ${event.type}`;
    return own && from.kind === 'present' && (event.type === 'disconnected' || event.type === 'nodeLost')
      ? null
      : `a seat is away by ${event.type}`;
  }
  if (from.kind === 'absent')
    return to.final && before.status === 'round_results' ? null : 'an absent seat changes';
  if (from.kind !== 'away' || event.type !== 'limitPassed' || from.deadlineAt > at)
    return 'a seat is absent before its grace ended';
  if (isTolerant(before) && state.result !== null) return 'a grace that ends decides before the map is over';
  return to.final === !isTolerant(before) ? null : 'it is not as final as the phase asks for';
}

/** The seat whose grace is the next limit: of limits at the same time graces come first, red's before blue's. */
function nextGrace(match: MatchState): SeatName | null {
  const endOf = ({ presence }: Seat): number =>
    presence.kind === 'away' ? presence.deadlineAt : Number.POSITIVE_INFINITY;
  const { red, blue } = match.seats;
  const first = endOf(red) <= endOf(blue) ? 'red' : 'blue';
  const phase = standsStill(match) ? [] : [match.deadlineAt, match.failedDeadlineAt];
  const end = endOf(match.seats[first]);
  return end < Number.POSITIVE_INFINITY && phase.every((limit) => limit === null || end <= limit)
    ? first
    : null;
}

export const graceIsKept: Invariant = {
  name: 'graces are kept',
  says: 'A seat is away from a lost connection until it is back or its grace has ended: the full grace, at most what is left of the budget, never under 10 s; 60 s more once for a player who was put off. One that ends while a map is played or its result shown decides nothing yet. At equal times graces end before phases, red’s before blue’s. A player who is absent for good stays so.',
  step: (step, { setting }) => {
    const { before, event, at, state } = step;
    const grace = event.type === 'limitPassed' ? nextGrace(before) : null;
    for (const seat of SEATS) {
      const ends =
        before.seats[seat].presence.kind === 'away' && state.seats[seat].presence.kind === 'absent';
      if (ends !== (seat === grace)) return `${seat}'s grace ${ends ? 'ends' : 'does not end'} in its turn`;
    }
    for (const seat of SEATS) {
      const [was, is] = [before.seats[seat], state.seats[seat]];
      const own = 'seat' in event && event.seat === seat;
      const problem = presenceProblem(was, is, own, step);
      if (problem !== null) return `${seat}: ${problem}`;
      if (is.presence.kind !== 'away' || is.presence === was.presence || event.type === 'serviceResumed')
        continue;
      const { reconnectGraceMs, reconnectBudgetMs } = setting.limits;
      if (event.type === 'putOff' && was.presence.kind === 'away') {
        const { deadlineAt, free, extended } = is.presence;
        if (was.presence.extended) return `${seat} is put off twice in an absence`;
        if (deadlineAt !== was.presence.deadlineAt + PUT_OFF_MS || !free || !extended)
          return `${seat} is put off for ${deadlineAt - was.presence.deadlineAt} ms`;
        if (is.presence.since !== was.presence.since) return `${seat} is away since another time`;
        continue;
      }
      const full = Math.max(SHORTEST_GRACE_MS, reconnectGraceMs);
      const left = Math.max(SHORTEST_GRACE_MS, reconnectBudgetMs - was.budgetUsedMs);
      const free = event.type === 'nodeLost';
      if (is.presence.free !== free)
        return `${seat} is away ${free ? 'at a cost by a dead node' : 'for free'}`;
      if (is.presence.since !== at) return `${seat} is away since another time`;
      if (is.presence.deadlineAt !== at + (free ? full : Math.min(full, left)))
        return `${seat} has a grace of ${is.presence.deadlineAt - at} ms`;
    }
    return null;
  },
};

export const budgetAddsUp: Invariant = {
  name: 'the budget adds up',
  says: 'Time away is counted once, as long as it lasts, and only while it costs: not while a map is played or its result shown, not when a node died, not after a player was put off.',
  step: ({ before, event, at, state }) => {
    if (event.type === 'serviceResumed') return null;
    for (const seat of SEATS) {
      const [was, is] = [before.seats[seat], state.seats[seat]];
      const costs =
        is.presence.kind === 'away' && !is.presence.free && !isTolerant(state) && state.endedAt === null;
      if (costs !== (is.budgetRunningSince !== null))
        return `${seat}'s budget ${costs ? 'does not run' : 'runs'}`;
      const since = was.budgetRunningSince;
      if (costs) {
        if (is.budgetRunningSince !== (since ?? at)) return `${seat}'s budget runs since another time`;
        if (is.budgetUsedMs !== was.budgetUsedMs) return `${seat}'s budget changes while it runs`;
      } else if (is.budgetUsedMs !== was.budgetUsedMs + (since === null ? 0 : Math.max(0, at - since)))
        return `${seat} has used ${is.budgetUsedMs - was.budgetUsedMs} ms`;
    }
    return null;
  },
};

/** The parts of an ended match that staff cannot change. */
const KEPT: readonly (keyof MatchState)[] = [
  'rounds',
  'roundNumber',
  'forfeitedBy',
  'endedAt',
  'reserve',
  'current',
  'pickerSeat',
  'lastOutage',
];

export const endsStay: Invariant = {
  name: 'an end stays',
  says: 'The answers of an ended match change only by staff, who change its result and nothing else; the end keeps its time. A match with a seat that is gone ends by the return of the other or by its grace, and the seat that is gone decides nothing.',
  step: ({ before, event, at, state }) => {
    if (before.endedAt === null) {
      if (state.endedAt !== null && state.endedAt !== at) return 'a match ended at another time';
      for (const seat of SEATS)
        if (
          isGone(before, seat) &&
          'seat' in event &&
          event.seat === seat &&
          event.type !== 'forfeit' &&
          event.type !== 'banned'
        )
          return `${seat} is gone and does ${event.type}`;
      if (
        standsStill(before) &&
        state.endedAt === null &&
        ['limitPassed', 'phaseOver', 'connected'].includes(event.type)
      )
        return `${event.type} changes a match that stands still`;
      return null;
    }
    if (event.type !== 'decidedByStaff' && event.type !== 'undoneByStaff')
      return `${event.type} changes an ended match`;
    if (state.result?.reason !== 'decided_by_staff') return 'a decision of staff is told as another';
    const wanted = event.type === 'undoneByStaff' ? 'no_contest' : event.outcome;
    if (state.result.outcome !== wanted) return `staff decided ${wanted}`;
    if (event.type === 'decidedByStaff' && state.result.winner !== event.winner)
      return 'staff decided for another';
    for (const member of KEPT) if (state[member] !== before[member]) return `${member} changes after the end`;
    for (const seat of SEATS)
      for (const member of PLAYED)
        if (state.seats[seat][member] !== before.seats[seat][member])
          return `${member} of ${seat} changes after the end`;
    return null;
  },
};

export const returnDecides: Invariant = {
  name: 'a return is never punished',
  says: 'A player who comes back within the grace is present again, and wins when the other is gone; if neither comes back, the match is no contest; an absent player does not win by the grace of the other before coming back.',
  step: ({ before, event, state }) => {
    const { result } = state;
    if (before.endedAt !== null || event.type !== 'limitPassed' || result === null) return null;
    if (!['disconnected', 'dodged', 'left_before_first_pick'].includes(result.reason)) return null;
    const waited = SEATS.find(
      (seat) => !isGone(state, seat) && state.seats[seat].presence.kind !== 'present',
    );
    return waited === undefined ? null : `${waited} is away, and it is not waited for the return`;
  },
  answer: ({ state, now }, event, at, played) => {
    if (event.type !== 'connected' || state.endedAt !== null) return null;
    const { presence } = state.seats[event.seat];
    const mayReturn = presence.kind === 'away' || (presence.kind === 'absent' && !presence.final);
    if (mayReturn !== (played.kind === 'changed'))
      return `${event.seat}, who is ${presence.kind}, comes back: ${played.kind}`;
    if (played.kind !== 'changed') return null;
    const { state: after, event: first } = played.steps[0];
    // A limit that had passed before the connection was lost comes first.
    if (first.type === 'limitPassed') return null;
    if (after.seats[event.seat].presence.kind !== 'present') return `${event.seat} is back and not present`;
    if (isGone(state, other(event.seat)) !== (after.result !== null))
      return 'a return ends a match, or does not';
    return after.result?.winner === other(event.seat) || at < now
      ? `${event.seat} comes back and loses`
      : null;
  },
};
