import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface RunningServer {
  pid: number;
  /** Whether the keeper of the server runs, which stops the server when no process needs it. Always false except on Linux. */
  kept: boolean;
}

/** Sends a signal; 0 sends none. @returns whether the process exists and this user may signal it */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * The server that works in this folder, if any. Its number is the first line of a file that PostgreSQL itself writes
 * and removes; after a power failure the number may be another program's, which is to be left alone.
 * @param keeper name of the keeper's file
 */
export async function serverIn(
  folder: string,
  keeper: string,
  platform = process.platform,
): Promise<RunningServer | undefined> {
  const written = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [number, data] = written.split('\n');
  const pid = Number(number);
  if (!pid || !signal(pid, 0)) return undefined;
  // On Windows PostgreSQL itself finds out that the number is another program's, and removes the file.
  if (platform === 'win32') return { pid, kept: false };
  if (platform !== 'linux') {
    // The second line is the folder as the server was told it.
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.includes(` -D ${data} `) ? { pid, kept: false } : undefined;
  }
  const works = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (works !== (await realpath(folder))) return undefined;
  const [, parent] = /^PPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  const command = await readFile(`/proc/${parent}/cmdline`, 'utf8').catch(() => '');
  return { pid, kept: command.includes(keeper) };
}
