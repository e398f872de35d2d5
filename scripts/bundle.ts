import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Builds the browser scripts and the stylesheet of the pages into `src/pages/bundle`, in names that hold a hash of the
 * content. `node scripts/bundle.ts` builds when the bundle is older than its sources; with `check` it fails then.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'src/pages/bundle';
/** Which sources the bundle was made of. */
const SOURCES = `${FOLDER}/sources.json`;

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

/** Whether the bundle was made of the sources as they are now. */
export function isFresh(): boolean {
  if (!existsSync(path.join(root, SOURCES))) return false;
  const made = JSON.parse(readFileSync(path.join(root, SOURCES), 'utf8')) as Record<string, string>;
  return (
    entries().every((file) => file in made) &&
    Object.entries(made).every(([file, hash]) => existsSync(path.join(root, file)) && hashOf(file) === hash)
  );
}

/** Writes down the sources that were read, and compresses what was made of them. */
const finish = (): Plugin => ({
  name: 'finish',
  writeBundle(_options, made) {
    // package.json pins the versions. The lockfile is not compared: npm 10 and 11 write it differently.
    const packages = ['package.json', 'scripts/bundle.ts'];
    const modules = [...this.getModuleIds()]
      .map((id) => path.relative(root, id.split('?', 1)[0] ?? '').replaceAll(path.sep, '/'))
      .filter((file) => /^(src|kit)\//.test(file));
    const sources = [...new Set([...entries(), ...modules, ...packages])].sort();
    writeFileSync(
      path.join(root, SOURCES),
      `${JSON.stringify(Object.fromEntries(sources.map((file) => [file, hashOf(file)])), null, 2)}\n`,
    );
    for (const name of Object.keys(made)) {
      const file = path.join(root, FOLDER, name);
      if (/\.(js|css)$/.test(name)) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
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
      manifest: 'manifest.json',
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

/** Builds when the bundle is older than its sources. */
export async function refreshBundle(): Promise<void> {
  if (!isFresh()) await buildBundle();
}

if (import.meta.main) {
  if (process.argv[2] !== 'check') await refreshBundle();
  else if (!isFresh()) {
    console.error('src/pages/bundle is older than its sources: run `node scripts/bundle.ts`.');
    process.exitCode = 1;
  }
}
