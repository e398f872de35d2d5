import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inherited } from '../harness/process.ts';
import { binaryOf, DEPLOY_SECRET, sha256Of } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Runs the commands that `docs/releases.md` tells people to type. */

const page = await readFile(path.resolve(import.meta.dirname, '../../docs/releases.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const missing = ['bash', 'curl', 'sha256sum'].filter((program) => !has(program));

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService({ environment: { DEPLOY_SECRET } });
  folder = await mkdtemp(path.join(tmpdir(), 'documentation-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Runs a script as a step of a pipeline is run. @returns what it printed; throws when it failed */
function run(script: string, variables: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...inherited, HOME: folder, BASE_URL: service.url, DEPLOY_SECRET, ...variables },
  });
  let [output, trouble] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (trouble += chunk));
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${code}: ${script}\n${output}${trouble}`)),
    ),
  );
}

const published = async (): Promise<any[]> =>
  (await service.request(null, 'GET', '/plugin-releases')).body.releases;

test('the commands of the page publish, check, roll back and withdraw a release', async (context) => {
  if (missing.length > 0) return context.skip(`there is no ${missing.join(', ')} on the PATH`);
  const [publish = '', rollBack = '', withdraw = '', check = ''] = blocks('sh');
  const variables = { FILE: 'plugin.dll', GAME_VERSION: '1.40.8', PLUGIN_VERSION: '1.0.0' };
  // Large enough for curl to ask whether it may send it.
  const bytes = binaryOf(2_000_000);
  await mkdir(path.join(folder, 'out'), { recursive: true });
  await writeFile(path.join(folder, 'plugin.dll'), bytes);
  const answer = JSON.parse(await run(publish, variables));
  expect(answer).toMatchObject({ fileName: 'plugin.dll', pluginVersion: '1.0.0', sha256: sha256Of(bytes) });
  expect(await run(`cd out; ${check}`, variables)).toContain('plugin.dll: OK');

  await writeFile(path.join(folder, 'plugin.dll'), binaryOf(3000));
  await run(publish, { ...variables, PLUGIN_VERSION: '1.1.0' });
  expect(JSON.parse(await run(rollBack, variables)).sha256).toBe(answer.sha256);
  await run(withdraw, variables);
  expect(await published()).toEqual([]);
  await expect(run(withdraw, variables)).rejects.toThrow('RELEASE_NOT_FOUND');
});

test('the workflow of the page publishes a release', async (context) => {
  if (missing.length > 0) return context.skip(`there is no ${missing.join(', ')} on the PATH`);
  const { jobs } = parse(blocks('yaml')[0] ?? '');
  const step = jobs.publish.steps.find((one: any) => one.name === 'Publish');
  expect(jobs.publish.strategy.matrix['game-version']).toContain('1.40.8');
  expect(Object.keys(step.env)).toEqual(['BASE_URL', 'DEPLOY_SECRET', 'GAME_VERSION', 'FILE']);
  await writeFile(path.join(folder, 'workflow.dll'), binaryOf());
  await run(step.run, { FILE: 'workflow.dll', GAME_VERSION: 'workflow', GITHUB_REF_NAME: 'v2.3.4' });
  expect((await published()).find((one) => one.gameVersion === 'workflow')).toMatchObject({
    pluginVersion: '2.3.4',
    fileName: 'plugin-2.3.4-workflow.dll',
  });
});

test('the commands of the page sign a release and check its signature', async (context) => {
  const needed = [...missing, ...['minisign'].filter((program) => spawnSync(program, ['-v']).error)];
  if (needed.length > 0) return context.skip(`there is no ${needed.join(', ')} on the PATH`);
  const [, , , , sign = '', verify = ''] = blocks('sh');
  await writeFile(path.join(folder, 'signed.dll'), binaryOf(5000));
  await run('minisign -G -W -p key.pub -s key.sec', {});
  const variables = {
    FILE: 'signed.dll',
    GAME_VERSION: 'signed',
    PLUGIN_VERSION: '1.0.0',
    SECRET_KEY: 'key.sec',
    PUBLIC_KEY: 'key.pub',
  };
  await run(sign, variables);
  const output = await run(verify, variables);
  expect(output).toContain('verified');
  expect(output).toContain('plugin 1.0.0 for signed');
});
