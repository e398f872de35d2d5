import { type Db, inTransaction } from '../../platform/database/database.ts';
import type { Outage } from '../outages/index.ts';
import * as store from './batch-store.ts';
import type { MatchContext } from './context.ts';
import type { PlayEvent } from './match-events.ts';
import { lastOf, playUpToDate } from './play.ts';
import type { RunnerOptions } from './runner.ts';
import { runningSeatsOf, unmarkDelivered } from './seats-store.ts';
import { type MatchState, playersOf, SEATS } from './state.ts';

/**
 * Matches in one transaction: at most two megabytes of states. As many as connections whose loss is stored at once, so
 * that each of their matches is tried.
 */
const BATCH_SIZE = 200;
/** The guid before all others. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** An event of a player's connection. */
export type PresenceEvent = 'connected' | 'disconnected' | 'nodeLost' | 'putOff';

export interface BatchResult {
  /**
   * Players whose match was not changed: the batch was full, another writer was first, or this node does not know the rules
   * of the match. The caller tries again.
   */
  remaining: string[];
  /** Delivers the changes to the players; to be called after the commit. */
  afterCommit(): Promise<void>;
}

interface BatchesOptions extends MatchContext, Pick<RunnerOptions, 'outages' | 'announce'> {
  /** Applies an event that ends a match to that match alone, with everything that belongs to an end. */
  apply(matchGuid: string, event: PlayEvent): Promise<unknown>;
}

/**
 * Events for many matches at once: lost and retaken connections, players who were put off, outages. One statement stores a
 * batch.
 */
export function createBatches(options: BatchesOptions) {
  const { database, clock, logger, rulebook, outages, cache, display: displayCache } = options;

  /** @returns how many were changed, and those that were not, for another node or another attempt */
  const move = async (
    db: Db,
    matches: readonly store.RunningMatch[],
    eventsFor: (state: MatchState) => PlayEvent[],
  ): Promise<{ changed: number; skipped: string[]; afterCommit: BatchResult['afterCommit'] }> => {
    const now = clock.now();
    const changes: store.Change[] = [];
    const ending: { matchGuid: string; events: PlayEvent[] }[] = [];
    const skipped: string[] = [];
    // In the order of their guids, which makes deadlocks rare: `inTransaction` repeats a transaction that lost one.
    const inOrder = matches.toSorted((a, b) => (a.state.matchGuid < b.state.matchGuid ? -1 : 1));
    for (const from of inOrder) {
      const { state } = from;
      const { matchGuid } = state;
      const rules = rulebook.find(state.rulesVersion);
      if (rules === null) {
        skipped.push(matchGuid);
        continue;
      }
      const events = eventsFor(state);
      try {
        const { steps } = playUpToDate(state, outages.missedBy(state), events, now, rules);
        if (steps === null) continue;
        const last = lastOf(steps).state;
        if (last.endedAt !== null) ending.push({ matchGuid, events });
        else changes.push({ from, steps, dueAt: rules.dueAt(last) });
      } catch (error) {
        // The other matches of the batch must not wait for one that fails.
        logger.error({ err: error, matchGuid }, 'a match could not be changed in a batch');
      }
    }
    const stored = await store.commitChanges(db, changes, now);
    const committed = changes.flatMap((change) => {
      const { matchGuid } = change.from.state;
      const replays = stored.get(matchGuid);
      if (replays === undefined) skipped.push(matchGuid);
      return replays === undefined ? [] : { ...change, replays };
    });
    const afterCommit = async (): Promise<void> => {
      const display = await displayCache.cached(...committed.map(({ from }) => from.state));
      for (const { from, steps, replays } of committed) {
        const { sequence } = from;
        await cache.store({ state: lastOf(steps).state, sequence }, async () => ({ replays }));
        options.announce({ sequence, steps, extras: { ratings: null, replays, display } });
      }
      // The other matches must not wait for one that fails.
      const ended = await Promise.allSettled(
        ending.map(async ({ matchGuid, events }) => {
          for (const event of events) await options.apply(matchGuid, event);
        }),
      );
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    };
    return { changed: committed.length, skipped, afterCommit };
  };

  return {
    /** Applies the same event to many players in a transaction of the caller, as far as one batch goes. */
    applyToPlayers: async (
      db: Db,
      playerGuids: readonly string[],
      type: PresenceEvent,
    ): Promise<BatchResult> => {
      const seated = await runningSeatsOf(db, playerGuids);
      // Oldest first: the rest is in the next batch.
      const wanted = [...new Set(seated.values())].sort().slice(0, BATCH_SIZE);
      const matches = await store.runningMatches(db, wanted);
      const players = new Set(playerGuids);
      if (type === 'nodeLost' || type === 'putOff') {
        const joining = matches.filter(({ state }) => state.status === 'waiting_players');
        const lost = joining.flatMap(({ state }) => playersOf(state).filter((guid) => players.has(guid)));
        if (lost.length > 0) await unmarkDelivered(db, lost);
      }
      const { skipped, afterCommit } = await move(db, matches, (state) =>
        SEATS.filter((seat) => players.has(state.seats[seat].playerGuid)).map((seat) => ({ type, seat })),
      );
      const moved = new Set(matches.map(({ state }) => state.matchGuid));
      for (const matchGuid of skipped) moved.delete(matchGuid);
      const remaining = [...seated].flatMap(([playerGuid, matchGuid]) =>
        moved.has(matchGuid) ? [] : playerGuid,
      );
      return { remaining, afterCommit };
    },

    /**
     * Compensates every running match for the time that it lost by outages up to this one. It is idempotent: each match
     * stores the outages that it was compensated for.
     * @returns how many matches were changed
     */
    compensate: async (outage: Outage): Promise<number> => {
      let count = 0;
      for (let after: string | undefined = NIL; after !== undefined; ) {
        const from: string = after;
        const { last, moved } = await inTransaction(database, ['Match', 'MatchEvent'], async (db) => {
          const { matches, last } = await store.claimMatchesThatMissed(db, outage, from, BATCH_SIZE);
          return { last, moved: await move(db, matches, () => []) };
        });
        await moved.afterCommit();
        count += moved.changed;
        after = last;
      }
      return count;
    },
  };
}
