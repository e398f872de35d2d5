import { isoTime } from '../../platform/clock.ts';
import type {
  MatchCause,
  MatchView,
  PublicMatch,
  ReplayVerdict,
  ResultView,
  RoundView,
  SeatView,
} from './schemas.ts';
import {
  type Cause,
  type FinishedRound,
  type MatchState,
  other,
  SEATS,
  type SeatName,
  type Seats,
  type ShownState,
} from './state.ts';

/** The only place where a match is turned into what travels: what is not written here nobody can see. */

/** Both players' shown rating before and after the match; null while it runs. */
export type Ratings = Seats<{ before: number; after: number }> | null;

/** What is known of the replays of a match; a score that is not listed has none. */
export type ReplayVerdicts = readonly { roundNumber: number; playerGuid: string; verdict: ReplayVerdict }[];

const time = (at: number | null): string | null => (at === null ? null : isoTime(at));
const until = (at: number | null, now: number): number | null => (at === null ? null : Math.max(0, at - now));
const guidOf = (match: ShownState, seat: SeatName | null): string | null =>
  seat === null ? null : match.seats[seat].playerGuid;

/** Until both have joined neither learns who the other is: nobody can choose opponents by not joining. */
const isHidden = (match: ShownState): boolean => match.status === 'waiting_players';

function playerOf(match: ShownState, name: SeatName): PublicMatch['players'][number] {
  const { playerGuid, platformId, username, avatarUrl } = match.seats[name];
  return { playerGuid, platformId, username, avatarUrl };
}

function seatView(match: MatchState, name: SeatName, own: boolean): SeatView {
  const seat = match.seats[name];
  const hidden = isHidden(match) && !own;
  const graceEndsAt =
    seat.presence.kind === 'away' && match.endedAt === null ? seat.presence.deadlineAt : null;
  return {
    player: hidden ? null : playerOf(match, name),
    rating: hidden ? null : seat.rating,
    provisional: hidden ? false : seat.provisional,
    health: seat.health,
    presence: seat.presence.kind,
    awayDeadlineAt: time(graceEndsAt),
    discarded: seat.discarded !== null,
    ready: seat.ready?.state ?? null,
    progress: seat.ready?.progress ?? null,
    scoreSubmitted: seat.score !== null,
    hand: own && !isHidden(match) ? [...seat.hand] : null,
    handSize: seat.hand.length,
  };
}

function roundView(match: ShownState, round: FinishedRound, replays: ReplayVerdicts): RoundView {
  return {
    roundNumber: round.roundNumber,
    pickerGuid: match.seats[round.pickerSeat].playerGuid,
    map: round.card.map,
    scores: SEATS.map((seat) => {
      const { playerGuid } = match.seats[seat];
      const score = round.scores[seat];
      const replay = replays.find(
        (one) => one.roundNumber === round.roundNumber && one.playerGuid === playerGuid,
      );
      return {
        playerGuid,
        rawScore: score?.rawScore ?? null,
        modifiedScore: score?.modifiedScore ?? null,
        accuracy: round.accuracy[seat],
        submitted: score !== null,
        failed: score?.failed ?? false,
        replay: replay?.verdict ?? 'missing',
      };
    }),
    winnerGuid: guidOf(match, round.winner),
    damage: round.damage,
    multiplier: round.multiplier,
    void: round.void,
  };
}

/** The result as one player sees it; null while the match runs. Without ratings nothing was rated. */
export function resultFor(match: MatchState, seat: SeatName, ratings: Ratings): ResultView | null {
  if (match.result === null) return null;
  const { outcome, reason, winner } = match.result;
  const { rating } = match.seats[seat];
  return {
    outcome: outcome === 'decided' ? (winner === seat ? 'win' : 'loss') : outcome,
    reason,
    winnerGuid: guidOf(match, winner),
    ratingBefore: ratings?.[seat].before ?? rating,
    ratingAfter: ratings?.[seat].after ?? rating,
  };
}

/**
 * What one player may see of a match.
 * @param now milliseconds since 1970; what `remainingMs` and `startsInMs` count from
 */
export function viewFor(
  match: MatchState,
  seat: SeatName,
  now: number,
  ratings: Ratings,
  replays: ReplayVerdicts = [],
): MatchView {
  const isPicked =
    match.status === 'preparing' || match.status === 'playing' || match.status === 'round_results';
  return {
    matchGuid: match.matchGuid,
    queueGuid: match.queueGuid,
    version: match.version,
    status: match.status,
    time: isoTime(now),
    deadlineAt: time(match.deadlineAt),
    remainingMs: until(match.deadlineAt, now),
    roundNumber: match.roundNumber,
    pickerGuid: guidOf(match, match.pickerSeat),
    you: seatView(match, seat, true),
    opponent: seatView(match, other(seat), false),
    seedHash: match.seedHash,
    rated: match.rated,
    currentMap: isPicked ? (match.current?.card.map ?? null) : null,
    startsAt: time(match.startsAt),
    startsInMs: until(match.startsAt, now),
    rounds: match.rounds.map((round) => roundView(match, round, replays)),
    result: resultFor(match, seat, ratings),
  };
}

/** What an update tells one player about its cause: not who the hidden opponent is. */
export function causeFor(match: MatchState, seat: SeatName, cause: Cause): MatchCause {
  const hidden = isHidden(match) && cause.seat !== seat;
  return { type: cause.type, playerGuid: hidden ? null : guidOf(match, cause.seat) };
}

/** What everybody may see: no hand, and the seed only once the match has ended. */
export function publicView(match: ShownState, ratings: Ratings, replays: ReplayVerdicts = []): PublicMatch {
  return {
    matchGuid: match.matchGuid,
    queueGuid: match.queueGuid,
    seasonGuid: match.seasonGuid,
    poolGuid: match.poolGuid,
    status: match.status,
    players: isHidden(match) ? [] : SEATS.map((seat) => playerOf(match, seat)),
    rounds: match.rounds.map((round) => roundView(match, round, replays)),
    result: match.result && {
      outcome: match.result.outcome,
      reason: match.result.reason,
      winnerGuid: guidOf(match, match.result.winner),
      ratings: ratings
        ? SEATS.map((seat) => ({ playerGuid: match.seats[seat].playerGuid, ...ratings[seat] }))
        : [],
    },
    seedHash: match.seedHash,
    seed: match.endedAt === null ? null : match.seed,
    startedAt: isoTime(match.createdAt),
    endedAt: time(match.endedAt),
  };
}
