/**
 * Refusals: every answer that is not a success is a {@link ServiceError} made from a catalogue entry.
 *
 * A domain declares the codes it answers with in its own `errors.ts` through {@link errorEntries};
 * `src/contract.ts` assembles them, checks that no code is declared twice, and both reference
 * documents are made from the result. HTTP sends a ServiceError by `platform/http/errors.ts`,
 * the socket by `platform/socket/commands.ts` and `handshakes.ts`.
 */

/** Details for the client beside code and message; the contract has these members. */
interface ErrorDetails {
  fields?: { path: string; message: string }[];
  rows?: { index: number; code: string; message: string }[];
  changes?: { mapGuid: string; code: string; message: string }[];
  required?: number;
  actual?: number;
  byteOffset?: number;
  status?: string;
}

/**
 * The reaction of a client to a refusal. `retry`: send the same again, later. `new_token`: get another token, once.
 * `update_plugin`: ask the player to update. `stop`: the same again gives the same refusal.
 */
export type Remedy = 'retry' | 'new_token' | 'update_plugin' | 'stop';

interface ErrorEntry {
  /** HTTP status; on the socket the code alone travels. */
  readonly status: number;
  /** Safe to show to a player; a use may replace it by a more telling one. */
  readonly message: string;
  /** Which members of `details` this code may carry. */
  readonly details?: readonly (keyof ErrorDetails)[];
  /** Left out: `stop`. */
  readonly remedy?: Remedy;
}

interface RefusalOptions {
  message?: string;
  details?: ErrorDetails;
  /** Answer headers that belong to the refusal, such as `Retry-After` (seconds). */
  headers?: Record<string, string>;
  /** The error behind it: logged, never shown. */
  cause?: unknown;
}

/** A refusal with a stable code, safe to show. Thrown by domains, rendered at the edge. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetails | undefined;
  readonly headers: Record<string, string>;

  constructor(code: string, entry: ErrorEntry, options: RefusalOptions = {}) {
    super(options.message ?? entry.message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = entry.status;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

type Refusal = ((options?: RefusalOptions) => ServiceError) & { readonly entry: ErrorEntry };

/** A domain's codes: `poolErrors.POOL_NOT_FOUND()` makes the error, `.entry` describes it. */
export type ErrorEntries<Code extends string = string> = { readonly [K in Code]: Refusal };

/** Declares the codes a domain answers with. Codes are UPPER_SNAKE and unique over all domains. */
export function errorEntries<Code extends string>(entries: Record<Code, ErrorEntry>): ErrorEntries<Code> {
  const made = Object.entries<ErrorEntry>(entries).map(([code, entry]) => [
    code,
    Object.assign((options?: RefusalOptions) => new ServiceError(code, entry, options), { entry }),
  ]);
  return Object.fromEntries(made);
}

/** Codes that belong to no domain. */
export const commonErrors = errorEntries({
  VALIDATION_FAILED: {
    status: 400,
    message: 'The request does not have the expected form.',
    details: ['fields', 'rows', 'changes'],
  },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address has no such method; `Allow` names those it has.',
  },
  NOT_IMPLEMENTED: { status: 404, message: 'Not Implemented' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.', remedy: 'retry' },
  CONFLICT: { status: 409, message: 'This collides with what is stored.' },
  STALE: { status: 412, message: 'This was changed by somebody else meanwhile. Read it again and repeat.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This content type is not accepted here.' },
  UPGRADE_REQUIRED: { status: 426, message: 'There is a WebSocket at this address, and nothing else.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file has no such bytes.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again a little later.', remedy: 'retry' },
  HEAD_TOO_LARGE: { status: 431, message: 'The address and the headers are longer than allowed.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. It was recorded.',
    remedy: 'retry',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 502,
    message: 'A service we depend on did not answer. Try again later.',
    details: ['rows', 'changes'],
    remedy: 'retry',
  },
  DRAINING: { status: 503, message: 'This server is shutting down. Try again in a moment.', remedy: 'retry' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'This does not work just now. Try again in a moment; look first whether what you wanted to change was changed.',
    remedy: 'retry',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'Files cannot be read or stored just now. Try again later.',
    remedy: 'retry',
  },
  STORAGE_FULL: { status: 507, message: 'There is no room left for this file.', remedy: 'retry' },
  UNKNOWN_EVENT: { status: 400, message: 'There is no such event.' },
});

/** The names of the parts of a request in messages. The keys are Fastify's names. */
const PARTS: Readonly<Record<string, string>> = {
  '': 'The payload',
  body: 'The body',
  querystring: 'The query',
  params: 'The address',
  headers: 'The head of the request',
};

/** The sentence about a value. @param path its name, with dots; or the part of the request that is wrong as a whole */
export const sentenceOf = (path: string, fault: string): string =>
  `${PARTS[path] ?? path} ${fault}${/[.!?]$/.test(fault) ? '' : '.'}`;

/** The refusal of a value that has the right form and is wrong all the same. @param message what it must be, without its name */
export const invalidField = (path: string, message: string, cause?: unknown): ServiceError =>
  commonErrors.VALIDATION_FAILED({
    message: sentenceOf(path, message),
    details: { fields: [{ path, message: sentenceOf(path, message) }] },
    cause,
  });

/** The value, or the refusal when there is none. `existing(await findPool(db, poolGuid), poolErrors.POOL_NOT_FOUND)` */
export function existing<T>(value: T | null | undefined, refusal: () => ServiceError): T {
  if (value === null || value === undefined) throw refusal();
  return value;
}

export interface CatalogueEntry extends ErrorEntry {
  readonly code: string;
  readonly remedy: Remedy;
}

/**
 * Puts the domains' codes together, sorted by code.
 * @throws Error when two domains declare the same code: a code means one thing.
 */
export function assembleCatalogue(domains: readonly ErrorEntries[]): CatalogueEntry[] {
  const all = new Map<string, CatalogueEntry>();
  for (const entries of domains) {
    for (const [code, refusal] of Object.entries(entries)) {
      if (all.has(code)) throw new Error(`The error code ${code} is declared twice.`);
      all.set(code, { code, remedy: 'stop', ...refusal.entry });
    }
  }
  return [...all.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
