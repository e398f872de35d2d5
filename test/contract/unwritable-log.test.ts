import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

/** The service when its log cannot be written; test/platform/log-output.test.ts has what becomes of the lines. */

const METRICS_TOKEN = 'the-token-of-the-metrics-of-this-test';

let service: TestService;
/** The service in this process makes the database and steps aside for one with an output of its own. */
beforeAll(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN, LOG_LEVEL: 'info' } });
  await service.service.stop();
});
afterAll(() => service.stop());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Outputs that take nothing; null where they cannot be made. */
const outputs = {
  'a file on a full disk': async () => {
    const bytes = 256 * 1024;
    const disk = await mountSmallDisk(bytes);
    if (disk === null) return null;
    cleanUps.push(disk.unmount);
    const file = path.join(disk.folder, 'log');
    writeFileSync(file, '');
    writeFileSync(path.join(disk.folder, 'ballast'), Buffer.alloc(bytes));
    return { fd: openSync(file, 'a'), isEmpty: () => statSync(file).size === 0 };
  },
  'a full pipe': async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'full-pipe-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const fifo = path.join(folder, 'fifo');
    if (spawnSync('mkfifo', [fifo]).status !== 0) return null;
    const own = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    cleanUps.push(() => closeSync(own));
    const fill = () => {
      let bytes = 0;
      try {
        for (;;) bytes += writeSync(own, Buffer.alloc(4096));
      } catch {
        return bytes;
      }
    };
    fill();
    return { fd: openSync(fifo, constants.O_WRONLY), isEmpty: () => fill() === 0 };
  },
};

test.for(Object.entries(outputs))(
  'a service whose log is %s starts, answers and stops',
  async ([, open], { skip }) => {
    const output = await open();
    if (output === null) return skip('needs the right to mount a file system, or mkfifo');
    const running = await startServiceProcess(service.environment, [], output.fd);
    closeSync(output.fd);
    expect((await service.request(null, 'GET', '/seasons')).status).toBe(200);
    expect((await service.request(null, 'GET', '/health')).status).toBe(200);
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toContain('\nlog_lines_dropped_total 0\n');
    expect(await running.terminate()).toBe(0);
    expect(output.isEmpty(), 'no line could be written').toBe(true);
  },
);
