import { banRefusalOf } from '../auth/index.ts';
import { LAST_MATCH_MS } from '../matches/index.ts';
import { activeBan, bannedAmong, erasedAmong } from '../players/index.ts';
import type { LocalConnections, Session } from './local-connections.ts';
import type { Messages } from './messages.ts';
import { ERASED_MESSAGE } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

/**
 * The seat of a player is a row in the database that names the player's one live connection. A newer connection takes
 * the seat over. A late disconnect of the older connection then finds no seat to free.
 */
export function createSeats(
  { database, clock, node, matches, pairing }: ConnectionsOptions,
  connections: LocalConnections,
  dismiss: Messages['dismiss'],
) {
  const seatFor = (session: Session): store.Connection => ({
    playerGuid: session.playerGuid,
    connectionGuid: session.connectionGuid,
    nodeGuid: node().nodeGuid,
    pluginVersion: session.pluginVersion,
    gameVersion: session.gameVersion,
    connectedAt: new Date(clock.now()),
  });
  const dismissReplaced = (connection: Pick<store.Connection, 'connectionGuid' | 'nodeGuid'>) =>
    dismiss(connection, 'sessionReplaced', 'You connected from somewhere else.');

  /**
   * Ends the connections of people who were banned or erased while they had no seat: whoever stored that found no
   * connection to end.
   */
  const dismissRefused = async (seats: readonly store.Connection[]): Promise<void> => {
    const { prisma } = database;
    const now = clock.now();
    const playerGuids = seats.map(({ playerGuid }) => playerGuid);
    const erased = await erasedAmong(prisma, playerGuids);
    const banned = await bannedAmong(prisma, playerGuids, now);
    for (const seat of seats) {
      if (erased.has(seat.playerGuid)) await dismiss(seat, 'erased', ERASED_MESSAGE);
      else if (banned.has(seat.playerGuid)) {
        const ban = await activeBan(database, seat.playerGuid, now);
        if (ban) await dismiss(seat, 'banned', banRefusalOf(ban).message);
      }
    }
  };

  return {
    /**
     * Takes the player's seat, unless a later connection has it: a claim waits for the database, and the player may
     * have connected again meanwhile. Ends the connection of a player who was banned since the handshake.
     */
    claim: async (session: Session) => {
      const seat = seatFor(session);
      const claimed = await store.claimSeat(database, seat, seat.connectedAt.getTime() - LAST_MATCH_MS);
      if (claimed.isErased) return dismiss(seat, 'erased', ERASED_MESSAGE);
      if (claimed.isLate) return dismissReplaced(seat);
      if (claimed.replaced) await dismissReplaced(claimed.replaced);
      if (claimed.ban) return dismiss(seat, 'banned', banRefusalOf(claimed.ban).message);
      await matches.connected(session.playerGuid, claimed);
    },

    /** Claims the seats of all connections of this node again, after other nodes may have given them up. */
    retakeSeats: async () => {
      const newest = connections.newest();
      if (newest.size === 0) return;
      const seats = [...newest.values()].map(seatFor);
      const { taken, lost } = await store.retakeSeats(database.prisma, seats);
      // A connection that has the seat now is a later one.
      for (const seat of seats) if (lost.has(seat.playerGuid)) await dismissReplaced(seat);
      await dismissRefused(seats.filter(({ playerGuid }) => taken.has(playerGuid)));
      for (const session of newest.values())
        if (taken.has(session.playerGuid))
          await Promise.all([pairing.connected(session), matches.returned(session.playerGuid)]);
    },
  };
}
