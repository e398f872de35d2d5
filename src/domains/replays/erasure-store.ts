import { partsOf } from '../../platform/batches.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';

/**
 * Replays that one statement changes. Each has a place in many indexes: a thousand take a fraction of a second, and all of
 * somebody who has played for years would take longer than a statement may.
 */
const AT_ONCE = 1000;

const guidsOf = (rows: readonly { replayGuid: string }[]) => rows.map(({ replayGuid }) => replayGuid);

/** The replays whose file names the platform id and was published by somebody else. */
async function claimingOf(db: Db, platformId: string | null): Promise<string[]> {
  const claim = platformId === null ? null : JSON.stringify([{ name: 'player', actual: platformId }]);
  return guidsOf(
    await db.$queryRaw`
      SELECT "replayGuid"::text FROM "Replay"
      WHERE checks @> '[{"name": "player", "ok": false}]' AND checks @> ${claim}::jsonb`,
  );
}

/** Lists the files of these replays as to be removed. @returns the replays that had one */
async function listFiles(db: Db, replays: Prisma.Sql, at: number): Promise<string[]> {
  return guidsOf(
    await db.$queryRaw`
      WITH removed AS (
        UPDATE "Replay" SET "removedAt" = ${new Date(at)}
        WHERE "removedAt" IS NULL AND "replayGuid" IN (${replays})
        RETURNING "replayGuid"
      ), written_down AS (
        INSERT INTO "ReplayUpload" ("replayGuid", "startedAt") SELECT "replayGuid", to_timestamp(0) FROM removed
        ON CONFLICT ("replayGuid") DO UPDATE SET "startedAt" = to_timestamp(0)
      )
      SELECT "replayGuid"::text FROM removed`,
  );
}

/**
 * Lists files as to be removed: those of a person's replays, and those that others published and that tell of the person: copies
 * by bytes or cuts, and files whose header has the platform id. The verdicts stay, without the platform id that one check compares.
 * @param platformId of the person until now; null: there was none
 * @param at milliseconds since 1970
 * @param done replays whose verdicts an earlier call of the same transaction has changed; those of this call are added
 * @returns the replays whose files are to be removed, without those of an earlier call
 */
export async function eraseReplays(
  db: Db,
  { playerGuid, platformId }: { playerGuid: string; platformId: string | null },
  at: number,
  done: Set<string>,
): Promise<string[]> {
  const own = guidsOf(
    await db.$queryRaw`SELECT "replayGuid"::text FROM "Replay" WHERE "playerGuid" = ${playerGuid}::uuid`,
  );
  const claiming = await claimingOf(db, platformId);
  const files: string[] = [];
  for (const some of partsOf(own, AT_ONCE)) {
    const telling = Prisma.sql`
      SELECT unnest(${some}::uuid[])
      UNION SELECT "replayGuid" FROM "Replay" WHERE "copyOfGuid" = ANY(${some}::uuid[])
      UNION SELECT "replayGuid" FROM "Replay" WHERE sha256 IN (
        SELECT sha256 FROM "Replay" WHERE "replayGuid" = ANY(${some}::uuid[]))`;
    files.push(...(await listFiles(db, telling, at)));
  }
  for (const some of partsOf(claiming, AT_ONCE))
    files.push(...(await listFiles(db, Prisma.sql`SELECT unnest(${some}::uuid[])`, at)));
  const changed = [...new Set([...own, ...claiming])].filter((replayGuid) => !done.has(replayGuid));
  for (const some of partsOf(changed, AT_ONCE)) {
    await db.$executeRaw`
      UPDATE "Replay" SET checks = (
        SELECT jsonb_agg(CASE WHEN entry ->> 'name' <> 'player' THEN entry
            WHEN "playerGuid" = ${playerGuid}::uuid THEN entry || '{"expected":"0","actual":"0"}'
            ELSE entry || '{"actual":"0"}' END
          ORDER BY nth)
        FROM jsonb_array_elements(checks) WITH ORDINALITY AS found(entry, nth))
      WHERE "replayGuid" = ANY(${some}::uuid[])`;
    for (const replayGuid of some) done.add(replayGuid);
  }
  return files;
}
