import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BOUNDS } from '../../src/platform/limits.ts';
import { openStorage, type Storage } from '../../src/platform/storage/storage.ts';
import { type ObjectStorage, startObjectStorage } from '../harness/object-storage.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* pieces(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(stream: Readable | null): Promise<Buffer | null> {
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

let directory: string;
let objectStorage: ObjectStorage;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'storage-'));
  objectStorage = await startObjectStorage();
});
afterAll(async () => {
  await objectStorage.stop();
  await rm(directory, { recursive: true, force: true });
});

describe.each(['the local disk', 'an S3-compatible object storage'])('on %s', (kind) => {
  let storage: Storage;
  let spool: string;
  beforeAll(async () => {
    const own = path.join(directory, randomUUID());
    spool = path.join(own, '.incoming');
    storage = await openStorage({
      directory: own,
      ...(kind !== 'the local disk' && { s3: objectStorage.options }),
    });
  });
  afterAll(() => storage.close());
  /** The time that a new file gets: a disk on another machine has another clock. */
  const timeOfTheDisk = async (): Promise<number> => {
    const file = path.join(directory, randomUUID());
    await writeFile(file, '');
    return (await stat(file)).mtimeMs;
  };
  const newKey = (folder = 'files'): string => `${folder}/${randomUUID()}`;

  test('a file is read as it was written, with its size and hash', async () => {
    const bytes = randomBytes(300_001);
    const key = newKey();
    expect(await storage.put(key, pieces(bytes))).toEqual({ size: bytes.length, sha256: sha256(bytes) });
    expect(await storage.has(key)).toBe(true);
    expect((await read(await storage.get(key)))?.equals(bytes)).toBe(true);
    expect(await readdir(spool)).toEqual([]);
  });

  test('an empty file is a file', async () => {
    const key = newKey();
    await storage.put(key, pieces(Buffer.alloc(0)));
    expect(await storage.has(key)).toBe(true);
    expect(await read(await storage.get(key))).toHaveLength(0);
  });

  test('64 MiB pass through without being held in memory', async () => {
    const chunk = randomBytes(1024 * 1024);
    const key = newKey();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const written = await storage.put(
      key,
      (async function* () {
        for (let sent = 0; sent < 64; sent += 1) {
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
          yield chunk;
        }
      })(),
    );
    expect(written.size).toBe(64 * chunk.length);
    expect(most).toBeLessThan(32 * chunk.length);
    let size = 0;
    for await (const part of (await storage.get(key)) ?? []) size += part.length;
    expect(size).toBe(64 * chunk.length);
    await storage.delete(key);
  });

  test.each([
    ['the first bytes', 0, 1],
    ['a part in the middle', 100_000, 200_000],
    ['the last byte', 300_000, 300_000],
    ['everything', 0, 300_000],
  ])('a range is read with both its ends: %s', async (_what, start, end) => {
    const bytes = randomBytes(300_001);
    const key = newKey();
    await storage.put(key, pieces(bytes));
    expect((await read(await storage.get(key, { start, end })))?.equals(bytes.subarray(start, end + 1))).toBe(
      true,
    );
  });

  test('a missing file is null, and removing it succeeds', async () => {
    const key = newKey();
    expect(await storage.has(key)).toBe(false);
    expect(await storage.get(key)).toBeNull();
    expect(await storage.get(key, { start: 0, end: 1 })).toBeNull();
    await storage.delete(key);
  });

  test('files that are read slowly do not delay others', async () => {
    const bytes = randomBytes(8 * 1024 * 1024);
    const key = newKey();
    await storage.put(key, pieces(bytes));
    const unread = await Promise.all(Array.from({ length: 60 }, () => storage.get(key)));
    expect(await storage.has(key)).toBe(true);
    expect((await read(unread.pop() ?? null))?.equals(bytes)).toBe(true);
    for (const stream of unread) stream?.destroy();
  });

  test('a removed file is gone', async () => {
    const key = newKey();
    await storage.put(key, pieces(randomBytes(10)));
    await storage.delete(key);
    expect(await storage.has(key)).toBe(false);
    expect(await storage.get(key)).toBeNull();
  });

  test('a stream that breaks off leaves nothing', async () => {
    const key = newKey();
    const broken = (async function* () {
      yield randomBytes(100_000);
      throw new Error('the client went away');
    })();
    await expect(storage.put(key, broken)).rejects.toThrow('the client went away');
    expect(await storage.has(key)).toBe(false);
    expect(await readdir(spool)).toEqual([]);
  });

  test('a file that is refused after its last byte leaves nothing', async () => {
    const key = newKey();
    const bytes = randomBytes(1000);
    const accept = ({ sha256: found }: { sha256: string }) => {
      throw new Error(`not ${found}`);
    };
    await expect(storage.put(key, pieces(bytes), { accept })).rejects.toThrow(`not ${sha256(bytes)}`);
    expect(await storage.has(key)).toBe(false);
    expect(await readdir(spool)).toEqual([]);
  });

  test('an incoming file that is lost answers STORAGE_UNAVAILABLE', async () => {
    const key = newKey();
    const accept = async () => {
      for (const name of await readdir(spool)) await rm(path.join(spool, name));
    };
    await expect(storage.put(key, pieces(randomBytes(1000)), { accept })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { code: 'ENOENT' },
    });
    expect(await storage.has(key)).toBe(false);
  });

  test('a file is not visible before it is complete', async () => {
    const key = newKey();
    const seen: unknown[] = [];
    await storage.put(
      key,
      (async function* () {
        yield randomBytes(100_000);
        seen.push(await storage.has(key));
      })(),
      {
        accept: async () => {
          seen.push(await storage.has(key));
        },
      },
    );
    expect(seen).toEqual([false, false]);
    expect(await storage.has(key)).toBe(true);
  });

  test('many files are written at once', async () => {
    const files = Array.from({ length: 16 }, () => ({ key: newKey(), bytes: randomBytes(50_000) }));
    await Promise.all(files.map(({ key, bytes }) => storage.put(key, pieces(bytes))));
    for (const { key, bytes } of files)
      expect((await read(await storage.get(key)))?.equals(bytes)).toBe(true);
  });

  test('incomplete files of a dead process are removed, those of a running upload are not', async () => {
    await writeFile(path.join(spool, 'of-a-dead-process'), 'half');
    const anHourAgo = (await timeOfTheDisk()) / 1000 - 3600;
    await utimes(path.join(spool, 'of-a-dead-process'), anHourAgo, anHourAgo);
    const key = newKey();
    await storage.put(
      key,
      (async function* () {
        yield randomBytes(10);
        expect(await storage.dropUnfinished(60_000)).toBe(1);
        yield randomBytes(10);
      })(),
    );
    expect(await read(await storage.get(key))).toHaveLength(20);
  });

  test.each(['../escape', 'files/../escape', 'files/', '/files/a', 'files/a/b', 'files/A', 'files/a.b', ''])(
    'an invalid storage key throws: %j',
    async (key) => {
      await expect(storage.put(key, pieces(randomBytes(1)))).rejects.toThrow('Not a storage key');
      expect(() => storage.get(key)).toThrow('Not a storage key');
    },
  );
});

