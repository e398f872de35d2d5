import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { type Loop, repeat } from '../../platform/loop.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import type { PlayEvent } from './match-events.ts';
import type { MatchState } from './state.ts';
import { claimDue, type DueMatch } from './store.ts';

/** How often the database is asked for limits that have passed. */
const EVERY_MS = 250;
/** A node that claims a passed limit has this long to apply it before another one may. */
const LEASE_MS = 5000;
/** Limits that are being applied at once. */
const MOST = 100;

interface LimitsOptions extends MatchContext, Pick<MatchesOptions, 'arrivals' | 'nodeGuid' | 'storePutOff'> {
  apply(matchGuid: string, event: PlayEvent): Promise<unknown>;
}

/**
 * Applies the limits of all matches when they have passed. Commands of the two players that arrived before the limit are
 * decided first, however late this node executes them.
 */
export function createLimits(options: LimitsOptions) {
  const { database, clock, logger, rulebook, arrivals, storePutOff, apply } = options;
  /** Limits that are being applied, by match. One that waits for a command does not keep others waiting. */
  const passing = new Map<string, Promise<void>>();
  /** More limits may have passed than can be applied at once. */
  let hasMore = false;
  let loop: Loop | undefined;
  let planned: { at: number; timer: NodeJS.Timeout } | undefined;

  const pass = async ({ matchGuid, version, redGuid, blueGuid, dueAt }: DueMatch): Promise<void> => {
    await arrivals.doneBefore([redGuid, blueGuid], dueAt);
    await apply(matchGuid, { type: 'limitPassed', version }).catch((error: unknown) => {
      // On a full disk the other reads and writes of this node succeed, so this is repeated for each match.
      if (isOutOfReach(error)) logger.debug({ err: error, matchGuid }, 'a limit waits for the database');
      else logger.error({ err: error, matchGuid }, 'a limit could not be applied');
    });
    passing.delete(matchGuid);
    if (hasMore && passing.size <= MOST / 2) loop?.wake();
  };

  /** @param now everything that arrived before has been read */
  const applyDue = async (now: number): Promise<void> => {
    const most = MOST - passing.size;
    if (most <= 0) return;
    const claimedUntil = new Date(now + LEASE_MS);
    const { versions } = rulebook;
    const due = await claimDue(database, new Date(now), claimedUntil, most, versions, options.nodeGuid());
    // The claim of a limit that waits for long ends, and is made again.
    for (const match of due) if (!passing.has(match.matchGuid)) passing.set(match.matchGuid, pass(match));
    hasMore = due.length === most;
  };

  return {
    /** Wakes the loop when the limit of this match passes, if that is before the next interval. */
    wakeFor: (state: MatchState): void => {
      const now = clock.now();
      const at = rulebook.of(state.rulesVersion).dueAt(state);
      if (at === null || (planned !== undefined && planned.at <= at && planned.at > now)) return;
      if (at - now > EVERY_MS) return;
      clearTimeout(planned?.timer);
      planned = { at, timer: setTimeout(() => loop?.wake(), Math.max(0, at - now)).unref() };
    },

    /** @param isInService false while this node may not write: no limit is applied meanwhile */
    startLimits: (isInService: () => boolean): void => {
      const work = async () => {
        const now = await arrivals.read();
        if (!isInService()) return;
        await storePutOff();
        await applyDue(now);
      };
      loop = repeat('limits', EVERY_MS, work, logger);
      loop.wake();
    },

    stopLimits: async (): Promise<void> => {
      clearTimeout(planned?.timer);
      await loop?.stop();
      await Promise.all(passing.values());
    },
  };
}
