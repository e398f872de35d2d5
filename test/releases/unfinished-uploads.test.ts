import { once } from 'node:events';
import { mkdir, readdir, rmdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openStorage, type Storage } from '../../src/platform/storage/storage.ts';
import { type ObjectStorage, startObjectStorage } from '../harness/object-storage.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { binaryOf, DEPLOY_SECRET, sha256Of, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Uploads to a bucket during which the process dies. `crash.test.ts` tests the same on the disk. */

let objectStorage: ObjectStorage;
let world: TestService;
let storage: Storage;
beforeAll(async () => {
  objectStorage = await startObjectStorage();
  world = await startTestService({ environment: { DEPLOY_SECRET, ...objectStorage.environment } });
  storage = await openStorage({
    directory: world.environment.STORAGE_DIR ?? '',
    s3: objectStorage.options,
  });
});
afterAll(async () => {
  storage.close();
  await world.stop();
  await objectStorage.stop();
});

const keys = () => objectStorage.keysIn('releases');

test('a start removes the objects of unfinished uploads and no others', async () => {
  const bytes = binaryOf();
  await upload(world, '1.40.8', '1.0.0', { bytes: binaryOf() });
  await upload(world, '1.40.8', '1.1.0', { bytes });
  const named = await keys();
  expect(named).toHaveLength(2);
  await world.service.stop();
  // As after the crash of a process that has stored the object and not the row of a release.
  const unfinished = ['a', 'b'].map((letter) => `01981f6a-7c3e-7a10-9f43-2f1a6f0c9b1${letter}`);
  const startedAt = new Date(Date.now() - 1000);
  await world.database.prisma.releaseUpload.createMany({
    data: unfinished.map((releaseGuid) => ({ releaseGuid, startedAt })),
  });
  for (const name of unfinished)
    await storage.put(
      `releases/${name}`,
      (async function* () {
        yield binaryOf();
      })(),
    );
  // A file of another service, which uses the same bucket by mistake.
  const foreign = 'releases/01981f6a-7c3e-7a10-9f43-2f1a6f0c9b1f';
  await storage.put(
    foreign,
    (async function* () {
      yield Buffer.from('mine');
    })(),
  );
  expect(await keys()).toHaveLength(5);

  const again = await startObservedService(loadConfig(world.environment), {
    logger: pino({ level: 'silent' }),
  });
  try {
    await expect.poll(async () => (await keys()).sort()).toEqual([...named, foreign].sort());
    const answer = await fetch(`${world.url}/plugin-releases/1.40.8/download`);
    expect(sha256Of(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Of(bytes));
  } finally {
    await again.stop();
  }
});

test('an incoming file that cannot be removed keeps nothing else from it', async () => {
  const incoming = path.join(world.environment.STORAGE_DIR ?? '', '.incoming');
  const old = new Date(Date.now() - 60_000);
  // Stands for what the system does not let go, such as an open file on a shared disk.
  for (const name of ['a', 'z']) await mkdir(path.join(incoming, name));
  await writeFile(path.join(incoming, 'b'), 'unfinished');
  for (const name of ['a', 'b', 'z']) await utimes(path.join(incoming, name), old, old);
  const releaseGuid = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b1d';
  await world.database.prisma.releaseUpload.create({ data: { releaseGuid, startedAt: old } });
  const again = await startObservedService(loadConfig(world.environment), {
    logger: pino({ level: 'silent' }),
  });
  try {
    await expect.poll(() => world.database.prisma.releaseUpload.count()).toBe(0);
    await expect.poll(() => readdir(incoming)).toEqual(['a', 'z']);
  } finally {
    await again.stop();
    for (const name of ['a', 'z']) await rmdir(path.join(incoming, name));
  }
});

test('a start does not wait for a bucket that does not answer to a removal', async () => {
  const startedAt = new Date(Date.now() - 1000);
  const releaseGuid = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b1c';
  await world.database.prisma.releaseUpload.create({ data: { releaseGuid, startedAt } });
  let removals = 0;
  const silent = createServer((request, response) => {
    if (request.method === 'DELETE') removals += 1;
    else response.end();
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const environment = { ...world.environment, S3_ENDPOINT: `http://127.0.0.1:${port}` };
  const again = await startObservedService(loadConfig(environment), { logger: pino({ level: 'silent' }) });
  try {
    // The client asks once more when the first request has had no answer.
    await expect.poll(() => removals).toBe(1);
  } finally {
    await again.stop();
    silent.closeAllConnections();
    silent.close();
  }
});
