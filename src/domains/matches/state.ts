import { frozen } from '../../platform/frozen.ts';
import type { PoolMap } from '../pools/index.ts';

/**
 * A match as plain JSON: everything that decides it, and nothing else. All times are whole milliseconds since
 * 1970 (UTC), all durations whole milliseconds. `createMatch` makes the first state, `transition` every later one.
 */

/**
 * The newest rules. The number grows with every change by which an older log would lead to another state; a
 * match is played to its end by the version it began with (`rulebook.ts`).
 */
export const RULES_VERSION = 2;

export const SEATS = ['red', 'blue'] as const;
export type SeatName = (typeof SEATS)[number];
export const other = (seat: SeatName): SeatName => (seat === 'red' ? 'blue' : 'red');

/** Red has the lower rating; of equal ones the seed draws red. Red picks odd rounds, blue even ones. */
export type Seats<T> = Record<SeatName, T>;

/** A map as it was when the match was made. `stale` may change later and is added to every view. */
export type MatchMap = Omit<PoolMap, 'stale'>;

/** A map in a hand or in the reserve. */
export interface Card {
  readonly cardGuid: string;
  readonly map: Readonly<MatchMap>;
}

export const READY_STATES = ['downloading', 'ready', 'failed'] as const;
export type ReadyState = (typeof READY_STATES)[number];

/** The score that a player reports after a play. */
export interface Score {
  rawScore: number;
  modifiedScore: number;
  missCount: number;
  badCutCount: number;
  fullCombo: boolean;
  noFailTriggered: boolean;
  failed: boolean;
}

/**
 * Whether the player is connected. `away`: a grace runs; it is `free` of budget when the service is the cause.
 * `absent`: the grace has ended. While a map is played or its result is shown this is not final: the player can
 * still come back.
 */
export type Presence =
  | { readonly kind: 'present' }
  | {
      readonly kind: 'away';
      readonly since: number;
      readonly deadlineAt: number;
      readonly free: boolean;
      /** The grace has been extended, which happens once; left out: it has not. */
      readonly extended?: true;
    }
  | { readonly kind: 'absent'; readonly final: boolean };

/** A player is only a guid. Names are added to every view, so that a person can be erased. */
export interface Seat {
  playerGuid: string;
  /** As shown when the match was made. */
  rating: number;
  provisional: boolean;
  /** 1 at the start, 0 loses; six decimals. */
  health: number;
  joined: boolean;
  hand: readonly Card[];
  /** The cards given up, in the order of the deal; null until the player has answered. */
  discarded: readonly Card[] | null;
  presence: Presence;
  /** Time away that counted against the budget so far. */
  budgetUsedMs: number;
  /** Since when being away costs budget; null while it costs none. */
  budgetRunningSince: number | null;
  /** The last `setReady` of the current round. */
  ready: ReadyState | null;
  /** Every state that was reported in the current round, so that a late repeat is recognised. */
  readyStates: readonly ReadyState[];
  /**
   * How often this seat stopped the countdown of the current round by `setReady`. After two times the command is refused.
   * The names of this counter and the next are in stored logs and states.
   */
  countdownsStopped: number;
  /** How often it stopped it by `setReady` or by a lost connection. After two times a lost connection adds no time. */
  countdownsBroken: number;
  /** Rounds of this match lost by not being ready. */
  notReadyLosses: number;
  /** The score of the current round. */
  score: Readonly<Score> | null;
  /** Offences before this match: they decide the penalty for leaving. */
  record: {
    /** Matches left before the first pick in the last 14 days. */
    readonly leftBeforeFirstPick: number;
    /** Matches forfeited before any scored round in the last 24 hours. */
    readonly earlyForfeits: number;
  };
}

/** The round that is being prepared, played or shown. */
export interface CurrentRound {
  pickerSeat: SeatName;
  card: Card;
  /** False when the limit chose. */
  pickedByPlayer: boolean;
}

export interface FinishedRound {
  roundNumber: number;
  pickerSeat: SeatName;
  pickedByPlayer: boolean;
  card: Card;
  /** When the map started; null: it never did, since somebody was not ready. */
  startedAt: number | null;
  scores: Seats<Score | null>;
  /** 0…1 each. Both 0 when the round was lost by not being ready, or is void. */
  accuracy: Seats<number>;
  /** The last `setReady` of each seat, so that a repeat is recognised. */
  ready: Seats<ReadyState | null>;
  readyStates: Seats<readonly ReadyState[]>;
  winner: SeatName | null;
  /** Gap × multiplier, six decimals; more than the loser had left when it ends the match. */
  damage: number;
  /** 0 when the round is void. */
  multiplier: number;
  void: boolean;
}

/** The life of a match in its order; `phases/` holds a file for each. */
export const RUNNING = [
  'waiting_players',
  'awaiting_discards',
  'awaiting_pick',
  'preparing',
  'playing',
  'round_results',
] as const;
export const ENDED = ['completed', 'aborted'] as const;
export type RunningStatus = (typeof RUNNING)[number];
export type MatchStatus = RunningStatus | (typeof ENDED)[number];

