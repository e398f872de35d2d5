import type { Db } from '../../platform/database/database.ts';
import type { ShownState } from './state.ts';

type Named = Pick<ShownState, 'queueGuid' | 'seasonGuid' | 'poolGuid'>;

/** The names of these queues, seasons and pools, by guid. */
export async function namesOf(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (guids.length === 0) return new Map();
  const rows = await db.$queryRaw<{ guid: string; name: string }[]>`
    SELECT "queueGuid" AS guid, name FROM "Queue" WHERE "queueGuid" = ANY(${guids}::uuid[])
    UNION ALL SELECT "seasonGuid", name FROM "Season" WHERE "seasonGuid" = ANY(${guids}::uuid[])
    UNION ALL SELECT "poolGuid", name FROM "Pool" WHERE "poolGuid" = ANY(${guids}::uuid[])`;
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}

/** The guids of the queue, season and pool of each match. */
export const namedIn = (matches: readonly Named[]): string[] =>
  matches.flatMap(({ queueGuid, seasonGuid, poolGuid }) => [queueGuid, seasonGuid, poolGuid]);
