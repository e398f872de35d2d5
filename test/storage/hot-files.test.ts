import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHotFiles } from '../../src/platform/storage/hot-files.ts';

/** A storage with these files, which counts how often it is read. */
const files = new Map<string, Buffer>();
let [reads, looks] = [0, 0];
const placeOf = (isLocal: boolean) => ({
  isLocal,
  get: async (key: string) => {
    reads += 1;
    const bytes = files.get(key);
    return bytes ? Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]) : null;
  },
  has: async (key: string) => {
    looks += 1;
    return files.has(key);
  },
});
beforeEach(() => {
  files.clear();
  for (const name of ['a', 'b', 'c']) files.set(name, Buffer.from(name.repeat(40)));
  [reads, looks] = [0, 0];
});

const any = () => true;

describe('cached files', () => {
  test('are read once, however many ask at once', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    const found = await Promise.all([1, 2, 3].map(() => hot.read('a', any)));
    expect(found.map(String)).toEqual([1, 2, 3].map(() => 'a'.repeat(40)));
    await hot.read('a', any);
    expect(reads).toBe(1);
  });

  test('are cached up to a number of bytes, and the least recently used is evicted', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    for (const key of ['a', 'b', 'a', 'c']) await hot.read(key, any);
    expect(reads).toBe(3);
    await hot.read('a', any);
    expect(reads).toBe(3);
    await hot.read('b', any);
    expect(reads).toBe(4);
  });

  test('are returned whole, but not cached, when one alone is too large', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 10 });
    expect(await hot.read('a', any)).toHaveLength(40);
    expect(await hot.read('a', any)).toHaveLength(40);
    expect(reads).toBe(2);
  });

  test('are dropped at once when their file is removed from a disk', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    await hot.read('a', any);
    files.delete('a');
    expect(await hot.read('a', any)).toBeNull();
    expect(await hot.read('b', any)).not.toBeNull();
  });

  test('of an object storage are not checked with every request', async () => {
    const hot = createHotFiles({ storage: placeOf(false), maxBytes: 100 });
    for (let n = 0; n < 5; n += 1) await hot.read('a', any);
    expect(looks).toBe(0);
  });

  test('that do not exist are checked again', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    expect(await hot.read('d', any)).toBeNull();
    files.set('d', Buffer.from('late'));
    expect(String(await hot.read('d', any))).toBe('late');
  });

  test('that cannot be read are refused, and read again', async () => {
    const storage = placeOf(true);
    let fails = true;
    const hot = createHotFiles({
      storage: {
        ...storage,
        get: async (key: string) =>
          fails
            ? new Readable({
                read() {
                  this.destroy(new Error('disk'));
                },
              })
            : storage.get(key),
      },
      maxBytes: 100,
    });
    await expect(hot.read('a', any)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    fails = false;
    expect(await hot.read('a', any)).toHaveLength(40);
  });

  test('whose bytes are not those that were stored are refused, and read again', async () => {
    const hot = createHotFiles({ storage: placeOf(false), maxBytes: 100 });
    files.set('d', Buffer.from('<html>back soon</html>'));
    const isStored = (bytes: Buffer) => String(bytes) === 'stored';
    await expect(hot.read('d', isStored)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    files.set('d', Buffer.from('stored'));
    expect(String(await hot.read('d', isStored))).toBe('stored');
  });

  test('that do not arrive in time are refused to all readers that wait, and read again', async () => {
    const storage = placeOf(false);
    const stalled = new Readable({ read() {} });
    stalled.push('a');
    let stalls = true;
    const get = async (key: string) => (stalls ? stalled : storage.get(key));
    const hot = createHotFiles({ storage: { ...storage, get }, maxBytes: 100, loadMs: 1000 });
    const refused = [1, 2].map(() => hot.read('a', any));
    for (const one of refused) await expect(one).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(stalled.destroyed).toBe(true);
    stalls = false;
    expect(await hot.read('a', any)).toHaveLength(40);
  });
});
