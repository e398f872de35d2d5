import { existsSync } from 'node:fs';

if (existsSync(new URL('./platform/database/generated/client.ts', import.meta.url)))
  await import('./process.ts');
else {
  // Not `logger.ts`, which imports the missing client as well.
  const { pino } = await import('pino');
  const { openLogOutput } = await import('./platform/log-output.ts');
  pino({}, openLogOutput()).fatal(
    'The service could not start: src/platform/database/generated is missing. ' +
      'Run npm install with development dependencies, or copy the folder from where it was run.',
  );
  process.exitCode = 1;
}
