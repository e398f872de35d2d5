import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { packed, storedLogs } from './log-store.ts';

/** Claims ended matches whose logs are not in the archive yet, the earliest ends first. Others skip them. */
async function claimUnarchived(db: Db, endedBefore: number, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ matchGuid: string }[]>`
    SELECT "matchGuid" FROM "Match" WHERE NOT "isArchived" AND "endedAt" < ${new Date(endedBefore)}
    ORDER BY "endedAt" LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.map(({ matchGuid }) => matchGuid);
}

/**
 * Moves the logs of matches that ended before this time into the archive, in one transaction: a log is in one of both
 * places, whatever fails. The match stays locked, so a decision of staff is stored before or after.
 * @returns how many matches were claimed. One whose log cannot be read is marked as archived, too, and its lines stay
 */
export const moveToArchive = (
  database: Database,
  { endedBefore, most }: { endedBefore: number; most: number },
): Promise<number> =>
  inTransaction(database, ['Match', 'MatchEvent', 'MatchArchive'], async (db) => {
    const matchGuids = await claimUnarchived(db, endedBefore, most);
    if (matchGuids.length === 0) return 0;
    // A log that cannot be read stays as it is.
    const logs = (await storedLogs(db, matchGuids)).flatMap(({ matchGuid, lines }) =>
      lines === null ? [] : [{ matchGuid, log: packed(lines).toString('base64') }],
    );
    const readable = logs.map(({ matchGuid }) => matchGuid);
    await db.$executeRaw`
      WITH emptied AS (
        DELETE FROM "MatchEvent" WHERE "matchGuid" = ANY(${readable}::uuid[])
      ), stored AS (
        INSERT INTO "MatchArchive" ("matchGuid", log)
        SELECT "matchGuid", decode(log, 'base64')
        FROM jsonb_to_recordset(${JSON.stringify(logs)}::jsonb) AS moved("matchGuid" uuid, log text)
        ON CONFLICT ("matchGuid") DO UPDATE SET log = excluded.log
      )
      UPDATE "Match" SET "isArchived" = true WHERE "matchGuid" = ANY(${matchGuids}::uuid[])`;
    return matchGuids.length;
  });
