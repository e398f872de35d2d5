import {
  type Card,
  copyOf,
  type MatchState,
  other,
  SEATS,
  type SeatName,
} from '../../../src/domains/matches/state.ts';
import type { DisplayData, PublicExtras } from '../../../src/domains/matches/view.ts';
import { mapAt } from '../settings.ts';
import type { Invariant } from './kinds.ts';

/**
 * A view tells nothing that it may not: it stays the same when everything that is to be hidden is exchanged for something
 * else.
 */

const display: DisplayData = { players: new Map(), staleMaps: new Set() };
const extras: PublicExtras = { ratings: null, replays: [], display, names: new Map() };

const foreign: Card[] = Array.from({ length: 6 }, (_, index) => ({
  cardGuid: `0ca4dfff-0000-8000-8000-${index.toString(16).padStart(12, '0')}`,
  map: mapAt(900 + index),
}));
const exchanged = (cards: readonly Card[]): Card[] => cards.map((_, place) => foreign[place] as Card);

/** The match with everything exchanged that this seat must not know; null: that a spectator must not know. */
function withOtherSecrets(match: MatchState, viewer: SeatName | null): MatchState {
  const copy = copyOf(match);
  if (match.endedAt === null) copy.seed = '17'.repeat(32);
  copy.reserve = exchanged(match.reserve);
  for (const name of SEATS) {
    const seat = copy.seats[name];
    const isOwn = name === viewer;
    if (!isOwn || match.status === 'waiting_players') seat.hand = exchanged(seat.hand);
    if (isOwn) continue;
    if (seat.discarded !== null) seat.discarded = exchanged(seat.discarded);
    if (seat.score !== null)
      seat.score = { ...seat.score, rawScore: 123_456, modifiedScore: 1, failed: !seat.score.failed };
    if (match.status === 'waiting_players') {
      seat.playerGuid = `09a70000-0000-7000-8000-${name === 'red' ? '0000000000aa' : '0000000000bb'}`;
      seat.rating = 4000;
      seat.provisional = !seat.provisional;
    }
  }
  return copy;
}

/** Whether two answers are the same. Most of their parts are the very same, which saves comparing them. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) =>
    same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}

export const secretsAreKept: Invariant = {
  name: 'secrets are kept',
  says: 'No view tells a hidden card, a score that stands alone, the opponent before both have joined, or the seed before the end: with other secrets the view is the same. A view tells the own hand and the state that the match is in.',
  moment: ({ state, now }, { machine }) => {
    for (const seat of SEATS) {
      const hidden = withOtherSecrets(state, seat);
      const view = machine.viewFor(state, seat, now, extras);
      if (!same(view, machine.viewFor(hidden, seat, now, extras))) return `${seat} is shown a secret`;
      if (view.status !== state.status || view.version !== state.version)
        return `${seat} is shown another state`;
      if (
        view.you.handSize !== state.seats[seat].hand.length ||
        view.opponent.health !== state.seats[other(seat)].health
      )
        return `${seat} is shown another state`;
      if ((view.you.hand === null) !== (state.status === 'waiting_players'))
        return `${seat} is not shown the own hand`;
      const cause = { type: 'presenceChanged', seat: other(seat) } as const;
      if (!same(machine.causeFor(state, seat, cause), machine.causeFor(hidden, seat, cause)))
        return `${seat} is told who the opponent is`;
    }
    const shown = machine.publicView(state, extras);
    const hidden = withOtherSecrets(state, null);
    if (!same(shown, machine.publicView(hidden, extras))) return 'everybody is shown a secret';
    for (const seat of SEATS) {
      const cause = { type: 'presenceChanged', seat } as const;
      if (!same(machine.causeFor(state, null, cause), machine.causeFor(hidden, null, cause)))
        return `everybody is told who ${seat} is`;
    }
    return state.endedAt === null || shown.seed === state.seed ? null : 'the seed stays secret';
  },
};
