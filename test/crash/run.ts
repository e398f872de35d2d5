import { seededRandomness } from '../../src/local/random.ts';
import type { ServiceProcess } from '../harness/process.ts';
import { type Arena, openArena } from './arena.ts';
import type { FaultMoment } from './fault-point.ts';
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
  /** Of all: those that came before the process was ready. */
  whileStarting: number;
  /** Of all: those after which nobody was there for longer than any limit. */
  longOutages: number;
}

export interface CrashTestResult extends Findings {
  deaths: Deaths;
  seconds: number;
}

const MOMENTS: readonly FaultMoment[] = ['before', 'sent', 'answered'];
/** A process whose fault point is never reached is killed after this long. */
const LONGEST_LIFE_MS = 2500;
/** Longer than the limits for joining, discards and picks. */
const LONG_OUTAGE_MS = 9000;
/** After the last kill: limits moved by outages, and the rest of the matches. */
const SETTLE_LIMIT_MS = 180_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Plays matches, kills the service again and again, and examines what is left. */
export async function runCrashTest(options: CrashTestOptions): Promise<CrashTestResult> {
  const startedAt = performance.now();
  const { fraction } = seededRandomness(options.seed);
  const arena = await openArena(options.nodes);
  try {
    const players = await Promise.all(
      Array.from({ length: options.players }, async (_, at) => {
        const name = `Player ${at + 1}`;
        return new StubbornPlayer({
          name,
          token: await arena.gameToken(String(880_000 + at), name),
          queueGuid: arena.queueGuid,
          // Players are spread evenly; whoever loses a node tries them all.
          urls:
            arena.urls.length > 1 ? [arena.urls[at % arena.urls.length] ?? '', ...arena.urls] : arena.urls,
          fraction: seededRandomness(`${options.seed} ${name}`).fraction,
          thinkMs: 150,
          // After an outage every limit has 15 s left: with one node nothing would be left to limits.
          dawdles: options.nodes > 1,
          drops: options.kills > 0,
        });
      }),
    );
    const nodes = await Promise.all(
      arena.urls.map(async (_, node) => {
        const process = arena.start(node);
        if (!(await arena.ready(node, process)))
          throw new Error(`The service did not start:\n${process.output()}`);
        return process;
      }),
    );
    const playing = players.map((player) => player.play());
    const deaths = await killAgainAndAgain(arena, nodes, options, fraction);
    const enough = options.matches ?? 0;
    const patience = performance.now() + SETTLE_LIMIT_MS;
    while (endedMatches(players) < enough && performance.now() < patience) await sleep(100);
    for (const player of players) player.leave();
    await Promise.race([Promise.all(playing), sleep(SETTLE_LIMIT_MS)]);
    const findings = await examine(arena.databaseUrl, players, { undisturbed: options.kills === 0 });
    if (findings.matches < enough) findings.problems.push(`only ${findings.matches} matches were played`);
    for (const player of players)
      if (!player.isDone) findings.problems.push(`after ${SETTLE_LIMIT_MS} ms still there: ${player.where}`);
    for (const node of nodes) {
      const code = await node.terminate();
      if (code !== 0) findings.problems.push(`a node stopped with ${code}:\n${node.output()}`);
    }
    return { ...findings, deaths, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await arena.stop();
  }
}

function endedMatches(players: readonly StubbornPlayer[]): number {
  const ended = players.flatMap(({ seen }) =>
    seen.filter(({ status }) => status === 'completed').map(({ matchGuid }) => matchGuid),
  );
  return new Set(ended).size;
}

async function killAgainAndAgain(
  arena: Arena,
  nodes: ServiceProcess[],
  { kills, onProgress }: CrashTestOptions,
  fraction: () => number,
): Promise<Deaths> {
  const deaths: Deaths = { killed: 0, before: 0, sent: 0, answered: 0, whileStarting: 0, longOutages: 0 };
  let dead = 0;
  const died = (how: 'killed' | FaultMoment): void => {
    deaths[how]++;
    if (++dead % 20 === 0) onProgress?.(`${dead} of ${kills} kills`);
  };
  while (dead < kills) {
    const node = Math.floor(fraction() * nodes.length);
    await keepOthersAlive(arena, nodes, node, fraction);
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
    const moment = fraction() < 0.5 ? MOMENTS[Math.floor(fraction() * MOMENTS.length)] : undefined;
    // A recovery writes some dozen times before it listens: half of the points are in it.
    const atWrite = 1 + Math.floor(fraction() * (fraction() < 0.5 ? 25 : 250));
    const victim = arena.start(node, moment && { atWrite, moment });
    nodes[node] = victim;
    const isReady =
      moment || fraction() < 0.85 ? await arena.ready(node, victim) : await halfStarted(fraction);
    if (!isReady) deaths.whileStarting++;
    const isDead = await Promise.race([
      victim.exited.then(() => true),
      sleep(moment ? LONGEST_LIFE_MS : isReady ? fraction() * 1000 : 0).then(() => false),
    ]);
    await victim.kill();
    died(isDead && moment ? moment : 'killed');
  }
  for (const [node, process] of nodes.entries()) {
    if (!process.hasExited()) continue;
    const restarted = arena.start(node);
    nodes[node] = restarted;
    await arena.ready(node, restarted);
  }
  return deaths;
}

/** While one node dies the others serve; now and then they are still starting, and nobody does. */
async function keepOthersAlive(
  arena: Arena,
  nodes: ServiceProcess[],
  victim: number,
  fraction: () => number,
): Promise<void> {
  for (const [node, process] of nodes.entries()) {
    if (node === victim || !process.hasExited()) continue;
    const restarted = arena.start(node);
    nodes[node] = restarted;
    if (fraction() < 0.8) await arena.ready(node, restarted);
  }
}

/** Some die while they start. */
async function halfStarted(fraction: () => number): Promise<false> {
  await sleep(fraction() * 600);
  return false;
}
