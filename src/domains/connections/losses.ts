import type { FastifyBaseLogger } from 'fastify';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/outage.ts';
import type { Matches } from '../matches/index.ts';
import type { Pairing } from '../pairing/index.ts';
import * as store from './store.ts';

/**
 * Connections that are gone, of one player or of a whole node: what follows from it is stored for all of them in one
 * transaction, together with the giving up of their seats; where they play many matches, for those who play the others
 * in further ones. Who has come back has another connection and is left alone; who comes back meanwhile waits for the
 * seat.
 */

/** How often a match may be moved by somebody else between being read and being stored. */
const ATTEMPTS = 10;

/** Whose fault a loss is: the service's own costs no budget and gives the whole grace. */
type Loss = 'disconnected' | 'nodeLost';

export interface LossesOptions {
  database: Database;
  logger: FastifyBaseLogger;
  matches: Pick<Matches, 'happensTo'>;
  pairing: Pick<Pairing, 'disconnected'>;
}

export function createLosses({ database, logger, matches, pairing }: LossesOptions) {
  /** Lost connections of this node that are not stored yet, by what they are put down to. */
  const waiting = new Map<string, Loss>();
  let storing: Promise<void> | undefined;

  /** @returns how many seats were found, and how many of them could not be given up yet */
  const storeSome = async (find: (db: Db) => Promise<store.SeatHolder[]>, loss: Loss) => {
    const { seats, moved } = await inTransaction(database, async (db) => {
      const seats = await find(db);
      const players = seats.map(({ playerGuid }) => playerGuid);
      // Whoever is paired meanwhile is found in the match, and whom a match that ends meanwhile puts back is
      // found in the queue.
      await pairing.disconnected(db, players);
      const moved = await matches.happensTo(db, players, loss);
      await pairing.disconnected(db, players);
      const left = new Set(moved.left);
      await store.giveUp(
        db,
        players.filter((playerGuid) => !left.has(playerGuid)),
      );
      return { seats, moved };
    });
    await moved.afterCommit();
    return { found: seats.length, left: moved.left.length };
  };

  /** Until nothing is left. @throws Error when others move the same matches on again and again */
  const storeAll = async (find: (db: Db) => Promise<store.SeatHolder[]>, loss: Loss): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; ) {
      const { found, left } = await storeSome(find, loss);
      if (left === 0) return;
      attempt = left === found ? attempt + 1 : 0;
    }
    throw new Error('The matches of lost connections moved on again and again.');
  };

  const storeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      const [[, loss] = [null, 'disconnected' as const]] = waiting;
      const guids = [...waiting].flatMap((one) => (one[1] === loss ? one[0] : []));
      await storeAll((db) => store.lockSeats(db, guids), loss);
      for (const guid of guids) waiting.delete(guid);
    }
  };

  /** Stores what waits; what cannot be stored goes on to wait. Losses that come meanwhile go together. */
  const flush = (): Promise<void> => {
    storing ??= storeWaiting()
      .catch((error: unknown) => {
        const about = { err: error, losses: waiting.size };
        if (isOutOfReach(error)) logger.debug(about, 'lost connections wait for the database');
        else logger.error(about, 'lost connections could not be stored');
      })
      .finally(() => {
        storing = undefined;
      });
    return storing;
  };

  return {
    /** A connection of this node is gone. Resolves when that is stored, or cannot be at present. */
    record: (connectionGuid: string, loss: Loss): Promise<void> => {
      waiting.set(connectionGuid, loss);
      return flush();
    },
    /** Stores what could not be stored before. */
    flush,
    /**
     * Everything that a node left behind when it ended.
     * @param silentMs how long it must have been silent; 0: it is this one
     */
    ofNode: (nodeGuid: string, silentMs: number): Promise<void> =>
      storeAll((db) => store.lockSeatsOfNode(db, nodeGuid, silentMs), 'nodeLost'),
  };
}
