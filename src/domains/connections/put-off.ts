import { partsOf } from '../../platform/batches.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { freshFlight } from '../../platform/loop.ts';
import type { Matches } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import type { Pairing } from '../pairing/index.ts';
import { playersOfSubjects } from '../players/index.ts';
import type { ConnectionsOptions } from './options.ts';

/**
 * Players are put off when they show a good token while the database is busy or its disk is full, and are refused or wait for
 * more than a second. The node remembers them in memory. When the database works again, their graces and places in queues are
 * extended. Source: docs/lost-time.md.
 */

/** Their matches are at most two megabytes of states. */
const AT_ONCE = 200;
/** Attempts before the rest is given up: others change the same matches, or this node does not know their rules. */
const ATTEMPTS = 10;

interface PutOffOptions extends Pick<ConnectionsOptions, 'database' | 'clock' | 'logger'> {
  outages: Pick<Outages, 'last'>;
  matches: Pick<Matches, 'applyToPlayers' | 'runningSeatsOf'>;
  pairing: Pick<Pairing, 'putOff'>;
  /** The players whose lost connections are not stored yet. Their graces have not begun. */
  lostPlayers(): ReadonlySet<string>;
}

export function createPutOff(options: PutOffOptions) {
  const { database, clock, logger, matches, outages, pairing, lostPlayers } = options;
  /** When each may come again, by subject; times of the service's clock. */
  const waiting = new Map<string, number>();

  const extendGraces = async (playerGuids: readonly string[]) => {
    let remaining = playerGuids;
    for (let attempt = 0; remaining.length > 0; attempt++) {
      const some = remaining;
      if (attempt === ATTEMPTS) return logger.warn({ players: some }, 'graces could not be extended');
      const moved = await inTransaction(database, ['Match', 'MatchEvent'], (db) =>
        matches.applyToPlayers(db, some, 'putOff'),
      );
      await moved.afterCommit();
      remaining = moved.remaining;
    }
  };

  const store = freshFlight(async () => {
    if (waiting.size === 0) return;
    const noted = [...waiting];
    // Players who may come again before the end of an outage have a whole grace from its end.
    const since = outages.last()?.until ?? Number.NEGATIVE_INFINITY;
    const subjects = noted.filter(([, at]) => at > since).map(([subject]) => subject);
    const known = await playersOfSubjects(database.prisma, subjects);
    const lost = lostPlayers();
    const remaining = new Set(known.filter((one) => lost.has(one.playerGuid)).map((one) => one.subject));
    const players = known.filter((one) => !lost.has(one.playerGuid)).map((one) => one.playerGuid);
    await pairing.putOff(players);
    const playing = [...(await matches.runningSeatsOf(players)).keys()];
    for (const some of partsOf(playing, AT_ONCE)) await extendGraces(some);
    // Players who were put off again meanwhile, or whose graces have not begun, remain for the next round.
    for (const [subject, at] of noted)
      if (waiting.get(subject) === at && !remaining.has(subject)) waiting.delete(subject);
    if (players.length > 0)
      logger.info({ players: players.length }, 'extended graces and places of players who had been put off');
  });

  return {
    /**
     * A player with a good token was refused, or has to wait, because of the database.
     * @param subject of the token; the player it belongs to may be known only to the database
     * @param forMs after how many milliseconds the player may come again
     */
    note: (subject: string, forMs: number) => {
      if (waiting.size < BOUNDS.putOff.value || waiting.has(subject))
        waiting.set(subject, clock.now() + forMs);
    },
    /**
     * Extends the graces and places of the players who were put off before the call. Called before a grace or a place
     * may end, and every second.
     * @throws OutOfReach while the database cannot be used
     */
    store,
  };
}
