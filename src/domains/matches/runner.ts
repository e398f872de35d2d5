import { type Db, inTransaction } from '../../platform/database/database.ts';
import { withoutDeadline } from '../../platform/database/deadline.ts';
import { existing } from '../../platform/errors.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import { CORRECTION_MS } from './corrections.ts';
import type { Announcement } from './delivery.ts';
import { matchErrors, wrongPhase } from './errors.ts';
import type { PlayEvent, StaffEvent, TransitionEvent } from './match-events.ts';
import { lastOf, type NonEmpty, type PlayedStep, play, playUpToDate } from './play.ts';
import { phaseLimit } from './presence.ts';
import { loadRatings } from './ratings-store.ts';
import { type MatchState, type SeatName, seatOf } from './state.ts';
import { type Committed, commitSteps, type StoredMatch } from './store.ts';

/** Two players and a limit are three writers at once, so ten lost races in a row show a defect. */
const ATTEMPTS = 10;

/** The tables of cached responses that the end of a match, or the correction of one, writes to. */
const SETTLEMENT_WRITES = [
  'Match',
  'MatchEvent',
  'Rating',
  'LadderCount',
  'RatingChange',
  'MapUsage',
  'MapGap',
  'FormerRatingChange',
  'QueueEntry',
  'Queue',
] as const;

export interface RunnerOptions extends MatchContext, Pick<MatchesOptions, 'untilInService' | 'outages'> {
  /** Takes the locks of `settle` before the match itself is locked. */
  lock(db: Db, from: MatchState): Promise<void>;
  /** Everything an end, or the correction of one, does beyond the match, in the transaction that stores it. */
  settle(db: Db, from: MatchState, steps: NonEmpty<PlayedStep>): Promise<Settlement>;
  /** Called after the commit, in order of versions. */
  announce(announcement: Announcement): void;
}

export interface Settlement {
  /** As the match shows them. */
  ratings: StoredMatch['ratings'];
  /** What other domains do after the end. */
  afterCommit?(): Promise<void>;
}

/** Records a decision of staff in its transaction. May throw to refuse it: nothing is stored then. */
type StaffRecord = (db: Db, before: StoredMatch, after: StoredMatch) => Promise<void>;

/** Makes the event once the player's seat is known. */
export type MakeEvent = (seat: SeatName) => PlayEvent;

/** Makes the event once the match is known. May throw to refuse it. */
export type MakeStaffEvent = (match: StoredMatch) => StaffEvent;

/** A match and where in it a player sits. */
export type Seated = StoredMatch & { seat: SeatName };

/**
 * A match with the player's seat in it.
 * @throws MATCH_NOT_FOUND for somebody else's match, too: a stranger learns nothing
 */
export function seatedIn(match: StoredMatch | null, playerGuid: string): Seated {
  const seat = match && seatOf(match.state, playerGuid);
  if (!seat) throw matchErrors.MATCH_NOT_FOUND({ message: 'There is no such match of yours.' });
  return { ...match, seat };
}

/** Whether a command arrived after the limit of its phase. A player may forfeit as long as the match runs. */
function isTooLate(state: MatchState, { type }: TransitionEvent, arrivedAt: number | undefined): boolean {
  const limit = phaseLimit(state);
  return arrivedAt !== undefined && type !== 'forfeit' && limit !== null && limit <= arrivedAt;
}

export type Runner = ReturnType<typeof createRunner>;

/**
 * Applies events to matches: load, decide, store, deliver. The rules decide without I/O. The database decides between
 * writers by comparing the version. Only what is stored is delivered to players.
 */
