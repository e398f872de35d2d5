import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inherited, type ServiceProcess, spawnNode } from '../harness/process.ts';

const demo = fileURLToPath(new URL('../../src/local/demo.ts', import.meta.url));

// On Windows a signal ends a process at once.
describe.skipIf(process.platform === 'win32')('a demonstration that is cut short (not on Windows)', () => {
  let folder: string;
  let running: ServiceProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'matches-demo-'));
    // PostgreSQL runs as another user where the tests run as root.
    await chmod(folder, 0o711);
  });
  afterEach(async () => {
    await running?.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  test('leaves nothing behind when it is told to stop twice while it starts', async () => {
    const watcher = watch(folder);
    running = spawnNode([demo], { TMPDIR: folder });
    await once(watcher, 'change');
    watcher.close();
    // Two signals of one kind may be delivered as one.
    running.signal('SIGINT');
    running.signal('SIGTERM');
    expect(await running.exited).toBe(130);
    expect(running.output()).not.toMatch(/failed| {4}at /);
    expect(await readdir(folder)).toEqual([]);
  });

  test('plays to its end, and leaves nothing behind, when nobody reads its output any more', async () => {
    const child: ChildProcess = spawn(process.execPath, [demo], {
      env: { ...inherited, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    try {
      child.stdout?.once('data', () => child.stdout?.destroy());
      expect(await exited).toEqual([0, null]);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
