import { statement } from '../../platform/database/statement.ts';
import type { Run } from '../../platform/node-session.ts';
import type { Outage } from './rules.ts';

/** What the database knows of the service as a whole. All times are its own, milliseconds since 1970. */
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
 * Moves the time on up to which the service was there, unless the last time is so long ago that it must be looked
 * at. The row says which outage was the last: who waited for it sees what the one before wrote.
 * @returns the number of the last outage; null: look
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

/** The service as it stands, and the time now. */
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
 * Says that the service is there as of `seen.now`, and what was found out about the time before. Of several nodes
 * that find the same outage at once one stores it.
 * @returns false when another node was faster: look again
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
  `SELECT number, ${MS('since')} AS since, ${MS('until')} AS until FROM "Outage"
   WHERE number > $1 AND until > clock_timestamp() - interval '30 days' ORDER BY number`,
);

/** The outages after one of them, in order; no match is as old as what is left out. */
export const outagesAfter = (run: Run, number: number): Promise<Outage[]> => run(selectOutages, number);
