import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { withSessionSettings } from './database.ts';

/**
 * Migrations through Prisma's own schema engine in its WebAssembly build, which comes from the npm
 * registry: the native one is a download that closed networks refuse. It writes the ordinary
 * `_prisma_migrations` table, so `prisma migrate deploy` stays usable beside it.
 */

const prismaFolder = fileURLToPath(new URL('../../../prisma', import.meta.url));
export const migrationsFolder = path.join(prismaFolder, 'migrations');
export const schemaFile = path.join(prismaFolder, 'schema.prisma');

/** Any number will do as long as every process of the service uses the same. */
const MIGRATION_LOCK = 7_203_114_011;
const LOCK_ASKED_EVERY_MS = 100;

/** Every table and enum is ours. */
export const filters: engine.SchemaFilter = { externalTables: [], externalEnums: [] };

let loading: Promise<void> | undefined;
async function loadEngine(): Promise<void> {
  const binary = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(binary), {
    './schema_engine_bg.js': engine as unknown as WebAssembly.ModuleImports,
  });
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The statements of a script: a semicolon inside of `$$ … $$` ends none. */
export const statementsOf = (script: string): string[] =>
  (script.match(/(?:\$\$[\s\S]*?\$\$|[^;])+/g) ?? []).filter((sql) => sql.trim() !== '');

/** Prisma's adapter ends a statement at every semicolon, also in the body of a function. */
const runningFunctions = (adapter: SqlDriverAdapter): SqlDriverAdapter =>
  Object.assign(adapter, {
    executeScript: async (script: string): Promise<void> => {
      for (const sql of statementsOf(script)) await adapter.executeRaw({ sql, args: [], argTypes: [] });
    },
  });

/** Opens the schema engine on the database that `adapter` connects to. */
export async function openSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
): Promise<engine.SchemaEngine> {
  loading ??= loadEngine();
  await loading;
  const factory = bindMigrationAwareSqlAdapterFactory({
    ...adapter,
    connect: async () => runningFunctions(await adapter.connect()),
    connectToShadowDb: async () => runningFunctions(await adapter.connectToShadowDb()),
  });
  const schema: [string, string][] = [['schema.prisma', await readFile(schemaFile, 'utf8')]];
  return engine.SchemaEngine.new({ datamodels: schema }, () => undefined, factory);
}

/** The migrations of this checkout, oldest first. */
export async function migrationsOnDisk(): Promise<engine.MigrationList> {
  const names = (await readdir(migrationsFolder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: migrationsFolder,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(migrationsFolder, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(path.join(migrationsFolder, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

/**
 * Takes the lock of migrations for the session. Asks again and again instead of waiting in a statement: an index that
 * is built beside writes waits for the end of every statement that has begun, also of one that waits for this lock.
 */
async function lockMigrations(lock: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await lock.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK]);
    if (rows[0].taken) return;
    await sleep(LOCK_ASKED_EVERY_MS);
  }
}

/**
 * Brings a database up to the migrations on disk, one process at a time.
 * @returns the names of the migrations applied now, oldest first.
 * @throws Error when a migration failed before, was edited after it ran, or the database is ahead.
 */
export async function migrate(url: string): Promise<string[]> {
  // The engine takes no lock itself: without one, two nodes starting together both apply.
  const lock = new pg.Client({ connectionString: url });
  // The engine keeps its session, and what it locked there, until its connections are ended.
  const connections = new pg.Pool({ connectionString: withSessionSettings(url) });
  await lock.connect();
  try {
    await lockMigrations(lock);
    const migrationsList = await migrationsOnDisk();
    const schemaEngine = await openSchemaEngine(new PrismaPg(connections));
    const found = await schemaEngine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    });
    if (found.failedMigrationNames.length > 0)
      throw new Error(
        `These migrations failed before and need a look: ${found.failedMigrationNames.join(', ')}`,
      );
    if (found.editedMigrationNames.length > 0)
      throw new Error(
        `These migrations were edited after they ran: ${found.editedMigrationNames.join(', ')}`,
      );
    if (found.history && found.history.diagnostic !== 'databaseIsBehind')
      throw new Error(
        'The database has migrations that this version does not know. Start the newer version.',
      );
    const { appliedMigrationNames } = await schemaEngine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  } finally {
    await connections.end();
    await lock.end();
  }
}
