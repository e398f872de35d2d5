import { expect } from 'vitest';
import { createMatch, dueAt } from '../../src/domains/matches/machine.ts';
import type { LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { type PlayedStep, play, statesOf } from '../../src/domains/matches/play.ts';
import { modifiedScoreOf } from '../../src/domains/matches/scoring.ts';
import {
  type Limits,
  type MatchMap,
  type MatchSetup,
  type MatchState,
  type ReadyState,
  RULES_VERSION,
  type Score,
  type SeatName,
  type SetupPlayer,
} from '../../src/domains/matches/state.ts';
import type { DisplayData, PublicExtras } from '../../src/domains/matches/view.ts';

/** A match to play by hand: events go in, time is moved, and the rules alone decide. */

export const START = Date.parse('2026-03-01T12:00:00.000Z');
export const SECOND = 1000;

export const limits: Limits = {
  joinMs: 30_000,
  discardMs: 60_000,
  pickMs: 45_000,
  prepareMs: 120_000,
  countdownMs: 5000,
  scoreGraceMs: 30_000,
  roundResultsMs: 6000,
  scoreEarliestShare: 0.8,
  reconnectGraceMs: 60_000,
  reconnectBudgetMs: 180_000,
};

const numbered = (prefix: string, index: number): string =>
  `${prefix}-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

/** A map of 100 s and 1,000,000 points without modifiers. */
export const poolMap = (index: number, about: Partial<MatchMap> = {}): MatchMap => ({
  mapGuid: numbered('0a9b0000', index),
  key: index.toString(16),
  hash: index.toString(16).toUpperCase().padStart(40, '0'),
  name: `Map ${index}`,
  characteristic: 'Standard',
  difficulty: 'Expert',
  categoryGuid: numbered('0ca70000', 1),
  modifiers: [],
  durationSeconds: 100,
  maxScore: 1_000_000,
  coverUrl: null,
  addedAt: '2026-01-01T00:00:00.000Z',
  ...about,
});

export const setupPlayer = (rating: number, about: Partial<SetupPlayer> = {}): SetupPlayer => ({
  playerGuid: numbered('09a70000', rating),
  rating,
  provisional: false,
  record: { leftBeforeFirstPick: 0, earlyForfeits: 0 },
  connected: true,
  ...about,
});

export interface GameOptions {
  poolSize?: number;
  map?: Partial<MatchMap>;
  maxDiscards?: number;
  limits?: Partial<Limits>;
  seed?: string;
  red?: Partial<SetupPlayer>;
  blue?: Partial<SetupPlayer>;
}

const [ruby, blake] = [990, 1010];

/** The display data of the players and maps of a game. */
export const display: DisplayData = {
  players: new Map([
    [numbered('09a70000', ruby), { platformId: '76000000000990', username: 'Ruby', avatarUrl: null }],
    [numbered('09a70000', blake), { platformId: '76000000001010', username: 'Blake', avatarUrl: null }],
  ]),
  staleMaps: new Set(),
};

/** Data that are shown with a running match and are no part of it. */
export const extras = (about: Partial<PublicExtras> = {}): PublicExtras => ({
  ratings: null,
  replays: [],
  display,
  names: new Map([
    [numbered('09e0e000', 1), 'Ranked'],
    [numbered('05ea5000', 1), 'Spring'],
    [numbered('09001000', 1), 'Tech'],
  ]),
  ...about,
});

/** Red is Ruby (rated 990), blue is Blake (1010). */
export const setupOf = (options: GameOptions = {}): MatchSetup => ({
  rulesVersion: RULES_VERSION,
  matchGuid: numbered('03a7c400', 1),
  queueGuid: numbered('09e0e000', 1),
  seasonGuid: numbered('05ea5000', 1),
  poolGuid: numbered('09001000', 1),
  rated: true,
  maxDiscards: options.maxDiscards ?? 2,
  replaysRequired: false,
  limits: { ...limits, ...options.limits },
  seed: options.seed ?? '42'.repeat(32),
  players: [setupPlayer(blake, options.blue), setupPlayer(ruby, options.red)],
  pool: Array.from({ length: options.poolSize ?? 20 }, (_, index) => poolMap(index, options.map)),
});

/** The last state of a log that is played again. */
export const replay = (log: readonly LogLine[]): MatchState => statesOf(log).at(-1) as MatchState;

/** The score of a play of this accuracy on a map. */
export function scoreOn(map: MatchMap, accuracy: number, about: Partial<Score> = {}): Score {
  const noFailTriggered = about.noFailTriggered ?? false;
  const rawScore = about.rawScore ?? Math.round(map.maxScore * accuracy);
  return {
    rawScore,
    modifiedScore: modifiedScoreOf(rawScore, map.modifiers, noFailTriggered),
    missCount: 3,
    badCutCount: 1,
    fullCombo: false,
    noFailTriggered,
    failed: false,
    ...about,
  };
}

/** One player of a game, as the test speaks of them. */
class Player {
  readonly game: Game;
  readonly name: SeatName;

  constructor(game: Game, name: SeatName) {
    this.game = game;
    this.name = name;
  }

  get seat() {
    return this.game.state.seats[this.name];
  }

  get hand() {
    return this.seat.hand;
  }

  joins = () => this.game.happens({ type: 'joinMatch', seat: this.name });
  discardsCards = (cardGuids: string[]) =>
    this.game.happens({ type: 'discardMaps', seat: this.name, cardGuids });
  /** Gives up the cards at these places of the hand. */
  discards = (...places: number[]) => this.discardsCards(places.map((place) => this.card(place)));
  picksCard = (cardGuid: string) => this.game.happens({ type: 'selectMap', seat: this.name, cardGuid });
  picks = (place = 0) => this.picksCard(this.card(place));
  says = (state: ReadyState, roundNumber = this.game.state.roundNumber) =>
    this.game.happens({ type: 'setReady', seat: this.name, roundNumber, state });
  isReady = () => this.says('ready');
  submits = (score: Score, roundNumber = this.game.state.roundNumber) =>
    this.game.happens({ type: 'submitScore', seat: this.name, roundNumber, score });
  scores = (accuracy: number, about: Partial<Score> = {}) =>
    this.submits(scoreOn(this.game.map, accuracy, about));
  forfeits = () => this.game.happens({ type: 'forfeit', seat: this.name });
  goes = () => this.game.happens({ type: 'disconnected', seat: this.name });
  losesNode = () => this.game.happens({ type: 'nodeLost', seat: this.name });
  isPutOff = () => this.game.happens({ type: 'putOff', seat: this.name });
  returns = () => this.game.happens({ type: 'connected', seat: this.name });
  isBanned = () => this.game.happens({ type: 'banned', seat: this.name });

  card(place: number): string {
    const card = this.hand[place];
    if (card === undefined) throw new Error(`${this.name} has no card ${place}.`);
    return card.cardGuid;
  }
}

export class Game {
  now = START;
  state: MatchState;
  readonly log: LogLine[];
  readonly steps: PlayedStep[] = [];
  readonly red = new Player(this, 'red');
  readonly blue = new Player(this, 'blue');

  constructor(options: GameOptions | MatchSetup = {}) {
    const setup = 'pool' in options ? options : setupOf(options);
    this.log = [{ event: { type: 'created', setup }, at: this.now }];
    this.state = createMatch(setup, this.now);
  }

  /** Applies an event now. @returns the refusal's code, or what it was: `changed`, `unchanged`. */
  happens(event: TransitionEvent): string {
    const outcome = play(this.state, event, this.now);
    if (outcome.kind === 'refused') return outcome.error.code;
    if (outcome.kind === 'unchanged') return outcome.kind;
    for (const step of outcome.steps) {
      this.log.push({ event: step.event, at: this.now });
      this.steps.push(step);
      this.state = step.state;
    }
    return outcome.kind;
  }

  /** Moves the time on, and applies every limit that passes on the way at its own time. */
  wait(ms: number): void {
    const until = this.now + ms;
    for (let due = dueAt(this.state); due !== null && due <= until; due = dueAt(this.state)) {
      this.now = Math.max(this.now, due);
      expect(this.happens({ type: 'limitPassed', version: this.state.version })).toBe('changed');
    }
    this.now = until;
  }

  /** Lets the next limit pass, whichever it is. */
  waitForLimit(): void {
    this.wait((dueAt(this.state) ?? this.now) - this.now);
  }

  /** An outage of this length, a new one unless said otherwise, is over now. */
  resumes = (downMs: number, outage = this.state.lastOutage + 1) =>
    this.happens({ type: 'serviceResumed', outage, downMs, until: this.now });

  get status() {
    return this.state.status;
  }

  get result() {
    return this.state.result;
  }

  /** Map of the current round. */
  get map(): MatchMap {
    if (this.state.current === null) throw new Error('There is no current map.');
    return this.state.current.card.map;
  }

  get picker(): Player {
    return this.state.pickerSeat === 'blue' ? this.blue : this.red;
  }

  /** The last change. */
  get last(): PlayedStep {
    const last = this.steps.at(-1);
    if (last === undefined) throw new Error('Nothing has happened.');
    return last;
  }

  get causes(): string[] {
    return this.steps.map(({ cause }) => cause.type);
  }

  toDiscards(): this {
    this.red.joins();
    this.blue.joins();
    return this;
  }

  toPick(): this {
    this.toDiscards();
    this.red.discards();
    this.blue.discards();
    return this;
  }

  toPreparing(): this {
    this.toPick();
    this.picker.picks();
    return this;
  }

  toCountdown(): this {
    this.toPreparing();
    this.red.isReady();
    this.blue.isReady();
    return this;
  }

  toPlaying(): this {
    this.toCountdown();
    this.wait(limits.countdownMs);
    return this;
  }

  toResults(red = 0.9, blue = 0.9): this {
    this.toPlaying();
    this.finishPlay(red, blue);
    return this;
  }

  /** From `playing` to `round_results`. */
  finishPlay(red: number, blue: number): void {
    this.wait(this.map.durationSeconds * SECOND);
    this.red.scores(red);
    this.blue.scores(blue);
  }

  /** From `awaiting_pick` past the end of the round. */
  playRound(red: number, blue: number): void {
    this.picker.picks();
    this.red.isReady();
    this.blue.isReady();
    this.wait(this.state.limits.countdownMs);
    this.finishPlay(red, blue);
    this.wait(this.state.limits.roundResultsMs);
  }

  /** From `awaiting_pick` past the end of a round that neither was ready for. */
  voidRound(): void {
    this.picker.picks();
    this.wait(this.state.limits.prepareMs);
    this.wait(this.state.limits.roundResultsMs);
  }
}
