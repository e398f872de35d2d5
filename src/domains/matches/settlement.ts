import type { Db } from '../../platform/database/database.ts';
import { recordOffence } from '../penalties/index.ts';
import { addEntry, closeWithLastMatch, shareQueueForEnd } from '../queues/index.ts';
import { expectedOfRed, lockCorrections, rateMatch } from '../ratings/index.ts';
import type { MatchesOptions } from './context.ts';
import { correctLadder, countedOf, ended } from './corrections.ts';
import { requeue } from './endings.ts';
import type { Effect } from './match-events.ts';
import { lastOf, type NonEmpty, type PlayedStep } from './play.ts';
import * as ratingsStore from './ratings-store.ts';
import type { RunnerOptions, Settlement } from './runner.ts';
import * as seatsStore from './seats-store.ts';
import type { MatchState } from './state.ts';
import { usageOf } from './usage.ts';
import { addUsage } from './usage-store.ts';

type SettlementOptions = Pick<MatchesOptions, 'config' | 'clock' | 'onRequeued'>;

/**
 * When a match is delivered to a player with less than half of the time to join left, or never, the service is the reason
 * that the player does not join: there is no penalty, and the player waits again.
 */
function withoutLateDelivery(
  effect: Effect,
  from: MatchState,
  left: ReadonlyMap<string, seatsStore.FormerSeat>,
): Effect {
  if (effect.type !== 'penalise' || effect.reason !== 'not_joined') return effect;
  const deliveredAt = left.get(from.seats[effect.seat].playerGuid)?.deliveredAt ?? Number.POSITIVE_INFINITY;
  const latest = (from.deadlineAt ?? 0) - from.limits.joinMs / 2;
  return deliveredAt <= latest ? effect : requeue(effect.seat);
}

/** Everything that the end of a match, or the correction of one, does beyond the match. */
export function createSettlement(options: SettlementOptions): Pick<RunnerOptions, 'lock' | 'settle'> {
  const { config, clock } = options;

  const settleEnd = async (db: Db, from: MatchState, steps: NonEmpty<PlayedStep>): Promise<Settlement> => {
    const state = ended(lastOf(steps).state);
    const { matchGuid, queueGuid, seasonGuid, endedAt, seats, result } = state;
    const left = await seatsStore.freeSeats(db, matchGuid);
    const effects = steps
      .flatMap((step) => step.effects)
      .map((effect) => withoutLateDelivery(effect, from, left));

    for (const effect of effects) {
      if (effect.type !== 'penalise') continue;
      await recordOffence(db, {
        playerGuid: seats[effect.seat].playerGuid,
        matchGuid,
        reason: effect.reason,
        now: clock.now(),
        firstMs: config.penaltyFirstMs,
      });
    }

    const counted = countedOf(state);
    // By the ratings before the match, which the next statement changes.
    const redExpected = await expectedOfRed(db, state, counted);
    const ratings = await rateMatch(db, { matchGuid, queueGuid, seasonGuid, at: endedAt, ...counted });
    await ratingsStore.saveRatings(db, matchGuid, ratings);

    // A player who joined may be away when the time to join ends, and then waits like anybody who is away in a queue.
    const away =
      result.reason === 'not_joined' ? await seatsStore.lockAwayPlayers(db, [seats.red, seats.blue]) : null;
    const queue = await shareQueueForEnd(db, queueGuid);
    const requeued: string[] = [];
    for (const effect of effects) {
      if (effect.type !== 'requeue' || queue?.status !== 'open') continue;
      const { playerGuid, presence } = seats[effect.seat];
      const before = left.get(playerGuid);
      if (before === undefined || (presence.kind !== 'present' && away === null)) continue;
      const isAdded = await addEntry(db, {
        playerGuid,
        queueGuid,
        joinedAt: before.queuedSince,
        rating: ratings[effect.seat].after,
        pluginVersion: before.pluginVersion,
        gameVersion: before.gameVersion,
        disconnectedAt: away?.get(playerGuid) ?? null,
      });
      if (isAdded) requeued.push(playerGuid);
    }
    if (queue?.status === 'draining') await closeWithLastMatch(db, queueGuid, clock.now());
    await addUsage(db, state.poolGuid, usageOf(state, redExpected));

    return {
      ratings,
      afterCommit: async () => {
        for (const playerGuid of requeued) await options.onRequeued(playerGuid);
      },
    };
  };

  /** The match and the later ones of its ladder, by `sequence`, are rated again. */
  const settleCorrection = async (db: Db, steps: NonEmpty<PlayedStep>): Promise<Settlement> => {
    const state = ended(lastOf(steps).state);
    await correctLadder(db, state, clock.now());
    return { ratings: await ratingsStore.loadRatings(db, state.matchGuid) };
  };

  return {
    lock: async (db, from) => {
      if (from.endedAt !== null) await lockCorrections(db, from);
    },
    settle: (db, from, steps) =>
      from.endedAt === null ? settleEnd(db, from, steps) : settleCorrection(db, steps),
  };
}
