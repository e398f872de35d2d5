import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DisplayCache } from './display.ts';
import type { MatchCache } from './match-cache.ts';
import type { Rulebook } from './rulebook.ts';

/** What the use cases of this domain work with. */
export interface MatchContext {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  rulebook: Rulebook;
  cache: MatchCache;
  display: Pick<DisplayCache, 'cached'>;
}
