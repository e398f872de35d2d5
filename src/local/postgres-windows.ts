import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './postgres-binaries.ts';

/**
 * The server on Windows, where there are no signals to stop it with, and where it refuses to run with the rights of an
 * administrator. `pg_ctl` takes these rights from it, and knows how to stop it.
 */

/** The output of the server goes to this file. The server outlives `pg_ctl`, so a pipe would not be read. */
const logOf = (folder: string): string => path.join(folder, 'server.log');
const START_LIMIT_SECONDS = 60;
const STOP_LIMIT_SECONDS = 15;

/** @returns its exit code */
async function pgCtl({ pgCtl: program }: Binaries, args: readonly string[]): Promise<number | null> {
  // The server inherits what `pg_ctl` has open.
  const running = spawn(program, args, { stdio: 'ignore', windowsHide: true });
  return new Promise((resolve, reject) => running.once('exit', resolve).once('error', reject));
}

/** Resolves once the server takes connections. @throws Error with the server's last words when it does not */
export async function startOnWindows(
  programs: Binaries,
  folder: string,
  options: { port: number; settings: Readonly<Record<string, string>> },
): Promise<void> {
  const settings = Object.entries(options.settings).map(([name, value]) => `-c "${name}=${value}"`);
  const server = ['-p', options.port, ...settings].join(' ');
  const code = await pgCtl(programs, [
    'start',
    '-D',
    folder,
    '-w',
    '-t',
    String(START_LIMIT_SECONDS),
    '-l',
    logOf(folder),
    '-o',
    server,
  ]);
  if (code === 0) return;
  const said = await readFile(logOf(folder), 'utf8').catch(() => '');
  throw new Error(`The server did not start.\n${said.trim().split('\n').slice(-10).join('\n')}`);
}

/** Ends the server that works in this folder, if there is one, and waits until it has ended. */
export async function stopOnWindows(programs: Binaries, folder: string): Promise<void> {
  await pgCtl(programs, ['stop', '-D', folder, '-m', 'fast', '-w', '-t', String(STOP_LIMIT_SECONDS)]);
}
