import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { BOUNDS } from '../../platform/limits.ts';
import type { Matches } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import type { Pairing } from '../pairing/index.ts';
import { playersOfSubjects } from '../players/index.ts';

/**
 * Players who showed a good token while the database was full, and were refused. They are remembered in memory until
 * a connection of the pool works: then their graces and places in queues are extended. Source: contract, section 8.
 */

/** Their matches are about two megabytes of states. */
const AT_ONCE = 200;
/** How often a match may be moved by somebody else between being read and being stored. */
const ATTEMPTS = 10;

export interface PutOffOptions {
  database: Database;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  matches: Pick<Matches, 'happensTo' | 'runningSeatsOf'>;
  outages: Pick<Outages, 'last'>;
  pairing: Pick<Pairing, 'putOff'>;
}

export function createPutOff({ database, clock, logger, matches, outages, pairing }: PutOffOptions) {
  /** When each was last put off, by subject; times of the service's clock. */
  const waiting = new Map<string, number>();
  let storing: Promise<void> | undefined;

  const extendGraces = async (playerGuids: readonly string[]): Promise<void> => {
    let left = playerGuids;
    for (let attempt = 0; left.length > 0; attempt++) {
      const some = left;
      if (attempt === ATTEMPTS) return logger.warn({ players: some }, 'graces could not be extended');
      const moved = await inTransaction(database, (db) => matches.happensTo(db, some, 'putOff'));
      await moved.afterCommit();
      left = moved.left;
    }
  };

  const storeNoted = async (): Promise<void> => {
    const noted = [...waiting];
    // Who was put off in an outage has a whole grace from its end.
    const since = outages.last()?.until ?? Number.NEGATIVE_INFINITY;
    const subjects = noted.flatMap(([subject, at]) => (at > since ? subject : []));
    const players = await playersOfSubjects(database.prisma, subjects);
    await pairing.putOff(players);
    const seated = [...(await matches.runningSeatsOf(players)).keys()];
    for (let at = 0; at < seated.length; at += AT_ONCE) await extendGraces(seated.slice(at, at + AT_ONCE));
    // Who was put off again meanwhile is looked at again.
    for (const [subject, at] of noted) if (waiting.get(subject) === at) waiting.delete(subject);
    logger.info({ players: players.length }, 'extended graces and places of players who had been put off');
  };
  const storeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) await storeNoted();
  };

  return {
    /**
     * A player with a good token was refused, or has to wait, because the database is full.
     * @param subject as the token says it: who that is may be known to the database alone
     */
    note: (subject: string): void => {
      if (waiting.size < BOUNDS.putOff.value || waiting.has(subject)) waiting.set(subject, clock.now());
    },
    /**
     * Extends what those who were put off have: done before a grace or a place may end, and as soon as the database can.
     * @throws OutOfReach while it cannot
     */
    store: async (): Promise<void> => {
      if (waiting.size === 0) return;
      storing ??= storeWaiting().finally(() => {
        storing = undefined;
      });
      return storing;
    },
  };
}
