import { isDeepStrictEqual } from 'node:util';
import type { MatchView } from '../../src/domains/matches/schemas.ts';
import type { MatchState, SeatName } from '../../src/domains/matches/state.ts';
import { viewFor } from '../../src/domains/matches/view.ts';
import { extras } from '../matches/game.ts';

/**
 * A match as one player was shown it, reduced to the members that its version decides: without times that depend
 * on the moment of sending, without names, which may change, and without the share of a download.
 */
export interface Shown {
  matchGuid: string;
  /** The player whose view it is. */
  playerGuid: string;
  version: number;
  content: Readonly<Record<string, unknown>>;
}

type SeatView = MatchView['you'];

const seatContent = ({ player, hand, ...seat }: SeatView) => ({
  playerGuid: player?.playerGuid ?? null,
  hand: hand?.map(({ cardGuid }) => cardGuid) ?? null,
  handSize: seat.handSize,
  health: seat.health,
  presence: seat.presence,
  discarded: seat.discarded,
  ready: seat.ready,
  scoreSubmitted: seat.scoreSubmitted,
});

export function shownOf(view: MatchView): Shown {
  const { matchGuid, version, status, roundNumber, pickerGuid, currentMap, rounds, result } = view;
  return {
    matchGuid,
    playerGuid: view.you.player?.playerGuid ?? '',
    version,
    content: {
      status,
      roundNumber,
      pickerGuid,
      currentMap: currentMap?.mapGuid ?? null,
      deadlineAt: view.deadlineAt,
      startsAt: view.startsAt,
      you: seatContent(view.you),
      opponent: seatContent(view.opponent),
      rounds: rounds.map((round) => ({
        roundNumber: round.roundNumber,
        winnerGuid: round.winnerGuid,
        damage: round.damage,
        void: round.void,
        scores: round.scores.map(({ rawScore, submitted }) => ({ rawScore, submitted })),
      })),
      result: result && { outcome: result.outcome, reason: result.reason, winnerGuid: result.winnerGuid },
    },
  };
}

/** The view of a stored state that a player has to be shown. */
export const shownTo = (state: MatchState, seat: SeatName): Shown =>
  shownOf(viewFor(state, seat, 0, extras()));

/** The parts in which two views of the same version differ. */
export const differences = (a: Shown, b: Shown): string[] =>
  Object.keys(a.content).filter((part) => !isDeepStrictEqual(a.content[part], b.content[part]));
