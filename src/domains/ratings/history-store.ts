import { type Db, Prisma } from '../../platform/database/database.ts';
import type { HistoryKey, HistoryQuery } from './schemas.ts';
import { type LadderOf, storedStep } from './store.ts';

/** A rated match that counts, as one of its players sees it. */
interface HistoryRow extends LadderOf {
  matchGuid: string;
  endedAt: Date;
  /** 1 won, 0.5 drawn, 0 lost. */
  score: number;
  muBefore: number;
  muAfter: number;
  opponentGuid: string;
}

/** The rated matches of a player, newest first. A correction has rewritten or removed what it changed. */
export async function findHistory(
  db: Db,
  playerGuid: string,
  { queueGuid, seasonGuid }: Pick<HistoryQuery, 'queueGuid' | 'seasonGuid'>,
  after: HistoryKey | undefined,
  limit: number,
) {
  const conditions = [
    Prisma.sql`own."playerGuid" = ${playerGuid}::uuid`,
    ...(queueGuid ? [Prisma.sql`own."queueGuid" = ${queueGuid}::uuid`] : []),
    ...(seasonGuid ? [Prisma.sql`own."seasonGuid" = ${seasonGuid}::uuid`] : []),
    ...(after ? [Prisma.sql`(own.at, own."matchGuid") < (${after[0]}::timestamptz, ${after[1]}::uuid)`] : []),
  ];
  const rows = await db.$queryRaw<HistoryRow[]>`
    SELECT own."matchGuid"::text, own."queueGuid"::text, own."seasonGuid"::text, own.at AS "endedAt", own.score,
      own."muBefore", own."muAfter", opponent."playerGuid"::text AS "opponentGuid"
    FROM "RatingChange" AS own JOIN "RatingChange" AS opponent
      ON opponent."matchGuid" = own."matchGuid" AND opponent."playerGuid" <> own."playerGuid"
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY own.at DESC, own."matchGuid" DESC LIMIT ${limit}`;
  return rows.map(({ muBefore, muAfter, ...row }) => ({ ...row, ...storedStep({ muBefore, muAfter }) }));
}
