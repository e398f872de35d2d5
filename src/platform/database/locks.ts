import { type Db, sqlState } from './database.ts';

/**
 * Takes advisory locks with these names until the transaction ends, in one order, so that two transactions cannot
 * deadlock. Statements after it see what earlier holders committed.
 */
export async function lockNames(db: Db, ...names: string[]): Promise<void> {
  await db.$executeRaw`
    SELECT pg_advisory_xact_lock(key)
    FROM (SELECT hashtextextended(unnest(${names}::text[]), 0) AS key ORDER BY key) AS keys`;
}

/** Takes an advisory lock that any number of transactions share; only {@link lockNames} of the same name excludes them. */
export async function shareName(db: Db, name: string): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;
}

/** Whether a statement waited too long for a lock (PostgreSQL: lock_not_available). */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03';
