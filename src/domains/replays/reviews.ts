import { isoTime } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Change } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import { claimForReplayCheck, mapShown, matchErrors, playerShown } from '../matches/index.ts';
import { replayErrors } from './errors.ts';
import type { Files } from './files.ts';
import { type ReplaysOptions, TAKEN_FOR_MS } from './options.ts';
import * as reviewsStore from './reviews-store.ts';
import { playedParts, subjectOf } from './rounds.ts';
import type { ReplayReview, ResolveBody, ReviewQuery } from './schemas.ts';
import * as store from './store.ts';

const CHECK_AT_ONCE = 50;

/** What a copy is a copy of, for those who decide about it. */
const originalOf = (original: store.StoredReplay | undefined) => {
  if (original === undefined) return null;
  const { replayGuid, playerGuid, matchGuid } = original;
  return { replayGuid, playerGuid, matchGuid };
};

/** What staff look at. A verdict changes no result: they do, with `undo` or `result` of the match. */
export function createReviews({
  database,
  clock,
  matches,
  present,
}: ReplaysOptions & Pick<Files, 'present'>) {
  const { prisma } = database;

  const presentAll = async (reviews: readonly reviewsStore.StoredReview[]): Promise<ReplayReview[]> => {
    const replays = await store.replaysByGuid(
      prisma,
      reviews.flatMap(({ replayGuid }) => replayGuid ?? []),
    );
    const originals = await store.replaysByGuid(
      prisma,
      [...replays.values()].flatMap(({ copyOfGuid }) => copyOfGuid ?? []),
    );
    const presented: ReplayReview[] = [];
    // One after the other: a page is read by a person, and matches are not small.
    for (const review of reviews) {
      const { reviewGuid, replayGuid, reason, matchGuid, roundNumber, playerGuid, ...decided } = review;
      const match = await matches.stored(matchGuid);
      const part = match && subjectOf(match.state, roundNumber, playerGuid);
      if (!match || !part) throw new Error(`The review ${reviewGuid} is about a round that is not there.`);
      const display = await matches.displayOf([match.state]);
      const { platformId, username } = playerShown(playerGuid, display);
      const replay = replayGuid === null ? undefined : replays.get(replayGuid);
      presented.push({
        reviewGuid,
        status: decided.resolvedAt === null ? 'open' : 'resolved',
        reason,
        createdAt: isoTime(decided.createdAt),
        matchGuid,
        roundNumber,
        player: { playerGuid, platformId, username },
        map: mapShown(part.map, display),
        score: part.score,
        replay: replay
          ? { ...present(replay), copyOf: originalOf(originals.get(replay.copyOfGuid ?? '')) }
          : null,
        decision: decided.decision,
        comment: decided.comment,
        resolvedByGuid: decided.resolvedByGuid,
        resolvedAt: decided.resolvedAt === null ? null : isoTime(decided.resolvedAt),
      });
    }
    return presented;
  };

  return {
    /** Reviews, the one that waits longest first. */
    reviews: async (query: ReviewQuery) => {
      const { items, nextCursor } = await reviewsStore.listReviews(prisma, query);
      return { items: await presentAll(items), nextCursor };
    },

    /**
     * Decides a review, once. The same decision again changes nothing.
     * @throws REPLAY_REVIEW_NOT_FOUND, OWN_MATCH, REPLAY_REVIEW_RESOLVED (with another decision)
     */
    resolve: async ({ actorGuid }: Change, reviewGuid: string, body: ResolveBody): Promise<ReplayReview> => {
      const found = await reviewsStore.findReview(prisma, reviewGuid);
      if (found === null) throw replayErrors.REPLAY_REVIEW_NOT_FOUND();
      const match = await matches.stored(found.matchGuid);
      if (match && Object.values(match.state.seats).some(({ playerGuid }) => playerGuid === actorGuid))
        throw matchErrors.OWN_MATCH();
      const at = clock.now();
      await inTransaction(database, async (db) => {
        if (await reviewsStore.resolveReview(db, reviewGuid, { ...body, resolvedByGuid: actorGuid, at })) {
          await recordAudit(db, {
            at,
            actorGuid,
            action: 'resolveReplayReview',
            target: `/replay-reviews/${reviewGuid}`,
            before: { status: 'open' },
            after: {
              status: 'resolved',
              matchGuid: found.matchGuid,
              roundNumber: found.roundNumber,
              ...body,
            },
          });
          return;
        }
        const decided = await reviewsStore.findReview(db, reviewGuid);
        if (decided?.decision !== body.decision || decided.comment !== body.comment)
          throw replayErrors.REPLAY_REVIEW_RESOLVED();
      });
      const [resolved] = await presentAll([(await reviewsStore.findReview(prisma, reviewGuid)) ?? found]);
      if (resolved === undefined) throw replayErrors.REPLAY_REVIEW_NOT_FOUND();
      return resolved;
    },

    /**
     * Lists the rounds whose replays were demanded and did not come in time. A match is looked at once, in the
     * transaction that says so; a crash leaves it for the next look, and two nodes never look at the same one.
     */
    listMissing: async (): Promise<void> => {
      for (let looked = CHECK_AT_ONCE; looked === CHECK_AT_ONCE; )
        looked = await inTransaction(database, async (db) => {
          const now = clock.now();
          const ended = await claimForReplayCheck(db, now - TAKEN_FOR_MS, now, CHECK_AT_ONCE);
          for (const { state, replays } of ended)
            for (const { roundNumber, seat, score } of playedParts(state)) {
              const { playerGuid } = seat;
              const came = replays.some(
                (one) => one.roundNumber === roundNumber && one.playerGuid === playerGuid,
              );
              // Who submitted nothing claims nothing.
              if (came || score === null) continue;
              const { matchGuid } = state;
              await reviewsStore.listForReview(db, {
                matchGuid,
                roundNumber,
                playerGuid,
                replayGuid: null,
                reason: 'missing',
                now,
              });
            }
          return ended.length;
        });
    },
  };
}
