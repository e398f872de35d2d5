import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPutOff } from '../../src/domains/connections/put-off.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const clock = manualClock();
/** @param onExtended called for each set of players whose places are extended */
function open(
  outageUntil: number | null,
  onExtended: (nth: number) => void = () => {},
  lost: ReadonlySet<string> = new Set(),
) {
  const extended: (readonly string[])[] = [];
  const putOff = createPutOff({
    database,
    clock,
    logger: pino({ level: 'silent' }),
    outages: {
      last: () =>
        outageUntil === null ? null : { number: 1, since: outageUntil - 10_000, until: outageUntil },
    },
    lostPlayers: () => lost,
    pairing: {
      putOff: async (players) => {
        extended.push(players);
        onExtended(extended.length);
      },
    },
    matches: { runningSeatsOf: async () => new Map(), applyToPlayers: () => Promise.reject(new Error()) },
  });
  return { putOff, extended };
}
/** Stores a player. @returns the subject, and the guid */
async function player(subject: string): Promise<[subject: string, playerGuid: string]> {
  const playerGuid = newGuid();
  const at = new Date(clock.now());
  const data = { playerGuid, subject, username: subject, joinedAt: at, tokenIssuedAt: at };
  await database.prisma.player.create({ data });
  return [subject, playerGuid];
}

test('players who may come again only after the end of an outage have their extension, others have a whole grace', async () => {
  const [[before], [after, extendedGuid]] = [await player('before'), await player('after')];
  const { putOff, extended } = open(clock.now() + 10_000);
  putOff.note(before, 5000);
  putOff.note(after, 15_000);
  await putOff.store();
  expect(extended).toEqual([[extendedGuid]]);
});

test('players whose loss is not stored yet have their extension after it', async () => {
  const [subject, playerGuid] = await player('lost');
  const lost = new Set([playerGuid]);
  const { putOff, extended } = open(null, undefined, lost);
  putOff.note(subject, 0);
  await putOff.store();
  expect(extended.flat()).toEqual([]);
  lost.clear();
  await putOff.store();
  expect(extended.flat()).toEqual([playerGuid]);
});

test('storing ends although players are put off all the time: it stores those who were put off before the call', async () => {
  const [[first], [later]] = [await player('first'), await player('later')];
  const { putOff, extended } = open(null, (nth) => {
    // Somebody is refused in each moment, as long as the crowd lasts.
    if (nth < 10) putOff.note(later, nth);
  });
  putOff.note(first, 0);
  await putOff.store();
  expect(extended).toHaveLength(2);
  await putOff.store();
  expect(extended).toHaveLength(4);
});

test('storing includes players who were put off while an earlier store was running', async () => {
  const [[first], [second, secondGuid]] = [await player('one'), await player('two')];
  let running: Promise<void> | undefined;
  const { putOff, extended } = open(null, (nth) => {
    if (nth > 1) return;
    putOff.note(second, 0);
    running = putOff.store();
  });
  putOff.note(first, 0);
  await putOff.store();
  await running;
  expect(extended.flat()).toContain(secondGuid);
});
