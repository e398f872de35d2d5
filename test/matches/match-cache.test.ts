import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMatchCache, type MatchCache } from '../../src/domains/matches/match-cache.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import type { Committed } from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { storeMatch, storePool } from '../harness/pools.ts';
import { START, setupOf } from './game.ts';

let database: TestDatabase;
let cache: MatchCache;
/** The exclusive period of the node; null while there are other nodes. */
let exclusivePeriod: object | null;
let first: MatchState;
let matchGuid: string;

beforeAll(async () => {
  database = await cloneDatabase();
  await storePool(database, setupOf());
});
afterAll(() => database.drop());

beforeEach(async () => {
  exclusivePeriod = {};
  cache = createMatchCache({ database, exclusivePeriod: () => exclusivePeriod });
  matchGuid = newGuid();
  first = await storeMatch(database, { ...setupOf(), matchGuid }, START);
});

const next = (about: Partial<MatchState> = {}): MatchState => ({
  ...first,
  version: first.version + 1,
  ...about,
});
/** Writes the state past this node. */
const write = async (state: MatchState): Promise<Committed> => {
  const { version, status } = state;
  await database.prisma.match.update({
    where: { matchGuid },
    data: { version, status, state: state as object },
  });
  return { replays: [] };
};
const at = (state: MatchState) => ({ state, sequence: 1 });
const versionNow = async () => (await cache.current(matchGuid))?.state.version;

describe('a match that is cached', () => {
  test('is shown without the database while this is the only node', async () => {
    await cache.store(at(next()), async () => ({ replays: [] }));
    expect(await versionNow()).toBe(2);
    expect(cache.cached(matchGuid)?.state.version).toBe(2);
  });

  test('is read again while others may have changed it', async () => {
    await cache.load(matchGuid);
    exclusivePeriod = null;
    await write(next());
    expect(await versionNow()).toBe(2);
  });

  test('is read again in the next exclusive period', async () => {
    await cache.load(matchGuid);
    exclusivePeriod = {};
    await write(next());
    expect(await versionNow()).toBe(2);
  });

  test('from a time with other nodes is read again once this is the only one', async () => {
    exclusivePeriod = null;
    await cache.load(matchGuid);
    await write(next());
    exclusivePeriod = {};
    expect(await versionNow()).toBe(2);
  });

  test('is not replaced by an older answer of the database that comes late', async () => {
    await cache.store(at(next()), async () => {
      await cache.load(matchGuid);
      return write(next());
    });
    const late = cache.load(matchGuid);
    await cache.store(at(next({ version: 3 })), async () => ({ replays: [] }));
    await late;
    expect(await versionNow()).toBe(3);
  });

  test('is removed from the cache when it is unknown what was stored', async () => {
    await cache.load(matchGuid);
    const broken = cache.store(at(next()), async () => {
      await write(next());
      throw new Error('The connection broke after the commit.');
    });
    await expect(broken).rejects.toThrow('after the commit');
    await cache.store(at(first), async () => ({ replays: [] }));
    expect(cache.cached(matchGuid)).toBeNull();
    expect(await versionNow()).toBe(2);
  });

  test('stays as it was when another writer was first', async () => {
    await cache.load(matchGuid);
    await cache.store(at(next()), async () => null);
    expect(await versionNow()).toBe(1);
  });

  test('is read from the database once it has ended', async () => {
    await cache.load(matchGuid);
    const ended = next({ status: 'completed', endedAt: START });
    await cache.store(at(ended), () => write(ended));
    await write(next({ version: 3, status: 'completed', endedAt: START }));
    expect(await versionNow()).toBe(3);
    expect(cache.cached(matchGuid)).toBeNull();
  });
});

describe('verdicts that are stored', () => {
  /** Stores replays of other rounds. @returns what the views show of them */
  const storeReplays = async (...rounds: number[]) => {
    const replays = rounds.map((roundNumber) => ({
      roundNumber,
      playerGuid: newGuid(),
      verdict: 'verified' as const,
    }));
    await database.prisma.replay.createMany({
      data: replays.map((replay) => ({
        ...replay,
        replayGuid: newGuid(),
        matchGuid,
        uploadedAt: new Date(START),
        size: 1,
        sha256: newGuid(),
        checks: [],
        personal: [],
      })),
    });
    return replays;
  };
  const shown = async () => (await cache.current(matchGuid))?.replays;

  test('are shown with the cached state', async () => {
    await cache.load(matchGuid);
    const replays = await storeReplays(1, 2);
    expect(await shown()).toEqual([]);
    for (const verdict of replays) cache.addVerdict(matchGuid, verdict);
    expect(await shown()).toEqual(replays);
  });

  test('stay when a change that did not see them is remembered after them', async () => {
    await cache.load(matchGuid);
    const after = next();
    let replays: unknown;
    await cache.store(at(after), async () => {
      const committed = await write(after);
      const [verdict] = await storeReplays(1);
      if (verdict) cache.addVerdict(matchGuid, verdict);
      replays = [verdict];
      return committed;
    });
    expect(await versionNow()).toBe(2);
    expect(await shown()).toEqual(replays);
  });

  test('are shown once, also when a change was stored after them', async () => {
    await cache.load(matchGuid);
    const replays = await storeReplays(1);
    const after = next();
    await cache.store(at(after), async () => ({ ...(await write(after)), replays }));
    for (const verdict of replays) cache.addVerdict(matchGuid, verdict);
    expect(await shown()).toEqual(replays);
  });

  test('of two nodes are both shown', async () => {
    exclusivePeriod = null;
    await cache.load(matchGuid);
    const [ofOther, own] = await storeReplays(1, 2);
    if (own) cache.addVerdict(matchGuid, own);
    expect(await shown()).toEqual([ofOther, own]);
  });

  test('by another node are shown, although the match is as it is cached', async () => {
    exclusivePeriod = null;
    await cache.load(matchGuid);
    expect(await shown()).toEqual([]);
    const replays = await storeReplays(1);
    expect(await shown()).toEqual(replays);
  });

  test('of a match that is not cached are read with it', async () => {
    const replays = await storeReplays(1);
    for (const verdict of replays) cache.addVerdict(matchGuid, verdict);
    expect(cache.cached(matchGuid)).toBeNull();
    expect(await shown()).toEqual(replays);
  });
});

test('a match that does not exist is null', async () => {
  expect(await cache.current(newGuid())).toBeNull();
});
