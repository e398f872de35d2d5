import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { BOUNDS } from '../limits.ts';
import { createChanges, type Table } from './changes.ts';
import { createConnectionCheck, IDENTITY } from './connection-check.ts';
import { timeLeft } from './deadline.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { OutOfReach, type ReachReport, watchReach } from './out-of-reach.ts';
import { CONNECT_MS, ReportingPool } from './pool.ts';
import { cut, endWhenSilent, isIdle, onServerError } from './silence.ts';

/** The first argument of a store's functions: the client itself, or the transaction they take part in. */
export type Db = PrismaClient | Prisma.TransactionClient;

export type Database = ReturnType<typeof openDatabase>;

interface DatabaseOptions {
  url: string;
  /** Connections of this process at most. */
  connections?: number;
  /** How long a connection may say nothing while a statement waits for it; left out: ten seconds. */
  silentMs?: number;
  /** Called when the database cannot be used, and when it works again. */
  reach?: ReachReport;
  /** Called once when the database has lost changes that were committed, or is another one: see connection-check.ts. */
  onOtherHistory?: () => void;
}

/**
 * Settings that statements rely on. They override those of the server, the database and the role. Times are read as UTC in
 * ISO form. A transaction that waited for a row sees the row as the transaction before it wrote it. Tables are found in the
 * schema `public`, the one that Prisma's client names. Idle connections are kept.
 */
const SESSION = String.raw`-c TimeZone=UTC -c DateStyle=ISO -c default_transaction_isolation=read\ committed -c search_path=public -c idle_session_timeout=0`;

/** The address with these settings, after those the operator put into its `options`: the last one counts. */
export function withSessionSettings(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.set('options', given ? `${given} ${SESSION}` : SESSION);
  return address.href;
}

const NOBODY: ReachReport = { broke: () => undefined, lost: () => undefined, regained: () => undefined };

/**
 * PostgreSQL: read_only_sql_transaction. The service begins no such transaction itself: the server is a standby, was a
 * primary before a switch-over, or its disk is nearly full.
 */
const READ_ONLY = '25006';
/** PostgreSQL: insufficient_resources, such as a full disk. */
const NO_RESOURCES = /^53/;

/** How long connections may take to close. */
const CLOSE_MS = 1000;
/** Connections are replaced after this time: those to a server that was replaced, and still runs, end. */
const LIFETIME_SECONDS = 300;

/** Opens one pool of connections and Prisma on top of it. Connects on first use. */
export function openDatabase({
  url,
  connections = 20,
  silentMs,
  reach = NOBODY,
  onOtherHistory,
}: DatabaseOptions) {
  const changes = createChanges();
  let closing = false;
  const watch = watchReach(reach);
  const failed = (error: Error): void => {
    if (!closing) watch.failed(error);
  };
  const check = createConnectionCheck(() => {
    abandon();
    onOtherHistory?.();
  });
  const pool = new ReportingPool(failed, {
    connectionString: withSessionSettings(url),
    max: connections,
    verify: (client, done) => void check(client).then(() => done(), done),
    connectionTimeoutMillis: CONNECT_MS,
    // Kept once they are there: opening one costs more than all the statements of a match.
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    // A statement that runs this long is a fault. Shorter than the time after which a connection counts as silent.
    statement_timeout: 9_000,
    lock_timeout: BOUNDS.lock.value,
    // Other nodes count a process that stands still as dead after this time: its locks must end then. A transaction waits
    // for nothing but the database.
    idle_in_transaction_session_timeout: 5_000,
  });
  const report = (error: Error): void => {
    // A server that stops at the same moment ends connections while they close.
    if (!closing) watch.broke(error);
  };
  pool.on('acquire', watch.worked);
  pool.on('error', report);
  // A checked-out client whose backend is terminated emits 'error' as well; nobody listening ends the process.
  const clients = new Set<pg.PoolClient>();
  let isAbandoned = false;
  const abandoned = Promise.withResolvers<void>();
  pool.on('connect', (client) => {
    client.on('error', report);
    if (isAbandoned) cut(client);
    clients.add(client);
    onServerError(client, (error) => {
      // A new connection may reach a server that takes writes; this one may never do again.
      if (error.code === READ_ONLY) cut(client);
      if (NO_RESOURCES.test(error.code ?? '')) failed(error);
    });
    // Idle connections are as likely broken, and a caller that took one would wait as long to find out.
    endWhenSilent(client, silentMs, () => {
      for (const one of clients) if (isIdle(one)) cut(one);
    });
  });
  pool.on('remove', (client) => clients.delete(client));
  const abandon = (): void => {
    closing = true;
    isAbandoned = true;
    pool.closeToAll();
    for (const client of clients) cut(client);
    abandoned.resolve();
  };
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    /** Schema, types and ordinary queries. */
    prisma,
    /** The same connections, for the few hot statements that are prepared by name. */
    pool,
    /** Which tables this process has written to. */
    changes,
    /** Whether writes were refused lately because the disk of the server is full. */
    isFull: watch.isFull,
    /** When the last one was refused, by `performance.now()`. */
    fullAt: watch.fullAt,
    /** Ends all connections and refuses every request for one, so that a stop that takes too long can finish. */
    abandon,
    close: async () => {
      closing = true;
      await prisma.$disconnect();
      // The server does not answer on a connection that is half open.
      const rest = setTimeout(() => {
        for (const client of clients) cut(client);
      }, CLOSE_MS);
      await Promise.race([pool.end(), abandoned.promise]);
      clearTimeout(rest);
    },
  };
}

