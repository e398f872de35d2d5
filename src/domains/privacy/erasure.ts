import type { FastifyBaseLogger } from 'fastify';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import { pairingErrors } from '../pairing/index.ts';
import {
  erasePlayer,
  findPlayer,
  lockGrants,
  lockPerson,
  type Players,
  playerErrors,
} from '../players/index.ts';
import { removeEntries } from '../queues/index.ts';
import { eraseReplays, type Replays } from '../replays/index.ts';
import { endSessionsOfPlayer } from '../sessions/index.ts';
import * as store from './erasure-store.ts';

export interface ErasureOptions {
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  players: Pick<Players, 'refuseLastAdmin'>;
  replays: Pick<Replays, 'removeFiles'>;
  /** Forgets cached lookups of players. */
  forgetPlayers(): void;
  /** Ends the connection of a person who was erased. */
  onErased(playerGuid: string): Promise<void>;
}

/** The tables that an erasure changes and that cached responses are read from. */
const WRITTEN = ['Player', 'QueueEntry', 'Replay'] as const;

/** The longest time of the transaction: for somebody who has played for years it changes tens of thousands of replays. */
const ERASURE_MS = 120_000;

/** @throws ALREADY_IN_MATCH */
async function refuseSeated(db: Db, playerGuid: string) {
  if (await store.isSeated(db, playerGuid))
    throw pairingErrors.ALREADY_IN_MATCH({
      message: 'This person plays a match. Erase them when it has ended.',
    });
}

/**
 * Erases people. One transaction takes everything that identifies them, under the lock that queueing, pairing, bans and
 * connections take. The connection and the files go after it; what a node that dies leaves is done by another one.
 */
export function createErasure(options: ErasureOptions) {
  const { database, clock, logger, players, replays } = options;

  /** @returns the replays whose files are to be removed; null: the person was erased before */
  const eraseWithin = async (db: Db, write: WriteRequest, playerGuid: string) => {
    const known = existing(await findPlayer(db, playerGuid), playerErrors.PLAYER_NOT_FOUND);
    if (known.subject === null) return null;
    await refuseSeated(db, playerGuid);
    // A long history takes seconds, so it is changed before the person is locked. Under the locks the second call finds the
    // replays that were published meanwhile.
    const done = new Set<string>();
    const early = await eraseReplays(db, known, clock.now(), done);
    await lockGrants(db);
    await lockPerson(db, playerGuid);
    const person = existing(await findPlayer(db, playerGuid), playerErrors.PLAYER_NOT_FOUND);
    const { subject, platformId, username } = person;
    if (subject === null) return null;
    const identity = { subject, platformId, username };
    await refuseSeated(db, playerGuid);
    const at = clock.now();
    await players.refuseLastAdmin(db, person, at);
    await erasePlayer(db, playerGuid, identity, at);
    await removeEntries(db, [playerGuid]);
    await endSessionsOfPlayer(db, playerGuid);
    const late = await eraseReplays(db, { playerGuid, platformId }, at, done);
    await store.eraseComments(db, playerGuid);
    await store.eraseMentions(db, playerGuid, identity);
    await recordAudit(db, {
      at,
      actorGuid: write.actorGuid,
      action: 'erasePlayer',
      target: `/players/${playerGuid}`,
      before: null,
      after: { erasedAt: isoTime(at) },
    });
    return [...early, ...late];
  };

  const erase = (write: WriteRequest, playerGuid: string) =>
    inTransaction(database, WRITTEN, (db) => eraseWithin(db, write, playerGuid), { ms: ERASURE_MS });

  /**
   * Erases a person. Again it changes nothing.
   * @throws PLAYER_NOT_FOUND, ALREADY_IN_MATCH, LAST_ADMIN
   */
  return async (write: WriteRequest, playerGuid: string) => {
    const files = await erase(write, playerGuid);
    if (files === null) return { playerGuid };
    options.forgetPlayers();
    await options.onErased(playerGuid);
    await replays.removeFiles(files).catch((error: unknown) => {
      // They stay listed, and the task that tidies replays removes them.
      logger.error({ err: error }, 'replays of an erased person could not be removed yet');
    });
    return { playerGuid };
  };
}
