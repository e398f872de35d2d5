import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type ServiceLife, type ServiceNode, SILENT_MS } from '../../platform/node.ts';
import type { Run } from '../../platform/node-session.ts';
import {
  type Life,
  type MissedOutage,
  missedOutages,
  type Outage,
  outageFrom,
  servedAfter,
  servedBefore,
} from './rules.ts';
import * as store from './store.ts';

/** Between two heartbeats there is less than this, unless there may be an outage. */
const HEARTBEAT_GAP_MS = 1000;
const POLL_MS = 100;

export interface OutagesOptions {
  logger: FastifyBaseLogger;
  /** The clock of limits; a test may move it by hand. */
  clock: Clock;
  databaseClock: Clock;
  /** This node. Once it is in service it knows of every outage up to now. */
  node(): Pick<ServiceNode, 'untilInService'>;
  /** Called when this node learns of an outage, which is over by then. */
  onOutage(outage: Outage): void;
}

export type Outages = ReturnType<typeof createOutages>;

/** Finds outages, and says for which ones a match has to be compensated. */
export function createOutages({ logger, clock, databaseClock, node, onOutage }: OutagesOptions) {
  const toServiceTime = (at: number): number =>
    clock === databaseClock ? at : at - databaseClock.now() + clock.now();
  /** In order, by `clock`. */
  const known: Outage[] = [];
  let lastKnown = 0;
  /** The row that a starting node read when it found no node in service; null: it runs, or there are others. */
  let found: store.LifeRow | null = null;

  /** @returns the outages that this node did not know */
  const learn = async (run: Run, lastOutage: number): Promise<Outage[]> => {
    if (lastOutage === lastKnown) return [];
    const rows = await store.outagesAfter(run, lastKnown);
    lastKnown = rows.at(-1)?.number ?? lastOutage;
    const news = rows.map(({ number, since, until }) => {
      const end = toServiceTime(until);
      return { number, since: end - (until - since), until: end };
    });
    known.push(...news);
    return news;
  };

  const learnAndReport = async (run: Run, lastOutage: number): Promise<void> => {
    for (const outage of await learn(run, lastOutage)) {
      logger.warn(
        { outage: outage.number, downMs: outage.until - outage.since },
        'the service was out of reach; running matches are compensated for it',
      );
      onOutage(outage);
    }
  };

  const life: ServiceLife = {
    isNobodyInService: async (run, hasPeers) => {
      const first = await store.readLife(run);
      for (let seen = first; ; seen = await store.readLife(run)) {
        const isMoving = seen.inServiceUntil !== first.inServiceUntil;
        const isSilent = seen.inServiceUntil === null || seen.now - seen.inServiceUntil >= SILENT_MS;
        found = isMoving ? null : seen;
        if (isMoving || isSilent || !(await hasPeers())) break;
        await sleep(POLL_MS);
      }
      await learn(run, first.lastOutage);
      return found !== null;
    },

    markInService: async (run) => {
      if (found === null) {
        const lastOutage = await store.moveOn(run, HEARTBEAT_GAP_MS);
        if (lastOutage !== null) return learnAndReport(run, lastOutage);
      }
      for (;;) {
        const seen = await store.readLife(run);
        const isRestart = found !== null && found.inServiceUntil === seen.inServiceUntil;
        const outage = outageFrom({ ...seen, isRestart });
        if (!(await store.store(run, seen, outage))) continue;
        found = null;
        return learnAndReport(run, seen.lastOutage + Number(outage !== null));
      }
    },
  };

  /** Since when the service has been there for `ms`; outages do not count, also one that is not stored yet. @throws OutOfReach */
  const servedSince = async (ms: number): Promise<number> => {
    // Read first: what this node learns while it waits covers all time before it.
    const now = clock.now();
    await node().untilInService();
    return servedBefore(now, ms, known);
  };

  return {
    life,
    servedSince,
    /** Whether the service has been there for more than `ms` since `from`; outages do not count. @throws OutOfReach */
    isOver: async (from: number, ms: number): Promise<boolean> =>
      from < clock.now() - ms && from < (await servedSince(ms)),
    /** The moment from which on, until `at`, the service was there for `ms`, by the outages that this node knows. */
    servedBefore: (at: number, ms: number): number => servedBefore(at, ms, known),
    /** The moment until which, from `at` on, the service is there for `ms`, by the outages that this node knows. */
    servedAfter: (at: number, ms: number): number => servedAfter(at, ms, known),
    /** The outages for which a match was not yet compensated. */
    missedBy: (match: Life): MissedOutage[] => missedOutages(match, known),
    /** The last outage that this node knows of; null: none. */
    last: (): Outage | null => known.at(-1) ?? null,
  };
}