export function createRunner(options: RunnerOptions) {
  const { database, clock, logger, rulebook, outages, cache, display: displayCache, announce } = options;

  type Stored = Committed & Settlement;

  const storeEnd = (
    { state: from, sequence }: StoredMatch,
    steps: NonEmpty<PlayedStep>,
    now: number,
    record?: StaffRecord,
  ): Promise<Stored | null> => {
    const work = async (db: Db): Promise<Stored | null> => {
      await options.lock(db, from);
      // First the version: a writer that came too late must not rate or penalise anybody.
      const committed = await commitSteps(db, from.version, steps, now, null);
      if (committed === null) return null;
      const ratings = record ? await loadRatings(db, from.matchGuid) : null;
      const settlement = await options.settle(db, from, steps);
      const { state } = lastOf(steps);
      await record?.(
        db,
        { state: from, sequence, ratings, ...committed },
        { state, sequence, ratings: settlement.ratings, ...committed },
      );
      return { ...settlement, ...committed };
    };
    return inTransaction(
      database,
      SETTLEMENT_WRITES,
      work,
      from.endedAt === null ? {} : { ms: CORRECTION_MS },
    );
  };

  /** Stores changes and delivers them to the players. @returns null when another writer changed the match first */
  const store = async (
    found: StoredMatch,
    steps: NonEmpty<PlayedStep>,
    now: number,
    record?: StaffRecord,
  ): Promise<StoredMatch | null> => {
    const { state: from, sequence } = found;
    const { state } = lastOf(steps);
    // Read before the changes are stored, so that they are delivered at once and in order.
    const display = await displayCache.cached(state);
    const { dueAt } = rulebook.of(state.rulesVersion);
    const stored = await cache.store(
      { state, sequence },
      (): Promise<(Committed & Partial<Settlement>) | null> =>
        state.endedAt === null
          ? commitSteps(database, from.version, steps, now, dueAt(state))
          : storeEnd(found, steps, now, record),
    );
    if (stored === null) return null;
    const { ratings = null, replays, endVersion = null, afterCommit } = stored;
    // A correction is not delivered: the players may be in the middle of another match by now.
    const extras = { ratings, replays, display };
    if (from.endedAt === null) withoutDeadline(() => announce({ sequence, steps, extras }));
    if (afterCommit !== undefined) await withoutDeadline(afterCommit);
    return { state, sequence, ratings, replays, endVersion };
  };

  const applyWith = async (
    matchGuid: string,
    eventIn: (match: StoredMatch) => TransitionEvent,
    { record, arrivedAt }: { record?: StaffRecord; arrivedAt?: number | undefined } = {},
  ): Promise<StoredMatch> => {
    // Waits until this node is in service, and so knows of every outage before the event.
    await options.untilInService();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // A cached state may be older than the stored one. It is enough for a change, because that is stored only if the
      // version is the stored one. A refusal and a repeat store nothing, so they are decided again from the database.
      const cached = attempt === 0 ? cache.cached(matchGuid) : null;
      const found = cached ?? existing(await cache.load(matchGuid), matchErrors.MATCH_NOT_FOUND);
      const { state } = found;
      const now = clock.now();
      const event = eventIn(found);
      const rules = rulebook.of(state.rulesVersion);
      const missed = outages.missedBy(state);
      const { steps, refusal } = playUpToDate(state, missed, [event], now, rules);
      // An outage that is given back now leaves time for every command that is here already.
      const isLate = steps !== null && missed.length === 0 && isTooLate(state, event, arrivedAt);
      const isChange = steps !== null && !isLate;
      if (cached !== null && !isChange) continue;
      if (isLate) throw wrongPhase(state.status, `The time for this has passed (${state.status}).`);
      const stored = steps === null ? found : await store(found, steps, now, record);
      if (stored !== null) {
        if (refusal !== null) throw refusal;
        return stored;
      }
      logger.debug({ matchGuid, event: event.type, attempt }, 'another writer changed this match first');
    }
    throw new Error(`The match ${matchGuid} was changed ${ATTEMPTS} times before an event could be stored.`);
  };

  return {
    /**
     * Applies one event to a match, with everything that follows from it at once.
     * @returns the match as it is afterwards; unchanged when the event was a repeat.
     * @throws MATCH_NOT_FOUND, the refusal of the rules, or SERVICE_UNAVAILABLE: they are newer than this node
     */
    apply: (matchGuid: string, event: PlayEvent): Promise<StoredMatch> => applyWith(matchGuid, () => event),

    /**
     * The same for an event of a player.
     * @param arrivedAt when a command arrived, by the service's clock: it must have been before the limit of the phase,
     *   whether or not the limit was applied already
     * @throws like `apply`; MATCH_NOT_FOUND for somebody else's match, too
     */
    applyAs: async (
      playerGuid: string,
      matchGuid: string,
      make: MakeEvent,
      arrivedAt?: number,
    ): Promise<Seated> => {
      const eventIn = (match: StoredMatch): PlayEvent => make(seatedIn(match, playerGuid).seat);
      return seatedIn(await applyWith(matchGuid, eventIn, { arrivedAt }), playerGuid);
    },

    /** The same for staff, with a record. A decision that stands already changes nothing and has no record. */
    applyForStaff: (matchGuid: string, make: MakeStaffEvent, record: StaffRecord): Promise<StoredMatch> =>
      applyWith(matchGuid, make, { record }),

    /**
     * Decides an event of staff without applying it.
     * @returns the match as it is, and as it would be; the same state when the event would not change it
     * @throws like `apply`
     */
    wouldBe: async (
      matchGuid: string,
      make: MakeStaffEvent,
    ): Promise<{ found: StoredMatch; state: MatchState }> => {
      await options.untilInService();
      const found = existing(await cache.load(matchGuid), matchErrors.MATCH_NOT_FOUND);
      const rules = rulebook.of(found.state.rulesVersion);
      const missed = outages.missedBy(found.state);
      const { steps, refusal } = playUpToDate(found.state, missed, [make(found)], clock.now(), rules);
      if (refusal !== null) throw refusal;
      return { found, state: steps === null ? found.state : lastOf(steps).state };
    },

    /**
     * Decides an event of a player without applying it.
     * @returns the match as it is; null when the event would change it
     * @throws like `applyAs`
     */
    unchangedBy: async (playerGuid: string, matchGuid: string, make: MakeEvent): Promise<Seated | null> => {
      const match = seatedIn(await cache.current(matchGuid), playerGuid);
      const rules = rulebook.of(match.state.rulesVersion);
      const outcome = play(match.state, make(match.seat), clock.now(), rules);
      if (outcome.kind === 'refused') throw outcome.error;
      return outcome.kind === 'unchanged' ? match : null;
    },
  };
}
