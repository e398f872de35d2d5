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
