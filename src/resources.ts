import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { IdentityKeys } from './domains/auth/index.ts';
import type { Rulebook } from './domains/matches/index.ts';
import type { Bundle } from './pages/index.ts';
import type { Clock, Randomness } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { ServiceNode } from './platform/node.ts';
import type { Redis } from './platform/redis.ts';
import type { ServiceClock } from './platform/service-clock.ts';
import type { Arrivals } from './platform/socket/arrivals.ts';
import type { Channel } from './platform/socket/channel.ts';
import type { Storage } from './platform/storage/storage.ts';

/** The resources that the process opens before the domains. Each domain takes those it needs. */
export interface Resources {
  config: Config;
  database: Database;
  /** Stores the files of plugin releases, replays and covers of maps. */
  storage: Storage;
  /** The time by which everything is decided: the database's; in tests a clock that they move. */
  clock: Clock;
  databaseClock: ServiceClock;
  /** The commands that have arrived at this node. */
  arrivals: Arrivals;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  /** Scripts and style of the pages. */
  bundle: Bundle;
  keys: IdentityKeys;
  /** The rules that this process can play matches by. */
  rulebook: Rulebook;
  /** The Redis that all nodes share; null: there is none, and nodes share only the database. */
  redis: Redis | null;
  /** Whether the start is complete, with the recovery from dead nodes and outages. */
  isStarted(): boolean;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
  /** This process among its peers, once it has joined them. */
  node(): ServiceNode;
  /** The socket channel, once it is open. */
  channel(): Channel;
}

/** The version of this service. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Origins that may use the login cookie and the channel: the website's and our own pages'. */
export const ownOrigins = (config: Config): string[] => [
  ...new Set([...config.websiteOrigins, new URL(config.baseUrl).origin]),
];
