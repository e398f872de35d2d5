import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ObjectStorage, startObjectStorage } from '../harness/object-storage.ts';
import { binaryOf, DEPLOY_SECRET, sha256Of, upload } from '../harness/releases.ts';
import { startTestService, type TestService } from '../harness/service.ts';

describe.each(['the local disk', 'an S3-compatible object storage'])('from %s', (kind) => {
  let service: TestService;
  let objectStorage: ObjectStorage | undefined;
  const bytes = binaryOf(1_000_000);
  const tag = `"${sha256Of(bytes)}"`;
  beforeAll(async () => {
    if (kind !== 'the local disk') objectStorage = await startObjectStorage();
    service = await startTestService({ environment: { DEPLOY_SECRET, ...objectStorage?.environment } });
    await upload(service, '1.40.8', '1.2.3', {
      bytes,
      headers: { 'content-disposition': 'attachment; filename="My Plugin.dll"' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await objectStorage?.stop();
  });

  const get = async (headers: Record<string, string> = {}, method = 'GET', gameVersion = '1.40.8') => {
    const answer = await fetch(`${service.url}/plugin-releases/${gameVersion}/download`, { method, headers });
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };

  test('a release is an attachment with its version, checksum and tag', async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1000000',
      'content-disposition': 'attachment; filename="My Plugin.dll"',
      'x-service-plugin-version': '1.2.3',
      'x-checksum-sha256': sha256Of(bytes),
      etag: tag,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
    });
  });

  test('HEAD has the same headers without the file', async () => {
    const [whole, head] = [await get(), await get({}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    const said = (headers: Headers) =>
      Object.fromEntries(
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
      );
    expect(said(head.headers)).toEqual(said(whole.headers));
    expect((await get({ range: 'bytes=0-9' }, 'HEAD')).status).toBe(200);
  });

  test('pages of any origin may read its headers', async () => {
    const { headers } = await get({ origin: 'https://elsewhere.example' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['ETag', 'X-Service-Plugin-Version', 'X-Checksum-SHA256', 'Content-Range']),
    );
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=500000-', 500_000, 999_999],
    ['bytes=-1', 999_999, 999_999],
    ['bytes=-2000000', 0, 999_999],
    ['bytes=999999-1000000', 999_999, 999_999],
    ['BYTES = 10 - 19', 10, 19],
  ])('a range gets a part: %s', async (range, start, end) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000000`);
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
    expect(answer.headers.get('etag')).toBe(tag);
    expect(answer.bytes.equals(Buffer.from(bytes).subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=1000000-', 'bytes=1000000-1000001', 'bytes=-0'])(
    'a range beyond the end is refused: %s',
    async (range) => {
      const answer = await get({ range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('bytes */1000000');
      expect(JSON.parse(String(answer.bytes)).error.code).toBe('RANGE_NOT_SATISFIABLE');
    },
  );

  test.each(['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes', ''])(
    'a Range header that is not a single range is ignored: %j',
    async (range) => {
      const answer = await get({ range });
      expect(answer.status).toBe(200);
      expect(answer.bytes).toHaveLength(1_000_000);
    },
  );

  test('If-Range gets the part with the tag of this file, and the whole file with another tag', async () => {
    const range = 'bytes=0-9';
    expect((await get({ range, 'if-range': tag })).status).toBe(206);
    for (const other of [`"${'0'.repeat(64)}"`, `W/${tag}`, new Date().toUTCString()])
      expect((await get({ range, 'if-range': other })).status, other).toBe(200);
  });

  test.each([[tag], [`W/${tag}`], [`"other", ${tag}`], ['*']])(
    'a matching If-None-Match answers 304: %s',
    async (known) => {
      const answer = await get({ 'if-none-match': known, range: 'bytes=0-9' });
      expect(answer.status).toBe(304);
      expect(answer.bytes).toHaveLength(0);
      expect(answer.headers.get('etag')).toBe(tag);
      expect(answer.headers.get('x-service-plugin-version')).toBe('1.2.3');
      expect((await get({ 'if-none-match': known }, 'HEAD')).status).toBe(304);
    },
  );

  test('another If-None-Match answers the file', async () => {
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('the checksum file is a line for sha256sum', async () => {
    const answer = await fetch(`${service.url}/plugin-releases/1.40.8/download.sha256`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(`${sha256Of(bytes)}  My Plugin.dll\n`);
    const unsigned = await fetch(`${service.url}/plugin-releases/1.40.8/download.minisig`);
    expect(unsigned.status).toBe(404);
    expect((await unsigned.json()).error.code).toBe('SIGNATURE_NOT_FOUND');
  });

  test.each(['unknown', '1.40.80'])('there is nothing for another game version: %s', async (gameVersion) => {
    for (const file of ['download', 'download.sha256', 'download.minisig']) {
      const answer = await fetch(`${service.url}/plugin-releases/${gameVersion}/${file}`);
      expect(answer.status).toBe(404);
      expect((await answer.json()).error.code).toBe('RELEASE_NOT_FOUND');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['..%2f..%2fetc%2fpasswd', '...', 'a'.repeat(33), 'a%00', '%252e'])(
    'an invalid game version is VALIDATION_FAILED: %s',
    async (gameVersion) => {
      const answer = await fetch(`${service.url}/plugin-releases/${gameVersion}/download`);
      expect(answer.status).toBe(400);
      expect((await answer.json()).error.code).toBe('VALIDATION_FAILED');
    },
  );

  test('while releases are replaced every answer is one whole release', async () => {
    const [one, other] = [binaryOf(400_000), binaryOf(500_000)];
    const versions = new Map([
      ['2.0.0', one],
      ['2.0.1', other],
    ]);
    await upload(service, 'moving', '2.0.0', { bytes: one });
    let replacing = true;
    const replace = (async () => {
      for (let n = 0; n < 3; n += 1)
        for (const [version, file] of [...versions].reverse())
          expect((await upload(service, 'moving', version, { bytes: file })).status).toBe(201);
      replacing = false;
    })();
    const seen = new Set<string>();
    const read = async () => {
      while (replacing) {
        const answer = await get({}, 'GET', 'moving');
        const version = answer.headers.get('x-service-plugin-version') ?? '';
        seen.add(version);
        expect(answer.bytes.equals(versions.get(version) ?? Buffer.alloc(0))).toBe(true);
        expect(answer.headers.get('x-checksum-sha256')).toBe(sha256Of(answer.bytes));
        expect(answer.headers.get('etag')).toBe(`"${sha256Of(answer.bytes)}"`);
      }
    };
    await Promise.all([replace, read(), read(), read(), read()]);
    expect(seen.size).toBe(2);
  });
});

test('a release whose file is gone from the disk is not found, even if the file was cached', async () => {
  const service = await startTestService({ environment: { DEPLOY_SECRET } });
  try {
    const { body } = await upload(service, '1.40.8', '1.0.0');
    expect((await fetch(body.downloadUrl)).status).toBe(200);
    const folder = path.join(service.environment.STORAGE_DIR ?? '', 'releases');
    for (const file of await readdir(folder)) await rm(path.join(folder, file));
    const answer = await fetch(body.downloadUrl);
    expect(answer.status).toBe(404);
    expect((await answer.json()).error.code).toBe('RELEASE_NOT_FOUND');
  } finally {
    await service.stop();
  }
});
