import type { TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { modifiedScoreOf } from '../../src/domains/matches/scoring.ts';
import {
  type Limits,
  type MatchMap,
  type MatchSetup,
  type ReadyState,
  RULES_VERSION,
  type Score,
  type SeatName,
  type SetupPlayer,
} from '../../src/domains/matches/state.ts';
import type { Walk } from './walk.ts';

/** The settings that are explored: how a match begins, and what may happen to it. All of them are closed. */

export interface Setting {
  name: string;
  /** Its scope, in a sentence. */
  about: string;
  limits: Limits;
  maxDiscards: number;
  poolSize: number;
  /** The beginnings: what is known of the players when the match is made. */
  beginnings: readonly Seats[];
  /** Played before the exploration begins, by the reducer itself. */
  prefix(walk: Walk): void;
  /** The scores that a player may submit: accuracies in hundredths; a failed play is one of 0. */
  accuracies: readonly number[];
  /** The states of the download that a player may report. */
  reports: readonly ReadyState[];
  /** Time passes to so long before the next limit, and with late limits to so long after it. */
  stepMs: number;
  /** Events that do not happen. */
  without: readonly TransitionEvent['type'][];
  /**
   * Limits may be applied late, and commands that arrived in time be executed late; `once`: of the limits of a preparation only
   * the first one.
   */
  late: boolean | 'once';
  /** Reports before the last one are told apart, although only the answer to a repeat depends on them. */
  remembersReports?: boolean;
  /** How long it takes at most when nobody does anything, from any state. */
  longestMs: number;
  /** Explored with the tests. */
  isSmall?: boolean;
  /** Explored for every change that `npm run mutation` makes in the rules, as the small ones are. */
  forMutants?: boolean;
}

type Seats = Record<SeatName, Pick<SetupPlayer, 'record' | 'connected'>>;

export const SECOND = 1000;
/** Limits are whole ticks. Moments are too, except in `half-ticks`: just before a limit is one tick before it. */
export const TICK = 5 * SECOND;
export const START = Date.parse('2026-03-01T12:00:00.000Z');

const limits: Limits = {
  joinMs: 3 * TICK,
  discardMs: 3 * TICK,
  pickMs: 2 * TICK,
  prepareMs: 5 * TICK,
  countdownMs: TICK,
  scoreGraceMs: 2 * TICK,
  roundResultsMs: TICK,
  scoreEarliestShare: 0.8,
  reconnectGraceMs: 3 * TICK,
  reconnectBudgetMs: 3 * TICK,
};

const numbered = (prefix: string, index: number): string =>
  `${prefix}-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

/** A map of 20 s and 1,000,000 points, like all others but for its name. */
export const mapAt = (index: number): MatchMap => ({
  mapGuid: numbered('0a9b0000', index),
  key: index.toString(16),
  hash: index.toString(16).toUpperCase().padStart(40, '0'),
  name: `Map ${index}`,
  characteristic: 'Standard',
  difficulty: 'Expert',
  categoryGuid: numbered('0ca70000', 1),
  modifiers: [],
  durationSeconds: 20,
  maxScore: 1_000_000,
  coverUrl: null,
  addedAt: '2026-01-01T00:00:00.000Z',
});

const clean = { leftBeforeFirstPick: 0, earlyForfeits: 0 };
const known = { leftBeforeFirstPick: 1, earlyForfeits: 2 };
const both = (record: SetupPlayer['record']): Seats => ({
  red: { record, connected: true },
  blue: { record, connected: true },
});

/** Everything that a match of a setting is made from. Red is rated 990, blue 1010. */
export const setupOf = (setting: Setting, beginning: Seats): MatchSetup => ({
  rulesVersion: RULES_VERSION,
  matchGuid: numbered('03a7c400', 1),
  queueGuid: numbered('09e0e000', 1),
  seasonGuid: numbered('05ea5000', 1),
  poolGuid: numbered('09001000', 1),
  rated: true,
  maxDiscards: setting.maxDiscards,
  replaysRequired: false,
  limits: setting.limits,
  seed: '42'.repeat(32),
  players: [
    { playerGuid: numbered('09a70000', 990), rating: 990, provisional: false, ...beginning.red },
    { playerGuid: numbered('09a70000', 1010), rating: 1010, provisional: true, ...beginning.blue },
  ],
  pool: Array.from({ length: setting.poolSize }, (_, index) => mapAt(index)),
});

/** The score of a play with this accuracy; 0 hundredths are a failed play. */
export function scoreOf(hundredths: number): Score {
  const rawScore = hundredths * 10_000;
  return {
    rawScore,
    modifiedScore: modifiedScoreOf(rawScore, [], false),
    missCount: 3,
    badCutCount: 1,
    fullCombo: false,
    noFailTriggered: false,
    failed: hundredths === 0,
  };
}

/** Both join and keep their hands. */
function toFirstPick(walk: Walk): void {
  for (const seat of ['red', 'blue'] as const) walk.happens({ type: 'joinMatch', seat });
  for (const seat of ['red', 'blue'] as const) walk.happens({ type: 'discardMaps', seat, cardGuids: [] });
}

/** A round in which both play alike. */
function evenRound(walk: Walk): void {
  walk.limit();
  const { roundNumber } = walk.state;
  for (const seat of ['red', 'blue'] as const)
    walk.happens({ type: 'setReady', seat, roundNumber, state: 'ready' });
  walk.limit();
  walk.wait(20 * SECOND);
  for (const seat of ['red', 'blue'] as const)
    walk.happens({ type: 'submitScore', seat, roundNumber, score: scoreOf(90) });
  walk.limit();
}

/** A round that neither is ready for. */
function voidRound(walk: Walk): void {
  walk.limit();
  walk.limit();
  walk.limit();
}

/** A round that red is not ready for. */
function unreadyRound(walk: Walk): void {
  walk.limit();
  walk.happens({ type: 'setReady', seat: 'blue', roundNumber: walk.state.roundNumber, state: 'ready' });
  walk.limit();
  walk.limit();
}

const nineRounds = (walk: Walk): void => {
  toFirstPick(walk);
  for (let round = 0; round < 9; round++) evenRound(walk);
};

/** Rounds that count and void ones in turn, so that few multipliers are used up. */
const mixedRounds = (count: number) => (walk: Walk) => {
  toFirstPick(walk);
  for (let round = 0; round < count; round++) (round % 2 === 0 ? voidRound : evenRound)(walk);
};

const STAFF = ['abortedByStaff', 'decidedByStaff', 'undoneByStaff', 'banned'] as const;
const PRESENCE = ['connected', 'disconnected', 'nodeLost', 'putOff'] as const;
const MINUTE = 60 * SECOND;
const offline: Seats = { ...both(clean), red: { record: clean, connected: false } };

const hurriedLimits: Limits = { ...limits, pickMs: TICK, prepareMs: 3 * TICK, scoreGraceMs: TICK };

/** Members that most settings share. */
const common = {
  limits,
  maxDiscards: 1,
  poolSize: 11,
  beginnings: [both(clean)],
  accuracies: [0, 90],
  reports: ['downloading', 'ready', 'failed'],
  stepMs: TICK,
  late: false,
} as const;

export const SETTINGS: readonly Setting[] = [
  {
    ...common,
    name: 'small-deal',
    about: 'From the deal: joining, discarding, leaving before and after the first pick; nobody gets ready.',
    limits: {
      ...limits,
      joinMs: 2 * TICK,
      discardMs: 2 * TICK,
      pickMs: TICK,
      prepareMs: TICK,
      reconnectGraceMs: 2 * TICK,
      reconnectBudgetMs: 2 * TICK,
    },
    beginnings: [{ red: { record: known, connected: true }, blue: { record: clean, connected: true } }],
    prefix: () => undefined,
    without: ['setReady', 'submitScore', 'nodeLost', 'putOff', 'serviceResumed', 'decidedByStaff'],
    longestMs: 5 * MINUTE,
    isSmall: true,
  },
  {
    ...common,
    name: 'small-map',
    about: 'The tenth map with every report and staff; nobody loses the connection.',
    beginnings: [both(known)],
    prefix: nineRounds,
    without: [...PRESENCE, 'serviceResumed'],
    longestMs: 5 * MINUTE,
    isSmall: true,
  },
  {
    ...common,
    name: 'small-absence',
    about: 'The tenth map with lost connections; players only report that they are ready.',
    limits: { ...hurriedLimits, reconnectBudgetMs: 2 * TICK },
    prefix: nineRounds,
    reports: ['ready'],
    accuracies: [90],
    without: ['nodeLost', 'putOff', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    isSmall: true,
  },
  {
    ...common,
    name: 'reports',
    about: 'The tenth map with every order of reports, each of which a player may repeat later.',
    prefix: nineRounds,
    remembersReports: true,
    without: [...PRESENCE, 'serviceResumed'],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'short-pool',
    about: 'From the deal of a pool of ten, of which each may discard two: maps come back, and run out.',
    maxDiscards: 2,
    poolSize: 10,
    prefix: () => undefined,
    without: ['setReady', 'submitScore', 'nodeLost', 'putOff', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'two-maps',
    about: 'The last two maps after void rounds: health, cards and void rounds decide.',
    prefix: mixedRounds(8),
    reports: ['ready'],
    without: ['nodeLost', 'putOff', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'outage',
    about: 'The tenth map with any number of outages at any time, and lost connections between them.',
    prefix: nineRounds,
    reports: ['ready'],
    accuracies: [90],
    without: ['nodeLost', 'putOff', ...STAFF],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'half-ticks',
    about: 'The tenth map with lost connections, at times between the ticks as well.',
    prefix: nineRounds,
    reports: ['ready'],
    accuracies: [90],
    stepMs: TICK / 2,
    without: ['nodeLost', 'putOff', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'brief-reports',
    about: 'The tenth map with the orders of two reports, each of which a player may repeat later.',
    prefix: nineRounds,
    remembersReports: true,
    reports: ['downloading', 'ready'],
    accuracies: [90],
    without: [...PRESENCE, 'forfeit', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-voids',
    about: 'The tenth map after void rounds and one that red was not ready for, with late limits.',
    prefix: (walk) => {
      toFirstPick(walk);
      unreadyRound(walk);
      for (let round = 0; round < 8; round++) (round % 2 === 0 ? evenRound : voidRound)(walk);
    },
    accuracies: [0, 80, 90],
    reports: ['ready', 'failed'],
    late: true,
    without: [...PRESENCE, 'forfeit', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-outages',
    about: 'The tenth map with short limits and any number of outages.',
    prefix: nineRounds,
    limits: hurriedLimits,
    reports: ['ready'],
    accuracies: [90],
    without: ['nodeLost', 'putOff', 'forfeit', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-failures',
    about: 'The tenth map with failed downloads and any number of outages; nobody loses the connection.',
    prefix: nineRounds,
    reports: ['ready', 'failed'],
    accuracies: [90],
    without: [...PRESENCE, 'forfeit', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-rounds',
    about: 'All ten maps: played evenly, void, or lost by not being ready; nobody leaves.',
    limits: { ...hurriedLimits, prepareMs: TICK },
    prefix: toFirstPick,
    reports: ['ready'],
    accuracies: [],
    without: [...PRESENCE, 'selectMap', 'forfeit', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-late',
    about: 'The tenth map with short limits, any of them late, and lost connections.',
    prefix: nineRounds,
    limits: { ...hurriedLimits, reconnectBudgetMs: 2 * TICK },
    reports: ['ready'],
    accuracies: [90],
    late: true,
    without: ['nodeLost', 'putOff', 'forfeit', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'brief-returns',
    about:
      'The tenth map with short limits, dead nodes and players who are put off; nobody plays to the end.',
    prefix: nineRounds,
    limits: { ...hurriedLimits, prepareMs: TICK, reconnectGraceMs: 2 * TICK, reconnectBudgetMs: 2 * TICK },
    reports: ['ready'],
    accuracies: [90],
    without: ['submitScore', 'forfeit', 'serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
    forMutants: true,
  },
  {
    ...common,
    name: 'put-off',
    about: 'The tenth map with players who come back and are put off, and nodes that die.',
    prefix: nineRounds,
    reports: ['ready'],
    accuracies: [90],
    without: ['serviceResumed', ...STAFF],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'deal',
    about: 'From the deal with everything but reports: late limits, dead nodes, staff, known offenders.',
    beginnings: [both(clean), both(known), offline],
    prefix: () => undefined,
    late: true,
    without: ['setReady', 'submitScore', 'putOff', 'serviceResumed'],
    longestMs: 5 * MINUTE,
  },
  {
    ...common,
    name: 'whole-map',
    about:
      'The tenth map with late limits, failed downloads, lost connections, dead nodes and staff: the largest.',
    prefix: mixedRounds(9),
    limits: { ...limits, reconnectBudgetMs: 4 * TICK },
    accuracies: [0, 80, 90],
    reports: ['ready', 'failed'],
    late: 'once',
    without: ['putOff', 'serviceResumed'],
    longestMs: 5 * MINUTE,
  },
];
