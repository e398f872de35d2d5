import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { KeeperOptions, KeeperWord } from './postgres-keeper.ts';
import { LocalProblem } from './problem.ts';

/** A PostgreSQL of our own, listening on the loopback interface only. */
export type LocalPostgres = Awaited<ReturnType<typeof startLocalPostgres>>;

interface LocalPostgresOptions {
  /** Where the data is kept between starts; left out: a throw-away folder that goes with `stop`. */
  folder?: string;
  /** Left out: a free one. */
  port?: number;
  /** Whether data survive a power failure. Left out: they do not, which is much faster. */
  durable?: boolean;
  /** Settings of the server, beside those it always has. */
  settings?: Readonly<Record<string, string>>;
}

const USER = 'matches';
/** PostgreSQL: invalid_password. */
const WRONG_PASSWORD = '28P01';
/** Beside the data in a folder that is kept, for this user's eyes only. */
const PASSWORD_FILE = 'local-password';

/** Below what systems give to connections and to programs that ask for any port: 32768 and up on Linux, 49152 elsewhere. */
const PORTS = [20_000, 32_768] as const;

/** Whether no process listens on the port. @throws the error of the system when the port cannot be used for another reason */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  await once(server.close(), 'close');
  return true;
}

const tried = new Set<number>();

/** A free port that the system gives to no other process before it is used. This process gets each port at most once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (tried.has(port)) continue;
    tried.add(port);
    if (await isFree(port)) return port;
  }
}

const KEEPER = path.join(import.meta.dirname, 'postgres-keeper.ts');

/**
 * Starts an embedded PostgreSQL (the same engine as production), initialising the folder at first.
 * @throws LocalProblem with the server's own words when it does not come up.
 */
export async function startLocalPostgres(options: LocalPostgresOptions = {}) {
  const throwAway = options.folder === undefined;
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'matches-postgres-')));
  const port = options.port ?? (await freePort());
  const { durable = false, settings = {} } = options;
  // The loopback interface is everybody's on this machine.
  const password = await readFile(path.join(folder, PASSWORD_FILE), 'utf8').catch(() =>
    randomBytes(24).toString('hex'),
  );
  const told: KeeperOptions = {
    folder,
    port,
    user: USER,
    passwordFile: PASSWORD_FILE,
    throwAway,
    durable,
    settings,
  };
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(told)], {
    // Everybody on this machine can read a command line.
    env: { ...process.env, LOCAL_POSTGRES_PASSWORD: password },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<string>((resolve) => {
    keeper.once('error', (error) => resolve(error.message));
    keeper.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // It may have ended already.
  keeper.stdin.on('error', () => undefined);
  let complaints = '';
  const keep = (text: string) => (complaints += text);
  keeper.stderr.setEncoding('utf8').on('data', keep);
  const stop = async (): Promise<void> => {
    keeper.stdin.end();
    await ended;
  };
  const word = await new Promise<KeeperWord>((resolve) => {
    createInterface({ input: keeper.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    ended.then((how) => resolve({ problem: `Its keeper ended (${how}). ${complaints}` }));
  });
  if ('problem' in word) {
    await stop();
    throw new LocalProblem(`The embedded PostgreSQL did not start:\n${word.problem}`);
  }
  // Later errors are shown in the terminal.
  keeper.stderr.off('data', keep).pipe(process.stderr, { end: false });
  const urlOf = (database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
  return {
    /** Address of the server's maintenance database, from which others are created. */
    adminUrl: urlOf('postgres'),
    /** Address of a database on this server. */
    urlOf,
    /** Creates the database when it is not there yet. */
    ensureDatabase: async (database: string) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect().catch((error: Error & { code?: string }) => {
        if (error.code !== WRONG_PASSWORD) throw error;
        throw new LocalProblem(
          `The password of the database in ${folder} is not the one in its file ${PASSWORD_FILE}. If nothing in the folder is needed any more, remove it: the next start makes a new one.`,
        );
      });
      try {
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
        if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
      } finally {
        await client.end();
      }
    },
    stop,
  };
}
