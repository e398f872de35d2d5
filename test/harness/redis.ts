import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../src/local/postgres.ts';
import { killWithThisProcess } from './process.ts';

/** A Redis that can be killed and started again at the same address. */
export interface TestRedis {
  url: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, empty. */
  start(): Promise<void>;
  /** Keeps its connections open and answers nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** Without the library for another date: Redis hangs under it, and no test asks Redis for the date. */
const env = { PATH: process.env.PATH };

function find(): string | null {
  for (const name of ['redis-server', 'valkey-server']) {
    try {
      execFileSync(name, ['--version'], { env, stdio: 'ignore' });
      return name;
    } catch {
      // Not on this machine; perhaps the other.
    }
  }
  return null;
}

const program = find();

/** Whether this machine has a Redis; the names of skipped tests say so. */
export const hasRedis = program !== null;
export const redisNeeded = hasRedis ? '' : ' (skipped: no redis-server or valkey-server on the PATH)';

export async function startRedis(): Promise<TestRedis> {
  if (program === null) throw new Error('There is no redis-server on the PATH.');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    child = spawn(
      program,
      [
        ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        // A replica that loads what it gets leaves no file in the working directory.
        ...['--repl-diskless-load', 'swapdb'],
      ],
      { env, stdio: 'ignore' },
    );
    const started = child;
    killWithThisProcess(started);
    const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  };
  const kill = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null) return;
    ending.kill('SIGKILL');
    while (ending.exitCode === null && ending.signalCode === null) await sleep(5);
  };
  await start();
  return {
    url,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: kill,
  };
}
