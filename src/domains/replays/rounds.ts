import { type MatchMap, type MatchState, type Score, SEATS, scoresDueAt, seatOf } from '../matches/index.ts';

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

type BegunRound = Pick<MatchState['rounds'][number], 'roundNumber' | 'card' | 'startedAt' | 'scores'>;

/** The parts of all rounds that were played; of the round that is being played, the parts whose score is in. */
export function playedParts(match: MatchState): PlayedPart[] {
  const { seats, limits, current, roundNumber, startsAt } = match;
  const partsOf = ({ roundNumber, card: { map }, startedAt, scores }: BegunRound): PlayedPart[] => {
    if (startedAt === null) return [];
    const overAt = scoresDueAt(map, startedAt, limits.scoreGraceMs);
    return SEATS.map((name) => ({
      roundNumber,
      seat: seats[name],
      map,
      score: scores[name],
      startedAt,
      overAt,
    }));
  };
  const finished = match.rounds.flatMap(partsOf);
  if (match.status !== 'playing' || current === null) return finished;
  const scores = { red: seats.red.score, blue: seats.blue.score };
  const begun = partsOf({ roundNumber, card: current.card, startedAt: startsAt, scores });
  return [...finished, ...begun.filter(({ score }) => score !== null)];
}

/** A player's part in a round; null: it was not played by this player, or not yet. */
export const partIn = (match: MatchState, roundNumber: number, playerGuid: string): PlayedPart | null =>
  playedParts(match).find((one) => one.roundNumber === roundNumber && one.seat.playerGuid === playerGuid) ??
  null;

/** The subject of a review; its round may have been cut off by the end of the match since. */
export function subjectOf(
  match: MatchState,
  roundNumber: number,
  playerGuid: string,
): Pick<PlayedPart, 'map' | 'score'> | null {
  const name = seatOf(match, playerGuid);
  if (name === null) return null;
  const finished = match.rounds.find((round) => round.roundNumber === roundNumber);
  if (finished) return { map: finished.card.map, score: finished.scores[name] };
  if (match.current === null || roundNumber !== match.roundNumber) return null;
  return { map: match.current.card.map, score: match.seats[name].score };
}
