import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binaryOf, DEPLOY_SECRET, deploy, sha256Of, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { DEPLOY_SECRET, PLUGIN_VERSIONS: '' } });
});
afterAll(() => service.stop());

const folder = (name: string): string => path.join(service.environment.STORAGE_DIR ?? '', name);
const filesIn = (name: string): Promise<string[]> => readdir(folder(name)).catch(() => []);

/** The listed releases and the files: a refused upload must not change them. */
async function state() {
  const { body } = await service.request(null, 'GET', '/plugin-releases');
  return { releases: body.releases, files: await filesIn('releases'), arriving: await filesIn('.incoming') };
}

async function download(gameVersion: string): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  const answer = await fetch(`${service.url}/plugin-releases/${gameVersion}/download`);
  return {
    status: answer.status,
    bytes: Buffer.from(await answer.arrayBuffer()),
    headers: answer.headers,
  };
}

/** The first line of an answer among others. */
const CREATED = /^HTTP\/1\.1 201 /m;

/**
 * Sends these bytes over a connection of its own.
 * @param options.end whether nothing more is to come; else the service ends it
 * @param options.enough the answer after which the connection is broken off
 * @returns everything that was answered
 */
async function sendRaw(
  parts: (string | Uint8Array)[],
  { end = true, enough }: { end?: boolean; enough?: RegExp } = {},
): Promise<string> {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
    if (enough?.test(received)) socket.destroy();
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  for (const part of parts) socket.write(part);
  if (end) socket.end();
  await closed;
  return received;
}

const head = (gameVersion: string, length: number | null, extra: readonly string[] = []): string =>
  [
    `PUT /internal/plugin-releases/${gameVersion} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${DEPLOY_SECRET}`,
    'X-Service-Plugin-Version: 1.0.0',
    'Content-Type: application/octet-stream',
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...extra,
    '\r\n',
  ].join('\r\n');

