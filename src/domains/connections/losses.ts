import { type Db, inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/outage.ts';
import { singleFlight } from '../../platform/loop.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

/**
 * Stores lost connections, of one player or of a whole node. One transaction moves the matches of up to two hundred
 * players, marks their queue entries and gives their seats up. A player who is connected again has another connection
 * and is not affected; a player who connects meanwhile waits for the lock of the seat.
 */

/** So many rounds in a row may fail because others move the same matches. */
const ATTEMPTS = 10;

/** The cause of a loss. `nodeLost` is the service's own fault: it costs no budget and gives the whole grace. */
type Loss = 'disconnected' | 'nodeLost';

export type Losses = ReturnType<typeof createLosses>;

export function createLosses({ database, logger, matches, pairing }: ConnectionsOptions) {
  /** Lost connections of this node that are not stored yet, by connection. */
  const waiting = new Map<string, store.SeatHolder & { loss: Loss }>();

  /** @returns how many seats were found, and how many of them could not be freed yet */
  const storeSome = async (find: (db: Db) => Promise<store.SeatHolder[]>, loss: Loss) => {
    const { seats, moved } = await inTransaction(
      database,
      ['QueueEntry', 'Match', 'MatchEvent'],
      async (db) => {
        const seats = await find(db);
        const players = seats.map(({ playerGuid }) => playerGuid);
        // Before and after the matches: a match that ends meanwhile may queue its players again.
        await pairing.disconnected(db, players);
        const moved = await matches.applyToPlayers(db, players, loss);
        await pairing.disconnected(db, players);
        const remaining = new Set(moved.remaining);
        await store.giveUp(
          db,
          players.filter((playerGuid) => !remaining.has(playerGuid)),
        );
        return { seats, moved };
      },
    );
    await moved.afterCommit();
    return { found: seats.length, remaining: moved.remaining.length };
  };

  /** Repeats until no loss remains. @throws Error when others move the same matches again and again */
  const storeAll = async (find: (db: Db) => Promise<store.SeatHolder[]>, loss: Loss) => {
    for (let attempt = 0; attempt < ATTEMPTS; ) {
      const { found, remaining } = await storeSome(find, loss);
      if (remaining === 0 && found < store.SEATS_AT_ONCE) return;
      attempt = remaining === found ? attempt + 1 : 0;
    }
    throw new Error('The matches of lost connections were moved by others again and again.');
  };

  const storeWaiting = async () => {
    for (;;) {
      const [first] = waiting.values();
      if (first === undefined) return;
      const { loss } = first;
      const some: store.SeatHolder[] = [];
      for (const one of waiting.values()) {
        if (one.loss === loss) some.push(one);
        if (some.length === store.SEATS_AT_ONCE) break;
      }
      await storeAll((db) => store.lockSeats(db, some), loss);
      for (const { connectionGuid } of some) waiting.delete(connectionGuid);
    }
  };

  /** Stores the losses that wait, and those that come meanwhile. Losses that cannot be stored remain. */
  const flush = singleFlight(() =>
    storeWaiting().catch((error: unknown) => {
      const about = { err: error, losses: waiting.size };
      if (isOutOfReach(error)) logger.debug(about, 'lost connections wait for the database');
      else logger.error(about, 'lost connections could not be stored');
    }),
  );

  return {
    /** A connection of this node is lost. Resolves when that is stored, or cannot be stored now. */
    record: ({ playerGuid, connectionGuid }: store.SeatHolder, loss: Loss) => {
      waiting.set(connectionGuid, { playerGuid, connectionGuid, loss });
      return flush();
    },
    flush,
    /** The players whose losses are not stored yet. */
    players: () => new Set([...waiting.values()].map(({ playerGuid }) => playerGuid)),
    /**
     * Stores the loss of all connections of a node that has ended.
     * @param silentMs how long the node must have been silent; 0: it is this one
     */
    ofNode: (nodeGuid: string, silentMs: number): Promise<void> =>
      storeAll((db) => store.lockSeatsOfNode(db, nodeGuid, silentMs), 'nodeLost'),
  };
}
