import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Processor time and memory of processes, from /proc; there is none but on Linux. */

/** Units of `utime` and `stime` in a second: USER_HZ, 100 on every Linux that runs Node. */
const TICKS_A_SECOND = 100;

interface Stat {
  pid: number;
  parent: number;
  processorMs: number;
  /** Processor time of its children that have ended. */
  endedMs: number;
}

/** Longer than any file that is read here. */
const piece = Buffer.alloc(16_384);

/**
 * A file of the kernel; null: there is none. It is read at once into one buffer: `readFile` takes a new buffer of 64 KiB for
 * each file of unknown length, and several hundred a second cost a tenth of a processor.
 */
function read(path: string): string | null {
  try {
    const file = openSync(path, 'r');
    try {
      return piece.toString('utf8', 0, readSync(file, piece));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function statOf(pid: number): Stat | null {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name of the program may hold anything, and stands in brackets.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (from: number) => (((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * 1000) / TICKS_A_SECOND;
  return { pid, parent: fields[1] ?? 0, processorMs: ms(11), endedMs: ms(13) };
}

/** One of the lines of the kernel's sum of all mappings, in bytes. */
async function memoryOf(pid: number, line: RegExp): Promise<number> {
  // The kernel takes milliseconds for a large process: visitors and curators of this process do not wait for it.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(line.exec(text)?.[1] ?? 0) * 1024;
}

/** Processor time of a process so far, with its threads. Null: it has ended, or this is no Linux. */
export const processorOf = (pid: number): number | null => statOf(pid)?.processorMs ?? null;

/**
 * How long the first thread of a process has waited for a processor so far, milliseconds: it was ready to run and
 * others ran. Null: it has ended, or this is no Linux.
 */
export function waitedOf(pid: number): number | null {
  const text = read(`/proc/${pid}/schedstat`);
  return text === null ? null : Number(text.split(' ')[1]) / 1e6;
}

/** Resident memory of a process, in bytes. */
export const residentOf = (pid: number): Promise<number> => memoryOf(pid, /^Rss:\s+(\d+)/m);

function treeOf(root: number): Stat[] {
  const names = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const stats = names.map((name) => statOf(Number(name))).filter((stat) => stat !== null);
  const children = Map.groupBy(stats, ({ parent }) => parent);
  const tree = stats.filter(({ pid }) => pid === root);
  for (const one of tree) tree.push(...(children.get(one.pid) ?? []));
  return tree;
}

/** Processor time of a process and all below it, ended ones too. Null: there is no such process here. */
export function processorOfTree(root: number): number | null {
  const tree = treeOf(root);
  return tree.length === 0 ? null : tree.reduce((sum, one) => sum + one.processorMs + one.endedMs, 0);
}

/** Memory of a process and all below it, in bytes; what they share counts once. */
export async function memoryOfTree(root: number): Promise<number> {
  const shares = await Promise.all(treeOf(root).map(({ pid }) => memoryOf(pid, /^Pss:\s+(\d+)/m)));
  return shares.reduce((sum, bytes) => sum + bytes, 0);
}

/** The process above this one. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? 0;
