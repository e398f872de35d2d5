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
/** A map for which the host gave no usable answer is asked for again after this time, so it cannot block the others. */
const ASKED_AGAIN_MS = 3_600_000;
/** One lookup of the map host. A run every ten minutes checks 7,200 keys a day. */
const KEYS_AT_ONCE = 50;
/**
 * When the host knows none of the last maps it was asked for, and they are this many, the host has a fault: their mappers
 * did not delete them all.
 */
const TOO_MANY_GONE = 10;

export function createMapChecks({ database, clock, maps, logger }: MapChecksOptions) {
  const { prisma } = database;
  const stopping = new AbortController();
  return {
    /** Checks up to fifty maps that are due. Runs on one node at a time. */
    run: async () => {
      const now = clock.now();
      const due = { answeredBefore: now - CHECKED_EVERY_MS, failedBefore: now - ASKED_AGAIN_MS };
      const keys = await store.keysToCheck(prisma, due, KEYS_AT_ONCE);
      if (keys.length === 0) return;
      const { hashes, failed } = await maps.checkKeys(keys, stopping.signal);
      if (stopping.signal.aborted) return;
      if (failed.length > 0) {
        await store.noteFailedChecks(prisma, failed, clock.now());
        logger.warn(
          { keys: failed.slice(0, 20), maps: failed.length },
          'the map host gives no usable answers for maps of published pools',
        );
      }
      const isAnyGone = [...hashes.values()].includes(null);
      if (isAnyGone && (await store.countGoneInARow(prisma)) >= TOO_MANY_GONE) {
        logger.warn(
          { maps: hashes.size },
          'the map host knows none of the maps it was asked for; none was marked',
        );
        return;
      }
      const changed = await store.markStale(database, hashes);
      logger.info(
        { checked: hashes.size, unanswered: keys.length - hashes.size, changed },
        'checked maps of published pools',
      );
    },

    /** Aborts the requests under way. The next run repeats them. */
    stop: () => stopping.abort(),
  };
}
