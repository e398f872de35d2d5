import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { KeeperOptions, KeeperWord } from './postgres-keeper.ts';
import { LocalProblem } from './problem.ts';

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

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));

/**
 * Starts an embedded PostgreSQL (the same engine as production), initialising the folder at first.
 * @throws LocalProblem with the server's own words when it does not come up.
 */
export async function startLocalPostgres(options: LocalPostgresOptions = {}): Promise<LocalPostgres> {
  const throwAway = options.folder === undefined;
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'matches-postgres-')));
  const port = options.port ?? (await freePort());
  const durable = options.durable ?? false;
  const told: KeeperOptions = { folder, port, user: USER, password: PASSWORD, throwAway, durable };
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(told)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<string>((resolve) => {
    keeper.once('error', (error) => resolve(error.message));
    keeper.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // It may be gone before it is told to end.
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
  // What goes wrong later is for whoever looks at the terminal.
  keeper.stderr.off('data', keep).pipe(process.stderr, { end: false });
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
    stop,
  };
}
