import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

/**
 * Prisma's own schema engine in its WebAssembly build, which comes from the npm registry: the native one is a download
 * that closed networks refuse.
 */

export const schemaFile = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));

/** Every table and enum is ours. */
export const filters: engine.SchemaFilter = { externalTables: [], externalEnums: [] };

/** The engine limits its wait for a lock by a timer of ten seconds that it never clears: a process may end before. */
const imports = Object.fromEntries(
  Object.entries(engine).map(([name, imported]) =>
    name.startsWith('__wbg_setTimeout_')
      ? [name, (run: () => void, ms: number) => setTimeout(run, ms).unref()]
      : [name, imported],
  ),
);

let loading: Promise<void> | undefined;
async function loadEngine(): Promise<void> {
  const binary = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(binary), {
    './schema_engine_bg.js': imports as WebAssembly.ModuleImports,
  });
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The statements of a script: a semicolon inside of `$$ … $$` ends none. */
export const statementsOf = (script: string): string[] =>
  (script.match(/(?:\$\$[\s\S]*?\$\$|[^;])+/g) ?? []).filter((sql) => sql.trim() !== '');

/** The index that a statement builds beside writes. */
const BUILT_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/m;

/**
 * Records the migration in the transaction of its script. Without this a process that ends before the engine records it would
 * leave a migration that cannot be applied a second time. The table is not there where only the schema is compared.
 */
const RECORD = `DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  END IF;
END $$`;

/**
 * Runs the scripts of migrations so that each can be applied again when it failed or was interrupted. PostgreSQL runs the
 * statements of one text in one transaction. An index that is built beside writes cannot be built in a transaction and may be
 * left unfinished: it is removed first, and such a script has no statements that cannot be repeated.
 */
const runningWhole = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
  const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  return Object.assign(adapter, {
    executeScript: async (script: string): Promise<void> => {
      if (!BUILT_INDEX.test(script)) return void (await run(`${script};\n${RECORD}`));
      for (const statement of statementsOf(script)) {
        const index = BUILT_INDEX.exec(statement)?.[1];
        if (index !== undefined) await run(`DROP INDEX IF EXISTS "${index}"`);
        await run(statement);
      }
      await run(RECORD);
    },
  });
};

/** Opens the schema engine on the database that `adapter` connects to. */
export async function openSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
): Promise<engine.SchemaEngine> {
  loading ??= loadEngine();
  await loading;
  const factory = bindMigrationAwareSqlAdapterFactory({
    ...adapter,
    connect: async () => runningWhole(await adapter.connect()),
    connectToShadowDb: async () => runningWhole(await adapter.connectToShadowDb()),
  });
  const schema: [string, string][] = [['schema.prisma', await readFile(schemaFile, 'utf8')]];
  return engine.SchemaEngine.new({ datamodels: schema }, () => undefined, factory);
}
