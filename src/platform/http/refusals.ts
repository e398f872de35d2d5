import { commonErrors, type ErrorEntries } from '../errors.ts';
import { errorBody } from './schemas.ts';

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 416 | 422 | 426 | 429 | 502 | 503;

/**
 * For a route's `response`: the refusals it knows, by status, with their codes and meanings for the
 * documents. Codes that belong to no domain are always among them. `refusalsOf(poolErrors)('POOL_NOT_FOUND', 'STALE')`
 */
export const refusalsOf =
  <Code extends string>(entries: ErrorEntries<Code>) =>
  (...codes: (Code | keyof typeof commonErrors)[]): Partial<Record<RefusalStatus, typeof errorBody>> => {
    const known = { ...commonErrors, ...entries };
    const byStatus = Map.groupBy(codes, (code) => known[code].entry.status);
    const meaningOf = (code: (typeof codes)[number]) => `\`${code}\`: ${known[code].entry.message}`;
    return Object.fromEntries(
      [...byStatus].map(([status, some]) => [status, errorBody.describe(some.map(meaningOf).join('\n\n'))]),
    );
  };
