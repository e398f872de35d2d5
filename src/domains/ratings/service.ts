import { inBatches } from '../../platform/batches.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { readPage } from '../../platform/http/schemas.ts';
import { playerErrors, playersByGuid } from '../players/index.ts';
import { ratingErrors } from './errors.ts';
import { findHistory } from './history-store.ts';
import * as store from './ladder-store.ts';
import { isProvisional, ranks } from './rules.ts';
import {
  cursorOfLadder,
  type HistoryQuery,
  historyKey,
  type LadderQuery,
  type RatedMatchView,
} from './schemas.ts';
import type { LadderOf } from './store.ts';

export interface RatingsOptions {
  database: Database;
  /** The season of a ladder: the one asked for, or that of the queue's pool. @throws the refusals for an unknown one. */
  seasonOfLadder(queueGuid: string, asked: string | undefined): Promise<string>;
}

export type Ratings = ReturnType<typeof createService>;

/** The ladders, read a page at a time. */
export function createService({ database, seasonOfLadder }: RatingsOptions) {
  const db = database.prisma;

  /** After which row a page without a cursor begins: around a player, or at the top (undefined). */
  async function beginning(ladder: LadderOf, { around, limit }: LadderQuery) {
    if (around === undefined) return undefined;
    const key = existing(await store.keyOf(db, ladder, around), ratingErrors.NOT_ON_LEADERBOARD);
    const above = Math.floor((limit - 1) / 2);
    return store.keyAbove(db, ladder, key, above + 1);
  }

  return {
    /** A player's rating in every queue and season. */
    ratingsOf: (playerGuid: string) => store.ratingsOfPlayer(db, playerGuid),

    /** Keeps ranks quick: sums up what results have changed in the counts of ladders. */
    sumCounts: () =>
      inBatches(store.CHANGES_AT_ONCE, () =>
        database.changes.writing(['LadderCount'], () => store.sumCounts(db)),
      ),

    /** A page of the rated matches of a player, newest first. @throws PLAYER_NOT_FOUND, VALIDATION_FAILED (cursor) */
    history: async (playerGuid: string, query: HistoryQuery) => {
      existing((await playersByGuid(db, [playerGuid])).get(playerGuid), playerErrors.PLAYER_NOT_FOUND);
      const { items, nextCursor } = await readPage(
        query,
        historyKey,
        (after, limit) => findHistory(db, playerGuid, query, after, limit),
        ({ endedAt, matchGuid }) => [endedAt.toISOString(), matchGuid],
      );
      const opponents = await playersByGuid(db, [...new Set(items.map(({ opponentGuid }) => opponentGuid))]);
      const shown = items.map(({ opponentGuid, score, endedAt, ...row }): RatedMatchView => {
        const { username } = existing(opponents.get(opponentGuid), playerErrors.PLAYER_NOT_FOUND);
        const outcome = score === 1 ? 'win' : score === 0 ? 'loss' : 'draw';
        const opponent = { playerGuid: opponentGuid, username };
        return { ...row, endedAt: endedAt.toISOString(), opponent, outcome };
      });
      return { items: shown, nextCursor };
    },

    /** A page of a ladder. @throws NOT_ON_LEADERBOARD, VALIDATION_FAILED (cursor), and what `seasonOfLadder` throws */
    page: async (queueGuid: string, query: LadderQuery) => {
      const ladder = { queueGuid, seasonGuid: await seasonOfLadder(queueGuid, query.seasonGuid) };
      const { items, nextCursor } = await readPage(
        query,
        cursorOfLadder,
        async (after, limit) =>
          store.ladderRows(db, ladder, after ?? (await beginning(ladder, query)), limit),
        ({ rating, playerGuid }) => [rating, playerGuid],
      );
      const [first] = items;
      if (first === undefined) return { entries: [], nextCursor: null };
      const { better, before } = await store.countBefore(db, ladder, [first.rating, first.playerGuid]);
      const rankings = ranks(items, better, before);
      const players = await playersByGuid(
        db,
        items.map((row) => row.playerGuid),
      );
      const entries = items.flatMap(({ playerGuid, sigma, ...row }, index) => {
        const player = players.get(playerGuid);
        const rank = rankings[index];
        if (player === undefined || rank === undefined) return [];
        return { ...row, rank, player, provisional: isProvisional({ sigma }) };
      });
      return { entries, nextCursor };
    },
  };
}
