import { type Loop, repeat } from '../../platform/loop.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import type { PlayEvent } from './match-events.ts';
import type { MatchState } from './state.ts';
import { claimDue } from './store.ts';

/** How often the database is asked for limits that have passed. */
const EVERY_MS = 250;
/** After a break this long the process stood still: messages that came in time still wait in the sockets. */
const STOOD_STILL_MS = 1000;
/** A node that claims a passed limit has this long to apply it before another one may. */
const LEASE_MS = 5000;
const BATCH_SIZE = 100;

interface LimitsOptions extends MatchContext, Pick<MatchesOptions, 'storePutOff'> {
  apply(matchGuid: string, event: PlayEvent): Promise<unknown>;
}

/** Applies the limits of all matches when they have passed. */
export function createLimits(options: LimitsOptions) {
  const { database, clock, logger, rulebook, storePutOff, apply } = options;
  let loop: Loop | undefined;
  let hint: { at: number; timer: NodeJS.Timeout } | undefined;

  const applyDue = async (): Promise<void> => {
    const due = await claimDue(database, clock.now(), LEASE_MS, BATCH_SIZE, rulebook.versions);
    await Promise.all(
      due.map(({ matchGuid, version }) =>
        apply(matchGuid, { type: 'limitPassed', version }).catch((error: unknown) =>
          logger.error({ err: error, matchGuid }, 'a limit could not be applied'),
        ),
      ),
    );
    if (due.length === BATCH_SIZE) loop?.wake();
  };

  return {
    /** Wakes the loop when the limit of this match passes, if that is before the next interval. */
    hint: (state: MatchState): void => {
      const now = clock.now();
      const at = rulebook.of(state.rulesVersion).dueAt(state);
      if (at === null || (hint !== undefined && hint.at <= at && hint.at > now)) return;
      if (at - now > EVERY_MS) return;
      clearTimeout(hint?.timer);
      hint = { at, timer: setTimeout(() => loop?.wake(), Math.max(0, at - now)).unref() };
    },

    /** @param isInService false while this node may not write: no limit is applied meanwhile */
    startLimits: (isInService: () => boolean): void => {
      let lastRunAt = performance.now();
      const work = async () => {
        const stoodStill = performance.now() - lastRunAt > STOOD_STILL_MS;
        if (isInService() && !stoodStill) {
          await storePutOff();
          await applyDue();
        }
        lastRunAt = performance.now();
      };
      loop = repeat('limits', EVERY_MS, work, logger);
      loop.wake();
    },

    stopLimits: async (): Promise<void> => {
      clearTimeout(hint?.timer);
      await loop?.stop();
    },
  };
}
