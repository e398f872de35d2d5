import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * Runs after every `npm install`: makes the database client from `prisma/schema.prisma`. Where development dependencies
 * are left out (`--omit=dev`) there is nothing to make it with: the client comes from a build then, as in the Dockerfile.
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
    'Without development dependencies the database client is not made: copy src/platform/database/generated from where `npm install` was run.',
  );
else {
  const { status } = spawnSync(process.execPath, [commandLine, 'generate'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
