import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import type { MissedOutage } from '../outages/index.ts';
import type { Told } from './delivery.ts';
import { matchErrors } from './errors.ts';
import type { LooksOfMatches } from './looks.ts';
import { type Played, type PlayedStep, play, type Rules } from './machine.ts';
import { loadRatings } from './ratings-store.ts';
import type { RecentMatches } from './recent.ts';
import type { Rulebook } from './rulebook.ts';
import {
  type MatchEvent,
  type MatchState,
  type PlayEvent,
  type SeatName,
  type StaffEvent,
  seatOf,
} from './state.ts';
import { commitSteps, type Step, type StoredMatch } from './store.ts';

/**
 * Moves matches on: look, decide, store, tell. The rules decide without I/O; the database decides between
 * writers by comparing the version; players are told only what is stored.
 */

/** Two players and a limit at once are three writers; more tries than that mean something else is wrong. */
const ATTEMPTS = 10;

export interface RunnerOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  rulebook: Rulebook;
  recent: RecentMatches;
  looks: Pick<LooksOfMatches, 'seen'>;
  /** Waits until this node knows where it stands. @throws OutOfReach */
  confirm(): Promise<void>;
  /** What a match has yet to be given back for outages. */
  missedBy(state: MatchState): MissedOutage[];
  /** Locks for what `settle` will do, taken before the match itself is. */
  lock(db: Db, from: MatchState): Promise<void>;
  /**
   * Everything an end, or the correction of one, does beyond the match, in the transaction that stores it.
   * @returns shown ratings
   */
  settle(db: Db, from: MatchState, steps: readonly Step[]): Promise<Settlement>;
  /** Called after the commit, in order of versions. */
  tell(told: Told): void;
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
   * @throws MATCH_NOT_FOUND, the refusal of the rules, or SERVICE_UNAVAILABLE: they are newer than this node
   */
  apply(matchGuid: string, event: PlayEvent): Promise<StoredMatch>;
  /** The same for what a player does. @throws like `apply`; MATCH_NOT_FOUND for somebody else's match, too */
  applyAs(playerGuid: string, matchGuid: string, make: MakeEvent): Promise<Seated>;
  /** The same for staff, with its record. A decision that stands already changes nothing and has none. */
  applyForStaff(matchGuid: string, event: StaffEvent, record: StaffRecord): Promise<StoredMatch>;
  /**
   * Decides what a player does without carrying it out.
   * @returns the match as it is; null when the event would change it
   * @throws like `applyAs`
   */
  consider(playerGuid: string, matchGuid: string, make: MakeEvent): Promise<Seated | null>;
}

export type MakeEvent = (seat: SeatName) => PlayEvent;

/** A match and where in it a player sits. */
export type Seated = StoredMatch & { seat: SeatName };

/**
 * A match with the player's seat in it. Somebody else's match is answered as none: a stranger learns nothing.
 * @throws MATCH_NOT_FOUND
 */
export function seatedIn(match: StoredMatch | null, playerGuid: string): Seated {
  const seat = match && seatOf(match.state, playerGuid);
  if (!seat) throw matchErrors.MATCH_NOT_FOUND();
  return { ...match, seat };
}

/**
 * Decides events one after the other, before them whatever outages the match has yet to be given back: nothing is
 * decided by limits that an outage moved.
 * @returns every change in order, and what became of the last event
 */
export function playUpToDate(
  state: MatchState,
  missed: readonly MissedOutage[],
  events: readonly MatchEvent[],
  now: number,
  rules: Rules,
): { steps: PlayedStep[]; last: Played } {
  const steps: PlayedStep[] = [];
  let last: Played = { kind: 'unchanged' };
  for (const event of [...missed.map((one) => ({ type: 'serviceResumed' as const, ...one })), ...events]) {
    last = play(steps.at(-1)?.state ?? state, event, now, rules);
    if (last.kind === 'changed') steps.push(...last.steps);
  }
  return { steps, last: events.length === 0 ? { kind: 'unchanged' } : last };
}

