import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandomness } from '../../src/local/random.ts';
import type { Arena } from '../harness/arena.ts';
import type { ServiceProcess } from '../harness/process.ts';
import { hasRedis } from '../harness/redis.ts';
import { type Recording, startRecording } from '../history/recording.ts';
import { openCrashArena } from './arena.ts';
import type { FaultMoment } from './fault-point.ts';
import { type Disturbance, disturb, type Fault } from './faults.ts';
import { examine, type Findings } from './findings.ts';
import { StubbornPlayer } from './player.ts';

export interface CrashTestOptions {
  /** Processes on one database; with one every crash is an outage. */
  nodes: number;
  players: number;
  kills: number;
  seed: string;
  /** At least this many matches are played, with kills or without. */
  matches?: number;
  /** Faults between the kills, in turn. Without a Redis on this machine `redis` is left out. */
  faults?: readonly Fault[];
  /** How far the last node's clock is ahead of the first one's. */
  clockSeconds?: number;
  /** Variables of every node. */
  environment?: Readonly<Record<string, string>>;
  onProgress?(line: string): void;
}

/** How the processes died. */
export interface Deaths {
  /** `kill -9` from outside, while it started or served. */
  killed: number;
  /** At a writing statement, by moment. */
  before: number;
  sent: number;
  answered: number;
  /** Deaths before the process was ready. */
  whileStarting: number;
  /** Deaths after which the node stayed away for longer than the limits for discards and picks. */
  longOutages: number;
}

export interface CrashTestResult extends Findings {
  deaths: Deaths;
  /** The faults between the kills, with their number. */
  disturbances: Partial<Record<Fault, number>>;
  seconds: number;
}

const FAULT_POINT = new URL('./fault-point.ts', import.meta.url).href;
const MOMENTS: readonly FaultMoment[] = ['before', 'sent', 'answered'];
/** A process whose fault point is never reached is killed after this long. */
const LONGEST_LIFE_MS = 2500;
/** Longer than the limits for discards and picks. */
const LONG_OUTAGE_MS = 9000;
/** After the last kill: limits moved by outages, and the rest of the matches. */
const SETTLE_LIMIT_MS = 240_000;
/** A run of kills that takes longer than this each has got stuck. */
const LONGEST_PER_KILL_MS = 20_000;
/** With enough kills there is one other fault after this many. */
const KILLS_PER_FAULT = 8;
/** A living connection is answered and told within this, on a machine with nothing else to do within a tenth of it. */
const WITHIN_MS = 10_000;
/** How long a fault is felt after it is over: nodes notice it, connect again and make up for it. */
const AFTERMATH_MS = 15_000;

/** Plays matches, kills the service again and again, and examines what is left. */
export async function runCrashTest(options: CrashTestOptions): Promise<CrashTestResult> {
  const startedAt = performance.now();
  const { fraction } = seededRandomness(options.seed);
  const faults = (options.faults ?? []).filter(
    (fault) => fault !== 'redis' || (hasRedis && options.nodes > 1),
  );
  const recording = startRecording();
  const arena = await openCrashArena({
    nodes: options.nodes,
    redis: faults.includes('redis'),
    clockSeconds: options.clockSeconds ?? 0,
    ...(options.environment && { environment: options.environment }),
  });
  try {
    const players = await invite(arena, recording, options);
    const nodes = await arena.startAll();
    const playing = players.map((player) => player.play());
    const trouble = await killAgainAndAgain(arena, nodes, options, faults, fraction);
    const enough = options.matches ?? 0;
    const patience = performance.now() + SETTLE_LIMIT_MS;
    while (endedMatches(recording) < enough && performance.now() < patience) await sleep(100);
    for (const player of players) player.leave();
    await Promise.race([Promise.all(playing), sleep(SETTLE_LIMIT_MS)]);
    const disturbed = trouble.disturbances.map(({ from, to }) => ({ from, to: to + AFTERMATH_MS }));
    const findings = await examine(arena.databaseUrl, recording.notes, { withinMs: WITHIN_MS, disturbed });
    const problems = [...trouble.problems, ...findings.problems];
    if (findings.matches < enough) problems.push(`only ${findings.matches} matches were played`);
    for (const player of players) {
      problems.push(...player.problems);
      for (const { at, what } of player.failures)
        if (!disturbed.some(({ from, to }) => from <= at && at <= to)) problems.push(what);
      if (!player.isDone) problems.push(`after ${SETTLE_LIMIT_MS} ms still there: ${player.where}`);
    }
    for (const node of nodes) {
      const code = await node.terminate();
      if (code !== 0) problems.push(`a node stopped with ${code}:\n${node.output()}`);
    }
    const disturbances: CrashTestResult['disturbances'] = {};
    for (const { fault } of trouble.disturbances) disturbances[fault] = (disturbances[fault] ?? 0) + 1;
    const seconds = (performance.now() - startedAt) / 1000;
    return { ...findings, problems, deaths: trouble.deaths, disturbances, seconds };
  } finally {
    await arena.stop();
  }
}

