import { withoutDeadline } from '../../platform/database/deadline.ts';
import type { MatchContext } from './context.ts';
import { markDelivered } from './seats-store.ts';

/**
 * Stores when new matches were delivered to their players, with one statement for each turn of the event loop. If that
 * fails, the match counts as not delivered, and the player is not penalised for not joining.
 * @returns a function to be called when a match in `waiting_players` was delivered to a player
 */
export function createDeliveryTimes({
  database,
  clock,
  logger,
}: Pick<MatchContext, 'database' | 'clock' | 'logger'>) {
  let delivered: string[] = [];

  const store = (): void => {
    const playerGuids = delivered;
    delivered = [];
    markDelivered(database, playerGuids, new Date(clock.now())).catch((error: unknown) =>
      logger.debug({ err: error, players: playerGuids.length }, 'times of deliveries could not be stored'),
    );
  };

  return (playerGuid: string): void => {
    delivered.push(playerGuid);
    if (delivered.length === 1) withoutDeadline(() => setImmediate(store));
  };
}
