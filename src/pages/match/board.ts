import type { PublicMatch, RoundView } from '../../domains/matches/index.ts';
import type { ProvenStep } from '../../domains/matches/proof.ts';
import { type MatchMap, SEATS } from '../../domains/matches/state.ts';
import { publicView } from '../../domains/matches/view.ts';
import { healthAfter } from '../parts/health.ts';

/** A match at one moment, as the page shows it: while it runs, at its end, or at any version of its log. */

export type Live = NonNullable<PublicMatch['live']>;
type LiveSeat = Live['seats'][number];

export interface BoardSeat extends Omit<LiveSeat, 'rating' | 'awayDeadlineAt'> {
  username: string;
  /** When the match was made; null where it has ended and no rating was changed. */
  rating: number | null;
  /** The maps in the hand; null while they are hidden. */
  cards: readonly MatchMap[] | null;
}

export interface Board extends Omit<Live, 'seats' | 'roundNumber'> {
  /** Red, blue; empty while the players are hidden. */
  seats: BoardSeat[];
  rounds: readonly RoundView[];
}

/** A seat of which nothing is known but its player. */
const seatOf = (playerGuid: string): Omit<BoardSeat, 'username'> => ({
  playerGuid,
  rating: null,
  provisional: false,
  health: 1,
  presence: 'present',
  handSize: 0,
  discarded: false,
  ready: null,
  progress: null,
  scoreSubmitted: false,
  cards: null,
});

/** A match that has ended has no `live` any more. */
const seatsAtEnd = ({ players, rounds, result }: PublicMatch) =>
  players.map(({ playerGuid }) => ({
    ...seatOf(playerGuid),
    rating: result?.ratings.find((change) => change.playerGuid === playerGuid)?.before ?? null,
    health: healthAfter(rounds, playerGuid),
  }));

export function boardOf(match: PublicMatch): Board {
  const { status, players, rounds, live } = match;
  const names = new Map(players.map(({ playerGuid, username }) => [playerGuid, username]));
  const seats = (live?.seats ?? seatsAtEnd(match)).map((seat) => ({
    ...seat,
    username: names.get(seat.playerGuid) ?? '',
    cards: null,
  }));
  return {
    status,
    pickerGuid: live?.pickerGuid ?? null,
    currentMap: live?.currentMap ?? null,
    deadlineAt: live?.deadlineAt ?? null,
    startsAt: live?.startsAt ?? null,
    seats,
    rounds,
  };
}

/** The match at one version of its log, with both hands. Names come from `match`. */
export function boardAt({ state }: ProvenStep, match: PublicMatch): Board {
  const players = new Map(match.players.map(({ playerGuid, ...player }) => [playerGuid, player]));
  const view = publicView(state, {
    ratings: null,
    replays: [],
    display: { players, staleMaps: new Set() },
    names: new Map(),
  });
  const board = boardOf({ ...view, players: match.players });
  const seats = SEATS.map((name) => state.seats[name]).map((seat, index) => ({
    ...seatOf(seat.playerGuid),
    ...board.seats[index],
    username: players.get(seat.playerGuid)?.username ?? '',
    rating: seat.rating,
    provisional: seat.provisional,
    health: seat.health,
    handSize: seat.hand.length,
    cards: seat.hand.map(({ map }) => map),
  }));
  return { ...board, seats };
}
