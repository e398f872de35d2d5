import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ServiceLife } from '../../platform/node.ts';
import type { Run } from '../../platform/node-session.ts';
import { type Life, type MissedOutage, missedOutages, type Outage, outageFrom } from './rules.ts';
import * as store from './store.ts';

/** Between two heartbeats of a service that is well lies less than this. */
const MOVE_ON_MS = 1000;
/** A starting node takes nobody to be in service after this long without a sign: several heartbeats. */
const SILENT_MS = 3000;
const LOOK_EVERY_MS = 100;

export interface OutagesOptions {
  logger: FastifyBaseLogger;
  /** By which matches are played. */
  clock: Clock;
  databaseClock: Clock;
  /** This node learns of an outage that is over, found by whichever node. */
  onOutage(outage: Outage): void;
}

export type Outages = ReturnType<typeof createOutages>;

/** When the service was not there, as the database knows it, and what that gives to whom. */
export function createOutages({ logger, clock, databaseClock, onOutage }: OutagesOptions) {
  /** Where a test moves the time by hand the two clocks differ. */
  const toServiceTime = (at: number): number =>
    clock === databaseClock ? at : at - databaseClock.now() + clock.now();
  /** In order, in times of the service's clock. */
  const known: Outage[] = [];
  let lastKnown = 0;
  /** The service as a starting node saw it when it found nobody in service; null: it goes on, or others are there. */
  let found: store.LifeRow | null = null;

  const learn = async (run: Run, lastOutage: number): Promise<Outage[]> => {
    if (lastOutage === lastKnown) return [];
    const found = await store.outagesAfter(run, lastKnown);
    lastKnown = lastOutage;
    const news = found.map(({ number, since, until }) => {
      const end = toServiceTime(until);
      return { number, since: end - (until - since), until: end };
    });
    known.push(...news);
    return news;
  };

  const learnOf = async (run: Run, lastOutage: number): Promise<void> => {
    for (const outage of await learn(run, lastOutage)) {
      const { number, since, until } = outage;
      logger.warn(
        { outage: number, downMs: until - since },
        'the service was out of reach; the time is given back',
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
        await sleep(LOOK_EVERY_MS);
      }
      await learn(run, first.lastOutage);
      return found !== null;
    },

    markInService: async (run) => {
      if (found === null) {
        const lastOutage = await store.moveOn(run, MOVE_ON_MS);
        if (lastOutage !== null) return learnOf(run, lastOutage);
      }
      for (;;) {
        const seen = await store.readLife(run);
        const isRestart = found !== null && found.inServiceUntil === seen.inServiceUntil;
        const outage = outageFrom({ ...seen, isRestart });
        if (!(await store.store(run, seen, outage))) continue;
        found = null;
        return learnOf(run, seen.lastOutage + Number(outage !== null));
      }
    },
  };

  return {
    life,
    /** What a match has yet to be given back. */
    missedBy: (match: Life): MissedOutage[] => {
      const last = known.at(-1);
      return last === undefined || last.until <= match.createdAt ? [] : missedOutages(match, known);
    },
    /** The last outage this node knows of; null: there never was one. */
    last: (): Outage | null => known.at(-1) ?? null,
  };
}
