import type { Db } from '../../platform/database/database.ts';
import type { Ladder, LadderKey } from './schemas.ts';

/** Which queues were opened in which seasons. Only open queues have matches, so every ladder has a row. */

/** Records that a queue opens in a season, once. */
export async function recordLadder(db: Db, queueGuid: string, seasonGuid: string): Promise<void> {
  await db.ladder.createMany({ data: [{ queueGuid, seasonGuid }], skipDuplicates: true });
}

/** Whether the queue was ever open; with a season, whether it was open in that one. */
export async function hasLadder(db: Db, queueGuid: string, seasonGuid?: string): Promise<boolean> {
  return (await db.ladder.findFirst({ where: { queueGuid, seasonGuid } })) !== null;
}

/** Ladders, those of the running season first, then the latest season. @param now milliseconds since 1970 */
export function findLadders(
  db: Db,
  now: number,
  after: LadderKey | undefined,
  limit: number,
): Promise<(Ladder & { startsAt: Date })[]> {
  const [running, startsAt, queueGuid] = after ?? [null, null, null];
  const at = new Date(now);
  return db.$queryRaw`
    WITH season AS (
      SELECT "seasonGuid", name, "startsAt", "startsAt" <= ${at} AND "endsAt" > ${at} AS running FROM "Season"
    )
    SELECT "queueGuid"::text, queue.name AS "queueName", queue.status AS "queueStatus", "seasonGuid"::text,
      season.name AS "seasonName", season."startsAt", season.running, (
        SELECT coalesce(sum(count.players), 0)::int FROM "LadderCount" AS count
        WHERE count."queueGuid" = ladder."queueGuid" AND count."seasonGuid" = ladder."seasonGuid"
      ) AS players
    FROM season JOIN "Ladder" AS ladder USING ("seasonGuid") JOIN "Queue" AS queue USING ("queueGuid")
    WHERE ${running}::int IS NULL OR (season.running::int, season."startsAt", "queueGuid")
      < (${running}::int, ${startsAt}::timestamptz, ${queueGuid}::uuid)
    ORDER BY season.running DESC, season."startsAt" DESC, "queueGuid" DESC LIMIT ${limit}`;
}

/** When a season next starts or ends after `now`, milliseconds since 1970; null: never. */
export async function nextSeasonChange(db: Db, now: number): Promise<number | null> {
  const at = new Date(now);
  const [row] = await db.$queryRaw<{ next: Date | null }[]>`
    SELECT least(min("startsAt") FILTER (WHERE "startsAt" > ${at}), min("endsAt") FILTER (WHERE "endsAt" > ${at})) AS next
    FROM "Season"`;
  return row?.next?.getTime() ?? null;
}
