import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { ServiceError } from '../../platform/errors.ts';
import { hashSeed } from './deal.ts';
import { requireLine, requireTime, typeIn } from './log-line.ts';
import type { MatchEvent, MatchLog } from './log-schemas.ts';
import type { Cause } from './match-events.ts';
import type { Rules } from './play.ts';
import { RULEBOOK, type Rulebook } from './rulebook.ts';
import type { PublicMatch } from './schemas.ts';
import type { MatchSetup, MatchState } from './state.ts';
import { publicView, type Ratings } from './view.ts';

/**
 * Proves a match with nothing but what everybody can get of it: the deal follows from a seed that was promised before,
 * the rules accept every line of the log, and the lines lead to the result that is shown. Command line and browsers
 * run this file.
 */

/** JSON as RFC 8785 writes it: members sorted by name, no spaces. Equal values make equal bytes. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}

/** SHA-256 of a state's canonical JSON, hexadecimal. */
export const hashState = (state: MatchState): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(state))));

/** One thing a log claims. */
export interface Check {
  claim: string;
  /** Why it does not hold; null: it holds. */
  problem: string | null;
}

/** A line of the log, and the state that it leads to. `at` in milliseconds since 1970. */
export interface ProvenStep {
  version: number;
  at: number;
  event: MatchEvent;
  cause: Cause;
  state: MatchState;
}

/** The first line of a log that the rules refuse; lines are counted from 1. */
export interface RefusedLine {
  line: number;
  type: string;
  reason: string;
}

export interface Proof {
  checks: Check[];
  /** The lines that the rules accept, in order, up to the first that they refuse. */
  steps: ProvenStep[];
  refused: RefusedLine | null;
}

export const isProven = ({ checks }: Proof): boolean => checks.every(({ problem }) => problem === null);

const check = (claim: string, find: () => string | null): Check => {
  try {
    return { claim, problem: find() };
  } catch (error) {
    // The rules may throw any error when the log was tampered with.
    return { claim, problem: messageOf(error) };
  }
};

/** Reading a member that a log lacks throws a TypeError, whose message differs between browsers. */
const messageOf = (error: unknown): string => {
  if (error instanceof TypeError) return 'It has no form that can be read.';
  return error instanceof Error ? error.message : String(error);
};

/** The line as the rules play it. @throws Error when they do not accept it */
function played(
  before: ProvenStep | undefined,
  event: MatchEvent,
  at: number,
  rules: Rules,
): Pick<ProvenStep, 'state' | 'cause'> {
  if (before === undefined)
    return { state: rules.createMatch(setupIn(event), at), cause: { type: 'created', seat: null } };
  if (event.type === 'created') throw new Error('A match is made once.');
  requireTime(before, event, at);
  const outcome = rules.transition(before.state, event, at);
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'unchanged') throw new Error(`It changes nothing in version ${before.state.version}.`);
  return { state: outcome.state, cause: outcome.cause };
}

/** Plays the lines of a log until the rules refuse one. */
function playLines(events: MatchLog['events'], rules: () => Rules): Pick<Proof, 'steps' | 'refused'> {
  const steps: ProvenStep[] = [];
  for (const [index, line] of events.entries()) {
    try {
      requireLine(line);
      const { version, at: time, event } = line;
      const at = Date.parse(time);
      steps.push({ version, at, event, ...played(steps.at(-1), event, at, rules()) });
    } catch (error) {
      const code = error instanceof ServiceError ? `${error.code}: ` : '';
      return {
        steps,
        refused: { line: index + 1, type: typeIn(line), reason: `${code}${messageOf(error)}` },
      };
    }
  }
  return { steps, refused: null };
}

/** Members of a match that its log decides. The log decides neither the players' names nor the verdicts on replays. */
const DECIDED = [
  'matchGuid',
  'queueGuid',
  'seasonGuid',
  'poolGuid',
  'rated',
  'status',
  'players',
  'rounds',
  'result',
  'seedHash',
  'seed',
  'startedAt',
  'endedAt',
] as const satisfies (keyof PublicMatch)[];

/** Which members of a match are not what the state at the end of its log says. */
function differencesFrom(state: MatchState, match: PublicMatch): string[] {
  const changes = match.result?.ratings ?? [];
  const [red, blue] = [state.seats.red, state.seats.blue].map(({ playerGuid }) =>
    changes.find((change) => change.playerGuid === playerGuid),
  );
  const ratings: Ratings = red && blue ? { red, blue } : null;
  const scores = match.rounds.flatMap(({ roundNumber, scores: both }) =>
    both.map(({ playerGuid, replay }) => ({ roundNumber, playerGuid, replay })),
  );
  const view = publicView(state, {
    ratings,
    replays: scores.flatMap(({ replay, ...score }) =>
      replay === 'missing' ? [] : [{ ...score, verdict: replay }],
    ),
    display: {
      players: new Map(match.players.map(({ playerGuid, ...player }) => [playerGuid, player])),
      staleMaps: new Set(match.rounds.flatMap(({ map }) => (map.stale ? [map.mapGuid] : []))),
    },
    names: new Map(),
  });
  return DECIDED.filter((member) => canonicalJson(view[member]) !== canonicalJson(match[member]));
}

