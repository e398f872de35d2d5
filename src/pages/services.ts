import type { createMaps } from '../domains/maps/index.ts';
import type { createMatches } from '../domains/matches/index.ts';
import type { createPlayers } from '../domains/players/index.ts';
import type { createPools } from '../domains/pools/index.ts';
import type { createQueues } from '../domains/queues/index.ts';
import type { createRatings } from '../domains/ratings/index.ts';
import type { createReleases } from '../domains/releases/index.ts';
import type { createReports } from '../domains/reports/index.ts';
import type { createSeasons } from '../domains/seasons/index.ts';
import type { Clock } from '../platform/clock.ts';

/** The use cases from which pages are read. */
export interface PageServices {
  clock: Clock;
  /** Public base address. */
  baseUrl: string;
  seasons: ReturnType<typeof createSeasons>;
  queues: ReturnType<typeof createQueues>;
  maps: ReturnType<typeof createMaps>;
  matches: ReturnType<typeof createMatches>;
  ratings: ReturnType<typeof createRatings>;
  players: ReturnType<typeof createPlayers>;
  pools: ReturnType<typeof createPools>;
  releases: ReturnType<typeof createReleases>;
  reports: ReturnType<typeof createReports>;
}
