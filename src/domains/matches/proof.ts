import { createHash } from 'node:crypto';
import { hashSeed } from './deal.ts';
import type { MatchLog } from './log-schemas.ts';
import type { LogLine } from './match-events.ts';
import { replay } from './play.ts';
import { RULEBOOK, type Rulebook } from './rulebook.ts';
import type { MatchSetup, MatchState } from './state.ts';

/**
 * Checks the log of a match with nothing but the log: the deal follows from a seed that was promised before, and
 * the events lead to the stored state.
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
export const hashState = (state: MatchState): string =>
  createHash('sha256').update(canonicalJson(state)).digest('hex');

/** One thing a log claims. */
export interface Check {
  claim: string;
  /** Why it does not hold; null: it holds. */
  problem: string | null;
}

const check = (claim: string, find: () => string | null): Check => {
  try {
    return { claim, problem: find() };
  } catch (error) {
    // The rules fail in any way with a log that was tampered with.
    return { claim, problem: error instanceof Error ? error.message : String(error) };
  }
};

/**
 * Checks everything the log of a match claims, by the rules of the version it was played by.
 * @param rulebook the versions that are known
 */
export function checkLog(
  { matchGuid, seed, seedHash, dealt, events, version, stateHash }: MatchLog,
  rulebook: Rulebook = RULEBOOK,
): Check[] {
  const setup = (): MatchSetup => {
    const first = events[0]?.event;
    if (first?.type !== 'created')
      throw new Error('The log does not begin with what the match was made from.');
    return first.setup;
  };
  const rules = () => {
    const { rulesVersion } = setup();
    const known = rulebook.find(rulesVersion);
    if (known !== null) return known;
    throw new Error(`Version ${rulesVersion} of the rules is not among ${rulebook.versions.join(', ')}.`);
  };
  return [
    check('The seed is the one that was promised', () => {
      const hash = hashSeed(seed);
      return hash === seedHash ? null : `Its SHA-256 is ${hash}, promised was ${seedHash}.`;
    }),
    check('The match was made from this seed', () => {
      const made = setup();
      if (made.matchGuid !== matchGuid) return `The log is that of the match ${made.matchGuid}.`;
      return made.seed === seed ? null : `It was made from ${made.seed}.`;
    }),
    check('The rules it was played by are known', () => {
      rules();
      return null;
    }),
    check('The deal follows from the seed and the pool', () =>
      canonicalJson(rules().dealtFrom({ ...setup(), seed })) === canonicalJson(dealt)
        ? null
        : 'The seed deals other cards.',
    ),
    check('The log has no gap', () => {
      const gap = events.findIndex((entry, index) => entry.version !== index + 1);
      if (gap >= 0) return `Entry ${gap + 1} has the version ${events[gap]?.version}.`;
      return events.length === version
        ? null
        : `It ends at version ${events.length}, the match at ${version}.`;
    }),
    check('The log leads to the state that is stored', () => {
      const lines: LogLine[] = events.map(({ event, at }) => ({ event, at: Date.parse(at) }));
      const hash = hashState(replay(lines, rules()));
      return hash === stateHash ? null : `It leads to a state with the hash ${hash}, stored is ${stateHash}.`;
    }),
  ];
}
