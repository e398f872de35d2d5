import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHotFiles } from '../../src/platform/storage/hot-files.ts';

/** A place with these files that counts how often it is asked. */
const files = new Map<string, Buffer>();
let [reads, looks] = [0, 0];
const placeOf = (isLocal: boolean) => ({
  isLocal,
  get: async (key: string) => {
    reads += 1;
    const bytes = files.get(key);
    return bytes ? Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]) : null;
  },
  head: async (key: string) => {
    looks += 1;
    const bytes = files.get(key);
    return bytes ? { size: bytes.length } : null;
  },
});
beforeEach(() => {
  files.clear();
  for (const name of ['a', 'b', 'c']) files.set(name, Buffer.from(name.repeat(40)));
  [reads, looks] = [0, 0];
});

describe('hot files', () => {
  test('are read once, however many ask at once', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    const found = await Promise.all([1, 2, 3].map(() => hot.read('a')));
    expect(found.map(String)).toEqual([1, 2, 3].map(() => 'a'.repeat(40)));
    await hot.read('a');
    expect(reads).toBe(1);
  });

  test('are cached up to a number of bytes, and the least recently used is evicted', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    for (const key of ['a', 'b', 'a', 'c']) await hot.read(key);
    expect(reads).toBe(3);
    await hot.read('a');
    expect(reads).toBe(3);
    await hot.read('b');
    expect(reads).toBe(4);
  });

  test('are returned whole, but not kept, when one alone is too large', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 10 });
    expect(await hot.read('a')).toHaveLength(40);
    expect(await hot.read('a')).toHaveLength(40);
    expect(reads).toBe(2);
  });

  test('are dropped with the file, at once on a disk', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    await hot.read('a');
    files.delete('a');
    expect(await hot.read('a')).toBeNull();
    expect(await hot.read('b')).not.toBeNull();
  });

  test('of an object storage are not checked with every request', async () => {
    const hot = createHotFiles({ storage: placeOf(false), maxBytes: 100 });
    for (let n = 0; n < 5; n += 1) await hot.read('a');
    expect(looks).toBe(0);
  });

  test('that do not exist are checked again', async () => {
    const hot = createHotFiles({ storage: placeOf(true), maxBytes: 100 });
    expect(await hot.read('d')).toBeNull();
    files.set('d', Buffer.from('late'));
    expect(String(await hot.read('d'))).toBe('late');
  });

  test('that cannot be read are an error, and read again', async () => {
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
    await expect(hot.read('a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    fails = false;
    expect(await hot.read('a')).toHaveLength(40);
  });
});