const invite = (arena: Arena, recording: Recording, options: CrashTestOptions): Promise<StubbornPlayer[]> =>
  Promise.all(
    Array.from({ length: options.players }, async (_, at) => {
      const name = `Player ${at + 1}`;
      return new StubbornPlayer({
        recording,
        name,
        token: await arena.gameToken(String(880_000 + at), name),
        queueGuid: arena.queueGuid,
        // Players are spread evenly; a player who loses a node tries them all.
        urls: arena.urls.length > 1 ? [arena.urls[at % arena.urls.length] ?? '', ...arena.urls] : arena.urls,
        fraction: seededRandomness(`${options.seed} ${name}`).fraction,
        thinkMs: 150,
        // After an outage every limit has 15 s left: with one node nothing would be left to limits.
        dawdles: options.nodes > 1,
        drops: options.kills > 0,
      });
    }),
  );

function endedMatches({ notes }: Recording): number {
  const ended = notes.flatMap((note) =>
    note.kind === 'told' && note.shown.content.status === 'completed' ? note.shown.matchGuid : [],
  );
  return new Set(ended).size;
}

interface Trouble {
  deaths: Deaths;
  disturbances: Disturbance[];
  problems: string[];
}

async function killAgainAndAgain(
  arena: Arena,
  nodes: ServiceProcess[],
  { kills, onProgress }: CrashTestOptions,
  faults: readonly Fault[],
  fraction: () => number,
): Promise<Trouble> {
  const deaths: Deaths = { killed: 0, before: 0, sent: 0, answered: 0, whileStarting: 0, longOutages: 0 };
  const trouble: Trouble = { deaths, disturbances: [], problems: [] };
  const giveUpAt = performance.now() + 60_000 + kills * LONGEST_PER_KILL_MS;
  const faultEvery = Math.max(1, Math.min(KILLS_PER_FAULT, Math.floor(kills / faults.length)));
  let dead = 0;
  const died = (how: 'killed' | FaultMoment): void => {
    deaths[how]++;
    if (++dead % 20 === 0) onProgress?.(`${dead} of ${kills} kills`);
  };
  while (dead < kills) {
    if (performance.now() > giveUpAt) {
      trouble.problems.push(`only ${dead} of ${kills} kills in time`);
      break;
    }
    const node = Math.floor(fraction() * nodes.length);
    await startAgain(arena, nodes, trouble, { but: node, patience: () => fraction() < 0.8 });
    if (!nodes[node]?.hasExited()) {
      // A fault point is set when a process starts, so one that runs already dies without.
      await sleep(fraction() * 1000);
      await nodes[node]?.kill();
      died('killed');
    }
    if (fraction() < 0.02) {
      deaths.longOutages++;
      await sleep(LONG_OUTAGE_MS);
    }
    const how = await startToDie(arena, nodes, node, deaths, fraction);
    died(how);
    const fault = faults[trouble.disturbances.length % faults.length];
    if (fault === undefined || dead < faultEvery * (trouble.disturbances.length + 1)) continue;
    await startAgain(arena, nodes, trouble, { but: null, patience: () => true });
    onProgress?.(`${fault} after ${dead} kills`);
    trouble.disturbances.push(await disturb(fault, arena, nodes, fraction));
    // The effects of a fault show before the next kill removes them.
    await sleep(fraction() * 6000);
  }
  await startAgain(arena, nodes, trouble, { but: null, patience: () => true });
  return trouble;
}

/** Starts a node, with a point of its death or without, and lets it die. @returns how it did */
async function startToDie(
  arena: Arena,
  nodes: ServiceProcess[],
  node: number,
  deaths: Deaths,
  fraction: () => number,
): Promise<'killed' | FaultMoment> {
  const moment = fraction() < 0.5 ? MOMENTS[Math.floor(fraction() * MOMENTS.length)] : undefined;
  // A recovery writes some dozen times before it listens: half of the points are in it.
  const atWrite = 1 + Math.floor(fraction() * (fraction() < 0.5 ? 25 : 250));
  const victim = arena.start(
    node,
    moment && {
      environment: { FAULT_AT_WRITE: String(atWrite), FAULT_MOMENT: moment },
      preload: [FAULT_POINT],
    },
  );
  nodes[node] = victim;
  const isReady = moment || fraction() < 0.85 ? await arena.ready(node, victim) : await halfStarted(fraction);
  if (!isReady) deaths.whileStarting++;
  const isDead = await Promise.race([
    victim.exited.then(() => true),
    sleep(moment ? LONGEST_LIFE_MS : isReady ? fraction() * 1000 : 0).then(() => false),
  ]);
  await victim.kill();
  return isDead && moment ? moment : 'killed';
}

/**
 * Starts what has died. While one node dies the others serve; now and then they are still starting, and no
 * node serves.
 */
async function startAgain(
  arena: Arena,
  nodes: ServiceProcess[],
  trouble: Trouble,
  { but, patience }: { but: number | null; patience(): boolean },
): Promise<void> {
  for (const [node, process] of nodes.entries()) {
    if (node === but || !process.hasExited()) continue;
    const code = await process.exited;
    if (code !== null) trouble.problems.push(`a node ended by itself with ${code}:\n${process.output()}`);
    const restarted = arena.start(node);
    nodes[node] = restarted;
    if (patience()) await arena.ready(node, restarted);
  }
}

/** Some die while they start. */
async function halfStarted(fraction: () => number): Promise<false> {
  await sleep(fraction() * 600);
  return false;
}
