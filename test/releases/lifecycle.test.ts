import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binaryOf, DEPLOY_SECRET, deploy, sha256Of, upload } from '../harness/releases.ts';
import { startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { DEPLOY_SECRET, PLUGIN_VERSIONS: '' } });
});
afterAll(() => service.stop());

const served = async (gameVersion: string): Promise<string | null> => {
  const { body } = await service.request(null, 'GET', '/plugin-releases');
  return body.releases.find((one: any) => one.gameVersion === gameVersion)?.pluginVersion ?? null;
};
const history = async (gameVersion: string, query = '') =>
  (await service.request('pooler-one', 'GET', `/plugin-releases/${gameVersion}/history${query}`)).body;
const rollBack = (gameVersion: string, pluginVersion: string) =>
  deploy(service, 'POST', `${gameVersion}/rollback`, {
    body: JSON.stringify({ pluginVersion }),
    headers: { 'content-type': 'application/json' },
  });

test('a release whose file is lost comes back with the same upload', async () => {
  const folder = path.join(service.environment.STORAGE_DIR ?? '', 'releases');
  await upload(service, 'another', '1.0.0');
  const before = new Set(await readdir(folder));
  const bytes = binaryOf();
  await upload(service, 'lost', '1.0.0', { bytes });
  const added = (await readdir(folder)).filter((name) => !before.has(name));
  expect(added).toHaveLength(1);
  await rm(path.join(folder, added[0] ?? ''));
  const download = () => fetch(`${service.url}/plugin-releases/lost/download`);
  expect((await download()).status).toBe(404);
  expect((await upload(service, 'lost', '1.0.0', { bytes })).status).toBe(201);
  expect(Buffer.from(await (await download()).arrayBuffer())).toEqual(Buffer.from(bytes));
});

describe('withdrawing', () => {
  test('takes a release from the list, the status and the download', async () => {
    await upload(service, 'gone', '1.0.0');
    const answer = await deploy(service, 'DELETE', 'gone');
    expect(answer).toMatchObject({ status: 204, body: null });
    expect(await served('gone')).toBeNull();
    const { body } = await service.request(null, 'GET', '/server/status');
    expect(body.allowedGameVersions).not.toContain('gone');
    expect((await fetch(`${service.url}/plugin-releases/gone/download`)).status).toBe(404);
    expect(await deploy(service, 'DELETE', 'gone')).toMatchObject({
      status: 404,
      body: { error: { code: 'RELEASE_NOT_FOUND' } },
    });
  });

  test.each(['never', '%2e%2e%2f', '...', 'a'.repeat(33)])(
    'of a release that does not exist is refused: %s',
    async (gameVersion) => {
      expect([400, 404]).toContain((await deploy(service, 'DELETE', gameVersion)).status);
    },
  );

  test('needs the secret', async () => {
    await upload(service, 'guarded', '1.0.0');
    for (const method of ['DELETE', 'POST']) {
      const path = method === 'POST' ? 'guarded/rollback' : 'guarded';
      const answer = await deploy(service, method, path, { headers: { authorization: 'Bearer no' } });
      expect(answer.status).toBe(401);
    }
    expect(await served('guarded')).toBe('1.0.0');
  });
});

describe('rolling back', () => {
  test('serves an earlier version with its own file, and keeps the history', async () => {
    const [first, second] = [binaryOf(), binaryOf()];
    await upload(service, 'back', '1.0.0', { bytes: first });
    await upload(service, 'back', '1.1.0', { bytes: second });
    const answer = await rollBack('back', '1.0.0');
    expect(answer).toMatchObject({ status: 200, body: { pluginVersion: '1.0.0', sha256: sha256Of(first) } });
    expect(await served('back')).toBe('1.0.0');
    const file = await fetch(answer.body.downloadUrl);
    expect(sha256Of(Buffer.from(await file.arrayBuffer()))).toBe(sha256Of(first));
    expect((await rollBack('back', '1.0.0')).body).toEqual(answer.body);
    expect((await rollBack('back', '1.1.0+other.build')).body.sha256).toBe(sha256Of(second));
    expect((await history('back')).items).toHaveLength(2);
  });

  test('takes the latest upload of that version', async () => {
    const [older, newer] = [binaryOf(), binaryOf()];
    await upload(service, 'twice', '1.0.0', { bytes: older });
    await upload(service, 'twice', '1.0.0', { bytes: newer });
    await upload(service, 'twice', '1.1.0');
    expect((await rollBack('twice', '1.0.0')).body.sha256).toBe(sha256Of(newer));
  });

  test('brings a withdrawn release back', async () => {
    await upload(service, 'withdrawn', '1.0.0');
    await deploy(service, 'DELETE', 'withdrawn');
    expect((await rollBack('withdrawn', '1.0.0')).status).toBe(200);
    expect(await served('withdrawn')).toBe('1.0.0');
  });

  test('needs a version that was published for this game version', async () => {
    await upload(service, 'other', '3.0.0');
    await upload(service, 'some', '1.0.0');
    expect(await rollBack('some', '3.0.0')).toMatchObject({
      status: 404,
      body: { error: { code: 'RELEASE_NOT_FOUND' } },
    });
    expect((await rollBack('some', 'latest')).status).toBe(400);
    expect((await deploy(service, 'POST', 'some/rollback')).status).toBe(400);
    expect(await served('some')).toBe('1.0.0');
  });

  test('at the same time as uploads and a withdrawal leaves at most one release', async () => {
    await upload(service, 'race', '1.0.0');
    await Promise.all([
      ...[1, 2, 3].map((n) => upload(service, 'race', `1.0.${n}`)),
      ...[1, 2, 3].map(() => rollBack('race', '1.0.0')),
      deploy(service, 'DELETE', 'race'),
    ]);
    const { items } = await history('race');
    expect(items).toHaveLength(4);
    expect(items.filter((one: any) => one.servedUntil === null).length).toBeLessThanOrEqual(1);
    expect(items.find((one: any) => one.servedUntil === null)?.pluginVersion ?? null).toBe(
      await served('race'),
    );
  });
});

