import type { StoredLine } from '../domains/matches/log-store.ts';
import { createMatch, dueAt } from '../domains/matches/machine.ts';
import type { TransitionEvent } from '../domains/matches/match-events.ts';
import { play } from '../domains/matches/play.ts';
import { modifiedScoreOf, playingMs } from '../domains/matches/scoring.ts';
import type { MatchSetup, SeatName } from '../domains/matches/state.ts';

/** A match that is played by the rules of the service alone, at a time of the past. */

export type PastMatch = ReturnType<typeof playPastMatch>;

const DECISION_MS = 6_000;
const SPREAD = 0.12;

/** Plays a match to its end. @param fraction uniform in 0 ≤ x < 1: the only source of chance beside the seed of the setup */
export function playPastMatch(
  setup: MatchSetup,
  startedAt: number,
  skillOf: (playerGuid: string) => number,
  fraction: () => number,
) {
  let now = startedAt;
  let state = createMatch(setup, now);
  /** Its log. */
  const lines: StoredLine[] = [];
  const { pool: _pool, ...stored } = setup;

  const happens = (event: TransitionEvent): void => {
    const played = play(state, event, now);
    if (played.kind !== 'changed') throw new Error(`${event.type} changed nothing in ${state.status}.`);
    for (const step of played.steps) {
      lines.push({ version: step.state.version, at: now, event: step.event, cause: step.cause });
      state = step.state;
    }
  };
  const think = (): void => {
    now += Math.round(DECISION_MS * (0.3 + fraction()));
  };
  const waitForLimit = (): void => {
    now = Math.max(now, dueAt(state) ?? now);
    happens({ type: 'limitPassed', version: state.version });
  };
  const both = (eventOf: (seat: SeatName) => TransitionEvent): void => {
    for (const seat of ['red', 'blue'] as const) {
      think();
      happens(eventOf(seat));
    }
  };
  const score = (seat: SeatName): TransitionEvent => {
    const map = state.current?.card.map;
    if (map === undefined) throw new Error('There is no map to play.');
    const skill = skillOf(state.seats[seat].playerGuid) + (fraction() - 0.5) * SPREAD;
    const rawScore = Math.floor(map.maxScore * Math.min(0.99, Math.max(0.3, skill)));
    return {
      type: 'submitScore',
      seat,
      roundNumber: state.roundNumber,
      score: {
        rawScore,
        modifiedScore: modifiedScoreOf(rawScore, map.modifiers, false),
        missCount: 1 + Math.floor(fraction() * 20),
        badCutCount: Math.floor(fraction() * 4),
        fullCombo: false,
        noFailTriggered: false,
        failed: false,
      },
    };
  };

  lines.push({
    version: state.version,
    at: now,
    event: { type: 'created', setup: stored },
    cause: { type: 'created', seat: null },
  });
  both((seat) => ({ type: 'joinMatch', seat }));
  both((seat) => {
    const count = Math.floor(fraction() * 3);
    return {
      type: 'discardMaps',
      seat,
      cardGuids: state.seats[seat].hand.slice(0, count).map((card) => card.cardGuid),
    };
  });
  while (state.result === null) {
    if (state.status === 'awaiting_pick') {
      const seat = state.pickerSeat ?? 'red';
      const { hand } = state.seats[seat];
      const card = hand[Math.floor(fraction() * hand.length)];
      if (card === undefined) throw new Error('The hand of who picks is empty.');
      think();
      happens({ type: 'selectMap', seat, cardGuid: card.cardGuid });
    } else if (state.status === 'preparing' && state.startsAt === null) {
      const { roundNumber } = state;
      both((seat) => ({ type: 'setReady', seat, roundNumber, state: 'ready' }));
    } else if (state.status === 'playing') {
      const map = state.current?.card.map;
      if (map !== undefined) now += playingMs(map);
      both(score);
    } else waitForLimit();
  }
  return { state, lines };
}
