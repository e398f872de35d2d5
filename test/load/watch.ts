import pg from 'pg';
import type { ServiceProcess } from '../harness/process.ts';
import { memoryOfTree, parentOf, processorOf, processorOfTree, residentOf, waitedOf } from './processes.ts';
import { count } from './tally.ts';

/** Measures the machine and the service while players play. */

/** One look at a node: since the last one, or at this moment. */
export interface NodeSample {
  /** Processors used, on average since the last look. */
  processorShare: number;
  /** Share of the time in which its event loop was ready to run and had no processor. */
  waitedShare: number;
  memoryBytes: number;
  /** Longest time the event loop stood since the last look at the metrics. */
  loopWorstMs: number;
  loopP99Ms: number;
  /** Statements that wait for a connection to the database. */
  statementsWaiting: number;
}

export interface Sample {
  /** Seconds since the run began. */
  at: number;
  /** By node; null: it does not run, or does not answer. */
  nodes: readonly (NodeSample | null)[];
  postgresShare: number;
}

/** The use of resources in all, from the beginning to the end of the run. */
export interface Totals {
  serviceMs: number;
  postgresMs: number;
  /** Most at one time, by node. */
  nodeBytes: number;
  postgresBytes: number;
  statements: number | null;
  transactions: number;
  /** The statements that took most of PostgreSQL's time, and those that were sent most. */
  heaviest: readonly { text: string; calls: number; totalMs: number; meanMs: number }[];
  /** The tables that were scanned from end to end: how often, and how many rows that read. */
  scans: readonly { table: string; times: number; rows: number; live: number }[];
  /** The wait events of sessions of PostgreSQL at each look, with the average number of sessions. */
  waits: readonly (readonly [event: string, sessions: number])[];
}

export interface Watch {
  /** Looks once; called about every second. */
  look(): Promise<Sample>;
  end(): Promise<Totals>;
}

export interface WatchOptions {
  databaseUrl: string;
  urls: readonly string[];
  metricsToken: string;
  /** The process that runs as this node at the moment. */
  process(node: number): ServiceProcess;
}

/** Reading the sums of its mappings takes a process a millisecond or more. */
const MEMORY_EVERY_LOOKS = 10;
const METRICS_TIMEOUT_MS = 2000;

export async function startWatch(options: WatchOptions): Promise<Watch> {
  const { databaseUrl, urls, metricsToken } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const one = async (text: string): Promise<any> => (await client.query(text)).rows[0];
  const hasStatements = await client
    .query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    .then(() => true)
    .catch(() => false);
  if (hasStatements) await client.query('SELECT pg_stat_statements_reset()');
  const transactionsNow = async (): Promise<number> => {
    const found = await one(
      'SELECT xact_commit + xact_rollback AS times FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(found.times);
  };
  const { pid } = await one('SELECT pg_backend_pid() AS pid');
  const postmaster = parentOf(pid);

  const startedAt = performance.now();
  const transactionsBefore = await transactionsNow();
  const postgresBefore = processorOfTree(postmaster) ?? 0;
  /** By process: restarted nodes have several. */
  const serviceMs = new Map<number, number>();
  /** Processor time before the run, by process: one of the first look started before, a restarted one begins at 0. */
  const usedBefore = new Map<number, number>();
  const waitedMs = new Map<number, number>();
  let nodeBytes = 0;
  let postgresBytes = 0;
  let looks = 0;
  let lastAt = startedAt;
  let lastPostgres = postgresBefore;
  const waits = new Map<string, number>();
  const lookAtWaits = async (): Promise<void> => {
    const { rows } = await client.query(
      `SELECT coalesce(wait_event_type || ' ' || wait_event, 'none: it works') AS event, count(*)::int AS sessions
       FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() GROUP BY 1`,
    );
    for (const { event, sessions } of rows) count(waits, event, sessions);
  };

  const lookAtNode = async (
    node: number,
    seconds: number,
    withMemory: boolean,
  ): Promise<NodeSample | null> => {
    const { pid } = options.process(node);
    const used = pid === undefined ? null : processorOf(pid);
    if (pid === undefined || used === null) return null;
    if (!usedBefore.has(pid)) usedBefore.set(pid, looks <= 1 ? used : 0);
    const before = serviceMs.get(pid) ?? usedBefore.get(pid) ?? 0;
    serviceMs.set(pid, used);
    const waited = waitedOf(pid) ?? 0;
    const waitedBefore = waitedMs.get(pid) ?? waited;
    waitedMs.set(pid, waited);
    const metrics = await fetch(`${urls[node]}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
      signal: AbortSignal.timeout(METRICS_TIMEOUT_MS),
    })
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null);
    if (metrics === null) return null;
    const memoryBytes = metricIn(metrics, 'process_resident_memory_bytes');
    if (withMemory) nodeBytes = Math.max(nodeBytes, await residentOf(pid));
    return {
      processorShare: (used - before) / seconds / 1000,
      waitedShare: (waited - waitedBefore) / seconds / 1000,
      memoryBytes,
      loopWorstMs: metricIn(metrics, 'nodejs_eventloop_lag_max_seconds') * 1000,
      loopP99Ms: metricIn(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000,
      statementsWaiting: metricIn(metrics, 'database_waiting'),
    };
  };

  return {
    look: async () => {
      looks++;
      const now = performance.now();
      const seconds = Math.max(0.001, (now - lastAt) / 1000);
      lastAt = now;
      const withMemory = looks % MEMORY_EVERY_LOOKS === 1;
      await lookAtWaits();
      const nodes = await Promise.all(urls.map((_, node) => lookAtNode(node, seconds, withMemory)));
      const postgres = processorOfTree(postmaster) ?? lastPostgres;
      const postgresShare = (postgres - lastPostgres) / seconds / 1000;
      lastPostgres = postgres;
      if (withMemory) postgresBytes = Math.max(postgresBytes, await memoryOfTree(postmaster));
      return { at: (now - startedAt) / 1000, nodes, postgresShare };
    },
    end: async () => {
      const heaviest = hasStatements
        ? await client.query(
            `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS text, calls::int, total_exec_time AS "totalMs", mean_exec_time AS "meanMs"
             FROM (SELECT *, rank() OVER (ORDER BY total_exec_time DESC) AS by_time, rank() OVER (ORDER BY calls DESC) AS by_calls
               FROM pg_stat_statements) AS ranked
             WHERE by_time <= 15 OR by_calls <= 15 ORDER BY total_exec_time DESC`,
          )
        : { rows: [] };
      const scans = await client.query(
        `SELECT relname AS table, seq_scan::int AS times, seq_tup_read::float8 AS rows, n_live_tup::int AS live
         FROM pg_stat_user_tables WHERE seq_tup_read > 0 ORDER BY seq_tup_read DESC LIMIT 10`,
      );
      const statements = hasStatements
        ? Number((await one('SELECT sum(calls) AS times FROM pg_stat_statements')).times)
        : null;
      const transactions = (await transactionsNow()) - transactionsBefore;
      const postgresMs = (processorOfTree(postmaster) ?? 0) - postgresBefore;
      await client.end();
      let service = 0;
      for (const [pid, used] of serviceMs) service += used - (usedBefore.get(pid) ?? 0);
      return {
        serviceMs: service,
        postgresMs,
        nodeBytes,
        postgresBytes,
        statements,
        transactions,
        heaviest: heaviest.rows,
        scans: scans.rows,
        waits: [...waits]
          .map(([event, sessions]) => [event, sessions / looks] as const)
          .sort((a, b) => b[1] - a[1]),
      };
    },
  };
}

function metricIn(metrics: string, name: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? 0);
}
