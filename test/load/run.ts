import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../scripts/simulation/statistics.ts';
import { type Arena, openArena } from '../harness/arena.ts';
import { hasRedis } from '../harness/redis.ts';
import { steadyNow, steadyOrigin } from './clock.ts';
import { type Crew, gatherCrew } from './crew.ts';
import { pacedEnvironment, pacedPairing } from './pace.ts';
import { processorOf } from './processes.ts';
import { type Interruption, interrupt } from './restarts.ts';
import type { Tally } from './tally.ts';
import { judge, readNotes, type Verdict } from './verdict.ts';
import { type OthersTally, startOthers } from './visitors.ts';
import { type Sample, startWatch, type Totals, type Watch } from './watch.ts';

export interface LoadOptions {
  players: number;
  minutes: number;
  nodes: number;
  /** Life passes so many times as fast. */
  pace: number;
  seed: string;
  /** Restarts each node once and kills one. */
  restarts: boolean;
  /** Folder for a processor profile of each process of the service, written when it ends by itself. */
  profiles?: string | undefined;
  /** Variables of every node, instead of what the pace makes of them. */
  environment?: Readonly<Record<string, string>>;
  onProgress?(line: string): void;
}

export interface LoadResult extends Verdict {
  options: LoadOptions;
  hasRedis: boolean;
  seconds: number;
  /** Load of the machine in the last minute of the run; well above its processors: other work used them. */
  loadAverage: number;
  /** When the run began, by the steady clock. */
  from: number;
  samples: readonly (Sample & {
    connected: number;
    inMatch: number;
    ackP99Ms: number;
    clientsLateMs: number;
  })[];
  totals: Totals;
  /** Processor time of the processes of players, their start included. */
  clientsMs: number;
  tally: Tally;
  others: OthersTally;
  interruptions: readonly Interruption[];
}

