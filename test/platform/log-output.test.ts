import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { inherited, killWithThisProcess } from '../harness/process.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

/** The log of a process whose standard output cannot be written. */

const writer = fileURLToPath(new URL('./log-output-writer.ts', import.meta.url));
const MIB = 1024 ** 2;

/** More than may wait, in lines of a KiB. */
const MANY = 20_000;

interface Answer {
  dropped: number;
  mebibytes: number;
}

const started: ChildProcess[] = [];
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A process that logs. @param stdout a file descriptor, which is closed here, or `pipe` */
function startWriter(stdout: number | 'pipe') {
  const child = spawn(process.execPath, [writer], { env: inherited, stdio: ['pipe', stdout, 'pipe'] });
  if (typeof stdout === 'number') closeSync(stdout);
  started.push(child);
  killWithThisProcess(child);
  const { stdin, stderr } = child;
  if (stdin === null || stderr === null) throw new Error('no pipes');
  const answers = createInterface({ input: stderr })[Symbol.asyncIterator]();
  return {
    child,
    /** Logs so many lines. @returns what the process says then */
    log: async (count: number): Promise<Answer> => {
      stdin.write(`${count}\n`);
      const { value } = await answers.next();
      return JSON.parse(value ?? '');
    },
    /** @returns its exit code */
    end: async (): Promise<number | null> => {
      stdin.write('exit\n');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

interface Line {
  msg: string;
  number?: number;
  dropped?: number;
}
const linesOf = (output: string): Line[] =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const DROPPED = 'lines of the log were dropped: it could not be written';

/** All lines are whole and in order; the log tells each gap. */
function expectNoUntoldGap(lines: readonly Line[]): void {
  let expected = 0;
  for (const { number, dropped = 0 } of lines) {
    expected += dropped;
    if (number !== undefined) expect(number).toBe(expected++);
  }
}

/** Standard output that nobody reads until `read` is called. */
const pipes = {
  'a pipe': async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'log-output-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const fifo = path.join(folder, 'fifo');
    if (spawnSync('mkfifo', [fifo]).status !== 0) return null;
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const running = startWriter(openSync(fifo, constants.O_WRONLY));
    const socket = new Socket({ fd: reader, readable: true, writable: false });
    cleanUps.push(() => socket.destroy());
    return { ...running, read: () => text(socket) };
  },
  'a socket': async () => {
    const running = startWriter('pipe');
    const { stdout } = running.child;
    return stdout && { ...running, read: () => text(stdout) };
  },
};

test.for(Object.entries(pipes))('all lines of a process that ends are in %s', async ([, open], { skip }) => {
  const running = await open();
  if (running === null) return skip('mkfifo is missing');
  const reading = running.read();
  expect((await running.log(3000)).dropped).toBe(0);
  expect(await running.end()).toBe(0);
  const lines = linesOf(await reading);
  expectNoUntoldGap(lines);
  expect(lines).toHaveLength(3001);
  expect(lines.at(-1)?.msg).toBe('stopped');
});

test.for(Object.entries(pipes))(
  'a process whose log is %s that nobody reads goes on in bounded memory, and ends',
  async ([, open], { skip }) => {
    const running = await open();
    if (running === null) return skip('mkfifo is missing');
    const first = await running.log(MANY);
    expect(first.dropped).toBeGreaterThan(MANY / 2);
    const last = await running.log(5 * MANY);
    expect(last.dropped).toBe(first.dropped + 5 * MANY);
    // The lines are 100 MiB.
    expect(last.mebibytes - first.mebibytes).toBeLessThan(50);
    expect(await running.end()).toBe(0);
  },
);

test.for(Object.entries(pipes))(
  'a reader of %s who comes back learns of the gap',
  async ([, open], { skip }) => {
    const running = await open();
    if (running === null) return skip('mkfifo is missing');
    const { dropped } = await running.log(MANY);
    expect(dropped).toBeGreaterThan(0);
    const reading = running.read();
    let after = dropped;
    // Until the reader has taken everything, lines are dropped.
    for (let before = -1; before !== after; ) {
      before = after;
      ({ dropped: after } = await running.log(1));
    }
    await running.log(5);
    expect(await running.end()).toBe(0);
    const lines = linesOf(await reading);
    expectNoUntoldGap(lines);
    expect(lines.filter(({ msg }) => msg === DROPPED).map((line) => line.dropped)).toEqual([after]);
    expect(lines.at(-1)?.msg).toBe('stopped');
  },
);

/** A process whose log is a file on a disk with 64 KiB left; `null` where none can be mounted. */
async function onFullDisk() {
  const disk = await mountSmallDisk(6 * MIB);
  if (disk === null) return null;
  cleanUps.push(disk.unmount);
  const ballast = path.join(disk.folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(6 * MIB - 64 * 1024));
  const file = path.join(disk.folder, 'log');
  return { ...startWriter(openSync(file, 'a')), file, ballast };
}

test('a process whose log is on a full disk goes on, and ends', async ({ skip }) => {
  const running = await onFullDisk();
  if (running === null) return skip('no small disk can be mounted here');
  await running.log(200);
  expect((await running.log(MANY)).dropped).toBeGreaterThan(0);
  expect((await running.log(1)).dropped).toBeGreaterThan(MANY / 2);
  expect(await running.end()).toBe(0);
});

test('a log on a disk with room again goes on where it stopped, and tells the gap', async ({ skip }) => {
  const running = await onFullDisk();
  if (running === null) return skip('no small disk can be mounted here');
  const { file, ballast } = running;
  const { dropped } = await running.log(MANY);
  expect(dropped).toBeGreaterThan(0);
  rmSync(ballast);
  await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain(DROPPED), {
    timeout: 30_000,
    interval: 100,
  });
  expect((await running.log(5)).dropped).toBe(dropped);
  expect(await running.end()).toBe(0);
  const lines = linesOf(await readFile(file, 'utf8'));
  expectNoUntoldGap(lines.filter(({ msg }) => msg !== 'stopped'));
  expect(lines.filter((line) => line.msg === DROPPED).map((line) => line.dropped)).toEqual([dropped]);
  expect(lines.map(({ msg }) => msg)).toContain('stopped');
});
