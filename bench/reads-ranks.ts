import pg from 'pg';
import { createService } from '../src/domains/ratings/service.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { type Claim, median } from './harness.ts';

const TIMES = 200;

type Sent = pg.QueryConfig<unknown[]>;

/** The statements that are sent while something works. */
async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const spied = pg.Client.prototype as { query(...args: unknown[]): unknown };
  const { query } = spied;
  const sent: Sent[] = [];
  spied.query = function (this: unknown, ...args: unknown[]) {
    sent.push(args[0] as Sent);
    return query.apply(this, args);
  };
  await work();
  spied.query = query;
  return sent;
}

/**
 * How long PostgreSQL plans and executes what a page around a player with its ranks sends, and the rank of a profile. Every
 * rank is compared with a count of the better players.
 */
export async function benchRanks(
  databaseUrl: string,
  { queueGuid, seasonGuid }: { queueGuid: string; seasonGuid: string },
): Promise<Claim[]> {
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  const ladder = createService({ database, seasonOfLadder: async () => seasonGuid });
  const times: Record<'page' | 'rank', number[]> = { page: [], rank: [] };
  const measure = async <T>(what: keyof typeof times, work: () => Promise<T>): Promise<T> => {
    let result: T | undefined;
    const sent = await statementsOf(async () => {
      result = await work();
    });
    let ms = 0;
    for (const { text, values } of sent) {
      const { rows } = await database.pool.query(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        values,
      );
      const [plan] = rows[0]['QUERY PLAN'];
      ms += plan['Planning Time'] + plan['Execution Time'];
    }
    times[what].push(ms);
    return result as T;
  };
  try {
    const { rows } = await database.pool.query<{ playerGuid: string; rank: number }>(
      `SELECT r."playerGuid", (SELECT count(*)::int + 1 FROM "Rating" AS b WHERE b."queueGuid" = r."queueGuid"
         AND b."seasonGuid" = r."seasonGuid" AND b.wins + b.losses + b.draws > 0 AND b.rating > r.rating) AS rank
       FROM (SELECT * FROM "Rating" WHERE "queueGuid" = $1 AND "seasonGuid" = $2 AND wins > 0 ORDER BY random() LIMIT $3) AS r`,
      [queueGuid, seasonGuid, TIMES],
    );
    for (const { playerGuid, rank } of rows) {
      const { entries } = await measure('page', () =>
        ladder.page(queueGuid, { around: playerGuid, limit: 50, cursor: undefined, seasonGuid: undefined }),
      );
      const onPage = entries.find(({ player }) => player.playerGuid === playerGuid);
      const own = await measure('rank', () => ladder.ratingsOf(playerGuid));
      const ranks = [onPage?.rank, own.find((one) => one.queueGuid === queueGuid)?.rank];
      if (ranks.some((one) => one !== rank)) throw new Error(`Ranks ${ranks} of a player who is ${rank}.`);
    }
  } finally {
    await database.close();
  }
  console.log(
    `\nPostgreSQL: a page around a player in ${median(times.page).toFixed(2)} ms, the rank of a profile in ${median(times.rank).toFixed(2)} ms`,
  );
  return [
    { text: 'ms of PostgreSQL for a ladder page around a player', measured: median(times.page), atMost: 5 },
    { text: 'ms of PostgreSQL for the ranks of a profile', measured: median(times.rank), atMost: 5 },
  ];
}
