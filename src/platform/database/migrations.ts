import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { withSessionSettings } from './database.ts';

/**
 * Migrations through Prisma's schema engine. It writes the ordinary `_prisma_migrations` table, so `prisma migrate
 * deploy` stays usable beside it.
 */

export const migrationsFolder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** Any number will do as long as every process of the service uses the same. */
const MIGRATION_LOCK = 7_203_114_011;
/** The lock that Prisma's schema engine holds in its session while it applies migrations. */
const ENGINE_LOCK = 72_707_369;
const LOCK_ASKED_EVERY_MS = 100;

/** The migrations of this checkout, oldest first. */
export async function migrationsOnDisk(): Promise<MigrationList> {
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
 * Takes a lock for the session. Asks again and again instead of waiting in a statement: an index that is built beside
 * writes waits for the end of every statement that has begun, also of one that waits for this lock.
 */
async function takeLock(client: pg.Client, lock: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    if (rows[0].taken) return;
    await sleep(LOCK_ASKED_EVERY_MS);
  }
}

/** Whether every migration on disk was applied as it is there, and nothing else was. */
async function isUpToDate(client: pg.Client, { migrationDirectories }: MigrationList): Promise<boolean> {
  const { rows: tables } = await client.query(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!tables[0].found) return false;
  const { rows } = await client.query<{ name: string; checksum: string; isApplied: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isApplied" FROM _prisma_migrations
     WHERE rolled_back_at IS NULL`,
  );
  const applied = new Map(rows.map(({ name, checksum, isApplied }) => [name, isApplied && checksum]));
  return (
    applied.size === migrationDirectories.length &&
    migrationDirectories.every(({ path: name, migrationFile: { content } }) => {
      const checksum = createHash('sha256').update(content.value).digest('hex');
      return applied.get(name) === checksum;
    })
  );
}

/** Encodings that store any text. `SQL_ASCII`, what `initdb` takes where no locale is set, stores UTF-8 as it comes. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];

/** Checks that the database stores names in any script. @throws Error when it does not */
async function requireEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  const encoding: string = rows[0].server_encoding;
  if (!ENCODINGS.includes(encoding)) throw new Error(`its encoding is ${encoding} and must be UTF8`);
}

/** Checks the rights that a node needs on every table and sequence, but those of extensions. @throws Error when the role does not have one of them */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ missing: string }>(
    `SELECT format('%s on %s %I', "right", CASE relkind WHEN 'S' THEN 'the sequence' ELSE 'the table' END, relname) AS missing
     FROM pg_class, unnest(CASE relkind WHEN 'S' THEN '{USAGE}' ELSE '{SELECT,INSERT,UPDATE,DELETE}' END::text[])
       WITH ORDINALITY AS needed ("right", place)
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND relname <> '_prisma_migrations'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
       AND NOT CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, "right") ELSE has_table_privilege(oid, "right") END
     ORDER BY relkind = 'S', relname, place LIMIT 1`,
  );
  const [first] = rows;
  if (first !== undefined)
    throw new Error(
      `its role may not write: it lacks ${first.missing} and needs SELECT, INSERT, UPDATE and DELETE on every table and USAGE on every sequence of the schema public`,
    );
}

/** Checks the right to create tables. @throws Error when the role does not have it */
async function requireCreation(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT has_schema_privilege('public', 'CREATE') AS allowed`);
  if (!rows[0].allowed)
    throw new Error('its role may not create tables in the schema public, which the migrations do');
}

/**
 * Brings a database up to the migrations on disk, one process at a time. A migration that failed, or whose process ended, is
 * applied again: nothing of it is left.
 * @param begins called before it waits for other processes and applies migrations; not when there is nothing to apply
 * @returns the names of the migrations applied now, oldest first.
 * @throws Error when a migration fails, was edited after it ran, the database is ahead, holds something else or cannot store
 *   every name, or its role may not write
 */
export async function migrate(url: string, begins: () => void = () => undefined): Promise<string[]> {
  const session = { connectionString: withSessionSettings(url) };
  const client = new pg.Client(session);
  // The statement that runs or comes next reports a broken connection. Without a listener the process would end.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireEncoding(client);
    const migrationsList = await migrationsOnDisk();
    // Most starts: the engine takes half a second of processor time.
    if (await isUpToDate(client, migrationsList)) {
      await requireWrites(client);
      return [];
    }
    await requireCreation(client);
    begins();
    // The engine looks for what to apply before it takes its lock: of two nodes that start together, both would apply.
    await takeLock(client, MIGRATION_LOCK);
    // PostgreSQL finishes the statement of a process that has ended. It holds the engine's lock until then.
    await takeLock(client, ENGINE_LOCK);
    await client.query('SELECT pg_advisory_unlock($1)', [ENGINE_LOCK]);
    return await applyMigrations(session, migrationsList);
  } finally {
    await client.end();
  }
}

/** Prisma: there are tables, and no migration that was applied. */
const NOT_EMPTY = 'P3005';
const foreign = (): Error =>
  new Error('it holds something else than this service: the service needs an empty database of its own');

async function applyMigrations(session: pg.PoolConfig, migrationsList: MigrationList): Promise<string[]> {
  const { filters, openSchemaEngine } = await import('./schema-engine.ts');
  // The engine keeps its session, and what it locked there, until its connections are ended.
  const connections = new pg.Pool(session);
  connections.on('error', () => undefined);
  try {
    const schemaEngine = await openSchemaEngine(new PrismaPg(connections));
    const found = await schemaEngine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    });
    if (found.editedMigrationNames.length > 0)
      throw new Error(
        `These migrations were edited after they ran: ${found.editedMigrationNames.join(', ')}`,
      );
    if (found.history?.diagnostic === 'historiesDiverge' && found.history.lastCommonMigrationName === null)
      throw foreign();
    if (found.history && found.history.diagnostic !== 'databaseIsBehind')
      throw new Error(
        'The database has migrations that this version does not know. Start the newer version.',
      );
    for (const migrationName of found.failedMigrationNames)
      await schemaEngine.markMigrationRolledBack({ migrationName });
    const { appliedMigrationNames } = await schemaEngine
      .applyMigrations({ migrationsList, filters })
      .catch((error: unknown) => {
        throw (error as { code?: unknown }).code === NOT_EMPTY ? foreign() : error;
      });
    return appliedMigrationNames;
  } finally {
    await connections.end();
  }
}
