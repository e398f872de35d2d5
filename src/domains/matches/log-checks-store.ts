import { statement } from '../../platform/database/statement.ts';

/** Ended matches whose logs were not played again since their last change, by rules that this node knows. */
export const selectUnreplayed = statement<
  { matchGuid: string; version: number },
  [rulesVersions: readonly number[], most: number]
>(
  'matches-to-replay',
  `SELECT "matchGuid", version FROM "Match"
   WHERE NOT "isReplayed" AND "endedAt" IS NOT NULL AND "rulesVersion" = ANY($1::int[])
   ORDER BY "endedAt" LIMIT $2::int`,
);

/**
 * Marks a match whose log was played again. If two nodes play one, only one of them marks it. A match that staff have
 * corrected meanwhile has another version, and is played again.
 */
export const markReplayed = statement<{ matchGuid: string }, [matchGuid: string, version: number]>(
  'match-replayed',
  `UPDATE "Match" SET "isReplayed" = true
   WHERE "matchGuid" = $1::uuid AND version = $2::int AND NOT "isReplayed"
   RETURNING "matchGuid"`,
  ['Match'],
);
