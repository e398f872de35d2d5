import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { letSilencePass } from '../harness/nodes.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { binaryOf, DEPLOY_SECRET, sha256Of, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import type { UploadStep } from './fault-point.ts';

const faultPoint = fileURLToPath(new URL('./fault-point.ts', import.meta.url));

let world: TestService;
let running: ServiceProcess | undefined;
beforeAll(async () => {
  world = await startTestService({ environment: { DEPLOY_SECRET } });
});
afterAll(async () => {
  await running?.kill();
  await world.stop();
});

const start = async (fault: UploadStep | ''): Promise<void> => {
  await letSilencePass(world.database);
  const environment = { ...world.environment, UPLOAD_FAULT: fault };
  running = await startServiceProcess(environment, [faultPoint]);
};
const filesIn = (name: string): Promise<string[]> =>
  readdir(path.join(world.environment.STORAGE_DIR ?? '', name));

async function served(): Promise<{ pluginVersion: string; sha256: string }> {
  const list = await (await fetch(`${world.url}/plugin-releases`)).json();
  const answer = await fetch(`${world.url}/plugin-releases/1.40.8/download`);
  const sha256 = sha256Of(Buffer.from(await answer.arrayBuffer()));
  expect(list.releases).toHaveLength(1);
  expect(list.releases[0].sha256).toBe(sha256);
  return { pluginVersion: list.releases[0].pluginVersion, sha256 };
}

const steps: [UploadStep, (committed: boolean) => boolean][] = [
  ['first piece', (committed) => !committed],
  ['before the flush', (committed) => !committed],
  ['before the name', (committed) => !committed],
  ['after the name', (committed) => !committed],
  ['before the commit', (committed) => !committed],
  // The client has no answer, so both outcomes are right.
  ['commit sent', () => true],
  ['commit answered', (committed) => committed],
];

test('a crash at any step of an upload leaves one whole release and, after the next start, no other file', async () => {
  const files = [binaryOf(400_000), binaryOf(500_000)] as const;
  expect((await upload(world, '1.40.8', '1.0.0', { bytes: files[0] })).status).toBe(201);
  // Its database and its identity provider go on; processes of the service are killed in front of them.
  await world.stopService();

  let [before, releases] = ['1.0.0', 1];
  await start(steps[0]?.[0] ?? '');
  for (const [at, [step, isRight]] of steps.entries()) {
    const [pluginVersion, bytes] = [`${at + 2}.0.0`, files[at % 2] ?? files[0]];
    await expect(upload(world, '1.40.8', pluginVersion, { bytes }), step).rejects.toThrow();
    expect(await running?.exited, step).toBeNull();

    // The next process shows what the last crash left, and then dies at the next step.
    await start(steps[at + 1]?.[0] ?? '');
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
  }
}, 300_000);
