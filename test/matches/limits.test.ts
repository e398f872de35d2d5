import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { dueAt } from '../../src/domains/matches/machine.ts';
import { play } from '../../src/domains/matches/play.ts';
import { currentRules, openRulebook } from '../../src/domains/matches/rulebook.ts';
import { commitSteps, loadMatch } from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { storeMatch, storePool } from '../harness/pools.ts';
import { limits, START, setupOf } from './game.ts';
import { openMatches } from './service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await storePool(database, setupOf());
});
afterAll(() => database.drop());

/** Stores a match of two players who have both joined. @returns its state, with the limit of the discards */
async function storeJoinedMatch() {
  let last = await storeMatch(database, { ...setupOf(), matchGuid: newGuid() }, START);
  for (const seat of ['red', 'blue'] as const) {
    const outcome = play(last, { type: 'joinMatch', seat }, START);
    if (outcome.kind !== 'changed') throw new Error('Joining changes nothing.');
    const next = outcome.steps.at(-1)?.state ?? last;
    await commitSteps(database, last.version, outcome.steps, START, dueAt(next));
    last = next;
  }
  return last;
}

test('no limit is applied before the players who were put off have their extension', async () => {
  const match = await storeJoinedMatch();
  const now = (match.deadlineAt ?? START) + 1;
  const stored = async () => (await loadMatch(database, match.matchGuid))?.state;
  /** The versions that are stored while the extension is being stored: many more reads than applying a limit takes. */
  const seenMeanwhile: unknown[] = [];
  const matches = openMatches(database, {
    clock: { now: () => now },
    storePutOff: async () => {
      for (let reads = 0; reads < 100; reads++) seenMeanwhile.push((await stored())?.version);
    },
  });
  matches.startLimits(() => true);
  await expect.poll(async () => (await stored())?.status).toBe('awaiting_pick');
  await matches.stopLimits();
  expect(new Set(seenMeanwhile.slice(0, 100))).toEqual(new Set([match.version]));
});

test('a node takes no limit of a match whose rules it does not know', async () => {
  const { matchGuid, deadlineAt } = await storeJoinedMatch();
  const now = (deadlineAt ?? START) + 1;
  const about = () => database.prisma.match.findUniqueOrThrow({ where: { matchGuid } });
  const before = await about();
  let looks = 0;
  const matches = openMatches(database, {
    clock: { now: () => now },
    rulebook: openRulebook([{ ...currentRules, version: 1 }]),
    storePutOff: async () => {
      looks += 1;
    },
  });
  matches.startLimits(() => true);
  // The first look is over when the second one begins.
  await expect.poll(() => looks).toBeGreaterThan(1);
  await matches.stopLimits();
  expect(await about()).toEqual(before);
});

test('a limit that the full disk of the database refuses is no error of its match', async () => {
  const { deadlineAt } = await storeJoinedMatch();
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER test BEFORE INSERT ON "MatchEvent" EXECUTE FUNCTION refuse()`);
  const said: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line) => void said.push(JSON.parse(line).msg) });
  const matches = openMatches(database, { logger, clock: { now: () => (deadlineAt ?? START) + 1 } });
  matches.startLimits(() => true);
  await expect.poll(() => said).not.toEqual([]);
  await matches.stopLimits();
  await database.pool.query('DROP TRIGGER test ON "MatchEvent"; DROP FUNCTION refuse()');
  expect(new Set(said)).toEqual(new Set(['a limit waits for the database']));
});

test('whether a command is in time is decided by its arrival, not by when it is executed', async () => {
  const match = await storeJoinedMatch();
  const { matchGuid, deadlineAt } = match;
  const limit = deadlineAt ?? START;
  // Long after the limit, which nobody has applied yet.
  const config = { ...limits, penaltyFirstMs: 1000 } as Config;
  const matches = openMatches(database, { config, clock: { now: () => limit + 20_000 } });
  const { red, blue } = match.seats;
  const discard = (playerGuid: string, arrivedAt: number) =>
    matches.command(
      playerGuid,
      matchGuid,
      (seat) => ({ type: 'discardMaps', seat, cardGuids: [] }),
      arrivedAt,
    );
  await expect(discard(red.playerGuid, limit)).rejects.toThrow(
    expect.objectContaining({ code: 'WRONG_PHASE', details: { status: 'awaiting_discards' } }),
  );
  expect((await loadMatch(database, matchGuid))?.state.version).toBe(match.version);

  expect((await discard(red.playerGuid, limit - 1)).you.discarded).toBe(true);
  // Sent again, because the acknowledgement was lost.
  expect((await discard(red.playerGuid, limit + 1)).you.discarded).toBe(true);
  const forfeited = await matches.command(
    blue.playerGuid,
    matchGuid,
    (seat) => ({ type: 'forfeit', seat }),
    limit + 1,
  );
  expect(forfeited.status).toBe('aborted');
});
