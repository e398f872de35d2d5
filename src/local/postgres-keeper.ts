import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, runnableBinaries, type ServerUser, serverUser } from './postgres-binaries.ts';
import { serverIn, signal } from './postgres-running.ts';
import { startOnWindows, stopOnWindows } from './postgres-windows.ts';

/**
 * Keeps the embedded PostgreSQL in a process group of its own, for as long as its standard input is open.
 * Ctrl-C in a terminal reaches every process of the group: without this the database would be gone before
 * the service could stop. And a starter that is killed closes the pipe: no database is left behind.
 */

export interface KeeperOptions {
  folder: string;
  port: number;
  user: string;
  /** The password is in the variable LOCAL_POSTGRES_PASSWORD; a folder that is kept gets it as a file of this name. */
  passwordFile: string;
  /** Removes the folder in the end. */
  throwAway: boolean;
  durable: boolean;
  settings: Readonly<Record<string, string>>;
}

/** A message of the keeper, one line of JSON. */
export type KeeperWord = { ready: true } | { problem: string };

const isWindows = process.platform === 'win32';
const READY = 'database system is ready to accept connections';
/** A server that stops writes everything to disk first. */
const STOP_LIMIT_MS = 15_000;
/** The last part of the server's output, for a message about a failed start. */
const LINES_KEPT = 20;

const options = JSON.parse(process.argv[2] ?? '{}') as KeeperOptions;
const { LOCAL_POSTGRES_PASSWORD: password = '' } = process.env;
// Neither initdb nor the server needs to know.
delete process.env.LOCAL_POSTGRES_PASSWORD;
let lastLines: string[] = [];
const say = (word: KeeperWord) => process.stdout.write(`${JSON.stringify(word)}\n`);

/**
 * Ends a server that outlived its keeper and still holds the folder, and waits for one that is being ended.
 * @throws Error in words for a person, when the folder does not get free
 */
async function freeFolder(programs: Binaries, folder: string): Promise<void> {
  const found = await serverIn(folder, path.basename(import.meta.filename));
  if (isWindows) return found && stopOnWindows(programs, folder);
  if (found && !found.kept) signal(found.pid, 'SIGINT');
  for (let waited = 0; found && !ending && signal(found.pid, 0); waited += 50) {
    if (waited > STOP_LIMIT_MS)
      throw new Error(
        `Another PostgreSQL (process ${found.pid}) works in ${folder}. End the other start of this program, or that process.`,
      );
    await sleep(50);
  }
  await rm(path.join(folder, 'postmaster.pid'), { force: true });
}

/**
 * How to start the programs, and how they find their data. The user of the server may have no right to enter a folder above
 * the data, so the programs are started with the data folder as their working directory.
 */
function workIn(folder: string, user: ServerUser | undefined): { data: string; how: SpawnOptions } {
  const how: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true };
  if (!user) return { data: folder, how };
  const here = '/proc/self/cwd';
  return {
    data: existsSync(here) ? here : folder,
    how: { ...how, cwd: folder, uid: user.uid, gid: user.gid },
  };
}

/** The program that runs at the moment: initdb, then the server. */
let child: ChildProcess | undefined;
let ending = false;
let binaries: Binaries | undefined;

/** Starts a program and keeps the last part of its output for a message. @throws Error when it cannot be started */
async function launch(program: string, args: readonly string[], how: SpawnOptions): Promise<ChildProcess> {
  if (ending) throw new Error('Told to end before it was started.');
  const launched = spawn(program, args, how);
  child = launched;
  for (const stream of [launched.stdout, launched.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lastLines = [...lastLines, ...text.split('\n').filter(Boolean)].slice(-LINES_KEPT);
    });
  await once(launched, 'spawn');
  return launched;
}

/** Makes the data folder. One that is kept gets its name at the end, so an interrupted start leaves no incomplete one behind. */
async function initialise(programs: Binaries, user: ServerUser | undefined): Promise<void> {
  const made = options.throwAway ? options.folder : `${options.folder}.new`;
  if (!options.throwAway) await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  if (user) await chown(made, user.uid, user.gid);
  const { data, how } = workIn(made, user);
  const secrets = await mkdtemp(path.join(tmpdir(), 'matches-postgres-password-'));
  const file = path.join(secrets, 'password');
  await writeFile(file, password, { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
  const handedOver = await open(file);
  try {
    const initdb = await launch(
      programs.initdb,
      [
        `--pgdata=${data}`,
        `--username=${options.user}`,
        '--auth=scram-sha-256',
        // Passed as an open file, because the user may have no right to enter its folder.
        `--pwfile=${isWindows ? file : '/dev/stdin'}`,
        '--encoding=UTF8',
        // The same on every system: sorts by code points, and knows upper and lower case of all scripts.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...how, stdio: [handedOver.fd, 'pipe', 'pipe'] },
    );
    const [code] = await once(initdb, 'close');
    if (code !== 0) throw new Error('PostgreSQL could not make its data folder.');
  } finally {
    await handedOver.close();
    await rm(secrets, { recursive: true, force: true });
  }
  if (options.throwAway) return;
  await writeFile(path.join(made, options.passwordFile), password, { mode: 0o600 });
  await rename(made, options.folder);
}

/** The server ended before it took connections, perhaps because it cannot use its data. */
class ServerEnded extends Error {}

/** Resolves once the server takes connections. @throws ServerEnded when it ends before that */
async function serve(programs: Binaries, user: ServerUser | undefined): Promise<void> {
  const { data, how } = workIn(options.folder, user);
  const settings = {
    listen_addresses: '127.0.0.1',
    max_connections: '300',
    unix_socket_directories: '',
    // The start is recognised by a message in English.
    lc_messages: 'C',
    ...(!options.durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...options.settings,
  };
  if (isWindows) return startOnWindows(programs, options.folder, { port: options.port, settings });
  const server = await launch(
    programs.postgres,
    [
      '-D',
      data,
      '-p',
      String(options.port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    how,
  );
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (text: string) => text.includes(READY) && resolve());
    server.once('close', (code, by) =>
      reject(new ServerEnded(`The server ended at once (${by ?? `exit code ${code}`}).`)),
    );
  });
  server.once('close', (code, by) => {
    if (!ending)
      process.stderr.write(
        `The embedded PostgreSQL ended (${by ?? `exit code ${code}`}):\n${lastLines.join('\n')}\n`,
      );
  });
}

async function stopChild(): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
}

/** Says how it went; never rejects. */
async function start(): Promise<void> {
  try {
    const user = await serverUser(options.folder);
    await mkdir(path.dirname(options.folder), { recursive: true });
    binaries = await runnableBinaries(user);
    await freeFolder(binaries, options.folder);
    if (!existsSync(path.join(options.folder, 'PG_VERSION'))) await initialise(binaries, user);
    await serve(binaries, user);
    say({ ready: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const wayOut =
      error instanceof ServerEnded && !options.throwAway
        ? [`If nothing in ${options.folder} is needed any more, remove it: the next start makes a new one.`]
        : [];
    say({ problem: [reason, ...lastLines, ...wayOut].join('\n') });
  }
}

const end = async (): Promise<void> => {
  if (ending) return;
  ending = true;
  await stopChild();
  await started;
  if (isWindows && binaries) await stopOnWindows(binaries, options.folder);
  await binaries?.remove();
  if (options.throwAway) await rm(options.folder, { recursive: true, force: true });
  process.exit(0);
};

// The process that started this one may be gone: then writes to its streams fail.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
const started = start();
process.stdin.on('end', end).on('close', end).resume();
