import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDelivery, type Delivery } from '../../src/domains/matches/delivery.ts';
import { createMatch, dueAt, play } from '../../src/domains/matches/machine.ts';
import type { MatchState, PlayEvent } from '../../src/domains/matches/state.ts';
import { commitSteps, insertMatch, type RunningSeat, type Step } from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { START, setupOf } from './game.ts';

/** A node that learns from the log what another one stored for its players. */

const NODE = newGuid();
const NOTHING = { ratings: null, replays: [] };
let database: TestDatabase;
let delivery: Delivery;
const { playerGuid } = setupOf().players[0];
/** What the player was told: which match, which version. */
let told: [string, number][];

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

beforeEach(() => {
  told = [];
  delivery = createDelivery({
    database,
    clock: { now: () => START },
    logger: { error: (about: object) => expect.unreachable(JSON.stringify(about)) } as never,
    send: (_player, _event, payload) => {
      const { match } = payload as { match: { matchGuid: string; version: number } };
      told.push([match.matchGuid, match.version]);
    },
  });
});

/** A match of the two, stored by the other node. */
async function storedMatch(seats: RunningSeat[] = []): Promise<{ state: MatchState; steps: Step[] }> {
  const setup = { ...setupOf(), matchGuid: newGuid() };
  const state = createMatch(setup, START);
  const created: Step = {
    event: { type: 'created', setup },
    state,
    cause: { type: 'created', seat: null },
    effects: [],
  };
  await insertMatch(database.prisma, created, dueAt(state), seats);
  return { state, steps: [created] };
}

async function stored(match: { state: MatchState; steps: Step[] }, event: PlayEvent): Promise<void> {
  const outcome = play(match.state, event, START);
  if (outcome.kind !== 'changed') throw new Error(`${event.type} changes nothing.`);
  await commitSteps({ pool: database.pool }, match.state.version, outcome.steps, START, null);
  match.steps.push(...outcome.steps);
  match.state = (outcome.steps.at(-1) as Step).state;
}

test('a match that ended is not told again to who is in the next one', async () => {
  const [first, second] = [await storedMatch(), await storedMatch()];
  await stored(first, { type: 'forfeit', seat: 'red' });
  delivery.begin(playerGuid, null);
  delivery.tell(second.steps, NOTHING);
  delivery.tell(first.steps, NOTHING);
  expect(told).toEqual([[second.state.matchGuid, 1]]);
});

test('the end of a match is told before the next one, whichever the database names first', async () => {
  const seat = { playerGuid, queuedSince: START, pluginVersion: '1.0.0', gameVersion: null };
  const [first, second] = [await storedMatch(), await storedMatch([seat])];
  await database.prisma.playerConnection.create({
    data: {
      playerGuid,
      connectionGuid: newGuid(),
      nodeGuid: NODE,
      pluginVersion: '1.0.0',
      connectedAt: new Date(START),
    },
  });
  delivery.begin(playerGuid, { matchGuid: first.state.matchGuid, version: 1 });
  await stored(second, { type: 'joinMatch', seat: 'red' });
  await stored(first, { type: 'forfeit', seat: 'red' });
  await delivery.catchUp(NODE);
  await delivery.catchUp(NODE);
  expect(told).toEqual([
    [first.state.matchGuid, 2],
    [second.state.matchGuid, 1],
    [second.state.matchGuid, 2],
  ]);
});
