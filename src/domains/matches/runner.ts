import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { matchErrors } from './errors.ts';
import { dueAt, play } from './machine.ts';
import type { MatchEvent, MatchState, PlayEvent, StaffEvent } from './state.ts';
import { commitSteps, loadMatch, loadRatings, type Step, type StoredMatch } from './store.ts';

/**
 * Moves matches on: load, decide, store, tell. The rules decide without I/O; the database decides between
 * writers by comparing the version; players are told only what is stored.
 */

/** Two players and a limit at once are three writers; more tries than that mean something else is wrong. */
const ATTEMPTS = 10;

export interface RunnerOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Locks for what `settle` will do, taken before the match itself is. */
  hold(db: Db, from: MatchState): Promise<void>;
  /**
   * Everything an end, or the correction of one, does beyond the match, in the transaction that stores it.
   * @returns shown ratings
   */
  settle(db: Db, from: MatchState, steps: readonly Step[]): Promise<Settlement>;
  /** Called after the commit, in order of versions. */
  tell(steps: readonly Step[], ratings: StoredMatch['ratings']): void;
}

export interface Settlement {
  ratings: StoredMatch['ratings'];
  /** What is to be told once the end is stored. */
  afterCommit(): Promise<void>;
}

/** Writes down what staff did, in the transaction that does it. May still refuse: nothing is stored then. */
export type StaffRecord = (db: Db, before: StoredMatch, after: StoredMatch) => Promise<void>;

export interface Runner {
  /**
   * Applies one event to a match, with everything that follows from it at once.
   * @returns the match as it is afterwards; unchanged when the event was a repeat.
   * @throws MATCH_NOT_FOUND, or the refusal of the rules
   */
  apply(matchGuid: string, event: PlayEvent): Promise<StoredMatch>;
  /** The same for staff, with its record. A decision that stands already changes nothing and has none. */
  applyForStaff(matchGuid: string, event: StaffEvent, record: StaffRecord): Promise<StoredMatch>;
  /**
   * Decides an event without carrying it out.
   * @returns the match as it is
   * @throws like `apply`
   */
  consider(matchGuid: string, event: PlayEvent): Promise<StoredMatch>;
}

export function createRunner({ database, clock, logger, hold, settle, tell }: RunnerOptions): Runner {
  const store = async (
    from: MatchState,
    steps: [Step, ...Step[]],
    now: number,
    record?: StaffRecord,
  ): Promise<StoredMatch | null> => {
    const state = (steps.at(-1) ?? steps[0]).state;
    if (state.endedAt === null) {
      if (!(await commitSteps({ pool: database.pool }, from.version, steps, now, dueAt(state)))) return null;
      tell(steps, null);
      return { state, ratings: null };
    }
    const settlement = await inTransaction(database, async (db) => {
      await hold(db, from);
      // First the version: a writer that came too late must not rate or penalise anybody.
      if (!(await commitSteps({ db }, from.version, steps, now, null))) return null;
      const ratings = record ? await loadRatings(db, from.matchGuid) : null;
      const settlement = await settle(db, from, steps);
      await record?.(db, { state: from, ratings }, { state, ratings: settlement.ratings });
      return settlement;
    });
    if (settlement === null) return null;
    // A correction is not told: the players may be in the middle of another match by now.
    if (from.endedAt === null) tell(steps, settlement.ratings);
    await settlement.afterCommit();
    return { state, ratings: settlement.ratings };
  };

  /** @throws MATCH_NOT_FOUND, or the refusal of the rules */
  const decide = async (matchGuid: string, event: MatchEvent) => {
    const found = await loadMatch(database, matchGuid);
    if (found === null) throw matchErrors.MATCH_NOT_FOUND();
    const now = clock.now();
    const outcome = play(found.state, event, now);
    if (outcome.kind === 'refused') throw outcome.error;
    return { found, outcome, now };
  };

  const move = async (matchGuid: string, event: MatchEvent, record?: StaffRecord): Promise<StoredMatch> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { found, outcome, now } = await decide(matchGuid, event);
      if (outcome.kind === 'unchanged') return found;
      const stored = await store(found.state, outcome.steps, now, record);
      if (stored !== null) return stored;
      logger.debug({ matchGuid, event: event.type, attempt }, 'somebody else moved this match first');
    }
    throw new Error(
      `The match ${matchGuid} moved on ${ATTEMPTS} times before ${event.type} could be stored.`,
    );
  };

  return {
    consider: async (matchGuid, event) => (await decide(matchGuid, event)).found,
    apply: (matchGuid, event) => move(matchGuid, event),
    applyForStaff: move,
  };
}
