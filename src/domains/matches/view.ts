import { isoTime, isoTimeOrNull } from '../../platform/clock.ts';
import { frozen } from '../../platform/frozen.ts';
import type { PoolMap } from '../pools/index.ts';
import type { FeedMatch } from './feed-schemas.ts';
import type { Cause } from './match-events.ts';
import { phaseLimit } from './presence.ts';
import type {
  CardView,
  LiveView,
  MatchCause,
  MatchPlayer,
  MatchView,
  PublicMatch,
  ReplayVerdict,
  ResultView,
  RoundView,
  SeatView,
} from './schemas.ts';
import {
  type Card,
  type FinishedRound,
  type MatchMap,
  type MatchState,
  other,
  SEATS,
  type SeatName,
  type Seats,
  type ShownState,
  seatOf,
} from './state.ts';

/** Turns a match into every message and response except its log (`evidence.ts`). */

/** Both players' shown rating before and after the match; null while it runs. */
export type Ratings = Seats<{ before: number; after: number }> | null;

/** The verdicts on the replays of a match. A score that is not listed has no replay. */
export type ReplayVerdicts = readonly { roundNumber: number; playerGuid: string; verdict: ReplayVerdict }[];

/** Data that changes without the match. It is in no state and no log, and is added to every view. */
export interface DisplayData {
  /** By `playerGuid`. */
  players: ReadonlyMap<string, Omit<MatchPlayer, 'playerGuid'>>;
  /** The `mapGuid` of each map that its host has a newer upload of. */
  staleMaps: ReadonlySet<string>;
}

/** The progress of the downloads of the current round, 0…1 by `playerGuid`. */
export type DownloadProgress = ReadonlyMap<string, number | null>;

/** Everything that is shown with a state and is no part of it. */
export interface ViewExtras {
  /** Null until the match ended. */
  ratings: Ratings;
  replays: ReplayVerdicts;
  display: DisplayData;
  progress?: DownloadProgress;
  /** The version it ended with; null or left out when nothing has changed it since. */
  endVersion?: number | null;
}

/** Further data that everybody is shown. */
export interface PublicExtras extends ViewExtras {
  /** The names of its queue, season and pool, by guid. */
  names: ReadonlyMap<string, string>;
}

const until = (at: number | null, now: number): number | null => (at === null ? null : Math.max(0, at - now));
const guidOf = (match: { seats: Seats<{ playerGuid: string }> }, seat: SeatName | null): string | null =>
  seat && match.seats[seat].playerGuid;

/** The opponent is hidden until both have joined, so that a player cannot avoid opponents by not joining. */
const isHidden = (match: ShownState): boolean => match.status === 'waiting_players';

/** The view of a player without display data, like that of one who was erased. */
const ERASED = { platformId: '0', username: 'Erased player', avatarUrl: null };

export const playerShown = (playerGuid: string, { players }: DisplayData): MatchPlayer => ({
  playerGuid,
  ...(players.get(playerGuid) ?? ERASED),
});

const playerOf = (match: ShownState, name: SeatName, display: DisplayData): MatchPlayer =>
  playerShown(match.seats[name].playerGuid, display);

export const mapShown = (map: MatchMap, { staleMaps }: DisplayData): PoolMap => ({
  ...map,
  stale: staleMaps.has(map.mapGuid),
});

/** Views of cards, which every message repeats. They are frozen, so that their JSON is cached, too. */
const cardViews = new WeakMap<Card, CardView>();

function cardView(card: Card, display: DisplayData): CardView {
  const kept = cardViews.get(card);
  if (kept?.map.stale === display.staleMaps.has(card.map.mapGuid)) return kept;
  const view = frozen({ cardGuid: card.cardGuid, map: mapShown(card.map, display) });
  cardViews.set(card, view);
  return view;
}

/** The map of the round that is prepared, played or shown. */
const currentMapOf = ({ endedAt, current }: MatchState, display: DisplayData): PoolMap | null =>
  endedAt === null && current !== null ? cardView(current.card, display).map : null;

function seatView(match: MatchState, name: SeatName, own: boolean, extras: ViewExtras): SeatView {
  const seat = match.seats[name];
  const hidden = isHidden(match) && !own;
  const graceEndsAt =
    seat.presence.kind === 'away' && match.endedAt === null ? seat.presence.deadlineAt : null;
  return {
    player: hidden ? null : playerOf(match, name, extras.display),
    rating: hidden ? null : seat.rating,
    // Never null on the wire: false says nothing about a hidden opponent.
    provisional: hidden ? false : seat.provisional,
    health: seat.health,
    presence: seat.presence.kind,
    awayDeadlineAt: isoTimeOrNull(graceEndsAt),
    discarded: seat.discarded !== null,
    ready: seat.ready,
    progress: seat.ready === 'downloading' ? (extras.progress?.get(seat.playerGuid) ?? null) : null,
    scoreSubmitted: seat.score !== null,
    hand: own && !isHidden(match) ? seat.hand.map((card) => cardView(card, extras.display)) : null,
    handSize: seat.hand.length,
  };
}