describe('the history', () => {
  test('lists releases with the time until which each was served, newest first, in pages', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await upload(service, 'told', version);
    const { items, nextCursor } = await history('told');
    expect(nextCursor).toBeNull();
    expect(items.map((one: any) => one.pluginVersion)).toEqual(['1.2.0', '1.1.0', '1.0.0']);
    expect(items.map((one: any) => one.servedUntil === null)).toEqual([true, false, false]);
    expect(items[1].servedUntil).toBe(items[0].servedFrom);
    expect(items[0]).toMatchObject({ gameVersion: 'told', signed: false, size: 2000 });
    const first = await history('told', '?limit=2');
    const second = await history('told', `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(items);
    expect(await history('nothing-yet')).toEqual({ items: [], nextCursor: null });
  });

  test('is for staff', async () => {
    expect((await service.request(null, 'GET', '/plugin-releases/told/history')).status).toBe(401);
    expect((await service.request('player-one', 'GET', '/plugin-releases/told/history')).status).toBe(403);
  });

  test('has each change in the audit log with its action', async () => {
    await upload(service, 'audited', '1.0.0');
    await upload(service, 'audited', '1.1.0');
    await rollBack('audited', '1.0.0');
    await deploy(service, 'DELETE', 'audited');
    const { body } = await service.request('admin', 'GET', '/audit-log?target=/plugin-releases/audited');
    const told = body.items.map(({ action, actor, before, after }: any) => [
      action,
      actor,
      before?.pluginVersion ?? null,
      after?.pluginVersion ?? null,
    ]);
    expect(told).toEqual([
      ['withdrawRelease', null, '1.0.0', null],
      ['rollBackRelease', null, '1.1.0', '1.0.0'],
      ['publishRelease', null, '1.0.0', '1.1.0'],
      ['publishRelease', null, null, '1.0.0'],
    ]);
  });
});

describe('nodes on one disk', () => {
  test('serve the releases of each other, and do not remove an incoming file when they start', async () => {
    const slow = new TransformStream<Uint8Array, Uint8Array>();
    const writer = slow.writable.getWriter();
    const bytes = binaryOf(300_000);
    const arriving = fetch(`${service.url}/internal/plugin-releases/slow`, {
      method: 'PUT',
      duplex: 'half',
      body: slow.readable,
      headers: {
        authorization: `Bearer ${DEPLOY_SECRET}`,
        'content-type': 'application/octet-stream',
        'x-service-plugin-version': '1.0.0',
      },
    } as RequestInit);
    await writer.write(bytes.subarray(0, 200_000));
    const incoming = path.join(service.environment.STORAGE_DIR ?? '', '.incoming');
    await expect.poll(() => readdir(incoming)).toHaveLength(1);
    const { url, service: peer } = await startSecondNode(service);
    try {
      await expect.poll(() => readdir(incoming)).toHaveLength(1);
      await writer.write(bytes.subarray(200_000));
      await writer.close();
      expect((await arriving).status).toBe(201);
      const there = async () => {
        const answer = await fetch(`${url}/plugin-releases/slow/download`);
        return answer.status === 200 ? sha256Of(Buffer.from(await answer.arrayBuffer())) : answer.status;
      };
      await expect.poll(there).toBe(sha256Of(bytes));
      expect((await deploy({ url }, 'DELETE', 'slow')).status).toBe(204);
      await expect.poll(() => served('slow')).toBeNull();
    } finally {
      await peer.stop();
    }
  });
});

describe('a version that is withdrawn while somebody plays with it', () => {
  test('finishes its match, gets a notice, and is refused by the queue with the version to get', async () => {
    const own = await startTestService({ environment: { DEPLOY_SECRET, PLUGIN_VERSIONS: '' } });
    try {
      await upload(own, '1.40.8', '1.0.0');
      await upload(own, '1.39.1', '0.9.0');
      const { queueGuid } = await own.openQueue();
      const [anna, ben] = [await own.connect('Anna'), await own.connect('Ben')];
      const matchGuid = await meet(anna, ben, queueGuid);
      await deploy(own, 'DELETE', '1.40.8');
      await anna.until(() => anna.notices.length > 0, 'the version being retired');
      expect(anna.notices).toEqual([
        {
          type: 'pluginVersionRetired',
          message: expect.stringContaining('0.9.0'),
          retryAfterMs: null,
        },
      ]);
      await anna.do('joinMatch', { matchGuid });
      await ben.do('joinMatch', { matchGuid });
      expect((await anna.do('getMatchState', { matchGuid })).match.status).toBe('awaiting_discards');
      await ben.do('forfeit', { matchGuid });
      expect((await anna.do('getMatchState', { matchGuid })).match.result).not.toBeNull();
      const refused = await anna.ask('joinQueue', { queueGuid });
      expect(refused).toMatchObject({ ok: false, error: { code: 'PLUGIN_VERSION_NOT_ACCEPTED' } });
      expect(JSON.stringify(refused)).toContain('0.9.0');
    } finally {
      await own.stop();
    }
  });
});
