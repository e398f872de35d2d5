import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * Runs after every `npm install`: makes the database client from `prisma/schema.prisma`, and the scripts and the style of
 * the pages. Where development dependencies are left out (`--omit=dev`) there is nothing to make them with: they come from
 * a build then, as in the Dockerfile.
 */

const findCommandLine = (): string | null => {
  try {
    return createRequire(import.meta.url).resolve('prisma-command-line/build/index.js');
  } catch {
    return null;
  }
};

const commandLine = findCommandLine();
if (commandLine === null)
  console.log(
    'Without development dependencies neither the database client nor the files of the pages are made: copy src/platform/database/generated and src/pages/bundle from where `npm install` was run.',
  );
else {
  const { status } = spawnSync(process.execPath, [commandLine, 'generate'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  const bundle = new URL('bundle.ts', import.meta.url);
  if (status === 0) await ((await import(bundle.href)) as typeof import('./bundle.ts')).refreshBundle();
}