/** Players arrive at this speed, a second, unless that takes more than a sixth of the run. */
const ARRIVALS_A_SECOND = 40;
const LOOK_EVERY_MS = 1000;
const PROGRESS_EVERY_MS = 4500;
/** A living connection is answered and told within this. */
const WITHIN_MS = 10_000;
/** How many plays of each map are prepared: one for each `playersEach` players, within these bounds. */
const VARIANTS = { most: 12, least: 3, playersEach: 10 };

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { players, nodes, pace, onProgress = () => undefined } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'matches-load-'));
  const metricsToken = randomBytes(24).toString('hex');
  const arena = await openArena({
    nodes,
    redis: nodes > 1 && hasRedis,
    environment: () => ({
      LOG_LEVEL: process.env.LOAD_LOG_LEVEL ?? 'warn',
      METRICS_TOKEN: metricsToken,
      ...pacedEnvironment(pace),
      ...options.environment,
      ...(options.profiles && {
        NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(options.profiles)}`,
      }),
    }),
    queue: { name: 'Load', rules: { pairing: pacedPairing(pace) } },
    settings: { shared_preload_libraries: 'pg_stat_statements' },
  });
  try {
    const running = await arena.startAll();
    const pool: any = await (await fetch(`${arena.urls[0]}/pools/${arena.poolGuid}/maps`)).json();
    const { crew, files } = await invite(arena, options, pool.maps, folder);
    const watch = await startWatch({
      databaseUrl: arena.databaseUrl,
      urls: arena.urls,
      metricsToken,
      process: (node) => running[node] as (typeof running)[number],
    });
    const stop = new AbortController();
    const forMs = options.minutes * 60_000;
    const from = steadyNow();
    onProgress(`${players} players come`);
    crew.begin();
    const others = startOthers({
      ...options,
      ...{ urls: arena.urls, poolGuid: arena.poolGuid, queueGuid: arena.queueGuid },
      ...{ maps: pool.maps, identityProvider: arena.identityProvider, stopped: stop.signal },
    });
    const trouble = options.restarts
      ? interrupt(arena, running, forMs, { onProgress, stopped: stop.signal })
      : Promise.resolve({ interruptions: [], problems: [] });
    const { samples, tally } = await observe(watch, crew, forMs, onProgress);
    const totals = await watch.end();
    const [loadAverage = 0] = loadavg();
    const clients = crew.pids.map(processorOf);
    const seconds = (steadyNow() - from) / 1000;
    const { interruptions, problems } = await trouble;
    const left = await crew.stop();
    stop.abort();
    await others.done;
    for (const [node, process] of running.entries()) {
      const code = await process.terminate();
      if (code !== 0) problems.push(`node ${node} stopped with ${code}:\n${process.output()}`);
      const said = process.output().trim();
      if (said !== '') onProgress(`node ${node} said:\n${said.slice(0, 4000)}`);
    }
    onProgress('everybody has gone; checking what they saw');
    const verdict = await judge({
      databaseUrl: arena.databaseUrl,
      notes: await readNotes(files),
      intents: left.intents,
      origin: steadyOrigin(),
      withinMs: WITHIN_MS,
    });
    for (const [what, times] of left.problems) problems.push(`${times} × ${what}`);
    return {
      ...verdict,
      problems: [...problems, ...verdict.problems],
      options,
      hasRedis: arena.redis !== null,
      seconds,
      loadAverage,
      from,
      samples,
      totals,
      clientsMs: clients.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
      tally,
      others: others.tally,
      interruptions,
    };
  } finally {
    await arena.stop();
    if (process.env.LOAD_KEEP_NOTES === undefined) await rm(folder, { recursive: true, force: true });
    else onProgress(`notes are kept in ${folder}`);
  }
}

async function invite(
  arena: Arena,
  { players, pace, seed, minutes }: LoadOptions,
  maps: any[],
  folder: string,
): Promise<Awaited<ReturnType<typeof gatherCrew>>> {
  const { most, least, playersEach } = VARIANTS;
  const invited = [];
  for (let number = 0; number < players; number++) {
    const name = `Player ${number + 1}`;
    invited.push({ number, name, token: await arena.gameToken(String(660_000_000 + number), name) });
  }
  const shared = {
    ...{ seed, pace, maps },
    urls: arena.urls,
    queueGuid: arena.queueGuid,
    rampMs: Math.min((minutes * 60_000) / 6, (players / ARRIVALS_A_SECOND) * 1000),
    variants: Math.min(most, Math.max(least, Math.ceil(players / playersEach))),
  };
  return gatherCrew(shared, invited, folder);
}

async function observe(
  watch: Watch,
  crew: Crew,
  forMs: number,
  onProgress: (line: string) => void,
): Promise<{ samples: LoadResult['samples']; tally: Tally }> {
  const startedAt = performance.now();
  const samples: LoadResult['samples'][number][] = [];
  const uploadTimes: number[] = [];
  let tally = crew.tally();
  let acks: number[] = [];
  let connects = 0;
  let toldAt = startedAt;
  // A look may take longer than the interval, so the loop ends by time and not after a number of looks.
  for (let dueAt = startedAt; dueAt - startedAt < forMs; ) {
    dueAt = Math.max(dueAt + LOOK_EVERY_MS, performance.now());
    await sleep(Math.max(0, dueAt - performance.now()));
    const sample = await watch.look();
    tally = crew.tally();
    uploadTimes.push(...tally.uploadTimes);
    acks.push(...tally.acks);
    const { connected, inMatch, lateMs } = tally;
    samples.push({
      ...sample,
      connected,
      inMatch,
      ackP99Ms: quantile(tally.acks, 0.99),
      clientsLateMs: lateMs,
    });
    const sinceMs = performance.now() - toldAt;
    if (sinceMs < PROGRESS_EVERY_MS) continue;
    toldAt += sinceMs;
    const loop = Math.max(...sample.nodes.map((node) => node?.loopWorstMs ?? 0));
    onProgress(
      [
        `${sample.at.toFixed(0).padStart(4)} s`,
        `${connected} connected (+${tally.connects - connects})`,
        `${inMatch} in matches`,
        `${((acks.length * 1000) / sinceMs).toFixed(0)} acks/s`,
        `p99 ${quantile(acks, 0.99).toFixed(0)} ms`,
        `worst ${quantile(acks, 1).toFixed(0)} ms`,
        `nodes ${sample.nodes.map((node) => (node ? percent(node.processorShare) : '–')).join(' + ')}`,
        `PostgreSQL ${percent(sample.postgresShare)}`,
        `loop ${loop.toFixed(0)} ms`,
      ].join(' · '),
    );
    acks = [];
    connects = tally.connects;
  }
  return { samples, tally: { ...tally, uploadTimes } };
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
