import { statement } from '../../platform/database/statement.ts';

/** Ended matches whose logs were not played again since their last change, by rules that this node knows. */
export const selectUnreplayed = statement<
  { matchGuid: string },
  [rulesVersions: readonly number[], most: number]
>(
  'matches-to-replay',
  `SELECT "matchGuid" FROM "Match"
   WHERE NOT "isReplayed" AND "endedAt" IS NOT NULL AND "rulesVersion" = ANY($1::int[])
   ORDER BY "endedAt" LIMIT $2::int`,
);

/** Of two nodes one marks it. A match that staff have corrected meanwhile has another version, and is played again. */
export const markReplayed = statement<{ matchGuid: string }, [matchGuid: string, version: number]>(
  'match-replayed',
  `UPDATE "Match" SET "isReplayed" = true
   WHERE "matchGuid" = $1::uuid AND version = $2::int AND NOT "isReplayed" RETURNING "matchGuid"`,
);
