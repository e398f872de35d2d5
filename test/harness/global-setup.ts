import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { refreshBundle } from '../../scripts/bundle.ts';
import { keptSigningKey } from '../../src/local/identity-provider/keys.ts';
import { startLocalPostgres } from '../../src/local/postgres.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { inherited } from './process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the maintenance database of the test run's PostgreSQL. */
    postgresAdminUrl: string;
    /** Name of the migrated database that every test file gets a clone of. */
    templateDatabase: string;
    /** File of the key that the identity providers of the run sign with. */
    signingKeyFile: string;
  }
}

const TEMPLATE = 'matches_template';

const GIB = 2 ** 30;
const MEMORY = '/dev/shm';

/**
 * Puts the temporary files of the run into memory, on Linux and when there is room (they take up to half a gibibyte).
 * Every test file creates and drops a database of 600 files; where many files were removed lately, ext4 takes long to
 * create new ones. `TMPDIR` names another folder.
 * @returns a function that removes the files
 */
async function keepTemporaryFilesInMemory(): Promise<() => Promise<void>> {
  const system = process.platform === 'linux' ? await statfs(MEMORY).catch(() => null) : null;
  const hasRoom = system !== null && system.bavail * system.bsize > 2 * GIB;
  if (process.env.TMPDIR || !hasRoom || process.availableMemory() < 4 * GIB) return async () => undefined;
  const folder = await mkdtemp(path.join(MEMORY, 'matches-tests-'));
  // PostgreSQL runs as another user where the tests run as root.
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * One PostgreSQL for the whole run, with one migrated template: cloning it takes a few dozen milliseconds. One signing key, too:
 * making one takes as long.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE = inherited.NODE_COMPILE_CACHE;
  const removeTemporaryFiles = await keepTemporaryFilesInMemory();
  await refreshBundle();
  const postgres = await startLocalPostgres();
  await postgres.ensureDatabase(TEMPLATE);
  await migrate(postgres.urlOf(TEMPLATE));
  // A template with a connection cannot be cloned.
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [TEMPLATE]);
  await admin.end();
  project.provide('postgresAdminUrl', postgres.adminUrl);
  project.provide('templateDatabase', TEMPLATE);
  const folder = await mkdtemp(path.join(tmpdir(), 'matches-key-'));
  const signingKeyFile = path.join(folder, 'signing-key.pem');
  await keptSigningKey(signingKeyFile);
  project.provide('signingKeyFile', signingKeyFile);
  return async () => {
    await rm(folder, { recursive: true });
    await postgres.stop();
    await removeTemporaryFiles();
  };
}
