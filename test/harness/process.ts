import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';

const compiled = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as a process of its own, as `npm start` runs it. */
export interface ServiceProcess {
  /** Undefined when it could not be started. */
  pid: number | undefined;
  output(): string;
  /** Waits until its output has this text. @throws Error when it ends before */
  said(text: string): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Asks it to stop. @returns its exit code. */
  terminate(): Promise<number | null>;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  hasExited(): boolean;
}

/**
 * Variables of every process that a test starts. If the test run has another date (CONTRIBUTING.md), they have it, too. Node keeps
 * compiled modules in a folder: a start takes a third of the time.
 */
export const inherited: Record<string, string | undefined> = {
  ...Object.fromEntries(
    ['PATH', 'LD_PRELOAD', 'FAKETIME', 'FAKETIME_SHARED'].map((name) => [name, process.env[name]]),
  ),
  NODE_COMPILE_CACHE: compiled,
};

/**
 * @param preload modules to load before the service
 * @param args of the service itself
 * @param stdout a file descriptor that gets its log instead of `output`
 */
export function spawnService(
  environment: Record<string, string>,
  preload: readonly string[] = [],
  args: readonly string[] = [],
  stdout?: number,
): ServiceProcess {
  const preloads = preload.flatMap((module) => ['--import', module]);
  return spawnNode([...preloads, main, ...args], environment, stdout);
}

/** Kills a process that still runs when this one ends. */
export function killWithThisProcess(child: ChildProcess): void {
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Node as a process of its own, without a terminal. */
export function spawnNode(
  args: readonly string[],
  environment: Record<string, string>,
  stdout: number | 'pipe' = 'pipe',
): ServiceProcess {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...inherited, ...environment },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let output = '';
  const words = new EventEmitter();
  const keep = (chunk: Buffer): void => {
    output += chunk;
    words.emit('more');
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  // Otherwise a service that a test leaves behind would hold its port and database for ever.
  killWithThisProcess(child);
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      resolve(code);
    }),
  );
  return {
    pid: child.pid,
    output: () => output,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          words.off('more', look);
          resolve();
        };
        words.on('more', look);
        look();
        child.once('close', () => reject(new Error(`It ended and never said ${text}:\n${output}`)));
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    signal: (name) => void child.kill(name),
    terminate: async () => {
      child.kill('SIGTERM');
      return exited;
    },
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
  };
}

/**
 * Starts it and waits until it is ready.
 * @param preload modules to load before the service
 * @param stdout a file descriptor that gets its log instead of `output`
 */
export async function startServiceProcess(
  environment: Record<string, string>,
  preload: readonly string[] = [],
  stdout?: number,
): Promise<ServiceProcess> {
  const started = spawnService(environment, preload, [], stdout);
  for (let waited = 0; waited < 60_000; waited += 50) {
    const answer = await fetch(`${environment.BASE_URL}/health/ready`).catch(() => null);
    if (answer?.status === 200) return started;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await started.kill();
  throw new Error(`The service did not become ready:\n${started.output()}`);
}
