import { type Db, inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { singleFlight } from '../../platform/loop.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

/**
 * Stores lost connections, of one player or of a whole node. One transaction moves the matches of up to two hundred
 * players, marks their queue entries and gives their seats up. A player who is connected again has another connection
 * and is not affected; a player who connects meanwhile waits for the lock of the seat.
 */

/**
 * Attempts in a row without progress, before the rest waits for the next time: others change the same matches, or this node
 * does not know their rules.
 */
const ATTEMPTS = 10;

/** The cause of a loss. `nodeLost` is the service's own fault: it costs no budget and gives the whole grace. */
type Loss = 'disconnected' | 'nodeLost';

/** The result of storing a set of losses. */
interface TriedSet {
  tried: number;
  /** The players whose losses could not be stored. */
  left: readonly string[];
}

export type Losses = ReturnType<typeof createLosses>;

export function createLosses({ database, logger, matches, pairing }: ConnectionsOptions) {
  /** Lost connections of this node that are not stored yet, by connection. */
  const waiting = new Map<string, store.SeatHolder & { loss: Loss }>();

  /** @returns how many seats were found, and the players whose seat could not be freed yet */
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
    return { found: seats.length, remaining: new Set(moved.remaining) };
  };

  /** The oldest losses of one kind that wait, except those of these players. */
  const nextWaiting = (except: ReadonlySet<string>) => {
    const some: (store.SeatHolder & { loss: Loss })[] = [];
    for (const one of waiting.values()) {
      if (except.has(one.playerGuid) || (some[0] && some[0].loss !== one.loss)) continue;
      some.push(one);
      if (some.length === store.SEATS_AT_ONCE) break;
    }
    return some;
  };

  /**
   * Stores losses set by set. Losses whose matches cannot be changed now are left out and wait for the next time.
   * @param storeNext stores the next set without these players
   * @returns the players whose losses could not be stored
   */
  const storeAll = async (
    storeNext: (except: ReadonlySet<string>) => Promise<TriedSet>,
  ): Promise<ReadonlySet<string>> => {
    const stuck = new Set<string>();
    for (let attempt = 0; ; ) {
      const { tried, left } = await storeNext(stuck);
      if (tried === 0) break;
      attempt = left.length === tried ? attempt + 1 : 0;
      if (attempt < ATTEMPTS) continue;
      for (const playerGuid of left) stuck.add(playerGuid);
      attempt = 0;
    }
    if (stuck.size > 0)
      logger.error({ losses: stuck.size }, 'the matches of lost connections could not be changed');
    return stuck;
  };

  const storeNextWaiting = async (except: ReadonlySet<string>) => {
    const some = nextWaiting(except);
    if (some[0] === undefined) return { tried: 0, left: [] };
    const { remaining } = await storeSome((db) => store.lockSeats(db, some), some[0].loss);
    const left = some.filter(({ playerGuid }) => remaining.has(playerGuid));
    for (const one of some) if (!left.includes(one)) waiting.delete(one.connectionGuid);
    return { tried: some.length, left: left.map(({ playerGuid }) => playerGuid) };
  };

  /** Stores the losses that wait, and those that come meanwhile. Losses that cannot be stored remain. */
  const flush = singleFlight(() =>
    storeAll(storeNextWaiting).catch((error: unknown) => {
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
     * @returns whether all are stored
     */
    ofNode: async (nodeGuid: string, silentMs: number): Promise<boolean> => {
      let isOver = false;
      const stuck = await storeAll(async (except) => {
        if (isOver) return { tried: 0, left: [] };
        const find = (db: Db) => store.lockSeatsOfNode(db, nodeGuid, silentMs, [...except]);
        const { found, remaining } = await storeSome(find, 'nodeLost');
        isOver = found < store.SEATS_AT_ONCE && remaining.size === 0;
        return { tried: found, left: [...remaining] };
      });
      return stuck.size === 0;
    },
  };
}
