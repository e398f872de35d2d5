import { eachOnItsOwn, partsOf } from '../../platform/batches.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { isUndecided } from '../../platform/database/out-of-reach.ts';
import { freshFlight } from '../../platform/loop.ts';
import { banRefusalOf } from '../auth/index.ts';
import { LAST_MATCH_MS } from '../matches/index.ts';
import { activeBan, bannedAmong, erasedAmong, lockPlayers } from '../players/index.ts';
import type { LocalConnections, Session } from './local-connections.ts';
import type { Messages } from './messages.ts';
import { ERASED_MESSAGE } from './notices.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

const isIn =
  (players: ReadonlySet<string>) =>
  ({ playerGuid }: { playerGuid: string }): boolean =>
    players.has(playerGuid);

/** The database has ended a statement by then. Source: the limit of statements in `openDatabase`. */
const UNDECIDED_MS = 10_000;

/**
 * The seat of a player is a row in the database that names the player's one live connection. A newer connection takes
 * the seat over. A late disconnect of the older connection then finds no seat to free.
 */
export function createSeats(
  { database, clock, node, matches, pairing }: ConnectionsOptions,
  connections: LocalConnections,
  dismiss: Messages['dismiss'],
  /** Stores the loss of a connection of this node. */
  lose: (session: Session) => Promise<unknown>,
) {
  const seatFor = (session: Session): store.Connection => ({
    playerGuid: session.playerGuid,
    connectionGuid: session.connectionGuid,
    nodeGuid: node().nodeGuid,
    pluginVersion: session.pluginVersion,
    gameVersion: session.gameVersion,
    connectedAt: new Date(session.openedAt),
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

  /**
   * The steps after each commit that took seats again, in their order. Each stays until it is done, because a second attempt
   * takes no seats.
   */
  const followUps = new Set<(() => Promise<unknown>)[]>();
  const followUp = freshFlight(() =>
    eachOnItsOwn(followUps, async (steps) => {
      for (let step = steps[0]; step !== undefined; step = steps[0]) {
        await step();
        steps.shift();
      }
      followUps.delete(steps);
    }),
  );

  /** Delivers the changes of matches. After a failure the players who are still connected return one by one. */
  const delivery = (sessions: readonly Session[], afterCommit: () => Promise<void>) => {
    let isTried = false;
    return async () => {
      if (!isTried) {
        isTried = true;
        return afterCommit();
      }
      await eachOnItsOwn(sessions, async (session) => {
        if (connections.has(session)) await matches.returned(session.playerGuid);
      });
    };
  };

  /**
   * Takes those of these seats that are free, marks the queue entries of their players and moves their matches: all of that or
   * nothing.
   * @returns the players whose matches cannot be changed now, and whose seats therefore stay free
   */
  const retakeSome = async (sessions: readonly Session[]): Promise<readonly string[]> => {
    const seats = sessions.map(seatFor);
    const { taken, lost, moved } = await inTransaction(
      database,
      ['QueueEntry', 'Match', 'MatchEvent'],
      async (db) => {
        // As a claim does: who queues or pairs these players meanwhile waits, and then finds their seats.
        await lockPlayers(
          db,
          seats.map(({ playerGuid }) => playerGuid),
        );
        const { taken, lost } = await store.retakeSeats(db, seats);
        await pairing.connected(db, sessions.filter(isIn(taken)));
        const moved = await matches.applyToPlayers(db, [...taken], 'connected');
        await store.giveUp(db, moved.remaining);
        return { taken, lost, moved };
      },
    );
    followUps.add([
      delivery(sessions.filter(isIn(taken)), moved.afterCommit),
      () => dismissRefused(seats.filter(isIn(taken))),
      // Messages of other nodes about them were sent to no node while their seats were free.
      () => pairing.tellPlaces([...taken]),
      // A later connection has the seat, so this one is replaced.
      ...seats.filter(isIn(lost)).map((seat) => () => dismissReplaced(seat)),
      // A connection that ended before its seat was taken again found no seat to give up.
      ...sessions.filter((session) => !connections.has(session)).map((session) => () => lose(session)),
    ]);
    await followUp();
    return moved.remaining;
  };

  const dismissAndRetake = async (): Promise<void> => {
    // Other nodes may have freed the seats of a node without heartbeats. It takes them again after its next one.
    if (!node().isInService()) return;
    const { newest, replaced } = connections.seated();
    await eachOnItsOwn(replaced, (session) => dismissReplaced(seatFor(session)));
    await eachOnItsOwn(partsOf(newest, store.SEATS_AT_ONCE), async (some) => {
      const holders = await store.holdersOf(database, some);
      const without = some.filter(
        (session) => !holders.has(session.connectionGuid) && connections.has(session),
      );
      if (without.length > 0) await retakeSome(without);
    });
  };

  return {
    /**
     * Takes the player's seat, unless a later connection has it: a claim waits for the database, and the player may
     * have connected again meanwhile. Ends the connection of a player who was banned since the handshake.
     */
    claim: async (session: Session) => {
      const seat = seatFor(session);
      const claimed = await store
        .claimSeat(database, seat, clock.now() - LAST_MATCH_MS)
        .catch((error: unknown) => {
          // The database may take the seat after the loss of this connection was stored.
          if (isUndecided(error)) setTimeout(() => void lose(session), UNDECIDED_MS).unref();
          throw error;
        });
      if (claimed.isErased) return dismiss(seat, 'erased', ERASED_MESSAGE);
      if (claimed.isLate) return dismissReplaced(seat);
      connections.seat(session);
      if (claimed.replaced) await dismissReplaced(claimed.replaced);
      // Read as of the time of the opening: it may have ended since.
      if (claimed.ban && (claimed.ban.until ?? Infinity) > clock.now())
        return dismiss(seat, 'banned', banRefusalOf(claimed.ban).message);
      await matches.connected(session.playerGuid, claimed);
    },

    /**
     * Takes the seats of all connections of this node again, after other nodes may have given them up. Connections whose first
     * claim is under way take theirs themselves.
     * @throws Error when the matches of some players cannot be changed now
     */
    retakeSeats: async () => {
      const sessions = connections.seated().newest;
      let remaining = 0;
      await eachOnItsOwn(partsOf(sessions, store.SEATS_AT_ONCE), async (some) => {
        remaining += (await retakeSome(some)).length;
      });
      await followUp();
      if (remaining > 0) throw new Error(`Players whose matches could not be changed: ${remaining}.`);
    },

    /**
     * Ends the connections of this node whose seats other connections have: the message that says so can be lost. Takes the
     * seats that are free again: the connection that replaced an open one of this node has ended.
     */
    checkSeats: () => eachOnItsOwn([followUp, dismissAndRetake], (step) => step()),
  };
}
