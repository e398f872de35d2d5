import type { Database } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Penalty } from '../penalties/index.ts';
import type { ActiveBan } from '../players/index.ts';
import type { QueueEntry } from '../queues/index.ts';

/** Where a player waits, and since when. */
export type Place = Pick<QueueEntry, 'queueGuid' | 'joinedAt' | 'rating'>;

/** A player who joins a queue, with the versions of the connection. */
export type Joiner = Pick<QueueEntry, 'playerGuid' | 'pluginVersion' | 'gameVersion'>;

/** The result of a join, or the first reason why it did nothing. */
export type Joined =
  | { refusal: 'PLAYER_NOT_FOUND' | 'QUEUE_NOT_FOUND' | 'ALREADY_IN_MATCH' | 'ALREADY_QUEUED' }
  | { refusal: 'QUEUE_NOT_OPEN'; status: string }
  | { refusal: 'BANNED'; ban: ActiveBan }
  | { refusal: 'PENALIZED'; penalty: Penalty }
  /** `isNew`: the player did not wait there before. `rules` as stored with the queue. */
  | { refusal: null; isNew: boolean; place: Place & { rules: unknown } };

const join = statement<
  { joined: Joined },
  [
    playerGuid: string,
    queueGuid: string,
    joinedAt: Date,
    pluginVersion: string,
    gameVersion: string | null,
    newcomerRating: number,
  ]
>('join-queue', 'SELECT "joinQueue"($1, $2, $3, $4, $5, $6) AS joined');

/**
 * Adds a player to a queue in one statement, unless something refuses it. The comment of the database
 * function `joinQueue` lists the races with pairing, bans, staff and ends of matches.
 * @param now milliseconds since 1970
 * @param newcomerRating shown for a player without a rating in the queue
 */
export async function joinQueue(
  database: Database,
  { playerGuid, pluginVersion, gameVersion }: Joiner,
  queueGuid: string,
  now: number,
  newcomerRating: number,
): Promise<Joined> {
  const [row] = await database.changes.writing(
    ['QueueEntry'],
    () => join(database, playerGuid, queueGuid, new Date(now), pluginVersion, gameVersion, newcomerRating),
    ([found]) => found?.joined.refusal === null && found.joined.isNew,
  );
  return (row as { joined: Joined }).joined;
}

/** Removes a player from the queue. @returns the player, if there was a place */
export const leaveQueue = statement<Pick<QueueEntry, 'playerGuid'>, [playerGuid: string]>(
  'leave-queue',
  'DELETE FROM "QueueEntry" WHERE "playerGuid" = $1::uuid RETURNING "playerGuid"',
  ['QueueEntry'],
);
