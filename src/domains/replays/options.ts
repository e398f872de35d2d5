import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Matches } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import type { Verification } from './verdict.ts';

/** Replays are taken for this long after the end of their match. Outages do not count. */
export const TAKEN_FOR_MS = 15 * 60_000;

export interface ReplaysOptions {
  config: Pick<Config, 'baseUrl' | 'replayRetentionDays' | 'replayQuotaMib'>;
  database: Database;
  storage: Storage;
  clock: Clock;
  logger: FastifyBaseLogger;
  matches: Matches;
  outages: Pick<Outages, 'isOver' | 'servedSince'>;
  /** @throws PLUGIN_VERSION_NOT_ACCEPTED unless it may play, or is the version of a match (`running`) */
  requireAccepted(version: string, running: string | null): Promise<void>;
  /** The game versions that a release is published for. */
  gameVersions(): Promise<readonly string[]>;
  /** Called for every replay that was published. */
  onPublished(verdict: Verification['verdict']): void;
}
