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

/**
 * Marks matches whose logs were played again. If two nodes play one, only one of them marks it. A match that staff have
 * corrected meanwhile has another version, and is played again.
 */
export const markReplayed = statement<
  { matchGuid: string },
  [matchGuids: readonly string[], versions: readonly number[]]
>(
  'matches-replayed',
  `UPDATE "Match" AS match SET "isReplayed" = true
   FROM unnest($1::uuid[], $2::int[]) AS played("matchGuid", version)
   WHERE match."matchGuid" = played."matchGuid" AND match.version = played.version AND NOT match."isReplayed"
   RETURNING match."matchGuid"`,
  ['Match'],
);
