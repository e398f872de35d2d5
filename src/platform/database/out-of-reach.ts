import pg from 'pg';
import { commonErrors, type ServiceError } from '../errors.ts';
import { reasonOf } from '../reason.ts';
import { Prisma } from './generated/client.ts';

/**
 * The errors of a database that cannot be used: stopped, starting, full, disconnected, or without a free connection. They
 * are no fault of a request, so the response is 503, and the state is logged once instead of once per request.
 */

/** There was no connection, or no turn to use one. The cause has the reason. */
export class OutOfReach extends Error {
  /** Milliseconds until the client should try again; null: unknown. */
  readonly retryAfterMs: number | null;

  constructor(cause: Error, retryAfterMs: number | null = null) {
    super(`the database is out of reach: ${reasonOf(cause)}`, { cause });
    this.name = 'OutOfReach';
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * PostgreSQL: connection exceptions, a server that is read-only, insufficient resources, a lock that others hold for too
 * long, shut down or starting; not a cancelled statement.
 */
const AWAY = /^(08...|25006|53...|55P03|57P0[1-5])$/;
/** Errors of these severities end a connection or prevent it. */
const ENDING_SEVERITIES = new Set(['FATAL', 'PANIC']);
/** Messages of the driver without a code, when a connection breaks before or during a statement. */
const BROKEN = /^(Connection terminated|Client (has encountered a connection error|was closed))/;
const SOCKET_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** Prisma: not reachable, timed out, closed, refused by TLS, no connection free, too many connections. */
const PRISMA_AWAY = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);
const TRANSACTION_API = 'P2028';
const NOT_BEGUN = /Unable to start a transaction/;
/** The same in the adapter of Prisma, for raw statements. */
const ADAPTER_AWAY = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** An error of the server, from its driver or as the adapter passes it on. */
interface ServerError {
  code?: string;
  severity?: string;
}

const isAway = ({ code, severity }: ServerError): boolean =>
  AWAY.test(String(code)) || ENDING_SEVERITIES.has(String(severity));

/** Whether the work failed before anything was sent to the database. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof OutOfReach ||
  (error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === TRANSACTION_API &&
    NOT_BEGUN.test(error.message));

/** Whether the work failed only because the database cannot be used at the moment. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isUnsent(error)) return true;
  if (error instanceof pg.DatabaseError) return isAway(error);
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (PRISMA_AWAY.has(error.code)) return true;
    const { cause } = (error.meta?.driverAdapterError ?? {}) as {
      cause?: ServerError & { kind?: string };
    };
    return cause !== undefined && (ADAPTER_AWAY.has(String(cause.kind)) || isAway(cause));
  }
  const isSocket = 'syscall' in error && 'code' in error && SOCKET_CODES.has(String(error.code));
  return isSocket || BROKEN.test(error.message);
}

/**
 * Whether the connection broke after a statement was sent. The server may still execute it and commit: it finds out that
 * nobody waits when it sends the answer.
 */
export const isUndecided = (error: unknown): boolean =>
  isOutOfReach(error) && !isUnsent(error) && !(error instanceof pg.DatabaseError);

/** If the time is unknown: long enough for progress of most fail-overs, short enough for a person who waits. */
const RETRY_AFTER_MS = 5000;
const retryAfterOf = (error: unknown): number =>
  (error instanceof OutOfReach ? error.retryAfterMs : null) ?? RETRY_AFTER_MS;

/** The refusal of work that failed only because the database cannot be used; null for any other error. */
export const unavailable = (error: unknown): ServiceError | null =>
  isOutOfReach(error)
    ? commonErrors.SERVICE_UNAVAILABLE({
        cause: error,
        headers: { 'retry-after': String(Math.ceil(retryAfterOf(error) / 1000)) },
      })
    : null;

/** Called once when the database gets out of reach and once when it works again. */
export interface ReachReport {
  /** A connection broke. The pool replaces it; this may be all, or the database may be out of reach. */
  broke(error: Error): void;
  /** There is no connection, or the server lacks resources. */
  lost(error: Error): void;
  /** The database works again. @param failures connections that broke or could not be made */
  regained(about: { failures: number; seconds: number }): void;
}

/** The database works again after this long without a failure, because a recovering one may refuse the next connection. */
const QUIET_MS = 2000;
/** The same for a full disk, on which writes that need no more room still succeed. */
const QUIET_AFTER_FULL_MS = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** PostgreSQL: disk_full. */
const isDiskFull = (error: Error): boolean => 'code' in error && error.code === '53100';

/**
 * Combines many failures to one report.
 * @param now milliseconds of a monotonic clock
 */
export function watchReach(report: ReachReport, now = () => performance.now()) {
  let trouble: { since: number; last: number; failures: number; isLost: boolean; fullAt: number } | undefined;
  const note = (): NonNullable<typeof trouble> => {
    trouble ??= { since: now(), last: 0, failures: 0, isLost: false, fullAt: NEVER };
    trouble.last = now();
    trouble.failures++;
    return trouble;
  };
  const fullAt = (): number => trouble?.fullAt ?? NEVER;
  return {
    /** A connection broke. */
    broke: (error: Error): void => {
      if (note().failures === 1) report.broke(error);
    },
    /** A connection could not be made, or the server lacks resources. */
    failed: (error: Error): void => {
      const noted = note();
      if (isDiskFull(error)) noted.fullAt = noted.last;
      if (noted.isLost) return;
      noted.isLost = true;
      report.lost(error);
    },
    /** A connection was handed out. */
    worked: (): void => {
      if (trouble === undefined) return;
      const { failures, since, last } = trouble;
      if (now() - last < (fullAt() === NEVER ? QUIET_MS : QUIET_AFTER_FULL_MS)) return;
      trouble = undefined;
      report.regained({ failures, seconds: Math.round((now() - since) / 1000) });
    },
    /** Whether the server refused writes lately because its disk is full. */
    isFull: (): boolean => fullAt() !== NEVER,
    /** When it last did, by `now`; as long ago as can be when it did not. */
    fullAt,
  };
}
