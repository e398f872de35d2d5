import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Changes, Table } from '../../src/platform/database/changes.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { type Service, startService } from '../../src/service.ts';
import { textOf } from './statement-text.ts';

/** Finds writes to tables of cached responses that were not declared to `changes.writing`. */
export interface ObservedWrites {
  /** @throws Error that names the statements of such writes */
  check(): void;
}

const WRITE =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"(\w+)"/gi;

/** Tables that functions of the database write to at each call. Others write depending on what they find. */
const FUNCTIONS: Record<string, string[]> = { publishReplay: ['Replay'] };
const CALL = /^SELECT "(\w+)"\(/;

const tablesByText = new Map<string, string[]>();

/** The tables that a statement writes to, read from its text. */
export function tablesWrittenBy(text: string): string[] {
  const known = tablesByText.get(text);
  if (known) return known;
  const called = FUNCTIONS[CALL.exec(text)?.[1] ?? ''] ?? [];
  const tables = [...new Set([...called, ...[...text.matchAll(WRITE)].map(([, table = '']) => table)])];
  tablesByText.set(text, tables);
  return tables;
}

interface Scope {
  declared: readonly Table[];
  outer: Scope | undefined;
  /** The writes to the declared tables. */
  written: Write[];
}

interface Write {
  table: string;
  text: string;
}

/** Call it before the database is used. */
export function observeWrites({ pool, changes }: Pick<Database, 'pool' | 'changes'>): ObservedWrites {
  const scopes = new AsyncLocalStorage<Scope>();
  const watched = new Set<string>();
  const missing: Write[] = [];

  const note = (text: string): void => {
    for (const table of tablesWrittenBy(text)) {
      let scope = scopes.getStore();
      while (scope && !scope.declared.includes(table as Table)) scope = scope.outer;
      (scope?.written ?? missing).push({ table, text });
    }
  };

  pool.on('connect', (client) => {
    // Looked up for each statement: tests spy on it.
    const { prototype } = pg.Client as unknown as { prototype: { query(...args: unknown[]): unknown } };
    client.query = ((...args: unknown[]) => {
      const text = textOf(args[0]);
      if (text === undefined || tablesWrittenBy(text).length === 0)
        return prototype.query.apply(client, args);
      const scope = scopes.getStore();
      const settle = (result?: pg.QueryResult): void => {
        if (result?.rowCount !== 0) scope === undefined ? note(text) : scopes.run(scope, note, text);
      };
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const settled = (error: unknown, result?: pg.QueryResult) => {
          settle(result);
          callback(error, result);
        };
        return prototype.query.apply(client, [...args.slice(0, -1), settled]);
      }
      return (prototype.query.apply(client, args) as Promise<pg.QueryResult>).then(
        (result) => {
          settle(result);
          return result;
        },
        (error: unknown) => {
          settle();
          throw error;
        },
      );
    }) as typeof client.query;
  });

  const { watch, writing } = changes;
  changes.watch = (tables) => {
    for (const table of tables) watched.add(table);
    watch(tables);
  };
  const observed: Changes['writing'] = (declared, work, hasWritten = () => true) => {
    const scope: Scope = { declared, outer: scopes.getStore(), written: [] };
    return scopes.run(scope, () =>
      writing(declared, work, (result) => {
        const isNoted = hasWritten(result);
        if (!isNoted) missing.push(...scope.written);
        return isNoted;
      }),
    );
  };
  changes.writing = observed;

  return {
    check: () => {
      const found = missing.splice(0).filter(({ table }) => watched.has(table));
      if (found.length === 0) return;
      const lines = new Set(
        found.map(({ table, text }) => `${table}: ${text.replaceAll(/\s+/g, ' ').trim()}`),
      );
      throw new Error(
        `Writes to tables of cached responses are not declared with changes.writing:\n${[...lines].join('\n')}`,
      );
    },
  };
}

/** The service. Its stop fails when it made a write to a table of a cached response without noting it. */
export async function startObservedService(
  ...[config, options]: Parameters<typeof startService>
): Promise<Service> {
  let writes: ObservedWrites | undefined;
  const service = await startService(config, {
    ...options,
    observe: (database) => {
      writes = observeWrites(database);
    },
  });
  return {
    ...service,
    stop: async (...how) => {
      await service.stop(...how);
      writes?.check();
    },
  };
}
