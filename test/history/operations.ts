import { isDeepStrictEqual } from 'node:util';
import type { Command, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import type { Rules } from '../../src/domains/matches/play.ts';
import type { MatchState, SeatName } from '../../src/domains/matches/state.ts';
import type { Operation } from './order.ts';
import type { Answer, Payload } from './recording.ts';

/** The stored log of a match, played again. */
export interface Played {
  /** The rules of the version by which the match was played. */
  readonly rules: Pick<Rules, 'transition'>;
  readonly matchGuid: string;
  /** The event of each version; the first is null: the match was made. */
  readonly events: readonly (TransitionEvent | null)[];
  /** The state at each version. */
  readonly states: readonly MatchState[];
  /** When each was decided, milliseconds since 1970, by the clock of the service. */
  readonly times: readonly number[];
}

export const COMMANDS: ReadonlySet<string> = new Set<Command['type']>([
  'joinMatch',
  'discardMaps',
  'selectMap',
  'setReady',
  'submitScore',
  'forfeit',
]);

/** Refusals that say nothing of the match, and are given before it is looked at. */
const AT_THE_DOOR = new Set(['RATE_LIMITED', 'VALIDATION_FAILED']);
/** Failures after which the command may have been stored: the answer of the database may be what was lost. */
const UNKNOWN_OUTCOME = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

export const isOutcomeUnknown = (answer: Answer): boolean => !answer.ok && UNKNOWN_OUTCOME.has(answer.code);

/** Later than any limit. */
const LONG_AFTER_MS = 86_400_000;

/** The event that a client's command asks for. */
export function eventFor(name: string, payload: Payload, seat: SeatName): Command {
  const { matchGuid: _, ...said } = payload;
  if (name === 'submitScore') {
    const { roundNumber, ...score } = said;
    return { type: name, seat, roundNumber, score } as Command;
  }
  // How far a download is decides nothing, and is in no log.
  const { progress: _progress, ...decisive } = said;
  return { type: name, seat, ...decisive } as Command;
}

/** @param answer null when none came, or one that leaves the outcome open */
export function commandOperation(
  { rules, events, states, times }: Played,
  title: string,
  command: Command,
  answer: Answer | null,
): Operation {
  const outcomesAt = (version: number) => {
    const state = states[version - 1];
    if (state === undefined) return [];
    // It was decided between this change and the next one. The time matters only to a score, which may come too early.
    const from = times[version - 1] ?? 0;
    return [from, times[version] ?? from + LONG_AFTER_MS].map((at) => rules.transition(state, command, at));
  };
  /**
   * The phase of this version lasted until its limit: a command that came after the limit is refused before the limit
   * was applied, too. A forfeit may have ended the match before it was.
   */
  const lastsUntilLimit = (version: number): boolean => {
    const end = states.findIndex(({ status }, at) => at >= version && status !== states[version - 1]?.status);
    const last = states[end - 1];
    if (version === 0 || last === undefined) return false;
    const endedAt = times[end] ?? 0;
    const limits = [last.deadlineAt, last.failedDeadlineAt];
    return events[end]?.type === 'limitPassed' || limits.some((at) => at !== null && at <= endedAt);
  };
  const isRefused = (version: number, code: string): boolean => {
    if (code === 'MATCH_NOT_FOUND') return version === 0;
    if (code === 'WRONG_PHASE' && command.type !== 'forfeit' && lastsUntilLimit(version)) return true;
    return outcomesAt(version).some((outcome) => outcome.kind === 'refused' && outcome.error.code === code);
  };
  const isRepeat = (version: number): boolean =>
    outcomesAt(version).some((outcome) => outcome.kind === 'unchanged');
  return {
    title,
    isUnanswered: answer === null,
    fitsUntil: answer?.ok && 'shown' in answer ? (answer.shown?.version ?? null) : null,
    makes: (version) => {
      const event = events[version - 1];
      if (!event || (answer !== null && !answer.ok)) return false;
      return isDeepStrictEqual(command, event);
    },
    fits: (version, tookEffect) => {
      if (answer === null) return false;
      if (!answer.ok) return !tookEffect && (AT_THE_DOOR.has(answer.code) || isRefused(version, answer.code));
      const shown = 'shown' in answer ? answer.shown : null;
      return shown?.version === version && (tookEffect || isRepeat(version));
    },
  };
}

/** A read that showed this version. */
export const readOperation = (title: string, version: number): Operation => ({
  title,
  isUnanswered: false,
  fitsUntil: version,
  makes: () => false,
  fits: (at) => at === version,
});

/** A read by which the match was over, or by which it was not running. */
export const endOperation = (
  { states }: Played,
  title: string,
  { orBefore }: { orBefore: boolean },
): Operation => ({
  title,
  isUnanswered: false,
  fitsUntil: null,
  makes: () => false,
  fits: (at) => {
    const state = states[at - 1];
    return state === undefined ? orBefore : state.endedAt !== null;
  },
});
