import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { PARTS, type Search } from './search.ts';

/** Keeps an exploration on disk, so that it can be resumed: digests, parents, edges, and the states that wait. */

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A digest of the rules, of the exploration and of a setting: with other ones everything begins anew. */
function fingerprintOf(search: Search): string {
  const hash = createHash('sha256').update(JSON.stringify(search.setting));
  const files = globSync(['src/domains/matches/**/*.ts', 'scripts/explore/**/*.ts'], { cwd: ROOT });
  for (const file of files.sort()) hash.update(readFileSync(path.join(ROOT, file)));
  return hash.digest('hex');
}

function intsOf(bytes: Uint8Array): Int32Array {
  const whole = bytes.slice(0, bytes.length & ~3);
  return new Int32Array(whole.buffer, whole.byteOffset, whole.length >> 2);
}

type About = Omit<ReturnType<Search['save']>, 'frontier'> & {
  fingerprint: string;
  lengths: Record<string, number>;
};

export function createKeeping(folder: string) {
  const file = (name: string): string => path.join(folder, name);
  const written = new Map<string, number>();
  mkdirSync(folder, { recursive: true });

  const replace = (name: string, content: string | Int32Array): void => {
    const bytes =
      typeof content === 'string'
        ? content
        : new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
    writeFileSync(file(`${name}.new`), bytes);
    renameSync(file(`${name}.new`), file(name));
  };

  return {
    /** Appends what was found since the last time, and replaces the states that wait. */
    write: (search: Search): void => {
      rmSync(file('about.json'), { force: true });
      for (const part of PARTS) {
        const from = written.get(part) ?? 0;
        const row = search.rowOf(part);
        const opened = openSync(file(part), from === 0 ? 'w' : 'a');
        const bytes = new Uint8Array(row.buffer, row.byteOffset + 4 * from, 4 * (row.length - from));
        for (let at = 0; at < bytes.length; ) at += writeSync(opened, bytes, at);
        closeSync(opened);
        written.set(part, row.length);
      }
      const { frontier, ...about } = search.save();
      replace('frontier', frontier.data);
      replace('frontier-starts', frontier.starts);
      // Last: without it the exploration begins anew.
      const known: About = {
        ...about,
        fingerprint: fingerprintOf(search),
        lengths: Object.fromEntries(written),
      };
      replace('about.json', JSON.stringify(known));
    },

    /** @returns whether there was an exploration to resume */
    read: (search: Search): boolean => {
      if (!existsSync(file('about.json'))) return false;
      const about = JSON.parse(readFileSync(file('about.json'), 'utf8')) as About;
      if (about.fingerprint !== fingerprintOf(search)) return false;
      const ints = (name: string): Int32Array => intsOf(readFileSync(file(name)));
      for (const part of PARTS) {
        const row = ints(part);
        if (row.length !== about.lengths[part])
          throw new Error(`${file(part)} is damaged; remove its folder.`);
        search.load(part, part === 'digests' ? row.subarray(search.rowOf(part).length) : row);
        written.set(part, row.length);
      }
      search.restore({ ...about, frontier: { data: ints('frontier'), starts: ints('frontier-starts') } });
      return true;
    },
  };
}
