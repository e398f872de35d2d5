import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { killWithThisProcess } from '../harness/process.ts';
import type { Intent } from './player.ts';
import { count, sumOf, type Tally } from './tally.ts';
import type { FromWorker, ToWorker, WorkerTask } from './worker.ts';

/** All players, in processes of their own. */
export interface Crew {
  begin(): void;
  /** Times since the last call, counts since the start of the run. */
  tally(): Tally;
  /** Ends all players. @returns what they leave */
  stop(): Promise<{ intents: Intent[]; problems: Map<string, number> }>;
  /** Processor time is looked up by these. */
  pids: readonly number[];
}

/** How many players one process bears without being late itself. */
const PLAYERS_EACH = 1000;

type Shared = Omit<WorkerTask, 'players' | 'file'>;

/** @param folder where the notes go. @returns the crew and the files of its notes */
export async function gatherCrew(
  shared: Shared,
  players: WorkerTask['players'],
  folder: string,
): Promise<{ crew: Crew; files: string[] }> {
  const size = Math.ceil(players.length / PLAYERS_EACH);
  const files = Array.from({ length: size }, (_, nth) => path.join(folder, `notes-${nth}.jsonl`));
  const workers = await Promise.all(
    files.map((file, nth) =>
      startWorker({ ...shared, file, players: players.filter((_, at) => at % size === nth) }),
    ),
  );
  const crew: Crew = {
    pids: workers.flatMap(({ process: { pid } }) => pid ?? []),
    begin: () => {
      for (const { say } of workers) say('begin');
    },
    tally: () => sumOf(workers.map(({ tally }) => tally())),
    stop: async () => {
      for (const { say } of workers) say('stop');
      const left = await Promise.all(workers.map(({ done }) => done));
      const problems = new Map<string, number>();
      for (const [what, times] of left.flatMap((one) => one.problems)) count(problems, what, times);
      return { intents: left.flatMap(({ intents }) => intents), problems };
    },
  };
  return { crew, files };
}

type Left = Extract<FromWorker, { done: unknown }>['done'];

async function startWorker(task: WorkerTask) {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'worker.ts'), {
    serialization: 'advanced',
  });
  killWithThisProcess(child);
  const say = (word: ToWorker) => void child.send(word);
  const ready = Promise.withResolvers<void>();
  const done = Promise.withResolvers<Left>();
  let acks: number[] = [];
  let uploadTimes: number[] = [];
  let last: Tally = sumOf([]);
  child.on('message', (word: FromWorker) => {
    if (word === 'ready') ready.resolve();
    else if ('done' in word) done.resolve(word.done);
    else {
      last = word.tally;
      acks.push(...last.acks);
      uploadTimes.push(...last.uploadTimes);
    }
  });
  child.once('exit', (code) => {
    const error = new Error(`A process of players ended with ${code}.`);
    ready.reject(error);
    done.reject(error);
  });
  // Later waits for it still see the failure.
  done.promise.catch(() => undefined);
  say({ task });
  await ready.promise;
  return {
    process: child,
    say,
    done: done.promise,
    tally: (): Tally => {
      const since = { ...last, acks, uploadTimes };
      acks = [];
      uploadTimes = [];
      return since;
    },
  };
}
