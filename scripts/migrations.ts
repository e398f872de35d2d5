import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { startLocalPostgres } from '../src/local/postgres.ts';
import { migrationsFolder, migrationsOnDisk } from '../src/platform/database/migrations.ts';
import { filters, openSchemaEngine, schemaFile } from '../src/platform/database/schema-engine.ts';
import { reasonOf } from '../src/platform/reason.ts';

/**
 * `node scripts/migrations.ts check` fails when the migrations do not give `schema.prisma`;
 * `node scripts/migrations.ts create NAME` writes what is missing as a new migration, to be reviewed; without a
 * difference an empty one, for a function of the database.
 */

/**
 * PostgreSQL's catalogue has one-letter columns of the type "char", which the engine reads but Prisma's
 * adapter refuses. This pool lets them through as text and remembers their names; {@link asCharacters}
 * tells the engine what they are.
 */
const PG_CHAR = 18;
const characterColumns = new Set<string>();
class CatalogPool extends pg.Pool {
  override query = (async (...args: Parameters<pg.Pool['query']>) => {
    const result = (await pg.Pool.prototype.query.apply(this, args as never)) as unknown as
      | pg.QueryArrayResult
      | pg.QueryArrayResult[];
    // A script of several statements has several results.
    for (const field of [result].flat().flatMap(({ fields }) => fields)) {
      if (field.dataTypeID !== PG_CHAR) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      characterColumns.add(field.name);
    }
    return result;
  }) as unknown as pg.Pool['query'];
}

function asCharacters(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    result.columnTypes = result.columnTypes.map((type, at) =>
      characterColumns.has(result.columnNames[at] ?? '') ? ColumnTypeEnum.Character : type,
    );
    return result;
  };
  return adapter;
}

/** The SQL that is missing in the migrations to reach `schema.prisma`. Replays them in `emptyDatabaseUrl`. */
async function drift(emptyDatabaseUrl: string): Promise<string> {
  const pool = new CatalogPool({ connectionString: emptyDatabaseUrl });
  try {
    const adapter = new PrismaPg(pool);
    const connect = async () => asCharacters(await adapter.connect());
    const engine = await openSchemaEngine({
      provider: 'postgres',
      adapterName: adapter.adapterName,
      connect,
      connectToShadowDb: connect,
    });
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await migrationsOnDisk()) },
      to: {
        tag: 'schemaDatamodel',
        files: [{ path: 'schema.prisma', content: await readFile(schemaFile, 'utf8') }],
      },
      script: true,
      exitCode: null,
      filters,
    });
    const sql = stdout ?? '';
    return /^\s*(--[^\n]*\s*)*$/.test(sql) ? '' : sql;
  } finally {
    await pool.end();
  }
}

const [command, name] = process.argv.slice(2);
const postgres = await startLocalPostgres();
try {
  await postgres.ensureDatabase('shadow');
  const missing = await drift(postgres.urlOf('shadow'));
  if (command === 'create' && name !== undefined && /^[a-z0-9_]+$/.test(name)) {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = path.join(migrationsFolder, `${stamp}_${name}`);
    await mkdir(folder);
    await writeFile(path.join(folder, 'migration.sql'), missing || '-- Not in schema.prisma: \n');
    console.log(
      `Written: ${path.relative(process.cwd(), folder)}/migration.sql. Review it before it is committed.`,
    );
  } else if (command === 'check') {
    if (missing !== '') throw new Error(`The migrations do not give schema.prisma. Missing:\n${missing}`);
    console.log('The migrations give schema.prisma.');
  } else {
    throw new Error('Say `check`, or `create` and a name of lower-case letters, digits and underscores.');
  }
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
} finally {
  await postgres.stop();
}
