import type { Db } from '../../platform/database/database.ts';

/**
 * Lists files as to be removed: those of a person's replays, and those that others published and that tell of the person: copies
 * by bytes or cuts, and files whose header has the platform id. The verdicts stay, without the platform id that one check compares.
 * @param platformId of the person until now; null: there was none
 * @param at milliseconds since 1970
 * @returns the replays whose files are to be removed
 */
export async function eraseReplays(
  db: Db,
  { playerGuid, platformId }: { playerGuid: string; platformId: string | null },
  at: number,
): Promise<string[]> {
  const claim = platformId === null ? null : JSON.stringify([{ name: 'player', actual: platformId }]);
  const claiming = (
    await db.$queryRaw<{ replayGuid: string }[]>`
      SELECT "replayGuid"::text FROM "Replay"
      WHERE checks @> '[{"name": "player", "ok": false}]' AND checks @> ${claim}::jsonb`
  ).map(({ replayGuid }) => replayGuid);
  const rows = await db.$queryRaw<{ replayGuid: string }[]>`
    WITH own AS (SELECT "replayGuid", sha256 FROM "Replay" WHERE "playerGuid" = ${playerGuid}::uuid),
    telling AS (
      SELECT "replayGuid" FROM "Replay" WHERE sha256 IN (SELECT sha256 FROM own)
      UNION SELECT "replayGuid" FROM "Replay" WHERE "copyOfGuid" IN (SELECT "replayGuid" FROM own)
      UNION SELECT unnest(${claiming}::uuid[])
    ), removed AS (
      UPDATE "Replay" SET "removedAt" = ${new Date(at)}
      WHERE "removedAt" IS NULL AND "replayGuid" IN (SELECT "replayGuid" FROM telling)
      RETURNING "replayGuid"
    ), written_down AS (
      INSERT INTO "ReplayUpload" ("replayGuid", "startedAt") SELECT "replayGuid", to_timestamp(0) FROM removed
      ON CONFLICT ("replayGuid") DO UPDATE SET "startedAt" = to_timestamp(0)
    )
    SELECT "replayGuid" FROM removed`;
  // A statement of its own: one statement updates no row twice.
  await db.$executeRaw`
    UPDATE "Replay" SET checks = (
      SELECT jsonb_agg(CASE WHEN entry ->> 'name' <> 'player' THEN entry
          WHEN "playerGuid" = ${playerGuid}::uuid THEN entry || '{"expected":"0","actual":"0"}'
          ELSE entry || '{"actual":"0"}' END
        ORDER BY nth)
      FROM jsonb_array_elements(checks) WITH ORDINALITY AS found(entry, nth))
    WHERE "replayGuid" IN (
      SELECT "replayGuid" FROM "Replay" WHERE "playerGuid" = ${playerGuid}::uuid UNION SELECT unnest(${claiming}::uuid[]))`;
  return rows.map(({ replayGuid }) => replayGuid);
}
