import type { Prisma } from './generated/client.ts';
import { isUnsent } from './out-of-reach.ts';

/** A table, by the name of its model. */
export type Table = Prisma.ModelName;

/**
 * Which tables were written to, so that cached responses know that they are outdated. Every write to a table that
 * cached responses are read from goes through `writing`; the tests find one that does not.
 */
export type Changes = ReturnType<typeof createChanges>;

export function createChanges() {
  const versions = new Map<string, number>();
  const watched = new Set<string>();
  const written = new Set<string>();
  let all = 0;
  const note = (tables: Iterable<string>): void => {
    for (const table of tables) versions.set(table, (versions.get(table) ?? 0) + 1);
  };
  return {
    /** A number that grows with each change of any of these tables. */
    mark: (tables: readonly Table[]) =>
      // Each part only ever grows, so an equal sum says that none of them did.
      tables.reduce((sum, table) => sum + (versions.get(table) ?? 0), all),
    /** Changes of these tables are announced to other processes. */
    watch: (tables: readonly Table[]) => {
      for (const table of tables) watched.add(table);
    },
    /**
     * Runs work that writes to these tables, and notes the change when the work has settled, before the caller hears
     * of it. It is noted also when the work failed, because a commit whose answer was lost may have happened; not when
     * no connection was to be had, so that cached responses outlast a database out of reach.
     * @param hasWritten tells from the result whether anything was written; left out: it was
     */
    writing: async <T>(
      tables: readonly Table[],
      work: () => Promise<T>,
      hasWritten: (result: T) => boolean = () => true,
    ) => {
      let isWritten = true;
      try {
        const result = await work();
        isWritten = hasWritten(result);
        return result;
      } catch (error) {
        isWritten = !isUnsent(error);
        throw error;
      } finally {
        if (isWritten) {
          note(tables);
          for (const table of tables) if (watched.has(table)) written.add(table);
        }
      }
    },
    /** Another process changed these tables. */
    note,
    /** Anything may have changed: no cached response counts any more. */
    forgetAll: () => {
      all += 1;
    },
    /** The watched tables this process changed since the last call. */
    takeWritten: () => {
      const taken = [...written];
      written.clear();
      return taken;
    },
    /** Changes that could not be passed on: the next call of `takeWritten` returns them again. */
    putBack: (tables: readonly string[]) => {
      for (const table of tables) written.add(table);
    },
  };
}
