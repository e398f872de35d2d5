import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { refreshBundle } from '../../scripts/bundle.ts';
import { startLocalPostgres } from '../../src/local/postgres.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { inherited } from './process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the maintenance database of the test run's PostgreSQL. */
    postgresAdminUrl: string;
    /** Name of the migrated database that every test file gets a clone of. */
    templateDatabase: string;
  }
}

const TEMPLATE = 'matches_template';

/** One PostgreSQL for the whole run, with one migrated template: cloning it takes a few dozen milliseconds. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE = inherited.NODE_COMPILE_CACHE;
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
  return () => postgres.stop();
}
