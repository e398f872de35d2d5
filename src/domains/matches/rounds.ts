import { matchErrors } from './errors.ts';
import { accuracyOf } from './scoring.ts';
import {
  type CurrentRound,
  type FinishedRound,
  type MatchState,
  other,
  type Seat,
  type SeatName,
  type Seats,
} from './state.ts';

/** The damage of a round, and its record. Source: docs/rules.md, *Damage* and *Getting ready*. */

/** The multipliers of the first, second, … scored round; the last one stays. */
const MULTIPLIERS = [1, 1, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 15];

/** The gap in a round that a seat lost by not being ready. */
const NOT_READY_GAP = 0.25;

/** Health and damage are kept in millionths, so that sums do not drift. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** @throws WRONG_ROUND naming both rounds */
export function requireRound(match: MatchState, roundNumber: number): void {
  if (roundNumber !== match.roundNumber)
    throw matchErrors.WRONG_ROUND({
      message: `The current round is ${match.roundNumber}, not ${roundNumber}.`,
    });
}

export const scoredRounds = (match: MatchState): number => match.rounds.filter((round) => !round.void).length;

const nextMultiplier = (match: MatchState): number =>
  MULTIPLIERS[Math.min(scoredRounds(match), MULTIPLIERS.length - 1)] ?? 0;

/** The round that is prepared, played or shown. @throws Error when no map was picked */
export function currentRound(match: MatchState): CurrentRound {
  if (match.current === null) throw new Error(`The match is ${match.status} without a picked map.`);
  return match.current;
}

function closeRound(
  match: MatchState,
  outcome: Pick<FinishedRound, 'winner' | 'damage' | 'multiplier' | 'void' | 'accuracy'>,
): void {
  const { red, blue } = match.seats;
  const round: FinishedRound = {
    roundNumber: match.roundNumber,
    ...currentRound(match),
    // Set while a map is played. During a countdown both are ready, so no round ends there.
    startedAt: match.startsAt,
    scores: { red: red.score, blue: blue.score },
    ready: { red: red.ready, blue: blue.ready },
    readyStates: { red: red.readyStates, blue: blue.readyStates },
    ...outcome,
  };
  match.rounds = [...match.rounds, round];
}

/** Closes a round that counts. @param loser null: nobody lost */
function closeScored(match: MatchState, loser: SeatName | null, gap: number, accuracy: Seats<number>): void {
  const multiplier = nextMultiplier(match);
  const damage = rounded(gap * multiplier);
  if (loser !== null) {
    const seat = match.seats[loser];
    seat.health = Math.max(0, rounded(seat.health - damage));
  }
  closeRound(match, { winner: loser && other(loser), damage, multiplier, void: false, accuracy });
}

/** Closes a round that was played: damage to the lower accuracy, a missing score is accuracy 0. */
export function closePlayed(match: MatchState): void {
  const { map } = currentRound(match).card;
  const of = ({ score }: Seat): number => (score === null ? 0 : accuracyOf(map, score));
  const accuracy = { red: of(match.seats.red), blue: of(match.seats.blue) };
  const lead = accuracy.red - accuracy.blue;
  closeScored(match, lead === 0 ? null : lead < 0 ? 'red' : 'blue', Math.abs(lead), accuracy);
}

/** Closes a round that one seat lost by not being ready: it counts, although it was not played. */
export function closeUnready(match: MatchState, loser: SeatName): void {
  match.seats[loser].notReadyLosses += 1;
  closeScored(match, loser, NOT_READY_GAP, { red: 0, blue: 0 });
}

/** Closes a round that neither was ready for: only the card is used up. */
export const closeVoid = (match: MatchState): void =>
  closeRound(match, { winner: null, damage: 0, multiplier: 0, void: true, accuracy: { red: 0, blue: 0 } });
