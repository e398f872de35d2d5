import { inBatches } from '../../platform/batches.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import { keepPerson } from '../auth/index.ts';
import { claimForReplayCheck, mapShown, playerShown, requireOutsider, seatOf } from '../matches/index.ts';
import { replayErrors } from './errors.ts';
import type { Files } from './files.ts';
import { type ReplaysOptions, TAKEN_FOR_MS } from './options.ts';
import * as reviewsStore from './reviews-store.ts';
import { playedParts, subjectOf } from './rounds.ts';
import type { ReplayReview, ReplayReviewInRound, ResolveBody, ReviewQuery } from './schemas.ts';
import * as store from './store.ts';

const CHECK_AT_ONCE = 50;

/** Reviews by staff. A verdict changes no result; staff do, with `undo` or `result` of the match. */
export function createReviews({
  database,
  clock,
  matches,
  outages,
  files,
}: ReplaysOptions & { files: Pick<Files, 'present'> }) {
  const { prisma } = database;

  /** @throws REPLAY_REVIEW_NOT_FOUND */
  const find = async (reviewGuid: string) =>
    existing(await reviewsStore.findReview(prisma, reviewGuid), replayErrors.REPLAY_REVIEW_NOT_FOUND);

  const evidence = async (replayGuid: string): Promise<ReplayReview['replay']> => {
    const replay = await store.findReplay(prisma, replayGuid);
    const original = replay?.copyOfGuid ? await store.findReplay(prisma, replay.copyOfGuid) : null;
    return (
      replay && {
        ...files.present(replay),
        copyOf: original && {
          replayGuid: original.replayGuid,
          playerGuid: original.playerGuid,
          matchGuid: original.matchGuid,
        },
      }
    );
  };

  /** The match of a review, and how it is shown. */
  const around = async ({ reviewGuid, matchGuid }: reviewsStore.StoredReview) => {
    const match = await matches.stored(matchGuid);
    if (match === null) throw new Error(`The match of the review ${reviewGuid} is not there.`);
    return { state: match.state, display: await matches.displayOf([match.state]) };
  };
  type Around = Awaited<ReturnType<typeof around>>;

  const shownPlayer = (playerGuid: string, { display }: Around): ReplayReview['player'] => {
    const { platformId, username } = playerShown(playerGuid, display);
    return { playerGuid, platformId, username };
  };

  const presentIn = async (match: Around, review: reviewsStore.StoredReview): Promise<ReplayReview> => {
    const { replayGuid, playerGuid, ...stored } = review;
    const subject = subjectOf(match.state, stored.roundNumber, playerGuid);
    if (!subject) throw new Error(`The review ${stored.reviewGuid} is about a round that is not there.`);
    return {
      ...stored,
      status: stored.resolvedAt === null ? 'open' : 'resolved',
      player: shownPlayer(playerGuid, match),
      map: mapShown(subject.map, match.display),
      score: subject.score,
      replay: replayGuid === null ? null : await evidence(replayGuid),
    };
  };

  /** The score and the replay of the other player of the round. */
  const opponentIn = async (
    match: Around,
    { matchGuid, roundNumber, playerGuid: reviewedGuid }: reviewsStore.StoredReview,
  ): Promise<ReplayReviewInRound['opponent']> => {
    const { playerGuid } = match.state.seats[seatOf(match.state, reviewedGuid) === 'red' ? 'blue' : 'red'];
    const replay = await store.replayOfPart(prisma, { matchGuid, roundNumber, playerGuid });
    return {
      player: shownPlayer(playerGuid, match),
      score: subjectOf(match.state, roundNumber, playerGuid)?.score ?? null,
      replay: replay && (await evidence(replay.replayGuid)),
    };
  };

  return {
    /** The replays of a player that are under review. */
    underReview: (playerGuid: string) => reviewsStore.replaysUnderReview(prisma, playerGuid),

    /**
     * Reviews, the one that waits longest first. Those of the match that the reader plays now come after its end: they would
     * show the opponent's score of the running round.
     */
    reviews: async (query: ReviewQuery, readerGuid: string) => {
      const playing = await matches.runningSeatsOf([readerGuid]);
      const { items, nextCursor } = await reviewsStore.listReviews(prisma, query, playing.get(readerGuid));
      const presented: ReplayReview[] = [];
      // One after the other: matches are large, and a page is for one person.
      for (const review of items) presented.push(await presentIn(await around(review), review));
      return { items: presented, nextCursor };
    },

    /**
     * A review with the evidence of both players of its round.
     * @throws REPLAY_REVIEW_NOT_FOUND, OWN_MATCH
     */
    review: async (readerGuid: string, reviewGuid: string) => {
      const found = await find(reviewGuid);
      const match = await around(found);
      await requireOutsider(prisma, readerGuid, match.state);
      return { ...(await presentIn(match, found)), opponent: await opponentIn(match, found) };
    },

    /**
     * Decides a review, once. The same decision again changes nothing.
     * @throws REPLAY_REVIEW_NOT_FOUND, OWN_MATCH, REPLAY_REVIEW_RESOLVED (with another decision)
     */
    resolve: async ({ actorGuid }: WriteRequest, reviewGuid: string, body: ResolveBody) => {
      const found = await find(reviewGuid);
      const match = await around(found);
      const at = clock.now();
      await inTransaction(database, [], async (db) => {
        await keepPerson(db, actorGuid);
        await requireOutsider(db, actorGuid, match.state);
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
      return presentIn(match, await find(reviewGuid));
    },

    /**
     * Lists the rounds whose queue demands replays and whose replays did not come in time. Each match is claimed and
     * checked in one transaction: once, by one node, also after a crash.
     */
    listMissing: () =>
      inBatches(CHECK_AT_ONCE, async (most) => {
        const endedBefore = await outages.servedSince(TAKEN_FOR_MS);
        return inTransaction(
          database,
          ['Match'],
          async (db) => {
            const now = clock.now();
            const ended = await claimForReplayCheck(db, endedBefore, now, most);
            for (const { state, replays } of ended)
              for (const { roundNumber, seat, score } of playedParts(state)) {
                const { playerGuid } = seat;
                const came = replays.some(
                  (one) => one.roundNumber === roundNumber && one.playerGuid === playerGuid,
                );
                // Without a score there is no claim to prove.
                if (came || score === null) continue;
                const about = { matchGuid: state.matchGuid, roundNumber, playerGuid };
                await reviewsStore.listForReview(db, { ...about, replayGuid: null, reason: 'missing', now });
              }
            return ended.length;
          },
          { hasWritten: (count) => count > 0 },
        );
      }),
  };
}
