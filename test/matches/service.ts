import pino from 'pino';
import type { Config } from '../../src/config.ts';
import { RULEBOOK } from '../../src/domains/matches/rulebook.ts';
import { createService, type Matches } from '../../src/domains/matches/service.ts';
import { newGuid, systemRandomness } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createArrivals } from '../../src/platform/socket/arrivals.ts';
import { limits, START } from './game.ts';

type Options = Parameters<typeof createService>[0];

/** The use cases of matches on a node among others, at `START`, without anything to send to. */
export const openMatches = (database: Database, about: Partial<Options> = {}): Matches =>
  createService({
    config: { ...limits, rateLimitFactor: 0 } as Config,
    database,
    clock: { now: () => START },
    randomness: systemRandomness,
    logger: pino({ level: 'silent' }),
    redis: null,
    rulebook: RULEBOOK,
    arrivals: createArrivals(about.clock ?? { now: () => START }),
    nodeGuid: newGuid,
    exclusivePeriod: () => null,
    untilInService: async () => {},
    outages: { missedBy: () => [], servedBefore: (at, ms) => at - ms },
    storePutOff: async () => {},
    send: () => {},
    hint: () => {},
    isFollowed: () => false,
    followedVersion: () => null,
    onFollowed: () => {},
    relayProgress: async () => {},
    spectatorsOf: async () => 0,
    onRequeued: async () => {},
    ...about,
  });