function roundView(match: ShownState, round: FinishedRound, { display, replays }: ViewExtras): RoundView {
  return {
    roundNumber: round.roundNumber,
    pickerGuid: match.seats[round.pickerSeat].playerGuid,
    map: cardView(round.card, display).map,
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

/** The last match that ended, for a player who comes back after its end. `endedAt` in milliseconds since 1970. */
export interface LastMatch {
  matchGuid: string;
  result: MatchState['result'];
  seats: Seats<{ playerGuid: string; rating: number }>;
  ratings: Ratings;
  endedAt: number;
}

/** How the last match of a player ended. @returns null when the player had no seat in it */
export function lastMatchFor(match: LastMatch, playerGuid: string) {
  const seat = seatOf(match, playerGuid);
  const result = seat && resultFor(match, seat, match.ratings);
  return result ? { matchGuid: match.matchGuid, result, endedAt: isoTime(match.endedAt) } : null;
}

/** The result as one player sees it; null while the match runs. The ratings of a match that was not rated are equal. */
export function resultFor(
  match: Pick<LastMatch, 'result' | 'seats'>,
  seat: SeatName,
  ratings: Ratings,
): ResultView | null {
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
 * A match as one of its players may see it.
 * @param now milliseconds since 1970; what `remainingMs` and `startsInMs` count from
 */
export function viewFor(match: MatchState, seat: SeatName, now: number, extras: ViewExtras): MatchView {
  return {
    matchGuid: match.matchGuid,
    queueGuid: match.queueGuid,
    version: extras.endVersion ?? match.version,
    status: match.status,
    time: isoTime(now),
    deadlineAt: isoTimeOrNull(phaseLimit(match)),
    remainingMs: until(phaseLimit(match), now),
    roundNumber: match.roundNumber,
    pickerGuid: guidOf(match, match.pickerSeat),
    you: seatView(match, seat, true, extras),
    opponent: seatView(match, other(seat), false, extras),
    seedHash: match.seedHash,
    rated: match.rated,
    currentMap: currentMapOf(match, extras.display),
    startsAt: isoTimeOrNull(match.startsAt),
    startsInMs: until(match.startsAt, now),
    rounds: match.rounds.map((round) => roundView(match, round, extras)),
    result: resultFor(match, seat, extras.ratings),
  };
}

/**
 * The cause of an update without the guid of a player who is hidden.
 * @param seat of the player who is told; null: everybody is
 */
export function causeFor(match: ShownState, seat: SeatName | null, cause: Cause): MatchCause {
  const hidden = isHidden(match) && cause.seat !== seat;
  return { type: cause.type, playerGuid: hidden ? null : guidOf(match, cause.seat) };
}

function liveSeat(match: MatchState, name: SeatName, extras: ViewExtras): LiveView['seats'][number] {
  const { player: _, hand: __, ...seat } = seatView(match, name, false, extras);
  const { playerGuid, rating } = match.seats[name];
  return { ...seat, playerGuid, rating };
}

/** A running match as everybody may see it: cards as a number, a score as whether it is there. */
const liveView = (match: MatchState, extras: ViewExtras): LiveView => ({
  status: match.status,
  roundNumber: match.roundNumber,
  pickerGuid: guidOf(match, match.pickerSeat),
  currentMap: currentMapOf(match, extras.display),
  deadlineAt: isoTimeOrNull(phaseLimit(match)),
  startsAt: isoTimeOrNull(match.startsAt),
  seats: isHidden(match) ? [] : SEATS.map((seat) => liveSeat(match, seat, extras)),
});

/** A running match is shown from its whole state. */
export const isRunning = (match: ShownState): match is MatchState => match.endedAt === null;

/** A match as everybody may see it: without hands, and with the seed only once it has ended. */
export function publicView(match: ShownState, extras: PublicExtras): PublicMatch {
  const { ratings, display, names } = extras;
  return {
    matchGuid: match.matchGuid,
    queueGuid: match.queueGuid,
    queueName: names.get(match.queueGuid) ?? '',
    seasonGuid: match.seasonGuid,
    seasonName: names.get(match.seasonGuid) ?? '',
    poolGuid: match.poolGuid,
    poolName: names.get(match.poolGuid) ?? '',
    rated: match.rated,
    version: extras.endVersion ?? match.version,
    status: match.status,
    players: isHidden(match) ? [] : SEATS.map((seat) => playerOf(match, seat, display)),
    rounds: match.rounds.map((round) => roundView(match, round, extras)),
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
    endedAt: isoTimeOrNull(match.endedAt),
    live: isRunning(match) ? liveView(match, extras) : null,
  };
}

/** The summary of a match in a list. Only for a match whose players are known. */
export function feedView(match: ShownState, extras: PublicExtras): FeedMatch {
  const shown = publicView(match, extras);
  return {
    matchGuid: shown.matchGuid,
    queueGuid: shown.queueGuid,
    queueName: shown.queueName,
    status: shown.status,
    rated: shown.rated,
    players: shown.players,
    health: SEATS.map((seat) => match.seats[seat].health),
    roundNumber: match.roundNumber,
    startedAt: shown.startedAt,
    endedAt: shown.endedAt,
    result: shown.result,
  };
}

/** The members of a public match that `If-Match` compares: what changes with every step of a player is not among them. */
export const comparedOf = ({ live: _, version: __, ...match }: PublicMatch) => match;
