import type { SeatName } from '../../src/domains/matches/state.ts';
import type { ToldCause } from './recording.ts';
import type { Shown } from './shown.ts';

/**
 * Checks that a player received every change once, in order, to the end: on each connection without a gap,
 * beginning where the first `hello` left off at the latest, and nothing again on a later connection.
 */

/** The updates that one connection of one player received of one match, in the order of the notes. */
export interface ConnectionRecord {
  /** `over`: it was still there when the recording ended. */
  closed: { at: number; how: 'lost' | 'left' | 'over' };
  /** The answer to the first `hello`; null: none was answered. */
  hello: { at: number; knows: Knows } | null;
  told: readonly ReceivedUpdate[];
  /** When this connection received an update of a later match of the player; null: never. */
  movedOnAt: number | null;
}

/** The version that `hello` showed, or that the match was not running yet, or that it had ended. */
export type Knows = number | 'nothing yet' | 'the end';

export interface ReceivedUpdate {
  at: number;
  shown: Shown;
  cause: ToldCause;
}

export interface Expectation {
  seat: SeatName;
  /** The version with which the match ended, or its last one: what comes later is a correction, which is not told. */
  lastVersion: number;
  hasEnded: boolean;
  /** The stored cause of a version, as this player is told of it. */
  causeOf(version: number): ToldCause;
  /** When anybody first saw this version or a later one; null: nobody did. */
  knownAt(version: number): number | null;
  /** How many reports of a download's progress a player had sent of this match by then. */
  reportsOf(playerGuid: string, at: number): number;
  /** The latest time at which something is done that was due at `at`. */
  deadline(at: number): number;
}

/** A time for people. @param at milliseconds */
export const seconds = (at: number): string => `${(at / 1000).toFixed(3)} s`;
const range = (from: number, to: number): string =>
  from === to ? `version ${from}` : `versions ${from} to ${to}`;

/** @returns what is wrong, in sentences */
export function updateProblems(records: readonly ConnectionRecord[], about: Expectation): string[] {
  const problems: string[] = [];
  /** Told on any connection so far. */
  const known = new Set<number>();
  const repeats = new Map<string, number>();
  for (const record of records) {
    let last: number | null = null;
    for (const one of record.told) {
      const { version } = one.shown;
      const isProgress = isProgressOf(one, about, known.has(version));
      const problem = isProgress
        ? progressProblem(one, last, about, repeats)
        : stepProblem(one, last, startOf(record, about), known, about);
      if (problem) problems.push(`${about.seat} ${problem} at ${seconds(one.at)}`);
      if (!isProgress) known.add(version);
      last = Math.max(last ?? 0, version);
    }
    const missing = missingAtEnd(record, last, about);
    if (missing) problems.push(`${about.seat} ${missing}`);
  }
  return problems;
}

/** The last version that need not be told on a connection; null: nothing is promised before `hello`. */
function startOf({ hello }: ConnectionRecord, { lastVersion }: Expectation): number | null {
  if (hello === null) return null;
  const { knows } = hello;
  return knows === 'nothing yet' ? 0 : knows === 'the end' ? lastVersion : knows;
}

/** Progress shows the version there is once more; the change of a version itself comes before it. */
function isProgressOf({ shown, cause }: ReceivedUpdate, about: Expectation, isAgain: boolean): boolean {
  if (cause.type !== 'readyChanged') return false;
  const stored = about.causeOf(shown.version);
  return isAgain || stored.type !== cause.type || stored.playerGuid !== cause.playerGuid;
}

function progressProblem(
  { shown, cause, at }: ReceivedUpdate,
  last: number | null,
  about: Expectation,
  repeats: Map<string, number>,
): string | null {
  const { version } = shown;
  const teller = cause.playerGuid ?? '';
  const times = (repeats.get(teller) ?? 0) + 1;
  repeats.set(teller, times);
  if (last !== null && version < last)
    return `was told of progress in version ${version} after version ${last}`;
  if (times > about.reportsOf(teller, at)) return `was told of version ${version} twice`;
  return null;
}

function stepProblem(
  { shown, cause }: ReceivedUpdate,
  last: number | null,
  start: number | null,
  known: ReadonlySet<number>,
  about: Expectation,
): string | null {
  const { version } = shown;
  if (known.has(version)) return `was told of version ${version} twice`;
  if (version > about.lastVersion) return `was told of version ${version}, which is not to be told`;
  const stored = about.causeOf(version);
  if (stored.type !== cause.type || stored.playerGuid !== cause.playerGuid)
    return `was told of version ${version} as ${cause.type} by ${cause.playerGuid}, which is stored as ${stored.type} by ${stored.playerGuid}`;
  if (last !== null && version < last) return `was told of version ${version} after version ${last}`;
  const before = last ?? start;
  if (before !== null && version > before + 1)
    return `was not told of ${range(before + 1, version - 1)} before version ${version}`;
  return null;
}

/** Everything there was to tell has to be told before the next match, before the client leaves, and soon. */
function missingAtEnd(record: ConnectionRecord, last: number | null, about: Expectation): string | null {
  const start = startOf(record, about);
  if (start === null) return null;
  const toldTo = Math.max(last ?? 0, start);
  if (toldTo >= about.lastVersion) return null;
  const missing = range(toldTo + 1, about.lastVersion);
  const end = about.hasEnded ? ', the last of which is the end,' : '';
  if (record.movedOnAt !== null)
    return `was not told of ${missing}${end} before the next match was told of at ${seconds(record.movedOnAt)}`;
  const { closed, hello } = record;
  if (closed.how === 'left' && (about.knownAt(1) ?? closed.at) < closed.at)
    return `was not told of ${missing}${end} before leaving at ${seconds(closed.at)}`;
  const knownAt = about.knownAt(toldTo + 1);
  if (knownAt === null) return null;
  const deadline = about.deadline(Math.max(knownAt, hello?.at ?? 0));
  if (closed.at <= deadline) return null;
  return `was not told of version ${toldTo + 1}, which was seen at ${seconds(knownAt)}, by ${seconds(deadline)}`;
}