describe('an upload', () => {
  test('answers with the release, which is then listed and downloaded as it was sent', async () => {
    const bytes = binaryOf(123_456);
    const { status, body } = await upload(service, '1.40.8', '1.2.3', { bytes });
    expect(status).toBe(201);
    expect(body).toEqual({
      gameVersion: '1.40.8',
      pluginVersion: '1.2.3',
      fileName: 'plugin-1.2.3-1.40.8.dll',
      sha256: sha256Of(bytes),
      size: 123_456,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      downloadUrl: `${service.url}/plugin-releases/1.40.8/download`,
    });
    const list = await service.request(null, 'GET', '/plugin-releases');
    expect(list.body).toEqual({ servedPluginVersion: '1.2.3', releases: [body] });
    const found = await download('1.40.8');
    expect(found.bytes.equals(bytes)).toBe(true);
    expect((await service.request(null, 'GET', '/server/status')).body).toMatchObject({
      allowedGameVersions: ['1.40.8'],
      acceptedPluginVersions: ['1.2.3'],
      servedPluginVersion: '1.2.3',
    });
  });

  test('of a stream without a known length is taken', async () => {
    const bytes = binaryOf(300_000);
    const answer = await fetch(`${service.url}/internal/plugin-releases/stream`, {
      method: 'PUT',
      duplex: 'half',
      body: new Blob([bytes]).stream(),
      headers: {
        authorization: `Bearer ${DEPLOY_SECRET}`,
        'content-type': 'application/octet-stream',
        'x-service-plugin-version': '1.0.0',
      },
    } as RequestInit);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ sha256: sha256Of(bytes), size: 300_000 });
  });

  test.each(['dll', 'so', 'zip'] as const)(
    'gets a default file name from its content: %s',
    async (extension) => {
      const { body } = await upload(service, `by-${extension}`, '1.0.0-beta.1', {
        bytes: binaryOf(100, extension),
      });
      expect(body.fileName).toBe(`plugin-1.0.0-beta.1-by-${extension}.${extension}`);
    },
  );

  test('gets a file name without the characters that are not allowed in one', async () => {
    const { body } = await upload(service, '1.40.8+steam', '1.0.0-rc.1+build.5');
    expect(body.fileName).toBe('plugin-1.0.0-rc.1_build.5-1.40.8_steam.dll');
  });

  test('replaces what was served before, and the same again changes nothing', async () => {
    const [first, second] = [binaryOf(), binaryOf()];
    await upload(service, 'replaced', '1.0.0', { bytes: first });
    const after = (await upload(service, 'replaced', '1.0.1', { bytes: second })).body;
    expect((await download('replaced')).bytes.equals(second)).toBe(true);
    const before = await state();
    const again = await upload(service, 'replaced', '1.0.1', { bytes: second });
    expect(again).toMatchObject({ status: 201, body: after });
    expect(await state()).toEqual(before);
    const changed = await upload(service, 'replaced', '1.0.1', { bytes: first });
    expect(changed.body.sha256).toBe(sha256Of(first));
    expect((await download('replaced')).bytes.equals(first)).toBe(true);
  });

  test('with the right checksum is taken, in whatever case it is written', async () => {
    const bytes = binaryOf();
    const headers = { 'x-checksum-sha256': sha256Of(bytes).toUpperCase() };
    expect((await upload(service, 'checked', '1.0.0', { bytes, headers })).status).toBe(201);
  });

  test.each(['CON', 'nul', '1.40.8_7379', 'v1+extra', 'a'.repeat(32), '..a', '-'])(
    'is accepted for a game version that is no valid file name: %s',
    async (gameVersion) => {
      const bytes = binaryOf();
      const { status, body } = await upload(service, gameVersion, '1.0.0', { bytes });
      expect(status).toBe(201);
      const answer = await fetch(body.downloadUrl);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  test('of eight releases at once leaves one of them whole', async () => {
    const uploads = Array.from({ length: 8 }, (_, n) => ({ version: `2.0.${n}`, bytes: binaryOf(50_000) }));
    const answers = await Promise.all(
      uploads.map(({ version, bytes }) => upload(service, 'at-once', version, { bytes })),
    );
    expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 201));
    const { body } = await service.request(null, 'GET', '/plugin-releases');
    const listed = body.releases.filter((one: any) => one.gameVersion === 'at-once');
    expect(listed).toHaveLength(1);
    const { bytes, headers } = await download('at-once');
    const winner = uploads.find(({ version }) => version === listed[0].pluginVersion);
    expect(bytes.equals(winner?.bytes ?? new Uint8Array())).toBe(true);
    expect(headers.get('x-service-plugin-version')).toBe(winner?.version);
  });

  test('of one release four times at once is one release', async () => {
    const bytes = binaryOf();
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(service, 'same', '1.0.0', { bytes })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { body } = await service.request('admin', 'GET', '/plugin-releases/same/history');
    expect(body.items).toHaveLength(1);
  });
});

