import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { AdmissionLine } from '../../platform/admission-line.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ServiceNode } from '../../platform/node.ts';
import type { Channel } from '../../platform/socket/channel.ts';
import type { Matches } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import type { Pairing } from '../pairing/index.ts';
import type { PluginVersions } from '../releases/index.ts';

/** The dependencies that all parts of this domain share. */
export interface ConnectionsOptions {
  config: Pick<Config, 'maintenance'>;
  database: Database;
  clock: Clock;
  /** The line in which players wait for their admission. */
  line: Pick<AdmissionLine, 'follow'>;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  node: () => ServiceNode;
  channel: () => Channel;
  matches: Matches;
  outages: Pick<Outages, 'last' | 'servedBefore'>;
  pairing: Pairing;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
  /** Sends a hint to the other nodes: the guids of nodes that have a new message in their inbox. */
  hint(guids: readonly string[]): void;
  /** Which plugin versions are accepted now, and the newest published one. */
  pluginVersions(): Promise<PluginVersions>;
}
