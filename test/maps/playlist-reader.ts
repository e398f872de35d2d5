import { expect } from 'vitest';
import { valuesIn } from '../harness/values.ts';

/** A playlist as a strict client takes it: what the managers on desktops and headsets require, all at once. */
export interface ReadPlaylist {
  title: string;
  songs: { hash: string; characteristic: string; difficulty: string }[];
  cover: Buffer;
}

const text = (value: unknown, what: string): string => {
  expect(typeof value, what).toBe('string');
  return value as string;
};

/**
 * Fetches and reads a playlist, and then what it names for itself: a sync has to give the very same.
 * @param reachable where the public base address is served in the test
 */
export async function readPlaylist(
  address: string,
  reachable: (url: string) => string = (url) => url,
): Promise<ReadPlaylist> {
  // One-click links lose what comes after a question mark.
  expect(new URL(address).search).toBe('');
  expect(new URL(address).pathname).toMatch(/\.bplist$/);
  const answer = await fetch(reachable(address));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"]+\.bplist"; .*\.bplist$/,
  );
  const body = await answer.text();
  const list = JSON.parse(body) as Record<string, any>;
  expect(valuesIn(list), 'no null anywhere').not.toContain(null);
  const title = text(list.playlistTitle, 'playlistTitle');
  expect(title).not.toBe('');
  text(list.playlistAuthor, 'playlistAuthor');
  text(list.playlistDescription, 'playlistDescription');
  expect(list.customData).toEqual({ syncURL: address, AllowDuplicates: true, ReadOnly: true });
  expect(await (await fetch(reachable(list.customData.syncURL))).text()).toBe(body);

  const [head, data = ''] = text(list.image, 'image').split(',');
  expect(head).toBe('data:image/png;base64');
  const cover = Buffer.from(data, 'base64');
  expect(cover.toString('base64')).toBe(data);
  expect([...cover.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  expect([cover.readUInt32BE(16), cover.readUInt32BE(20)], 'square').toEqual([256, 256]);

  expect(Array.isArray(list.songs)).toBe(true);
  const songs = (list.songs as Record<string, any>[]).map((song) => {
    const hash = text(song.hash, 'hash');
    expect(hash).toMatch(/^[0-9A-F]{40}$/);
    expect(song.levelid).toBe(`custom_level_${hash}`);
    expect(text(song.key, 'key')).toMatch(/^[0-9a-f]+$/);
    expect(text(song.songName, 'songName')).not.toBe('');
    text(song.levelAuthorName, 'levelAuthorName');
    expect(song.difficulties).toHaveLength(1);
    const [{ characteristic, name }] = song.difficulties;
    return { hash, characteristic: text(characteristic, 'characteristic'), difficulty: text(name, 'name') };
  });
  return { title, songs, cover };
}