test('a download from a bucket is cut off only after a longer silence than a reader may make', async () => {
  const storage = await openStorage({
    directory: path.join(directory, randomUUID()),
    s3: objectStorage.options,
  });
  await storage.put('files/read-slowly', pieces(randomBytes(8 * 1024 * 1024)));
  const set = vi.spyOn(Socket.prototype, 'setTimeout');
  try {
    const stream = await storage.get('files/read-slowly');
    const port = Number(new URL(objectStorage.options.endpoint).port);
    const sockets = set.mock.contexts as unknown as Socket[];
    const silences = () =>
      set.mock.calls.flatMap(([ms], at) => (sockets[at]?.remotePort === port && ms > 0 ? [ms] : []));
    // The SDK sets it three seconds after the request.
    await expect.poll(silences).not.toEqual([]);
    expect(Math.min(...silences())).toBeGreaterThan(BOUNDS.unread.value);
    stream?.destroy();
  } finally {
    set.mockRestore();
    storage.close();
  }
});

describe('the start', () => {
  test('fails clearly when the folder cannot be used', async () => {
    const file = path.join(directory, 'a-file');
    await writeFile(file, '');
    // Below /proc a folder cannot be made.
    for (const unusable of [path.join(file, 'below'), file, '/proc/below', '/proc/deep/below'])
      await expect(openStorage({ directory: unusable }), unusable).rejects.toThrow(
        /^STORAGE_DIR cannot be used: E[A-Z]+: /,
      );
  });

  test('fails clearly when files cannot be written there', async () => {
    // In this folder of the system not even root can make a file.
    await expect(openStorage({ directory: '/sys/kernel' })).rejects.toThrow(/^STORAGE_DIR cannot be used: /);
  });

  test('makes the parent folders, and leaves nothing in them', async () => {
    const own = path.join(directory, randomUUID(), 'deep', 'below');
    for (let times = 0; times < 2; times++) (await openStorage({ directory: own })).close();
    expect(await readdir(own)).toEqual(['.incoming']);
    expect(await readdir(path.join(own, '.incoming'))).toEqual([]);
  });

  test('fails clearly when there is no such bucket', async () => {
    const own = path.join(directory, randomUUID());
    const s3 = { ...objectStorage.options, bucket: 'elsewhere' };
    await expect(openStorage({ directory: own, s3 })).rejects.toThrow(
      'S3_BUCKET cannot be used: it answers 404',
    );
  });

  test.each(['PUT', 'DELETE'])('fails clearly when the key lacks the right to %s', async (forbidden) => {
    const server = createServer((incoming, response) => {
      response.writeHead(incoming.method === forbidden ? 403 : 200).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const s3 = { ...objectStorage.options, endpoint: `http://127.0.0.1:${port}` };
    await expect(openStorage({ directory: path.join(directory, randomUUID()), s3 })).rejects.toThrow(
      /^S3_BUCKET cannot be used: it answers 403: .* lacks a right/,
    );
  });

  test.each([
    ['has failed', 503],
    ['does not answer', null],
  ])('goes on while the bucket %s, and says so', async (_, status) => {
    const server = createServer((_request, response) => {
      if (status !== null) response.writeHead(status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const s3 = { ...objectStorage.options, endpoint: `http://127.0.0.1:${port}` };
    const away: string[] = [];
    const own = path.join(directory, randomUUID());
    const storage = await openStorage({ directory: own, s3, onAway: ({ message }) => away.push(message) });
    expect(away).toEqual([expect.stringMatching(/^S3_BUCKET cannot be used: /)]);
    storage.close();
    server.closeAllConnections();
    server.close();
  });

  test('finds the files that an earlier process stored', async () => {
    const own = path.join(directory, randomUUID());
    const before = await openStorage({ directory: own });
    await before.put('files/kept', pieces(Buffer.from('kept')));
    before.close();
    const after = await openStorage({ directory: own });
    expect(String(await read(await after.get('files/kept')))).toBe('kept');
  });
});

describe('when a storage fails,', () => {
  test('a full disk answers STORAGE_FULL, keeps no part of the file, and still takes smaller files', async (context) => {
    const small = await mountSmallDisk(1024 * 1024);
    if (small === null) return context.skip('needs the right to mount a file system');
    try {
      const storage = await openStorage({ directory: small.folder });
      await expect(storage.put('files/a', pieces(randomBytes(2 * 1024 * 1024)))).rejects.toMatchObject({
        code: 'STORAGE_FULL',
        status: 507,
      });
      expect(await storage.has('files/a')).toBe(false);
      expect(await readdir(path.join(small.folder, '.incoming'))).toEqual([]);
      await storage.put('files/a', pieces(randomBytes(512 * 1024)));
      expect(await read(await storage.get('files/a'))).toHaveLength(512 * 1024);
    } finally {
      await small.unmount();
    }
  });

  test('an object storage that is gone answers STORAGE_UNAVAILABLE', async () => {
    const gone = await startObjectStorage();
    const storage = await openStorage({ directory: path.join(directory, randomUUID()), s3: gone.options });
    await gone.stop();
    await expect(storage.put('files/a', pieces(randomBytes(10)))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    await expect(storage.get('files/a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(storage.delete('files/a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    storage.close();
  });

  /** A storage whose bucket is behind a proxy. @param answers whether the proxy deals with a request itself */
  async function storageBehind(answers: (incoming: IncomingMessage, response: ServerResponse) => boolean) {
    const bucket = new URL(objectStorage.options.endpoint);
    const proxy = createServer((incoming, response) => {
      if (answers(incoming, response)) return;
      const { method, url, headers } = incoming;
      const onward = request({ host: bucket.hostname, port: bucket.port, method, path: url, headers });
      onward.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onward);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const s3 = { ...objectStorage.options, endpoint: `http://127.0.0.1:${port}` };
    const storage = await openStorage({ directory: path.join(directory, randomUUID()), s3 });
    onTestFinished(() => {
      storage.close();
      proxy.closeAllConnections();
      proxy.close();
    });
    return storage;
  }
  const unavailable = { code: 'STORAGE_UNAVAILABLE' };

  test('a page from a proxy in place of the bucket is neither a stored file nor the content of one', async () => {
    let isAway = false;
    const storage = await storageBehind((incoming, response) => {
      if (isAway) incoming.resume().once('end', () => response.end('<html>back soon</html>'));
      return isAway;
    });
    const bytes = randomBytes(200_000);
    await storage.put('files/behind-a-proxy', pieces(bytes));
    isAway = true;
    await expect(storage.put('files/not-stored', pieces(bytes))).rejects.toMatchObject(unavailable);
    await expect(storage.get('files/behind-a-proxy', { start: 0, end: 199_999 })).rejects.toMatchObject(
      unavailable,
    );
    isAway = false;
    expect(await storage.has('files/not-stored')).toBe(false);
    expect(await read(await storage.get('files/behind-a-proxy'))).toEqual(bytes);
  });

  test('a file is sent once more when the connection to the bucket breaks before the answer', async () => {
    let breaks = 0;
    const storage = await storageBehind((incoming) => {
      const isBroken = incoming.method === 'PUT' && breaks-- > 0;
      if (isBroken) incoming.socket.destroy();
      return isBroken;
    });
    breaks = 1;
    const bytes = randomBytes(200_000);
    await storage.put('files/sent-twice', pieces(bytes));
    expect(await read(await storage.get('files/sent-twice'))).toEqual(bytes);
    breaks = 2;
    await expect(storage.put('files/not-stored', pieces(bytes))).rejects.toMatchObject(unavailable);
    expect(await storage.has('files/not-stored')).toBe(false);
  });

  test('a file that cannot be written answers STORAGE_UNAVAILABLE and leaves nothing', async () => {
    const own = path.join(directory, randomUUID());
    const storage = await openStorage({ directory: own });
    await writeFile(path.join(own, 'other'), '');
    await expect(storage.put('other/a', pieces(randomBytes(10)))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    expect(await readdir(path.join(own, '.incoming'))).toEqual([]);
  });
});
