import pg from 'pg';
import type { Prisma } from './generated/client.ts';

/** A table, by the name of its model. */
export type Table = Prisma.ModelName;

/**
 * What this process has written, table by table, so that answers which are kept in memory know that they are
 * outdated. It is told by the connections themselves, so no writer can forget to say it.
 */
export interface Changes {
  /** A number that is different as soon as any of these tables was changed. It never comes back. */
  mark(tables: readonly Table[]): number;
  /** Other processes are to be told of changes of these. */
  watch(tables: readonly Table[]): void;
  /** Another process changed these tables. */
  hear(tables: Iterable<string>): void;
  /** Whatever may have changed: nothing that was read before counts any more. */
  forgetAll(): void;
  /** The watched tables this process changed since it was last asked. */
  takeWritten(): string[];
  /** Changes that could not be passed on are to be taken again. */
  putBack(tables: readonly string[]): void;
}

export interface ChangeLog extends Changes {
  /** This process changed these tables, and the change is committed. */
  note(tables: Iterable<string>): void;
}

export function createChanges(): ChangeLog {
  const versions = new Map<string, number>();
  const watched = new Set<string>();
  const written = new Set<string>();
  let all = 0;
  const grow = (table: string) => versions.set(table, (versions.get(table) ?? 0) + 1);
  return {
    // Each part only ever grows, so an equal sum says that none of them did.
    mark: (tables) => tables.reduce((sum, table) => sum + (versions.get(table) ?? 0), all),
    watch: (tables) => {
      for (const table of tables) watched.add(table);
    },
    note: (tables) => {
      for (const table of tables) {
        grow(table);
        if (watched.has(table)) written.add(table);
      }
    },
    hear: (tables) => {
      for (const table of tables) grow(table);
    },
    forgetAll: () => {
      all += 1;
    },
    takeWritten: () => {
      const taken = [...written];
      written.clear();
      return taken;
    },
    putBack: (tables) => {
      for (const table of tables) written.add(table);
    },
  };
}

/** What a statement means for the tables. */
interface Meaning {
  kind: 'begin' | 'commit' | 'rollback' | 'statement';
  writes: readonly string[];
  /** A common table expression may write what the number of rows does not tell. */
  hasParts: boolean;
}

const WRITE =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?(?:"?public"?\.)?"(\w+)"/gi;

/** Statements are texts with parameters, so there are few; a text with its values inside must not fill the memory. */
const MOST_TEXTS = 2000;
const meanings = new Map<string, Meaning>();

/** Reads from the text of a statement which tables it writes to. */
export function meaningOf(text: string): Meaning {
  const known = meanings.get(text);
  if (known !== undefined) return known;
  const meaning: Meaning = {
    kind: /^\s*(?:BEGIN|START\s)/i.test(text)
      ? 'begin'
      : /^\s*(?:COMMIT|END)\b/i.test(text)
        ? 'commit'
        : /^\s*ROLLBACK\s*;?\s*$/i.test(text)
          ? 'rollback'
          : 'statement',
    writes: [...new Set([...text.matchAll(WRITE)].map(([, table = '']) => table))],
    hasParts: /^\s*WITH\b/i.test(text),
  };
  if (meanings.size >= MOST_TEXTS) meanings.clear();
  meanings.set(text, meaning);
  return meaning;
}

type Callback = (error: unknown, result?: { rowCount: number | null }) => void;

/**
 * A client of the pool that notes what it wrote, once that is committed and before whoever wrote hears of it:
 * who reads after a write was acknowledged sees it.
 */
export function observedClient(log: ChangeLog): typeof pg.Client {
  class ObservedClient extends pg.Client {
    /** Written in the transaction that is open; null: none is. */
    #pending: Set<string> | null = null;

    /** @param rows null: unknown, or the statement failed and nobody knows how far it came */
    #settle({ kind, writes, hasParts }: Meaning, rows: number | null): void {
      if (kind === 'begin') this.#pending = new Set();
      else if (kind === 'statement') {
        if (rows === 0 && !hasParts) return;
        if (this.#pending === null) log.note(writes);
        else for (const table of writes) this.#pending.add(table);
      } else {
        // A commit that failed may have happened all the same: the connection may have broken after it.
        if (kind === 'commit' && this.#pending !== null) log.note(this.#pending);
        this.#pending = null;
      }
    }

    // biome-ignore lint/suspicious/noExplicitAny: the many forms of `query` are passed on as they are
    override query(...args: any[]): any {
      const [asked] = args;
      const text: unknown = typeof asked === 'string' ? asked : asked?.text;
      const run = super.query.bind(this) as (...all: unknown[]) => unknown;
      if (typeof text !== 'string') return run(...args);
      const meaning = meaningOf(text);
      if (meaning.kind === 'statement' && meaning.writes.length === 0) return run(...args);
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const told: Callback = (error, result) => {
          this.#settle(meaning, error ? null : (result?.rowCount ?? null));
          (callback as Callback)(error, result);
        };
        return run(...args.slice(0, -1), told);
      }
      return (run(...args) as Promise<pg.QueryResult>).then(
        (result) => {
          this.#settle(meaning, result.rowCount);
          return result;
        },
        (error: unknown) => {
          this.#settle(meaning, null);
          throw error;
        },
      );
    }
  }
  return ObservedClient;
}
