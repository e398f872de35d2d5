import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import type { MissedOutage, Outage } from '../outages/index.ts';
import * as store from './batch-store.ts';
import type { Told } from './delivery.ts';
import type { LooksOfMatches } from './looks.ts';
import type { RecentMatches } from './recent.ts';
import type { Rulebook } from './rulebook.ts';
import { playUpToDate } from './runner.ts';
import { runningSeatsOf } from './seats-store.ts';
import { type MatchState, type PlayEvent, SEATS } from './state.ts';

/**
 * What happens to many matches at once, when a node is gone or the service was: a few hundred matches to a
 * transaction and one statement that stores them, instead of one after the other.
 */

/** About two megabytes of states. */
const AT_ONCE = 100;
/** The guid before all others. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** What happens to who is or is not connected. */
export type PresenceEvent = 'connected' | 'disconnected' | 'nodeLost' | 'putOff';

export interface Moved {
  /**
   * Players to whom nothing happened yet, because there were too many matches for one transaction or somebody else
   * moved theirs meanwhile: try again.
   */
  left: string[];
  /** Tells what was stored; to be called after the commit. */
  afterCommit(): Promise<void>;
}

export interface BatchesOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  rulebook: Rulebook;
  recent: RecentMatches;
  looks: Pick<LooksOfMatches, 'seen'>;
  missedBy(state: MatchState): MissedOutage[];
  /** What ends a match is done to it alone, with everything that belongs to an end. */
  alone(matchGuid: string, event: PlayEvent): Promise<unknown>;
  tell(told: Told): void;
}

export function createBatches(options: BatchesOptions) {
  const { database, clock, logger, rulebook, recent, looks: looksOf, missedBy, alone, tell } = options;

  /** Moves matches on as far as they go on after it. */
  const move = async (
    db: Db,
    matches: readonly store.RunningMatch[],
    eventsFor: (state: MatchState) => PlayEvent[],
  ): Promise<{ beaten: MatchState[]; afterCommit: Moved['afterCommit'] }> => {
    const now = clock.now();
    const changes: store.Change[] = [];
    const ending: { matchGuid: string; events: PlayEvent[] }[] = [];
    /** Played by rules that this node does not know: another one has to do it. */
    const foreign: MatchState[] = [];
    // All take the rows in one order, so that two of them wait for each other in turn.
    const inOrder = matches.toSorted((a, b) => (a.state.matchGuid < b.state.matchGuid ? -1 : 1));
    for (const from of inOrder) {
      const { state } = from;
      const rules = rulebook.find(state.rulesVersion);
      if (rules === null) {
        foreign.push(state);
        continue;
      }
      const events = eventsFor(state);
      try {
        const [first, ...rest] = playUpToDate(state, missedBy(state), events, now, rules).steps;
        if (first === undefined) continue;
        const last = (rest.at(-1) ?? first).state;
        if (last.endedAt !== null) ending.push({ matchGuid: state.matchGuid, events });
        else changes.push({ from, steps: [first, ...rest], dueAt: rules.dueAt(last) });
      } catch (error) {
        // One match that cannot be moved must not keep the others waiting.
        logger.error({ err: error, matchGuid: state.matchGuid }, 'a match could not be moved on');
      }
    }
    const moved = await store.commitChanges(db, changes, now);
    const beaten = changes.flatMap(({ from: { state } }) => (moved.has(state.matchGuid) ? [] : state));
    const afterCommit = async (): Promise<void> => {
      const looks = await Promise.all(changes.map(({ from }) => looksOf.seen(from.state)));
      for (const [at, { from, steps }] of changes.entries()) {
        const { state } = steps.at(-1) ?? steps[0];
        const [replays, look] = [moved.get(state.matchGuid), looks[at]];
        if (replays === undefined || look === undefined) continue;
        await recent.store({ state, sequence: from.sequence }, async () => ({ replays }));
        tell({ sequence: from.sequence, steps, beside: { ratings: null, replays, looks: look } });
      }
      for (const { matchGuid, events } of ending) for (const event of events) await alone(matchGuid, event);
    };
    return { beaten: [...beaten, ...foreign], afterCommit };
  };

  return {
    /** The same happens to many players, in a transaction of the caller: to those in so many matches at once. */
    happensTo: async (db: Db, playerGuids: readonly string[], type: PresenceEvent): Promise<Moved> => {
      const seated = await runningSeatsOf(db, playerGuids);
      // Oldest first: what is left over is done next.
      const wanted = [...new Set(seated.values())].sort().slice(0, AT_ONCE);
      const matches = await store.runningMatches(db, wanted);
      const players = new Set(playerGuids);
      const { beaten, afterCommit } = await move(db, matches, (state) =>
        SEATS.filter((seat) => players.has(state.seats[seat].playerGuid)).map((seat) => ({ type, seat })),
      );
      const moved = new Set(matches.map(({ state }) => state.matchGuid));
      for (const { matchGuid } of beaten) moved.delete(matchGuid);
      const left = [...seated].flatMap(([playerGuid, matchGuid]) => (moved.has(matchGuid) ? [] : playerGuid));
      return { left, afterCommit };
    },

    /**
     * Gives every running match back what it lost by outages up to this one. Cut off and done again, or done by
     * two nodes at once, it gives nothing twice: each match says which outages it has been given back.
     * @returns how many matches were moved
     */
    compensate: async (outage: Outage): Promise<number> => {
      let count = 0;
      for (let after: string | undefined = NIL; after !== undefined; ) {
        const from: string = after;
        const { matches, moved } = await inTransaction(database, async (db) => {
          const matches = await store.claimMatchesThatMissed(db, outage, from, AT_ONCE);
          return { matches, moved: await move(db, matches, () => []) };
        });
        await moved.afterCommit();
        count += matches.length;
        after = matches.at(-1)?.state.matchGuid;
      }
      return count;
    },
  };
}
