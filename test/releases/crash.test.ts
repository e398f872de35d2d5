import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Service } from '../../src/service.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { spawnNode } from '../harness/process.ts';
import { binaryOf, DEPLOY_SECRET, sha256Of, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import type { UploadStep } from './fault-point.ts';

const faultPoint = fileURLToPath(new URL('./fault-point.ts', import.meta.url));
const uploading = fileURLToPath(new URL('./uploading.ts', import.meta.url));

const GAME_VERSION = '1.40.8';

let world: TestService;
let folder: string;
let running: Service | undefined;
beforeAll(async () => {
  world = await startTestService({ environment: { DEPLOY_SECRET } });
  folder = await mkdtemp(path.join(tmpdir(), 'matches-upload-'));
});
afterAll(async () => {
  await running?.stop();
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Uploads in a process that is killed at this step. */
async function crash(step: UploadStep, pluginVersion: string, bytes: Uint8Array): Promise<void> {
  const file = path.join(folder, 'upload');
  await writeFile(file, bytes);
  const environment = { ...world.environment, UPLOAD_FAULT: step };
  const args = ['--import', faultPoint, uploading, file, GAME_VERSION, pluginVersion];
  const uploader = spawnNode(args, environment);
  expect(await uploader.exited, `${step}: ${uploader.output()}`).toBeNull();
}

const filesIn = (name: string): Promise<string[]> =>
  readdir(path.join(world.environment.STORAGE_DIR ?? '', name));

async function served(): Promise<{ pluginVersion: string; sha256: string }> {
  const list = await (await fetch(`${world.url}/plugin-releases`)).json();
  const answer = await fetch(`${world.url}/plugin-releases/${GAME_VERSION}/download`);
  const sha256 = sha256Of(Buffer.from(await answer.arrayBuffer()));
  expect(list.releases).toHaveLength(1);
  expect(list.releases[0].sha256).toBe(sha256);
  return { pluginVersion: list.releases[0].pluginVersion, sha256 };
}

/** Each step, how many files a crash at it leaves in `.incoming` and adds to `releases`, and whether the release may be stored by then. */
const steps: [step: UploadStep, incoming: number, files: number, isRight: (committed: boolean) => boolean][] =
  [
    ['first piece', 1, 0, (committed) => !committed],
    ['before the flush', 1, 0, (committed) => !committed],
    ['before the name', 1, 0, (committed) => !committed],
    ['after the name', 0, 1, (committed) => !committed],
    ['before the commit', 0, 1, (committed) => !committed],
    // The client has no answer, so both outcomes are right.
    ['commit sent', 0, 1, () => true],
    ['commit answered', 0, 1, (committed) => committed],
  ];

test('a crash at any step of an upload leaves one whole release and, after the next start, no other file', async () => {
  const files = [binaryOf(400_000), binaryOf(500_000)] as const;
  expect((await upload(world, GAME_VERSION, '1.0.0', { bytes: files[0] })).status).toBe(201);
  // Its database and its files stay, for the processes that are killed and for the next starts.
  await world.stopService();

  let [before, releases] = ['1.0.0', 1];
  for (const [at, [step, incoming, added, isRight]] of steps.entries()) {
    const [pluginVersion, bytes] = [`${at + 2}.0.0`, files[at % 2] ?? files[0]];
    await crash(step, pluginVersion, bytes);
    expect(await filesIn('.incoming'), step).toHaveLength(incoming);
    expect(await filesIn('releases'), step).toHaveLength(releases + added);

    const config = loadConfig(world.environment);
    running = await startObservedService(config, { logger: pino({ level: config.logLevel }) });
    const now = await served();
    const committed = now.pluginVersion === pluginVersion;
    expect(isRight(committed), `${step}: ${now.pluginVersion}`).toBe(true);
    if (committed) {
      expect(now.sha256).toBe(sha256Of(bytes));
      releases += 1;
    } else expect(now.pluginVersion, step).toBe(before);
    before = now.pluginVersion;
    await expect.poll(() => filesIn('.incoming'), { message: step }).toEqual([]);
    await expect.poll(() => filesIn('releases'), { message: step }).toHaveLength(releases);
    await running.stop();
    running = undefined;
  }
}, 300_000);
