import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadShown } from '../../src/domains/matches/list-store.ts';
import { createMatch } from '../../src/domains/matches/machine.ts';
import { play } from '../../src/domains/matches/play.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { insertMatches, loadMatch } from '../../src/domains/matches/store.ts';
import { storedText } from '../../src/domains/matches/stored-state.ts';
import { missedOutages } from '../../src/domains/outages/rules.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { storeMatch, storePool } from '../harness/pools.ts';
import { START, setupOf } from './game.ts';
import { openMatches } from './service.ts';

/** States as they are stored: without the maps of their cards. */

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await storePool(database, setupOf());
});
afterAll(() => database.drop());

/** Two players have discarded a card each, and the first map is picked. */
function pickedMatch(about: { poolGuid?: string } = {}): MatchState {
  let state = createMatch({ ...setupOf(), ...about, matchGuid: newGuid() }, START);
  const happens = (event: Parameters<typeof play>[1]): void => {
    const outcome = play(state, event, START);
    if (outcome.kind !== 'changed') throw new Error(`${event.type} changes nothing.`);
    state = outcome.steps.at(-1)?.state ?? state;
  };
  for (const seat of ['red', 'blue'] as const) happens({ type: 'joinMatch', seat });
  for (const seat of ['red', 'blue'] as const)
    happens({ type: 'discardMaps', seat, cardGuids: [state.seats[seat].hand[0]?.cardGuid ?? ''] });
  happens({ type: 'selectMap', seat: 'red', cardGuid: state.seats.red.hand[0]?.cardGuid ?? '' });
  return state;
}

const PLUGIN = { pluginVersion: '1.0.0', gameVersion: null };

/** The setup of a match of two new players, with their seats. */
const seatedSetup = (matchGuid: string) => {
  const setup = setupOf();
  const [red, blue] = setup.players;
  return {
    ...setup,
    matchGuid,
    players: [
      { ...red, playerGuid: newGuid() },
      { ...blue, playerGuid: newGuid() },
    ] as typeof setup.players,
  };
};

async function store(state: MatchState): Promise<void> {
  const setup = setupOf();
  const cause = { type: 'created', seat: null } as const;
  const created = { event: { type: 'created', setup } as const, state, cause, effects: [] };
  await insertMatches(database.prisma, [{ created, dueAt: null, seats: [] }]);
}

test('a state is read as it was stored, with the maps of hands, discarded cards, reserve and round', async () => {
  const state = pickedMatch();
  await store(state);
  expect((await loadMatch(database, state.matchGuid))?.state).toEqual(state);
});

test('what is stored names each map by its guid alone', () => {
  const state = pickedMatch();
  const text = storedText(state);
  for (const { mapGuid, hash } of setupOf().pool) expect(text.includes(hash), mapGuid).toBe(false);
  expect(JSON.parse(text).current.card).toEqual({
    cardGuid: state.current?.card.cardGuid,
    map: state.current?.card.map.mapGuid,
  });
});

test('a state that was stored with its maps is read as it is', async () => {
  const state = pickedMatch();
  await store(state);
  await database.prisma.match.update({
    where: { matchGuid: state.matchGuid },
    data: { state: state as object },
  });
  expect((await loadMatch(database, state.matchGuid))?.state).toEqual(state);
});

test('a state whose pool lacks one of its maps cannot be read', async () => {
  const state = pickedMatch({ poolGuid: newGuid() });
  await store(state);
  await expect(loadMatch(database, state.matchGuid)).rejects.toThrow(`The pool ${state.poolGuid} has no map`);
});

test('a match that cannot be read holds up no other one: in lists, after an outage, and when connections are lost', async () => {
  const made = [newGuid(), newGuid(), newGuid()].sort().map((matchGuid) => {
    const setup = seatedSetup(matchGuid);
    const seats = setup.players.map(({ playerGuid }) => ({ playerGuid, queuedSince: 0, ...PLUGIN }));
    return storeMatch(database, setup, START, seats);
  });
  const [before, broken, after] = await Promise.all(made);
  if (!before || !broken || !after) throw new Error('There are three matches.');
  const whole = [before.matchGuid, after.matchGuid];
  await database.prisma
    .$executeRaw`UPDATE "Match" SET state = jsonb_set(state, '{poolGuid}', to_jsonb(${newGuid()}::text))
    WHERE "matchGuid" = ${broken.matchGuid}::uuid`;
  const outage = { number: 1, since: START + 1000, until: START + 11_000 };
  const matches = openMatches(database, {
    clock: { now: () => START + 20_000 },
    outages: { missedBy: (life) => missedOutages(life, [outage]), servedBefore: (at, ms) => at - ms },
  });
  const listed = await loadShown(database, [...whole, broken.matchGuid]);
  expect(listed.map(({ state }) => state.matchGuid).sort()).toEqual(whole);
  // The first two tests have stored matches of the same time.
  expect(await matches.compensate(outage)).toBeGreaterThanOrEqual(2);
  const lost = [before, broken, after].map(({ seats }) => seats.red.playerGuid);
  const { remaining } = await database.prisma.$transaction((db) =>
    matches.applyToPlayers(db, lost, 'disconnected'),
  );
  expect(remaining).toEqual([broken.seats.red.playerGuid]);
  const stored = await Promise.all(whole.map((matchGuid) => loadMatch(database, matchGuid)));
  for (const found of stored) {
    expect(found?.state.lastOutage).toBe(1);
    expect(found?.state.seats.red.presence.kind).toBe('away');
  }
});
