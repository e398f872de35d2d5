import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The result of `scripts/bundle.ts`: the browser scripts and the stylesheet. */
export interface Bundle {
  /** Files by their name, which holds a hash of the content. */
  files: ReadonlyMap<string, BundledFile>;
  /**
   * Names of the files of an entry: what the page loads, and what that imports.
   * @param name path of its source, relative to `src/pages`
   * @throws Error for an unknown entry
   */
  entry(name: string): { file: string; imports: readonly string[] };
}

export interface BundledFile {
  type: string;
  bytes: Buffer;
  /** The same, compressed. */
  gzip: Buffer;
}

const FOLDER = path.join(import.meta.dirname, 'bundle');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** An entry of the manifest that Vite writes. */
interface ManifestEntry {
  file: string;
  imports?: string[];
}

/** The stylesheet of all pages as text, for pages that need nothing but themselves. */
export const styleOf = ({ files, entry }: Bundle): string =>
  files.get(entry('style.css').file)?.bytes.toString('utf8') ?? '';

/** @throws Error that says what to do when there is no bundle */
export function readBundle(): Bundle {
  let text: string;
  try {
    text = readFileSync(path.join(FOLDER, 'manifest.json'), 'utf8');
  } catch (cause) {
    throw new Error(
      'src/pages/bundle is missing: run `npm install`, or `npx node scripts/bundle.ts` where development dependencies are installed.',
      { cause },
    );
  }
  const manifest = JSON.parse(text) as Record<string, ManifestEntry>;
  const files = new Map(
    Object.values(manifest).map(({ file }): [string, BundledFile] => {
      const read = (name: string) => readFileSync(path.join(FOLDER, name));
      const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
      return [file, { type, bytes: read(file), gzip: read(`${file}.gz`) }];
    }),
  );
  const importsOf = (names: readonly string[] = []): string[] =>
    names.flatMap((name) => [manifest[name]?.file ?? '', ...importsOf(manifest[name]?.imports)]);
  return {
    files,
    entry: (name) => {
      const found = manifest[path.posix.join('src/pages', name)];
      if (found === undefined)
        throw new Error(`src/pages/bundle has no ${name}: run \`npx node scripts/bundle.ts\`.`);
      return { file: found.file, imports: [...new Set(importsOf(found.imports))] };
    },
  };
}
