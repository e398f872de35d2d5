import pg from 'pg';
import { commonErrors, type ServiceError } from '../errors.ts';
import { Prisma } from './generated/client.ts';

/**
 * What it looks like when the database is away: stopped, starting, full, cut off, or all connections taken.
 * That is nobody's mistake in a request, so it is answered as 503 and told once, not once per request.
 */

/** No connection was to be had. The reason is the cause. */
export class OutOfReach extends Error {
  constructor(cause: Error) {
    super(`the database is out of reach: ${cause.message}`, { cause });
    this.name = 'OutOfReach';
  }
}

/** PostgreSQL: connection exceptions, insufficient resources, shut down or starting; not a cancelled statement. */
const AWAY = /^(08...|53...|57P0[1-5])$/;
/** Such an error ends the connection, or kept it from being made. */
const LAST_WORDS = new Set(['FATAL', 'PANIC']);
/** What the driver says without any code, of a connection that broke under a statement or before it. */
const BROKEN = /^(Connection terminated|Client (has encountered a connection error|was closed))/;
const SOCKET_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** Prisma: not reachable, timed out, closed, refused by TLS, no connection free, too many connections. */
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);
const TRANSACTION_API = 'P2028';
const NOT_BEGUN = /Unable to start a transaction/;
/** The same in the words of its adapter, which raw statements carry. */
const ADAPTER_AWAY = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** An error of the server, from its driver or as the adapter passes it on. */
interface ServerError {
  code?: string | undefined;
  severity?: string | undefined;
}

const isAway = ({ code, severity }: ServerError): boolean =>
  AWAY.test(String(code)) || LAST_WORDS.has(String(severity));

/** Whether it failed before anything was sent to the database. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof OutOfReach ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === TRANSACTION_API &&
    NOT_BEGUN.test(error.message));

/** Whether something failed only because the database cannot be used at the moment. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof OutOfReach) return true;
  if (error instanceof pg.DatabaseError) return isAway(error);
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (PRISMA_AWAY.has(error.code)) return true;
    if (error.code === TRANSACTION_API) return NOT_BEGUN.test(error.message);
    const { cause } = (error.meta?.driverAdapterError ?? {}) as {
      cause?: ServerError & { kind?: string };
    };
    return cause !== undefined && (ADAPTER_AWAY.has(String(cause.kind)) || isAway(cause));
  }
  const isSocket = 'syscall' in error && 'code' in error && SOCKET_CODES.has(String(error.code));
  return isSocket || BROKEN.test(error.message);
}

/** Long enough for most fail-overs to get on, short enough for whoever waits in front of a screen. */
const RETRY_AFTER_SECONDS = 5;

/** The refusal of what failed only because the database is away; null of any other error. */
export const unavailable = (error: unknown): ServiceError | null =>
  isOutOfReach(error)
    ? commonErrors.SERVICE_UNAVAILABLE({
        cause: error,
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
    : null;

/** Who is told of outages: once when one begins, once when it is over. */
export interface OutageReport {
  /** A connection broke. The pool replaces it; this may be all, or the beginning of an outage. */
  broke(error: Error): void;
  /** No connection can be had. */
  lost(error: Error): void;
  /** The database works again. @param failures connections that broke or could not be made */
  regained(about: { failures: number; seconds: number }): void;
}

/** A database that gives a connection now and refuses the next one has not come back. */
const QUIET_MS = 2000;

/** Tells many failures from many outages. */
export function watchOutages(report: OutageReport) {
  let trouble: { since: number; last: number; failures: number; isLost: boolean } | undefined;
  const note = (): NonNullable<typeof trouble> => {
    const now = performance.now();
    trouble ??= { since: now, last: now, failures: 0, isLost: false };
    trouble.last = now;
    trouble.failures++;
    return trouble;
  };
  return {
    /** A connection broke. */
    broke: (error: Error): void => {
      if (note().failures === 1) report.broke(error);
    },
    /** A connection could not be made. */
    failed: (error: Error): void => {
      const noted = note();
      if (noted.isLost) return;
      noted.isLost = true;
      report.lost(error);
    },
    /** Somebody got a connection. */
    worked: (): void => {
      if (trouble === undefined) return;
      const now = performance.now();
      if (now - trouble.last < QUIET_MS) return;
      const { failures, since } = trouble;
      trouble = undefined;
      report.regained({ failures, seconds: Math.round((now - since) / 1000) });
    },
  };
}
