import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Redis } from '../../platform/redis.ts';
import type { Arrivals } from '../../platform/socket/arrivals.ts';
import type { Outages } from '../outages/index.ts';
import type { DisplayCache } from './display.ts';
import type { MatchCache } from './match-cache.ts';
import type { ProgressReport } from './progress.ts';
import type { Rulebook } from './rulebook.ts';
import type { MatchCause, PublicMatch } from './schemas.ts';

/** A match as everybody sees it after a change. */
export interface FollowedMatch {
  match: PublicMatch;
  cause: MatchCause | null;
}

/** The dependencies of this domain, from the application. */
export interface MatchesOptions {
  config: Config;
  database: Database;
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  redis: Redis | null;
  rulebook: Rulebook;
  /** The current period in which no other node writes, an object for each; null while one may. */
  exclusivePeriod(): object | null;
  /** The commands that have arrived at this node: those before a limit are decided before it. */
  arrivals: Pick<Arrivals, 'doneBefore' | 'read'>;
  nodeGuid(): string;
  /** Waits until this node is in service. @throws OutOfReach */
  untilInService(): Promise<void>;
  outages: Pick<Outages, 'missedBy' | 'servedBefore'>;
  /** Stores which players this node has put off, before limits are applied. @throws OutOfReach */
  storePutOff(): Promise<void>;
  /** Sends to a player's live connection on this node, if there is one. */
  send(playerGuid: string, event: 'matchUpdated', payload: unknown): void;
  /** Sends a hint to the other nodes: the guids of a changed match and of its players who are not connected here. */
  hint(guids: readonly string[]): void;
  /** Delivers the progress of a download to a player of another node, if connected there. */
  relayProgress(playerGuid: string, report: ProgressReport): Promise<void>;
  /** Whether somebody on this node follows a match. */
  isFollowed(matchGuid: string): boolean;
  /** The newest version that they have; null: nobody follows the match, or it was not read yet. */
  followedVersion(matchGuid: string): number | null;
  /** A followed match was changed, or the progress of a download in it was reported. */
  onFollowed(followed: FollowedMatch, kind: 'change' | 'progress'): void;
  /** How many connections watch these players live. */
  spectatorsOf(platformIds: readonly string[]): Promise<number>;
  /** The innocent player of a match that was broken off waits again. Called after the commit. */
  onRequeued(playerGuid: string): Promise<void>;
}

/** The dependencies that the use cases of this domain share. */
export interface MatchContext extends Pick<MatchesOptions, 'database' | 'clock' | 'logger' | 'rulebook'> {
  cache: MatchCache;
  display: Pick<DisplayCache, 'cached'>;
}
