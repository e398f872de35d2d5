import { type MatchMap, type MatchState, type Score, SEATS, scoresDueAt } from '../matches/index.ts';

/** One player's part in a round that was played. */
export interface PlayedPart {
  roundNumber: number;
  seat: MatchState['seats']['red'];
  map: MatchMap;
  /** As submitted; null: none came in. */
  score: Score | null;
  /** When the map started, and until when its scores were waited for: milliseconds since 1970. */
  startedAt: number;
  overAt: number;
}

/** The parts of all rounds that were played; of the one that is being played those whose score is in. */
export function playedParts(match: MatchState): PlayedPart[] {
  const { seats, limits, rounds, current, startsAt } = match;
  const part = (
    roundNumber: number,
    map: MatchMap,
    startedAt: number,
    seat: MatchState['seats']['red'],
    score: Score | null,
  ): PlayedPart => ({
    roundNumber,
    seat,
    map,
    score,
    startedAt,
    overAt: scoresDueAt(map, startedAt, limits.scoreGraceMs),
  });
  const finished = rounds.flatMap(({ roundNumber, card, startedAt, scores }) =>
    startedAt === null
      ? []
      : SEATS.map((seat) => part(roundNumber, card.map, startedAt, seats[seat], scores[seat])),
  );
  if (match.status !== 'playing' || current === null || startsAt === null) return finished;
  const begun = SEATS.flatMap((seat) => {
    const { score } = seats[seat];
    return score === null ? [] : part(match.roundNumber, current.card.map, startsAt, seats[seat], score);
  });
  return [...finished, ...begun];
}

/** A player's part in a round; null: it was not played by this player, or not yet. */
export const partIn = (match: MatchState, roundNumber: number, playerGuid: string): PlayedPart | null =>
  playedParts(match).find((one) => one.roundNumber === roundNumber && one.seat.playerGuid === playerGuid) ??
  null;

/** Whom and what a review is about; a round may have been cut off by the end of its match since. */
export function subjectOf(
  match: MatchState,
  roundNumber: number,
  playerGuid: string,
): Pick<PlayedPart, 'seat' | 'map' | 'score'> | null {
  const name = SEATS.find((one) => match.seats[one].playerGuid === playerGuid);
  if (name === undefined) return null;
  const seat = match.seats[name];
  const finished = match.rounds.find((round) => round.roundNumber === roundNumber);
  if (finished) return { seat, map: finished.card.map, score: finished.scores[name] };
  return match.current && match.roundNumber === roundNumber
    ? { seat, map: match.current.card.map, score: seat.score }
    : null;
}