/** The setup in the first event of a log. @throws Error when it is another event */
function setupIn(first: MatchEvent | undefined): MatchSetup {
  if (first?.type !== 'created') throw new Error('The log does not begin with what the match was made from.');
  return first.setup;
}

const setupOf = ({ events }: MatchLog): MatchSetup => setupIn(events[0]?.event);

/** The rules of the version that a log names. @throws Error when they are not known */
function rulesOf(log: MatchLog, rulebook: Rulebook): Rules {
  const { rulesVersion } = setupOf(log);
  const known = rulebook.find(rulesVersion);
  if (known !== null) return known;
  throw new Error(`Version ${rulesVersion} of the rules is not among ${rulebook.versions.join(', ')}.`);
}

const checksOfDeal = (log: MatchLog, promised: string | null, rulebook: Rulebook): Check[] => [
  check('The seed is the one that was promised', () => {
    const hash = hashSeed(log.seed);
    const wrong = [log.seedHash, promised ?? log.seedHash].find((one) => one !== hash);
    return wrong === undefined ? null : `Its SHA-256 is ${hash}, promised was ${wrong}.`;
  }),
  check('The match was made from this seed', () => {
    const made = setupOf(log);
    if (made.matchGuid !== log.matchGuid) return `The log is that of the match ${made.matchGuid}.`;
    return made.seed === log.seed ? null : `It was made from ${made.seed}.`;
  }),
  check('The rules it was played by are known', () => {
    rulesOf(log, rulebook);
    return null;
  }),
  check('The deal follows from the seed and the pool', () => {
    const dealt = rulesOf(log, rulebook).dealtFrom({ ...setupOf(log), seed: log.seed });
    return canonicalJson(dealt) === canonicalJson(log.dealt) ? null : 'The seed deals other cards.';
  }),
];

const checksOfLines = ({ events, version }: MatchLog, refused: RefusedLine | null): Check[] => [
  check('The log has no gap', () => {
    const gap = events.findIndex((line, index) => line?.version !== index + 1);
    if (gap >= 0) return `Line ${gap + 1} has another version.`;
    return events.length === version ? null : `It ends at version ${events.length}, the match at ${version}.`;
  }),
  check('The rules accept every line', () =>
    refused === null ? null : `Line ${refused.line} (${refused.type}): ${refused.reason}`,
  ),
];

/** @param end the state after the last line. @throws Error when there is none */
const checksOfEnd = (log: MatchLog, match: PublicMatch | null, end: () => MatchState): Check[] => {
  const state = check('The log leads to the state that is stored', () => {
    const hash = hashState(end());
    return hash === log.stateHash
      ? null
      : `It leads to a state with the hash ${hash}, stored is ${log.stateHash}.`;
  });
  if (match === null) return [state];
  const shown = check('The log leads to what the match shows', () => {
    const different = differencesFrom(end(), match);
    return different.length === 0 ? null : `The match shows something else as ${different.join(', ')}.`;
  });
  return [state, shown];
};

/** Plays a log again without checking what it claims. @returns the lines up to the first that the rules refuse */
export const playLog = (log: MatchLog): ProvenStep[] =>
  playLines(log.events, () => rulesOf(log, RULEBOOK)).steps;

interface ProofOptions {
  /** The match from `GET /matches/{matchGuid}`; left out: only the log is checked. */
  match?: PublicMatch | null;
  /** The seed's hash that was shown while the match ran, where somebody kept it. */
  promised?: string | null;
  /** The versions of the rules that are known. */
  rulebook?: Rulebook;
}

/**
 * Checks everything that the log of a match claims, by the rules of the version it was played by, and plays it again.
 * Never throws, whatever the log is.
 */
export function proveMatch(
  log: MatchLog | null,
  { match = null, promised = null, rulebook = RULEBOOK }: ProofOptions = {},
): Proof {
  if (!Array.isArray(log?.events))
    return { checks: [{ claim: 'It is a log', problem: 'It has no lines.' }], steps: [], refused: null };
  const { steps, refused } = playLines(log.events, () => rulesOf(log, rulebook));
  const end = (): MatchState => {
    const last = steps.at(-1);
    if (last === undefined) throw new Error('There is no line that the rules accept.');
    if (refused !== null) throw new Error(`The lines from ${refused.line} on were not played.`);
    return last.state;
  };
  const checks = [
    ...checksOfDeal(log, promised, rulebook),
    ...checksOfLines(log, refused),
    ...checksOfEnd(log, match, end),
  ];
  return { checks, steps, refused };
}
