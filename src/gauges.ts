import type { Live } from './domains/live/index.ts';
import type { Maps } from './domains/maps/index.ts';
import type { Matches } from './domains/matches/index.ts';
import type { Pairing } from './domains/pairing/index.ts';
import type { Database } from './platform/database/database.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Redis } from './platform/redis.ts';
import type { Channel } from './platform/socket/channel.ts';

interface GaugesOptions {
  database: Pick<Database, 'pool'>;
  redis: Redis | null;
  channel(): Channel;
  maps: Maps;
  matches: Matches;
  pairing: Pairing;
  live: Live;
}

/** What is looked up whenever somebody asks for the metrics; what is counted as it happens is told by the domains. */
export function registerGauges(metrics: Metrics, options: GaugesOptions): void {
  const { database, redis, channel, maps, matches, pairing, live } = options;

  metrics.gauge('socket_connections', 'Players connected to this node', () => channel().players().length);
  metrics.gauge('matches_running', 'Matches under way, on all nodes', matches.running);
  metrics.gauge('live_publishers', 'Plays published on this node', () => live.counts().publishers);
  metrics.gauge('live_spectators', 'Spectators on this node', () => live.counts().spectators);
  metrics.total(
    'live_frames_published_total',
    'Frames that publishers sent to this node',
    () => live.counts().framesPublished,
  );
  metrics.total(
    'live_frames_sent_total',
    'Frames for the spectators of this node, one for each of them',
    () => live.counts().framesSent,
  );
  metrics.total(
    'live_spectators_dropped_total',
    'Spectators who read too slowly and were cut off',
    () => live.counts().spectatorsDropped,
  );
  metrics.gauge('players_waiting', 'Players in a queue, on all nodes', pairing.waiting);
  metrics.gauge('map_host_waiting', 'Questions waiting for a turn to ask the map host', maps.waitingForHost);
  metrics.gauge('map_host_unwell', 'Whether the map host is left alone: 1 or 0', () =>
    Number(maps.hostStatus() !== null),
  );
  metrics.gauge('database_connections', 'Connections of the pool', () => database.pool.totalCount);
  metrics.gauge('database_connections_idle', 'Those that nobody uses', () => database.pool.idleCount);
  metrics.gauge('database_waiting', 'Statements waiting for one', () => database.pool.waitingCount);
  if (redis)
    metrics.gauge('redis_connected', 'Whether Redis answers: 1 or 0', () => Number(redis.isConnected()));
}
