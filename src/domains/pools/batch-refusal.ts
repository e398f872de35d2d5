import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { isMapHostAway } from '../maps/index.ts';
import { poolErrors } from './errors.ts';
import type { PoolMapRecord } from './maps-store.ts';

/** The problems of a batch: of additions by index, of changes and removals by map. */
export interface Problems {
  rows: Map<number, ServiceError>;
  maps: Map<string, ServiceError>;
}

interface Rows {
  removals: readonly unknown[];
  changes: readonly unknown[];
  additions: readonly unknown[];
  /** It is a request for one map. */
  isSingle?: boolean;
}

/** One problem for each row, with the codes of the requests for a single map. */
const detailsOf = (rows: readonly [number, ServiceError][], maps: readonly [string, ServiceError][]) => ({
  ...(rows.length > 0 && { rows: rows.map(([index, { code, message }]) => ({ index, code, message })) }),
  ...(maps.length > 0 && {
    changes: maps.map(([mapGuid, { code, message }]) => ({ mapGuid, code, message })),
  }),
});

/**
 * The refusal of a batch with one problem or more: of a request for one map the problem itself.
 *
 * It is UPSTREAM_UNAVAILABLE when nothing else is wrong. When the map host could not be asked, its refusal stands for the
 * rows that it concerns, and `details` names the other ones.
 */
export function batchRefusal(problems: Problems, batch: Rows): ServiceError {
  const all = [...problems.rows.values(), ...problems.maps.values()];
  const [first] = all;
  if (first && batch.isSingle) return first;
  const rows = [...problems.rows].sort(([a], [b]) => a - b);
  const maps = [...problems.maps];
  const size = batch.removals.length + batch.changes.length + batch.additions.length;
  const count = `${all.length} of ${size}`;
  const message =
    size === batch.additions.length
      ? `${count} maps cannot be added; nothing was added.`
      : `${count} rows cannot be saved; nothing was saved.`;
  if (all.some(({ code }) => code !== 'UPSTREAM_UNAVAILABLE'))
    return commonErrors.VALIDATION_FAILED({ message, details: detailsOf(rows, maps) });
  const away = all.find(isMapHostAway);
  const isOfOneMap = ([, problem]: readonly [unknown, ServiceError]) => !isMapHostAway(problem);
  const details = detailsOf(rows.filter(isOfOneMap), maps.filter(isOfOneMap));
  return commonErrors.UPSTREAM_UNAVAILABLE({
    message: away?.message ?? message,
    ...(Object.keys(details).length > 0 && { details }),
    headers: away?.headers ?? {},
    cause: away ?? first,
  });
}

/** The problem of an addition that was not added: an earlier row is the same difficulty of the same map, or the pool has it. */
export function alreadyThere(
  { hash, characteristic, difficulty }: PoolMapRecord,
  records: ReadonlyMap<number, PoolMapRecord>,
  added: ReadonlyMap<string, unknown>,
): ServiceError {
  for (const [index, other] of records)
    if (
      added.has(other.mapGuid) &&
      other.hash === hash &&
      other.characteristic === characteristic &&
      other.difficulty === difficulty
    )
      return poolErrors.MAP_ALREADY_IN_POOL({
        message: `This difficulty of this map is in row ${index + 1} already.`,
      });
  return poolErrors.MAP_ALREADY_IN_POOL();
}