/** Identifies this database among all databases, independent of its server and address. */
export async function identityOf({ prisma }: Pick<Database, 'prisma'>): Promise<string> {
  const [row] = await prisma.$queryRaw<{ identity: string }[]>`SELECT ${Prisma.raw(IDENTITY)} AS identity`;
  return row?.identity ?? '';
}

/** PostgreSQL: unique_violation, exclusion_violation. */
const COLLISIONS = new Set(['23505', '23P01']);
/** PostgreSQL: serialization_failure, deadlock_detected. */
const RACES = new Set(['40001', '40P01']);

export function sqlState(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Object; at = 'cause' in at ? at.cause : undefined) {
    if ('originalCode' in at && typeof at.originalCode === 'string') return at.originalCode;
    if (at instanceof pg.DatabaseError) return at.code;
    if (at instanceof Prisma.PrismaClientKnownRequestError) {
      const adapterError = at.meta?.driverAdapterError;
      if (adapterError instanceof Object && adapterError !== at) return sqlState(adapterError);
    }
  }
  return undefined;
}

const hasCode = (error: unknown, ofPrisma: string, states: ReadonlySet<string>): boolean =>
  (error instanceof Prisma.PrismaClientKnownRequestError && error.code === ofPrisma) ||
  states.has(sqlState(error) ?? '');

/** Whether a write lost against a unique index or an exclusion constraint. */
export const isCollision = (error: unknown): boolean => hasCode(error, 'P2002', COLLISIONS);

/** A transaction that was rolled back because it took too long. */
const isExpired = (error: unknown): error is Error =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2028';

const ATTEMPTS = 5;
/** How long a transaction may take. One with a deadline ends soon after it, because its caller waits for an answer. */
const TRANSACTION_MS = 15_000;

/** A transaction that finds at its end that another one has overtaken it: it is rolled back and repeated. */
export class Overtaken extends Error {
  override name = 'Overtaken';
}

interface TransactionOptions<T> {
  /** See {@link Changes.writing}. */
  hasWritten?: (result: T) => boolean;
  /** How long it may take, milliseconds; left out: 15 seconds. */
  ms?: number;
}

/**
 * Runs `work` in one transaction and repeats it when the database aborted it in favour of another transaction (deadlock,
 * serialization failure) or `work` throws {@link Overtaken}. `work` must do nothing but database work: no HTTP, no emits.
 * @param writes of the tables that cached responses are read from, those that `work` writes to
 */
export function inTransaction<T>(
  { prisma, changes }: Pick<Database, 'prisma' | 'changes'>,
  writes: readonly Table[],
  work: (db: Prisma.TransactionClient) => Promise<T>,
  { hasWritten, ms = TRANSACTION_MS }: TransactionOptions<T> = {},
): Promise<T> {
  const run = async (): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const timeout = Math.min(ms, Math.max(1, timeLeft() + BOUNDS.lock.value));
        return await prisma.$transaction(work, { maxWait: CONNECT_MS, timeout });
      } catch (error) {
        if (timeLeft() <= 0 && isExpired(error)) throw new OutOfReach(error);
        const isRace = error instanceof Overtaken || hasCode(error, 'P2034', RACES);
        if (attempt >= ATTEMPTS || !isRace) throw error;
      }
    }
  };
  return changes.writing(writes, run, hasWritten);
}

/** Runs `work` on one state of the database: it sees nothing that is committed after its first statement. It writes nothing. */
export const inSnapshot = <T>(
  { prisma }: Pick<Database, 'prisma'>,
  work: (db: Prisma.TransactionClient) => Promise<T>,
  ms = TRANSACTION_MS,
): Promise<T> =>
  prisma.$transaction(work, { isolationLevel: 'RepeatableRead', maxWait: CONNECT_MS, timeout: ms });

/**
 * Runs `work` as {@link inTransaction} does and rolls everything back that it wrote. The tables count as changed all the
 * same, so a few cached responses are read again.
 * @returns the result of `work`
 */
export async function inRolledBackTransaction<T>(
  database: Pick<Database, 'prisma' | 'changes'>,
  writes: readonly Table[],
  work: (db: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const rollback = new Error('This transaction is rolled back.');
  const seen: { result?: T } = {};
  try {
    return await inTransaction(database, writes, async (db): Promise<T> => {
      seen.result = await work(db);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
    return seen.result as T;
  }
}

export { Prisma };
