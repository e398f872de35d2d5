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

/** The parts of all rounds that were played; of the round that is being played, the parts whose score is in. */
export function playedParts(match: MatchState): PlayedPart[] {
  const { seats, limits, current, roundNumber, startsAt } = match;
  const finished = match.rounds.flatMap((round) =>
    SEATS.map((name) => ({ ...round, name, map: round.card.map, score: round.scores[name] })),
  );
  const begun =
    match.status !== 'playing' || current === null
      ? []
      : SEATS.map((name) => ({
          roundNumber,
          name,
          map: current.card.map,
          score: seats[name].score,
          startedAt: startsAt,
        })).filter(({ score }) => score !== null);
  return [...finished, ...begun].flatMap(({ roundNumber, name, map, score, startedAt }) =>
    startedAt === null
      ? []
      : {
          roundNumber,
          seat: seats[name],
          map,
          score,
          startedAt,
          overAt: scoresDueAt(map, startedAt, limits.scoreGraceMs),
        },
  );
}

/** A player's part in a round; null: it was not played by this player, or not yet. */
export const partIn = (match: MatchState, roundNumber: number, playerGuid: string): PlayedPart | null =>
  playedParts(match).find((one) => one.roundNumber === roundNumber && one.seat.playerGuid === playerGuid) ??
  null;

/** The subject of a review; its round may have been cut off by the end of the match since. */
export function subjectOf(
  { seats, rounds, current, roundNumber: lastNumber }: MatchState,
  roundNumber: number,
  playerGuid: string,
): Pick<PlayedPart, 'map' | 'score'> | null {
  const name = SEATS.find((one) => seats[one].playerGuid === playerGuid);
  if (name === undefined) return null;
  const finished = rounds.find((round) => round.roundNumber === roundNumber);
  if (finished) return { map: finished.card.map, score: finished.scores[name] };
  return current && roundNumber === lastNumber ? { map: current.card.map, score: seats[name].score } : null;
}
