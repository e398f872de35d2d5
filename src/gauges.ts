import type { AdmissionLine } from './platform/admission-line.ts';
import { droppedLines } from './platform/log-output.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Resources } from './resources.ts';

/** Gauges of the platform, read for each response with metrics. Each domain adds its own. */
export function registerGauges(metrics: Metrics, options: Resources & { line: AdmissionLine }): void {
  const { database, line, redis, channel, databaseClock } = options;

  metrics.gauge('socket_connections', 'Players connected to this node', () => channel().count());
  metrics.gauge('admissions_waiting', 'Players who wait to be let in by this node', line.waiting);
  metrics.gauge(
    'admissions_at_once',
    'Players that this node lets in at the same time, at most; fewer while the database is slow',
    line.atOnce,
  );
  metrics.gauge(
    'admissions_per_second_at_most',
    'Players that this node lets in in a second, at most; fewer while a crowd keeps the event loop busy',
    line.aSecond,
  );
  metrics.gauge('database_connections', 'Connections of the pool', () => database.pool.totalCount);
  metrics.gauge('database_connections_idle', 'Idle connections of the pool', () => database.pool.idleCount);
  metrics.gauge(
    'database_waiting',
    'Statements that wait for a connection of the pool',
    () => database.pool.waitingCount,
  );
  metrics.gauge(
    'machine_clock_ahead_seconds',
    'How far the clock of this machine is ahead of the database’s',
    () => databaseClock.machineAheadMs() / 1000,
  );
  metrics.total(
    'log_lines_dropped_total',
    'Lines of the log that were dropped because it could not be written',
    droppedLines,
  );
  if (redis)
    metrics.gauge('redis_connected', 'Whether Redis answers and refuses nothing: 1 or 0', () =>
      Number(redis.problem() === null),
    );
}
