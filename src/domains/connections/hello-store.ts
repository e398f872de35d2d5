import type { Database } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { type LastMatch, type Period, type StoredMatch, verdictsOf, withMaps } from '../matches/index.ts';
import type { Place } from '../pairing/index.ts';
import type { Penalty } from '../penalties/index.ts';

/** The stored data that a client needs after it connected. */
export interface HelloData {
  queueEntry: (Place & { rules: unknown }) | null;
  /** The running match in which the player sits. */
  running: StoredMatch | null;
  lastEnded: LastMatch | null;
  penalty: Penalty | null;
}

/**
 * The last match with the player in one seat that has ended since `$3` and began since `$4`. Matches of one player follow
 * each other, so the index on seat and start finds it in one step, and PostgreSQL keeps one plan for all players.
 */
const lastEndedIn = (seat: 'redGuid' | 'blueGuid'): string => `
        (SELECT * FROM "Match" WHERE "${seat}" = $1::uuid
          AND "endedAt" >= $3::timestamptz AND "startedAt" >= $4::timestamptz
        ORDER BY "startedAt" DESC LIMIT 1)`;

/**
 * One statement reads all of it, so its parts are of one moment. It is sent at every connect, so it is prepared by
 * name. Times are milliseconds since 1970. The bound on `startedAt` lets the index on it leave older matches out.
 */
const readHelloData = statement<
  HelloData,
  [playerGuid: string, now: Date, endedSince: Date, startedSince: Date]
>(
  'hello-data',
  `
  SELECT
    (SELECT json_build_object('queueGuid', e."queueGuid", 'rating', e.rating, 'rules', q.rules,
        'joinedAt', floor(extract(epoch FROM e."joinedAt") * 1000))
      FROM "QueueEntry" e JOIN "Queue" q USING ("queueGuid") WHERE e."playerGuid" = $1::uuid) AS "queueEntry",
    (SELECT json_build_object('state', m.state, 'sequence', m.sequence, 'ratings', m.ratings,
        'replays', ${verdictsOf('m."matchGuid"')})
      FROM "RunningSeat" s JOIN "Match" m USING ("matchGuid")
      WHERE s."playerGuid" = $1::uuid AND m."endedAt" IS NULL) AS running,
    (SELECT json_build_object('matchGuid', m."matchGuid", 'result', m.state -> 'result', 'ratings', m.ratings,
        'endedAt', floor(extract(epoch FROM m."endedAt") * 1000),
        'seats', json_build_object(
          'red', json_build_object('playerGuid', m."redGuid", 'rating', m.state #> '{seats,red,rating}'),
          'blue', json_build_object('playerGuid', m."blueGuid", 'rating', m.state #> '{seats,blue,rating}')))
      FROM (${lastEndedIn('redGuid')} UNION ALL ${lastEndedIn('blueGuid')}) AS m
      ORDER BY m.sequence DESC LIMIT 1) AS "lastEnded",
    (SELECT json_build_object('reason', p.reason, 'until', floor(extract(epoch FROM p.until) * 1000))
      FROM "Penalty" p WHERE p."playerGuid" = $1::uuid AND p.until > $2::timestamptz
      ORDER BY p.until DESC LIMIT 1) AS penalty`,
);

/**
 * @param now milliseconds since 1970
 * @param period the matches that are told of as the last one
 */
export async function helloDataOf(
  database: Database,
  playerGuid: string,
  now: number,
  period: Period,
): Promise<HelloData> {
  const { endedSince, startedSince } = period;
  const times = [new Date(now), new Date(endedSince), new Date(startedSince)] as const;
  const rows = await readHelloData(database, playerGuid, ...times);
  const [data] = rows as [HelloData];
  if (data.running) await withMaps(database.prisma, [data.running]);
  return data;
}
