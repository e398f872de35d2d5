import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ReadyState } from './state.ts';

/** Only the share of a running download is merged: a change of state counts at once. */
export const isDownloadProgress = (state: ReadyState, progress: number | null): boolean =>
  state === 'downloading' && progress !== null;

/**
 * Merges download progress that comes faster than it is worth writing: the first is written at once, of
 * those that follow within the interval the last one is written at its end.
 */
export interface ProgressMerger {
  /** Writes now, or later if the interval has not passed. @returns what was written; null when later. */
  admit<T>(playerGuid: string, write: () => Promise<T>): Promise<T | null>;
  /** Drops what waits: something newer was said. */
  forget(playerGuid: string): void;
}

interface Waiting {
  writtenAt: number;
  later: { write: () => Promise<unknown>; timer: NodeJS.Timeout } | null;
}

export function createProgressMerger(options: {
  clock: Clock;
  logger: FastifyBaseLogger;
  intervalMs: number;
}): ProgressMerger {
  const { clock, logger, intervalMs } = options;
  const players = new Map<string, Waiting>();

  const forget = (playerGuid: string): void => {
    clearTimeout(players.get(playerGuid)?.later?.timer);
    players.delete(playerGuid);
  };

  const writeLater = (playerGuid: string): void => {
    const waiting = players.get(playerGuid);
    const later = waiting?.later;
    players.delete(playerGuid);
    if (!later) return;
    players.set(playerGuid, { writtenAt: clock.now(), later: null });
    // Whether the phase is over by now is the rules' business; the client was answered long ago.
    later
      .write()
      .catch((error: unknown) => logger.debug({ err: error, playerGuid }, 'merged progress was refused'));
  };

  return {
    forget,
    admit: async (playerGuid, write) => {
      const waiting = players.get(playerGuid);
      const waitMs = waiting ? waiting.writtenAt + intervalMs - clock.now() : 0;
      if (!waiting || waitMs <= 0) {
        forget(playerGuid);
        const written = await write();
        players.set(playerGuid, { writtenAt: clock.now(), later: null });
        return written;
      }
      if (waiting.later) waiting.later.write = write;
      else waiting.later = { write, timer: setTimeout(() => writeLater(playerGuid), waitMs).unref() };
      return null;
    },
  };
}
