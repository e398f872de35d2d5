import { statement } from '../../platform/database/statement.ts';
import type { Run } from '../../platform/node-session.ts';
import type { Outage } from './rules.ts';

/** The row of the service as a whole. Times of the database, milliseconds since 1970. */
export interface LifeRow {
  inServiceUntil: number | null;
  lastOutage: number;
  now: number;
}

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

const moveServiceTime = statement<{ lastOutage: number }, [mostMs: number]>(
  'service-life-move-on',
  `UPDATE "ServiceLife" SET "inServiceUntil" = clock_timestamp()
   WHERE "inServiceUntil" > clock_timestamp() - $1::int * interval '1 millisecond'
   RETURNING "lastOutage"`,
);

/**
 * Moves `inServiceUntil` to now, unless it is older than `mostMs`. A node that waited for the lock of the row sees the
 * last outage that the holder wrote.
 * @returns the number of the last outage; null: too old, so there may be an outage
 */
export async function moveOn(run: Run, mostMs: number): Promise<number | null> {
  const [moved] = await run(moveServiceTime, mostMs);
  return moved?.lastOutage ?? null;
}

const selectLife = statement<LifeRow, []>(
  'service-life',
  `SELECT ${MS('"inServiceUntil"')} AS "inServiceUntil", "lastOutage",
     ${MS("date_trunc('milliseconds', clock_timestamp())")} AS now
   FROM "ServiceLife"`,
);

/** Reads the row and the time of the database. */
export async function readLife(run: Run): Promise<LifeRow> {
  const [row] = await run(selectLife);
  if (row === undefined) throw new Error('The table ServiceLife has lost its row.');
  return row;
}

const storeLife = statement<
  unknown,
  [now: number, inServiceUntil: number | null, lastOutage: number, since: number | null, until: number | null]
>(
  'service-life-store',
  `WITH moved AS (
     UPDATE "ServiceLife"
     SET "inServiceUntil" = to_timestamp($1 / 1000.0), "lastOutage" = $3::int + ($4::float8 IS NOT NULL)::int
     WHERE "lastOutage" = $3::int AND "inServiceUntil" IS NOT DISTINCT FROM to_timestamp($2 / 1000.0)::timestamptz(3)
     RETURNING "lastOutage"
   ), found AS (
     INSERT INTO "Outage" (number, since, until)
     SELECT "lastOutage", to_timestamp($4 / 1000.0), to_timestamp($5 / 1000.0) FROM moved WHERE $4 IS NOT NULL
   )
   SELECT "lastOutage" FROM moved`,
);

/**
 * Stores that the service is there at `seen.now`, and the outage before it, if the row is still as it was read: of
 * several nodes that find the same outage one stores it.
 * @returns false when another node has changed the row: read it again
 */
export async function store(
  run: Run,
  seen: LifeRow,
  outage: Omit<Outage, 'number'> | null,
): Promise<boolean> {
  const { now, inServiceUntil, lastOutage } = seen;
  const stored = await run(
    storeLife,
    now,
    inServiceUntil,
    lastOutage,
    outage?.since ?? null,
    outage?.until ?? null,
  );
  return stored.length > 0;
}

const selectOutages = statement<Outage, [number: number]>(
  'outages-after',
  `SELECT number, ${MS('since')} AS since, ${MS('until')} AS until FROM (
     SELECT number, since, until, sum(until - since) OVER (ORDER BY number DESC) AS lost FROM "Outage"
   ) AS one
   WHERE number > $1 AND until + lost > clock_timestamp() - interval '30 days' ORDER BY number`,
);

/**
 * The outages after this number, in order. Those are left out after whose end the service was there for 30 days: no match
 * that anything depends on is as old.
 */
export const outagesAfter = (run: Run, number: number): Promise<Outage[]> => run(selectOutages, number);
