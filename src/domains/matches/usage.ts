import { type MatchState, SEATS } from './state.ts';

/** The sums over all matches of one map, or over the rounds of one match. */
export interface UsageSums {
  mapGuid: string;
  /** Into a hand, at the beginning or for a discarded card. */
  dealt: number;
  discarded: number;
  /** Chosen by a player; not by the limit. */
  picked: number;
  /** Rounds that counted. */
  played: number;
  wonByPicker: number;
  /** The sum of the picker's expectations in these rounds, by the ratings before the match. */
  expectedWonByPicker: number;
  /** Scores that came in for it. */
  scores: number;
  /** The sum of their accuracies, 0…1 each. */
  accuracySum: number;
}

/** The use of one map in one match. */
export interface MapUsage extends UsageSums {
  /** Between the accuracies of each round that was really played, 0…1. */
  gaps: number[];
}

export const noUsage = (mapGuid: string): UsageSums => ({
  mapGuid,
  dealt: 0,
  discarded: 0,
  picked: 0,
  played: 0,
  wonByPicker: 0,
  expectedWonByPicker: 0,
  scores: 0,
  accuracySum: 0,
});

/**
 * @param redExpected the share of the rounds that the ratings expect red to win, 0…1
 * @returns one entry for each map that was in a hand or played, in order of the mapGuid
 */
export function usageOf(match: MatchState, redExpected: number): MapUsage[] {
  const usage = new Map<string, MapUsage>();
  const of = (mapGuid: string): MapUsage => {
    const found = usage.get(mapGuid) ?? { ...noUsage(mapGuid), gaps: [] };
    usage.set(mapGuid, found);
    return found;
  };
  const isFinished = match.rounds.some(({ roundNumber }) => roundNumber === match.roundNumber);
  const unfinished = match.current !== null && !isFinished ? [match.current] : [];
  for (const seat of SEATS) {
    const { hand, discarded } = match.seats[seat];
    for (const { map } of hand) of(map.mapGuid).dealt += 1;
    for (const { map } of discarded ?? []) {
      of(map.mapGuid).dealt += 1;
      of(map.mapGuid).discarded += 1;
    }
  }
  // A card that was played is in no hand any more.
  const inHand = new Set(SEATS.flatMap((seat) => match.seats[seat].hand.map(({ cardGuid }) => cardGuid)));
  for (const { card, pickedByPlayer } of [...match.rounds, ...unfinished]) {
    if (!inHand.has(card.cardGuid)) of(card.map.mapGuid).dealt += 1;
    if (pickedByPlayer) of(card.map.mapGuid).picked += 1;
  }
  for (const round of match.rounds) {
    if (round.void) continue;
    const map = of(round.card.map.mapGuid);
    map.played += 1;
    if (round.winner === round.pickerSeat) map.wonByPicker += 1;
    map.expectedWonByPicker += round.pickerSeat === 'red' ? redExpected : 1 - redExpected;
    // A round that was lost by not being ready has no accuracies.
    if (round.startedAt !== null) map.gaps.push(Math.abs(round.accuracy.red - round.accuracy.blue));
    for (const seat of SEATS) {
      if (round.scores[seat] === null) continue;
      map.scores += 1;
      map.accuracySum += round.accuracy[seat];
    }
  }
  return [...usage.values()].sort((a, b) => (a.mapGuid < b.mapGuid ? -1 : 1));
}
