import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Builds the browser scripts and the stylesheet of the pages into `src/pages/bundle`, in names that hold a hash of the
 * content. `npx node scripts/bundle.ts` builds when the bundle is incomplete or older than its sources; with `check` it fails
 * then.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'src/pages/bundle';
/** Which sources the bundle was made of. Is written last. */
const SOURCES = 'sources.json';
const MANIFEST = 'manifest.json';

/** The script that every page loads, those beside the pages that use them, the staff console, and the stylesheets. */
const entries = (): string[] =>
  globSync(
    [
      'src/pages/browser.ts',
      'src/pages/*/browser.ts',
      'src/pages/*.css',
      'src/console/main.tsx',
      'src/console/*.css',
    ],
    { cwd: root },
  )
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(path.join(root, file), 'utf8').replaceAll('\r\n', '\n'))
    .digest('hex');

/**
 * Whether the bundle is complete and was made of the sources as they are now.
 * @param folder of the bundle, another one in tests
 */
export function isFresh(folder = path.join(root, FOLDER)): boolean {
  const has = (name: string) => existsSync(path.join(folder, name));
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  if (!has(SOURCES) || !has(MANIFEST)) return false;
  const made = read(SOURCES) as Record<string, string>;
  const manifest = read(MANIFEST) as Record<string, { file: string }>;
  return (
    Object.values(manifest).every(({ file }) => has(file) && has(`${file}.gz`)) &&
    entries().every((file) => file in made) &&
    Object.entries(made).every(([file, hash]) => existsSync(path.join(root, file)) && hashOf(file) === hash)
  );
}

/** Compresses what was made, and then writes down the sources that were read. */
const finish = (): Plugin => ({
  name: 'finish',
  writeBundle(_options, made) {
    // package.json pins the versions. The lockfile is not compared: npm 10 and 11 write it differently.
    const packages = ['package.json', 'scripts/bundle.ts'];
    const modules = [...this.getModuleIds()]
      .map((id) => path.relative(root, id.split('?', 1)[0] ?? '').replaceAll(path.sep, '/'))
      .filter((file) => /^(src|kit)\//.test(file));
    const sources = [...new Set([...entries(), ...modules, ...packages])].sort();
    for (const name of Object.keys(made)) {
      const file = path.join(root, FOLDER, name);
      if (/\.(js|css)$/.test(name)) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
    // In one step: a build that is interrupted leaves no file of sources, or a whole one.
    const written = path.join(root, FOLDER, SOURCES);
    writeFileSync(
      `${written}.new`,
      `${JSON.stringify(Object.fromEntries(sources.map((file) => [file, hashOf(file)])), null, 2)}\n`,
    );
    renameSync(`${written}.new`, written);
  },
});

/** Builds. @throws Error when a source cannot be built */
async function buildBundle(): Promise<void> {
  // Not imported where development dependencies are left out.
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    base: './',
    plugins: [finish()],
    // Vite looks at NODE_ENV, which the test runner sets. A bundle for development holds the paths of its sources and more code.
    oxc: { jsx: { development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: FOLDER,
      emptyOutDir: true,
      manifest: MANIFEST,
      target: 'es2022',
      // The first with light-dark(); others show the light colours of the browser.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // Pages load what they need with the head of the document.
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: entries().map((file) => path.join(root, file)),
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          // Code that several pages share is one file. As files of some hundred bytes, each would cost a request.
          codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
        },
      },
    },
  });
}

/** Builds when the bundle is incomplete or older than its sources. */
export async function refreshBundle(): Promise<void> {
  if (!isFresh()) await buildBundle();
}

if (import.meta.main) {
  if (process.argv[2] !== 'check') await refreshBundle();
  else if (!isFresh()) {
    console.error(
      'src/pages/bundle is incomplete or older than its sources: run `npx node scripts/bundle.ts`.',
    );
    process.exitCode = 1;
  }
}