export function createRunner(options: RunnerOptions): Runner {
  const {
    database,
    clock,
    logger,
    rulebook,
    recent,
    looks: looksOf,
    confirm,
    missedBy,
    lock,
    settle,
    tell,
  } = options;

  const store = async (
    { state: from, sequence }: StoredMatch,
    steps: [Step, ...Step[]],
    now: number,
    record?: StaffRecord,
  ): Promise<StoredMatch | null> => {
    const state = (steps.at(-1) ?? steps[0]).state;
    // Before it is stored: what is stored is told at once, and in order.
    const looks = await looksOf.seen(state);
    if (state.endedAt === null) {
      const moved = await recent.store({ state, sequence }, () =>
        commitSteps(database, from.version, steps, now, rulebook.of(state.rulesVersion).dueAt(state)),
      );
      if (moved === null) return null;
      const beside = { ratings: null, replays: moved.replays };
      tell({ sequence, steps, beside: { ...beside, looks } });
      return { state, sequence, ...beside };
    }
    const settlement = await recent.store({ state, sequence }, () =>
      inTransaction(database, async (db) => {
        await lock(db, from);
        // First the version: a writer that came too late must not rate or penalise anybody.
        const moved = await commitSteps(db, from.version, steps, now, null);
        if (moved === null) return null;
        const ratings = record ? await loadRatings(db, from.matchGuid) : null;
        const settlement = await settle(db, from, steps);
        await record?.(
          db,
          { state: from, sequence, ratings, ...moved },
          { state, sequence, ratings: settlement.ratings, ...moved },
        );
        return { ...settlement, ...moved };
      }),
    );
    if (settlement === null) return null;
    // A correction is not told: the players may be in the middle of another match by now.
    const { ratings, replays } = settlement;
    if (from.endedAt === null) tell({ sequence, steps, beside: { ratings, replays, looks } });
    await settlement.afterCommit();
    return { state, sequence, ratings, replays };
  };

  const move = async (
    matchGuid: string,
    eventIn: (match: StoredMatch) => MatchEvent,
    record?: StaffRecord,
  ): Promise<StoredMatch> => {
    await confirm();
    for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
      // What was seen is good enough for a change, which is stored only if nobody was faster. Whatever is
      // not stored, a refusal or a repeat, is decided from the match as it is.
      const seen = attempt === 0 ? recent.seen(matchGuid) : null;
      const found = seen ?? (await recent.load(matchGuid));
      if (found === null) throw matchErrors.MATCH_NOT_FOUND();
      const now = clock.now();
      const event = eventIn(found);
      const { steps, last } = playUpToDate(
        found.state,
        missedBy(found.state),
        [event],
        now,
        rulebook.of(found.state.rulesVersion),
      );
      const [first, ...rest] = steps;
      if (first !== undefined) {
        const stored = await store(found, [first, ...rest], now, record);
        if (stored === null) {
          logger.debug({ matchGuid, event: event.type, attempt }, 'somebody else moved this match first');
          continue;
        }
        if (last.kind === 'refused') throw last.error;
        return stored;
      }
      if (seen === null) {
        if (last.kind === 'refused') throw last.error;
        return found;
      }
    }
    throw new Error(`The match ${matchGuid} moved on ${ATTEMPTS} times before an event could be stored.`);
  };

  return {
    apply: (matchGuid, event) => move(matchGuid, () => event),
    applyAs: async (playerGuid, matchGuid, make) =>
      seatedIn(await move(matchGuid, (match) => make(seatedIn(match, playerGuid).seat)), playerGuid),
    consider: async (playerGuid, matchGuid, make) => {
      const match = seatedIn(await recent.current(matchGuid), playerGuid);
      const rules = rulebook.of(match.state.rulesVersion);
      const outcome = play(match.state, make(match.seat), clock.now(), rules);
      if (outcome.kind === 'refused') throw outcome.error;
      return outcome.kind === 'unchanged' ? match : null;
    },
    applyForStaff: (matchGuid, event, record) => move(matchGuid, () => event, record),
  };
}
