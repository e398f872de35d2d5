import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDisplayCache } from '../../src/domains/matches/display.ts';
import { partsOf } from '../../src/platform/batches.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

/** The names that a node keeps of the players of its matches. */

/** As many players as a node keeps. */
const MOST = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const logger = { debug: () => undefined } as never;
const poolGuid = newGuid();
const matchOf = (red: string, blue: string) => ({
  poolGuid,
  seats: { red: { playerGuid: red, health: 1 }, blue: { playerGuid: blue, health: 1 } },
});

test('a player whose name was read long ago keeps it in a match with somebody new', async () => {
  const { rows } = await database.pool.query<{ playerGuid: string }>(
    `INSERT INTO "Player" ("playerGuid", username, "joinedAt", "providerRoles", "tokenIssuedAt")
     SELECT gen_random_uuid(), 'Player ' || nth, now(), '{}', now() FROM generate_series(1, $1::int) AS nth
     RETURNING "playerGuid"::text`,
    [MOST + 2],
  );
  const guids = rows.map(({ playerGuid }) => playerGuid);
  const [first = '', second = ''] = guids;
  const [newcomer = '', another = ''] = guids.slice(MOST);
  const before = Array.from({ length: MOST / 2 }, (_, at) =>
    matchOf(guids[2 * at] ?? '', guids[2 * at + 1] ?? ''),
  );
  for (const how of ['cached', 'current'] as const) {
    const display = createDisplayCache({ database, logger });
    for (const some of partsOf(before, 1000)) await display.cached(...some);
    for (const [old, fresh] of [
      [first, newcomer],
      [second, another],
    ] as const) {
      const { players } = await display[how](matchOf(old, fresh));
      expect([...players.keys()].sort(), how).toEqual([old, fresh].sort());
    }
  }
});
