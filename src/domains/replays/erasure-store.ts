import type { Db } from '../../platform/database/database.ts';

/**
 * Lists the files of a person's replays as to be removed, and files of others with the same bytes: a copy tells of the person,
 * too. The verdicts stay, without the platform id that one check compares.
 * @param at milliseconds since 1970
 * @returns the replays whose files are to be removed
 */
export async function eraseReplays(db: Db, playerGuid: string, at: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ replayGuid: string }[]>`
    WITH own AS (SELECT "replayGuid", sha256 FROM "Replay" WHERE "playerGuid" = ${playerGuid}::uuid),
    removed AS (
      UPDATE "Replay" SET "removedAt" = ${new Date(at)}
      WHERE "removedAt" IS NULL AND sha256 IN (SELECT sha256 FROM own)
      RETURNING "replayGuid"
    ), written_down AS (
      INSERT INTO "ReplayUpload" ("replayGuid", "startedAt") SELECT "replayGuid", to_timestamp(0) FROM removed
      ON CONFLICT ("replayGuid") DO UPDATE SET "startedAt" = to_timestamp(0)
    )
    SELECT "replayGuid" FROM removed`;
  // A statement of its own: one statement updates no row twice.
  await db.$executeRaw`
    UPDATE "Replay" SET checks = (
      SELECT jsonb_agg(CASE entry ->> 'name' WHEN 'player' THEN entry || '{"expected":"0","actual":"0"}' ELSE entry END
        ORDER BY nth)
      FROM jsonb_array_elements(checks) WITH ORDINALITY AS found(entry, nth))
    WHERE "playerGuid" = ${playerGuid}::uuid OR "copyOfGuid" IN (
      SELECT "replayGuid" FROM "Replay" WHERE "playerGuid" = ${playerGuid}::uuid)`;
  return rows.map(({ replayGuid }) => replayGuid);
}
