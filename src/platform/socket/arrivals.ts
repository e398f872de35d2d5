import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** A command that has arrived and is not done yet. */
interface PendingCommand {
  at: number;
  done: Promise<unknown>;
}

export type Arrivals = ReturnType<typeof createArrivals>;

/**
 * When the commands of this node arrived, and which of them are not done yet. All times are milliseconds of the
 * service's clock. A command arrives before the process reads it, so its time of arrival is the last moment before which
 * everything is known to have been read: a process that stood still or was busy makes no command late.
 */
export function createArrivals(clock: Clock) {
  let readUntil = clock.now();
  /** In order of arrival. */
  const all = new Set<PendingCommand>();
  const ofPlayers = new Map<string, Set<PendingCommand>>();

  /**
   * Reads what waits in the sockets.
   * @returns the time of the call: what arrived before has been read
   */
  const read = async (): Promise<number> => {
    const at = clock.now();
    // After the first turn the loop reads the sockets in the second one, whatever it was doing before.
    await turnOfTheLoop();
    await turnOfTheLoop();
    // Calls get here in order. The time is earlier than the last one when the clock was set back.
    readUntil = at;
    return at;
  };

  return {
    read,

    /** The time of arrival of a command that is read now: not later than now, also after the clock was set back. */
    now: (): number => Math.min(readUntil, clock.now()),

    /** A command of a player has arrived. @param done resolves when it has been executed or refused */
    add: (playerGuid: string, at: number, done: Promise<unknown>): void => {
      const pending: PendingCommand = { at, done };
      const own = ofPlayers.get(playerGuid) ?? new Set();
      ofPlayers.set(playerGuid, own.add(pending));
      all.add(pending);
      void done.finally(() => {
        all.delete(pending);
        own.delete(pending);
        if (own.size === 0) ofPlayers.delete(playerGuid);
      });
    },

    /** Resolves when the commands of these players that arrived before `at` are done. */
    doneBefore: async (playerGuids: readonly string[], at: number): Promise<void> => {
      const earlier = playerGuids.flatMap((playerGuid) =>
        [...(ofPlayers.get(playerGuid) ?? [])].filter((pending) => pending.at < at),
      );
      await Promise.all(earlier.map(({ done }) => done));
    },

    /** Until when every command that arrived at this node is done. */
    doneUntil: async (): Promise<number> => {
      const readAt = await read();
      const [oldest] = all;
      return Math.min(oldest?.at ?? readAt, readAt);
    },
  };
}