describe('a proposed file name', () => {
  const nameFor = async (proposed: string): Promise<string> =>
    (await upload(service, 'named', '1.0.0', { headers: { 'content-disposition': proposed } })).body.fileName;
  const byDefault = 'plugin-1.0.0-named.dll';

  test.each([
    ['attachment; filename="My Plugin_1.dll"', 'My Plugin_1.dll'],
    ['attachment; filename=plugin.dll', 'plugin.dll'],
    ['filename=plugin.dll', 'plugin.dll'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="..\\\\..\\\\evil.dll"', 'evil.dll'],
    ['attachment; filename="C:\\temp\\evil.dll"', 'evil.dll'],
    ['attachment; filename="a\\"b<c>.dll"', 'abc.dll'],
    ["attachment; filename=plain.dll; filename*=UTF-8''caf%C3%A9%2F..%2Fextended.dll", 'extended.dll'],
    ["attachment; filename=plain.dll; filename*=UTF-8''%zz", 'plain.dll'],
    ["attachment; filename*=UTF-8''%E2%82%AC.dll", 'dll'],
    ['attachment; filename=".hidden.dll"', 'hidden.dll'],
    ['attachment; filename="trailing. . "', 'trailing'],
    ['attachment', byDefault],
    ['attachment; filename=""', byDefault],
    ['attachment; filename=".."', byDefault],
    ['attachment; filename="folder/"', byDefault],
    ['attachment; filename="CON"', byDefault],
    ['attachment; filename="nul.dll"', byDefault],
    ['attachment; filename="com1 .txt"', byDefault],
    [`attachment; filename="${'a'.repeat(101)}.dll"`, byDefault],
  ])('%s is reduced to a name that is valid everywhere', async (proposed, expected) => {
    expect(await nameFor(proposed)).toBe(expected);
  });
});

describe('an upload is refused', () => {
  /** A release that every refusal leaves as it is. */
  let before: Awaited<ReturnType<typeof state>>;
  beforeAll(async () => {
    await upload(service, 'kept', '1.0.0');
    before = await state();
  });
  const expectNothingChanged = async () => expect(await state()).toEqual(before);

  test.each([
    ['without credentials', {}],
    ['with another secret', { authorization: `Bearer ${DEPLOY_SECRET}x` }],
    ['with the beginning of the secret', { authorization: `Bearer ${DEPLOY_SECRET.slice(0, -1)}` }],
    ['with an empty secret', { authorization: 'Bearer ' }],
    ['with the secret in another scheme', { authorization: `Basic ${DEPLOY_SECRET}` }],
    ['with the bare secret', { authorization: DEPLOY_SECRET }],
  ])('%s', async (_how, given) => {
    const answer = await fetch(`${service.url}/internal/plugin-releases/kept`, {
      method: 'PUT',
      body: binaryOf(),
      headers: {
        'content-type': 'application/octet-stream',
        'x-service-plugin-version': '1.0.0',
        ...given,
      } as Record<string, string>,
    });
    expect(answer.status).toBe(401);
    expect((await answer.json()).error.code).toBe('UNAUTHENTICATED');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await expectNothingChanged();
  });

  test('with the token of an admin', async () => {
    const token = await service.identityProvider.accountToken('admin');
    const { status } = await upload(service, 'kept', '1.0.0', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
  });

  test.each<[string, number, string, string, Record<string, string | null>, Uint8Array<ArrayBuffer>?]>([
    ['without a plugin version', 400, 'VALIDATION_FAILED', 'kept', { 'x-service-plugin-version': null }],
    [
      'with a version of two numbers',
      400,
      'VALIDATION_FAILED',
      'kept',
      { 'x-service-plugin-version': '1.2' },
    ],
    ['with a v', 400, 'VALIDATION_FAILED', 'kept', { 'x-service-plugin-version': 'v1.2.3' }],
    ['with a leading zero', 400, 'VALIDATION_FAILED', 'kept', { 'x-service-plugin-version': '1.02.3' }],
    [
      'as a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'kept',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['as JSON', 415, 'UNSUPPORTED_MEDIA_TYPE', 'kept', { 'content-type': 'application/json' }],
    ['without a type', 415, 'UNSUPPORTED_MEDIA_TYPE', 'kept', { 'content-type': null }],
    ['compressed', 415, 'UNSUPPORTED_MEDIA_TYPE', 'kept', { 'content-encoding': 'gzip' }],
    ['with a checksum that is none', 400, 'VALIDATION_FAILED', 'kept', { 'x-checksum-sha256': 'abc' }],
    ['with another checksum', 422, 'CHECKSUM_MISMATCH', 'kept', { 'x-checksum-sha256': '0'.repeat(64) }],
    [
      'with an HTML page',
      422,
      'NOT_A_BINARY',
      'kept',
      {},
      new Uint8Array(Buffer.from('<!doctype html><p>404')),
    ],
    ['with an empty body', 422, 'NOT_A_BINARY', 'kept', {}, new Uint8Array()],
    [
      'with only the first letters of a PE file',
      422,
      'NOT_A_BINARY',
      'kept',
      {},
      new Uint8Array(Buffer.from('MZ')),
    ],
    ['with three bytes', 422, 'NOT_A_BINARY', 'kept', {}, new Uint8Array(Buffer.from('PK\x03'))],
    [
      'with a text that begins like a zip file',
      422,
      'NOT_A_BINARY',
      'kept',
      {},
      new Uint8Array(Buffer.from('PK yes')),
    ],
    ['for a game version of 33 characters', 400, 'VALIDATION_FAILED', 'a'.repeat(33), {}],
    ['for a game version of dots', 400, 'VALIDATION_FAILED', '...', {}],
    ['for a game version of encoded dots', 400, 'VALIDATION_FAILED', '%2e%2e%2e', {}],
    ['for a path', 400, 'VALIDATION_FAILED', '..%2f..%2fescape', {}],
    ['for a path of Windows', 400, 'VALIDATION_FAILED', '..%5c..%5cescape', {}],
    ['for a path that is encoded twice', 400, 'VALIDATION_FAILED', '%252e%252e%252fescape', {}],
    ['for a path in overlong UTF-8', 400, 'VALIDATION_FAILED', '..%c0%af..%c0%afescape', {}],
    ['for a path of full-width dots', 400, 'VALIDATION_FAILED', '%ef%bc%8e%ef%bc%8e', {}],
    ['for a game version with a zero byte', 400, 'VALIDATION_FAILED', '1.40.8%00', {}],
    ['for a game version with a space', 400, 'VALIDATION_FAILED', '1.40%208', {}],
    ['with a malformed signature', 422, 'SIGNATURE_INVALID', 'kept', { 'x-signature-minisign': 'bm8=' }],
  ])('%s', async (_what, status, code, gameVersion, headers, bytes) => {
    const answer = await upload(service, gameVersion, '1.0.0', { headers, bytes });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    await expectNothingChanged();
  });

  test.each(['..', '%2e%2e', '.%2e', '../escape', '%2e%2e/%2e%2e/escape'])(
    'for a path that clients would normalise: %s',
    async (gameVersion) => {
      const bytes = binaryOf();
      const answer = await sendRaw([head(gameVersion, bytes.length, ['Connection: close']), bytes], {
        end: false,
      });
      expect(answer).toMatch(/^HTTP\/1\.1 (400|404) /);
      await expectNothingChanged();
    },
  );

  test('with more than 50 MiB as soon as the length is announced', async () => {
    const answer = await sendRaw([head('kept', 50 * 1024 * 1024 + 1), binaryOf(100)], {
      end: false,
      enough: /\}\}$/,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"PAYLOAD_TOO_LARGE"/s);
    await expectNothingChanged();
  });

  test('with more than 50 MiB before its body has ended', async () => {
    const answer = await fetch(`${service.url}/internal/plugin-releases/kept`, {
      method: 'PUT',
      duplex: 'half',
      body: new ReadableStream({
        pull: (controller) => controller.enqueue(binaryOf(1024 * 1024)),
      }),
      headers: {
        authorization: `Bearer ${DEPLOY_SECRET}`,
        'content-type': 'application/octet-stream',
        'x-service-plugin-version': '1.0.0',
      },
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect((await answer.json()).error.code).toBe('PAYLOAD_TOO_LARGE');
    await expectNothingChanged();
  });

  test('with a body shorter than announced', async () => {
    const answer = await sendRaw([head('kept', 10_000), binaryOf(9_999)]);
    expect(answer).not.toMatch(CREATED);
    await expect.poll(state).toEqual(before);
  });

  test('with a body longer than announced', async () => {
    const answer = await sendRaw([Buffer.concat([Buffer.from(head('kept', 9_999)), binaryOf(10_000)])]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toMatch(CREATED);
    await expect.poll(state).toEqual(before);
  });

  test('when its client disconnects', async () => {
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(head('kept', 1_000_000));
    socket.write(binaryOf(500_000));
    await expect.poll(() => filesIn('.incoming')).toHaveLength(1);
    socket.resetAndDestroy();
    await expect.poll(state).toEqual(before);
  });

  test('and the connection takes the next request', async () => {
    const bytes = new Uint8Array(200_000).fill(1);
    const next = `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answers = await sendRaw([head('kept', bytes.length), bytes, next], { end: false });
    expect(answers).toMatch(/^HTTP\/1\.1 422 .*HTTP\/1\.1 200 /s);
  });
});

describe('limits', () => {
  test('a full disk refuses the upload, and the release that was served stays', async (context) => {
    const disk = await mountSmallDisk(1024 * 1024);
    if (disk === null) return context.skip('needs the right to mount a file system');
    const full = await startTestService({ environment: { DEPLOY_SECRET, STORAGE_DIR: disk.folder } });
    try {
      const bytes = binaryOf(300_000);
      await upload(full, '1.40.8', '1.0.0', { bytes });
      const answer = await upload(full, '1.40.8', '1.0.1', { bytes: binaryOf(2_000_000) });
      expect(answer).toMatchObject({ status: 507, body: { error: { code: 'STORAGE_FULL' } } });
      const { body } = await full.request(null, 'GET', '/plugin-releases');
      expect(body.servedPluginVersion).toBe('1.0.0');
      const file = await fetch(body.releases[0].downloadUrl);
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
      expect((await upload(full, '1.40.8', '1.0.2', { bytes: binaryOf(300_000) })).status).toBe(201);
    } finally {
      await full.stop();
      await disk.unmount();
    }
  });

  test('without a configured secret every upload is refused', async () => {
    const closed = await startTestService({ environment: { DEPLOY_SECRET: '' } });
    try {
      const answer = await upload(closed, '1.40.8', '1.0.0');
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UPLOAD_DISABLED' } } });
      expect((await deploy(closed, 'DELETE', '1.40.8')).status).toBe(503);
    } finally {
      await closed.stop();
    }
  });

  test('the secret is accepted after any number of reads from the same address', async () => {
    const limited = await startTestService({ environment: { DEPLOY_SECRET, RATE_LIMIT_FACTOR: '0.1' } });
    try {
      const reads: number[] = [];
      for (let n = 0; n < 31; n += 1) reads.push((await fetch(`${limited.url}/plugin-releases`)).status);
      expect(reads.at(-1)).toBe(429);
      expect((await upload(limited, '1.40.8', '1.0.0')).status).toBe(201);
      const headers = { 'x-checksum-sha256': '0'.repeat(64) };
      expect((await upload(limited, '1.40.8', '1.0.1', { headers })).status, 'is told what is wrong').toBe(
        422,
      );
      expect((await deploy(limited, 'DELETE', '1.40.8')).status).toBe(204);
      expect(
        (await deploy(limited, 'DELETE', '1.40.8', { headers: { authorization: 'Bearer wrong' } })).status,
      ).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  test('a sixth wrong secret in a minute is refused with 429, and the right one is still accepted', async () => {
    const limited = await startTestService({ environment: { DEPLOY_SECRET, RATE_LIMIT_FACTOR: '1' } });
    try {
      const wrong = () =>
        upload(limited, '1.40.8', '1.0.0', { headers: { authorization: `Bearer ${'x'.repeat(40)}` } });
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await wrong()).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      const refused = await wrong();
      expect(refused.body.error.code).toBe('RATE_LIMITED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await upload(limited, '1.40.8', '1.0.0')).status).toBe(201);
    } finally {
      await limited.stop();
    }
  });
});
