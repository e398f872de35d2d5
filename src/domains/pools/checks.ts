import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Maps } from '../maps/index.ts';
import * as store from './checks-store.ts';

/**
 * The daily check of the maps of published pools. A map is marked as stale when its mapper published another upload or
 * deleted it; the upload that is played never changes by itself. The database stores when each map was checked, so
 * that a restarted node or another node continues.
 */

interface MapChecksOptions {
  database: Database;
  clock: Clock;
  maps: Pick<Maps, 'checkKeys'>;
  logger: FastifyBaseLogger;
}

const CHECKED_EVERY_MS = 24 * 3_600_000;
/** One lookup of the map host. A run every ten minutes checks 7,200 keys a day. */
const KEYS_AT_ONCE = 50;
/** When the host knows none of this many maps, the host has a fault: their mappers did not delete them all. */
const TOO_MANY_GONE = 10;

export function createMapChecks({ database, clock, maps, logger }: MapChecksOptions) {
  const { prisma } = database;
  const stopping = new AbortController();
  return {
    /** Checks up to fifty maps that are due. Runs on one node at a time. */
    run: async () => {
      const keys = await store.keysToCheck(prisma, clock.now() - CHECKED_EVERY_MS, KEYS_AT_ONCE);
      if (keys.length === 0) return;
      const { hashes, isDown } = await maps.checkKeys(keys, stopping.signal);
      if (stopping.signal.aborted) return;
      const unanswered = keys.filter((key) => !hashes.has(key));
      // Noted, because maps without an answer come first and would block the others. While the host is down they stay due.
      if (!isDown && unanswered.length > 0) await store.noteFailedChecks(prisma, unanswered, clock.now());
      if (hashes.size >= TOO_MANY_GONE && [...hashes.values()].every((hash) => hash === null)) {
        logger.warn(
          { maps: hashes.size },
          'the map host knows none of the maps it was asked for; none was marked',
        );
        return;
      }
      const changed = await store.markStale(database, hashes);
      logger.info(
        { checked: hashes.size, unanswered: unanswered.length, changed },
        'checked maps of published pools',
      );
    },

    /** Aborts the requests under way. The next run repeats them. */
    stop: () => stopping.abort(),
  };
}