export const CAUSES = [
  'created',
  'playerJoined',
  'discarded',
  'pickStarted',
  'mapSelected',
  'readyChanged',
  'mapStarted',
  'scoreSubmitted',
  'roundFinished',
  'presenceChanged',
  'finished',
] as const;

export const RESULT_REASONS = [
  'health',
  'cards_used_up',
  'forfeit',
  'disconnected',
  'not_ready',
  'dodged',
  'banned',
  'not_joined',
  'void_rounds',
  'left_before_first_pick',
  'aborted_by_staff',
  'decided_by_staff',
] as const;
export type ResultReason = (typeof RESULT_REASONS)[number];

export const OUTCOMES = ['decided', 'draw', 'no_contest'] as const;

export interface Result {
  outcome: (typeof OUTCOMES)[number];
  reason: ResultReason;
  winner: SeatName | null;
}

/** The limits of a match, copied from the configuration when it is made. */
export interface Limits {
  joinMs: number;
  discardMs: number;
  pickMs: number;
  prepareMs: number;
  countdownMs: number;
  scoreGraceMs: number;
  roundResultsMs: number;
  /** Share of the playing time before which a finished score is refused. */
  scoreEarliestShare: number;
  reconnectGraceMs: number;
  reconnectBudgetMs: number;
}

/** Everything a match is made from: the first line of its log. */
export interface MatchSetup {
  /** The version of the rules it is played by, to its end. */
  rulesVersion: number;
  matchGuid: string;
  queueGuid: string;
  seasonGuid: string;
  poolGuid: string;
  rated: boolean;
  maxDiscards: number;
  replaysRequired: boolean;
  limits: Limits;
  /** 32 random bytes, hexadecimal. */
  seed: string;
  /** In any order: the ratings and the guids say who is red. */
  players: [SetupPlayer, SetupPlayer];
  /** The pool's maps in any order; at least 10 of them. */
  pool: MatchMap[];
}

export type SetupPlayer = Pick<Seat, 'playerGuid' | 'rating' | 'provisional' | 'record'> & {
  connected: boolean;
};

export interface MatchState extends Omit<MatchSetup, 'players' | 'pool'> {
  /** SHA-256 of the seed's bytes, hexadecimal: shown from the start. */
  seedHash: string;
  /** 1 when made, one more with every change. */
  version: number;
  status: MatchStatus;
  /**
   * The next time at which the match changes by itself: the limit of the phase; in a running countdown its end; while the
   * match stands still the end of the grace. Null once the match has ended.
   */
  deadlineAt: number | null;
  /** `preparing`: when the countdown ends; `playing`: when the map started. */
  startsAt: number | null;
  /** `preparing`: the limit that comes back when the countdown stops. */
  prepareDeadlineAt: number | null;
  /** `preparing`: when a failed download has waited long enough for the other, who is ready. */
  failedDeadlineAt: number | null;
  seats: Seats<Seat>;
  /** Cards that were in no hand and may replace discarded ones, in the order of the deal. */
  reserve: readonly Card[];
  /** 0 until the first pick begins. */
  roundNumber: number;
  /** The seat that picks, or picked, the current round. */
  pickerSeat: SeatName | null;
  current: Readonly<CurrentRound> | null;
  rounds: readonly Readonly<FinishedRound>[];
  /** The seat that gave up, so that a repeat is recognised. */
  forfeitedBy: SeatName | null;
  result: Readonly<Result> | null;
  /** Number of the last outage whose time was given back; 0: none was. */
  lastOutage: number;
  createdAt: number;
  endedAt: number | null;
}

/** The members of a state that everybody may see. */
export type ShownState = Pick<
  MatchState,
  | 'matchGuid'
  | 'queueGuid'
  | 'seasonGuid'
  | 'poolGuid'
  | 'rated'
  | 'version'
  | 'status'
  | 'rounds'
  | 'result'
  | 'seed'
  | 'seedHash'
  | 'roundNumber'
  | 'createdAt'
  | 'endedAt'
> & { seats: Seats<Pick<Seat, 'playerGuid' | 'health'>> };

/** The guids of both players, red first. */
export const playersOf = ({ seats }: { seats: Seats<Pick<Seat, 'playerGuid'>> }): string[] =>
  SEATS.map((seat) => seats[seat].playerGuid);

/** Where a player sits; null: not in this match. */
export const seatOf = (
  { seats }: { seats: Seats<Pick<Seat, 'playerGuid'>> },
  playerGuid: string,
): SeatName | null => SEATS.find((seat) => seats[seat].playerGuid === playerGuid) ?? null;

/**
 * A copy of a state to change: its own members and those of its seats. Everything below is shared with the state
 * before, so a change replaces it.
 */
export const copyOf = (state: MatchState): MatchState => ({
  ...state,
  seats: { red: { ...state.seats.red }, blue: { ...state.seats.blue } },
});

/** Freezes the parts of a state that later states share. @returns the same state */
export function freezeParts(state: MatchState): MatchState {
  for (const owner of [state, state.seats.red, state.seats.blue])
    for (const part of Object.values(owner)) if (part !== state.seats) frozen(part);
  return state;
}
