import { withoutDeadline } from '../../platform/database/deadline.ts';
import type { MatchContext } from './context.ts';
import { markTold } from './seats-store.ts';

/**
 * Stores when players are told of new matches: one statement for all who are told in one turn of the event loop. A
 * player whose note is lost counts as not told, and is not penalised for not joining.
 */
export function createTold({ database, clock, logger }: Pick<MatchContext, 'database' | 'clock' | 'logger'>) {
  let told: string[] = [];

  const store = (): void => {
    const playerGuids = told;
    told = [];
    markTold(database, playerGuids, new Date(clock.now())).catch((error: unknown) =>
      logger.debug({ err: error, players: playerGuids.length }, 'it is not stored who was told of a match'),
    );
  };

  /** A player of this node was told of a match in which nobody has to have joined yet. */
  return (playerGuid: string): void => {
    if (told.push(playerGuid) === 1) withoutDeadline(() => setImmediate(store));
  };
}
