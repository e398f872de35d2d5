import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { PlayEvent } from '../../src/domains/matches/match-events.ts';
import { createProgressReports, type DueReport } from '../../src/domains/matches/progress.ts';
import type { Matches } from '../../src/domains/matches/service.ts';
import type { ReadyState, SeatName } from '../../src/domains/matches/state.ts';
import { loadMatch, type StoredMatch } from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { manualClock } from '../harness/clock.ts';
import { storeMatch, storePool } from '../harness/pools.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { partWays, type SocketPlayer, toPreparing } from '../harness/socket-player.ts';
import { limits, setupOf } from './game.ts';
import { openMatches } from './service.ts';

/** How far a download is: told to both, and stored nowhere. */

let service: TestService;
let queueGuid: string;

beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const downloads = (player: SocketPlayer, matchGuid: string, progress: number | null) =>
  player.do('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress });
const storedOf = async (matchGuid: string) => {
  const { prisma } = service.database;
  const match = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
  return {
    state: match.state,
    version: match.version,
    log: await prisma.matchEvent.count({ where: { matchGuid } }),
  };
};
/** The messages to a player about the other's download, with their versions. */
const toldProgress = (player: SocketPlayer) =>
  player.updates
    .filter(({ match, cause }) => cause.type === 'readyChanged' && match.opponent.progress !== null)
    .map(({ match }) => [match.version, match.opponent.progress]);

describe('the progress of a download', () => {
  test('leaves version, state and log as they are, and is told to both with the version told last', async () => {
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const { matchGuid } = await toPreparing(anna, bert, queueGuid);
    const { match } = await downloads(anna, matchGuid, 0.25);
    expect([match.you.ready, match.you.progress]).toEqual(['downloading', 0.25]);
    const before = await storedOf(matchGuid);
    expect(before.version).toBe(match.version);
    expect(JSON.stringify(before.state)).not.toContain('progress');

    expect((await downloads(anna, matchGuid, 0.75)).match).toMatchObject({
      version: match.version,
      you: { progress: 0.75 },
    });
    await Promise.all([
      anna.until(() => anna.match.you.progress === 0.75, 'the own progress'),
      bert.until(() => bert.match.opponent.progress === 0.75, 'the other’s progress'),
    ]);
    expect(await storedOf(matchGuid)).toEqual(before);
    expect(toldProgress(bert)).toEqual([
      [match.version, 0.25],
      [match.version, 0.75],
    ]);
    const { body } = await service.request('admin', 'GET', `/matches/${matchGuid}/log`);
    expect(JSON.stringify(body)).not.toContain('progress');

    // Another state is a change, and ends it.
    await anna.do('setReady', { matchGuid, roundNumber: 1, state: 'ready' });
    await bert.until(() => bert.match.opponent.ready === 'ready', 'the other being ready');
    expect(bert.match).toMatchObject({ version: match.version + 1, opponent: { progress: null } });
    await partWays(anna, bert, matchGuid);
  });

  test('is merged where it comes faster than twice a second: the last one counts', async () => {
    const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
    const { matchGuid } = await toPreparing(cara, dirk, queueGuid);
    const steps = Array.from({ length: 40 }, (_, step) => (step + 1) / 100);
    const startedAt = Date.now();
    for (const step of steps) await downloads(cara, matchGuid, step);
    await dirk.until(() => dirk.match.opponent.progress === 0.4, 'the last progress');
    const seconds = (Date.now() - startedAt) / 1000;
    expect(toldProgress(dirk).length).toBeLessThanOrEqual(2 + Math.ceil(2 * seconds));
    expect(toldProgress(dirk).length).toBeLessThan(steps.length);
    await partWays(cara, dirk, matchGuid);
  });

  test('is told to both as none after a report without it', async () => {
    const [ivan, jana] = [await service.connect('Ivan'), await service.connect('Jana')];
    const { matchGuid } = await toPreparing(ivan, jana, queueGuid);
    const { match } = await downloads(ivan, matchGuid, 0.5);
    await jana.until(() => jana.match.opponent.progress === 0.5, 'the progress');
    expect((await downloads(ivan, matchGuid, null)).match).toMatchObject({
      version: match.version,
      you: { ready: 'downloading', progress: null },
    });
    await Promise.all([
      ivan.until(() => ivan.match.you.progress === null, 'no own progress'),
      jana.until(() => jana.match.opponent.progress === null, 'no progress of the other'),
    ]);
    expect(jana.match).toMatchObject({ version: match.version, opponent: { ready: 'downloading' } });
    await partWays(ivan, jana, matchGuid);
  });

  test('that says the same again is a repeat and tells nobody; one of another round is refused', async () => {
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const { matchGuid } = await toPreparing(emil, fred, queueGuid);
    await downloads(emil, matchGuid, 0.5);
    await downloads(emil, matchGuid, 0.5);
    const wrong = { matchGuid, roundNumber: 2, state: 'downloading', progress: 0.6 };
    expect(await emil.refused('setReady', wrong)).toBe('WRONG_ROUND');
    await emil.do('setReady', { matchGuid, roundNumber: 1, state: 'failed' });
    await fred.until(() => fred.match.opponent.ready === 'failed', 'the failed download');
    expect(toldProgress(fred).map(([, progress]) => progress)).toEqual([0.5]);
    await partWays(emil, fred, matchGuid);
  });
});

/** A match in its first preparation. @param node joins and discards for red, `other` does the rest */
async function prepared(node: Matches, other: Matches, now: number) {
  const setup = { ...setupOf(), matchGuid: newGuid() };
  const { matchGuid } = setup;
  await storePool(service.database, setup);
  await storeMatch(service.database, setup, now);
  const [blue, red] = setup.players.map(({ playerGuid }) => playerGuid) as [string, string];
  const happens = (on: Matches, playerGuid: string, event: object) =>
    on.command(playerGuid, matchGuid, (seat) => ({ ...event, seat }) as PlayEvent, now);
  for (const player of [red, blue]) await happens(node, player, { type: 'joinMatch' });
  await happens(node, red, { type: 'discardMaps', cardGuids: [] });
  await happens(other, blue, { type: 'discardMaps', cardGuids: [] });
  const { state: played } = (await loadMatch(service.database, matchGuid)) as StoredMatch;
  const { playerGuid: picker, hand } = played.seats[played.pickerSeat as SeatName];
  await happens(other, picker, { type: 'selectMap', cardGuid: hand[0]?.cardGuid });
  return { matchGuid, red, blue };
}

describe('the interval of a match', () => {
  const [red, blue, matchGuid] = [newGuid(), newGuid(), newGuid()];
  /** Each delivery: the reporters with a `*` for an own report, and their shares. */
  let told: string[][];
  let reports: ReturnType<typeof createProgressReports>;
  const report = (reporterGuid: string, progress: number | null, about = { matchGuid }) => ({
    reporterGuid,
    roundNumber: 1,
    progress,
    ...about,
  });
  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    const names = new Map([
      [red, 'red'],
      [blue, 'blue'],
    ]);
    const nameOf = ({ report: { reporterGuid, progress }, isOwn }: DueReport) =>
      `${names.get(reporterGuid)}${isOwn ? '*' : ''} ${progress}`;
    reports = createProgressReports({
      clock: { now: () => Date.now() },
      deliver: (_, due) => told.push(due.map(nameOf)),
    });
  });
  afterEach(() => void vi.useRealTimers());

  test('has one delivery, with the newest report of both, the last one always', () => {
    reports.merge(report(red, 0.1));
    expect(told).toEqual([['red* 0.1']]);
    for (let at = 0; at < 30; at++) {
      reports.merge(report(red, 0.2 + at / 100));
      reports.merge(report(blue, 0.5 + at / 100));
      vi.advanceTimersByTime(49);
    }
    reports.merge(report(red, 0.9));
    expect(told).toHaveLength(3);
    vi.advanceTimersByTime(500);
    expect(told).toHaveLength(4);
    for (const due of told.slice(1)) expect(due).toHaveLength(2);
    expect(told.at(-1)).toEqual(['blue* 0.79', 'red* 0.9']);
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(4);
    // Nothing waits: the next one is delivered now.
    reports.merge(report(blue, 1));
    expect(told.at(-1)).toEqual(['blue* 1']);
  });

  test('is shared by the reports to this node and those that another node has sent', () => {
    reports.receive(report(blue, 0.1));
    reports.merge(report(red, 0.2));
    reports.receive(report(blue, 0.3));
    vi.advanceTimersByTime(499);
    expect(told).toEqual([['blue 0.1']]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([['blue 0.1'], ['red* 0.2', 'blue 0.3']]);
  });

  test('is that of this match alone, and a change that tells of progress begins it', () => {
    reports.note(report(red, 0.1));
    reports.merge(report(blue, 0.2));
    expect(told).toEqual([]);
    reports.merge(report(newGuid(), 0.3, { matchGuid: newGuid() }));
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(500);
    expect(told.slice(1)).toEqual([['blue* 0.2']]);
  });

  test('does not end with a report that a change has outdated', () => {
    reports.merge(report(red, 0.1));
    reports.merge(report(red, 0.2));
    reports.merge(report(blue, 0.3));
    reports.forget(red);
    vi.advanceTimersByTime(500);
    expect(told.slice(1)).toEqual([['blue* 0.3']]);
    reports.merge(report(blue, 0.4));
    reports.forget(blue);
    vi.advanceTimersByTime(500);
    expect(told).toHaveLength(2);
    reports.merge(report(blue, 0.5));
    expect(told).toHaveLength(3);
  });

  test('is no longer than itself after the clock was set back', () => {
    reports.merge(report(red, 0.1));
    vi.setSystemTime(Date.now() - 3_600_000);
    reports.merge(report(red, 0.2));
    vi.advanceTimersByTime(500);
    expect(told).toEqual([['red* 0.1'], ['red* 0.2']]);
  });
});

describe('states of players', () => {
  test('are refused beyond 40 changes in a round and two more a second; repeats and progress are not', async () => {
    const { database } = service;
    const clock = manualClock(Date.now());
    const config = { ...limits, rateLimitFactor: 1 } as Config;
    const node = openMatches(database, { clock, config });
    const { matchGuid, red, blue } = await prepared(node, node, clock.now());
    const says = (player: string, state: ReadyState, progress: number | null = null, roundNumber = 1) =>
      node.setReady(player, matchGuid, { roundNumber, state, progress }, clock.now()).then(
        () => 'ok',
        ({ code }) => code,
      );
    const versionOf = async () => (await loadMatch(database, matchGuid))?.state.version ?? 0;
    const before = await versionOf();
    const outcomes: string[] = [];
    for (let nth = 0; nth < 41; nth++)
      outcomes.push(await (nth % 2 === 0 ? says(red, 'downloading', nth / 100) : says(red, 'failed')));
    expect(outcomes).toEqual([...Array(40).fill('ok'), 'RATE_LIMITED']);
    expect(await versionOf()).toBe(before + 40);
    expect(await says(red, 'failed')).toBe('ok');
    expect(await says(red, 'failed', null, 2)).toBe('RATE_LIMITED');
    expect(await says(blue, 'downloading', 0.1)).toBe('ok');
    for (let nth = 0; nth < 60; nth++) expect(await says(blue, 'downloading', nth / 100)).toBe('ok');
    clock.advance(500);
    expect(await says(red, 'ready')).toBe('ok');
    // Matches that this node does not know have to be read.
    const other = newGuid();
    const report = { roundNumber: 1, state: 'downloading', progress: 0.5 } as const;
    const codes = [];
    for (let nth = 0; nth < 41; nth++)
      codes.push(await node.setReady(red, other, report, clock.now()).catch(({ code }) => code));
    expect(new Set(codes.slice(0, 40))).toEqual(new Set(['MATCH_NOT_FOUND']));
    expect(codes[40]).toBe('RATE_LIMITED');
  });
});

describe('between two nodes', () => {
  let second: SecondNode;
  beforeAll(async () => {
    second = await startSecondNode(service);
  });
  afterAll(() => second.service.stop());

  test('progress is told with the version that was told there, after the change it belongs to', async () => {
    const [gina, hans] = [await service.connect('Gina'), await second.connect('Hans')];
    const { matchGuid } = await toPreparing(gina, hans, queueGuid);
    const { match } = await downloads(gina, matchGuid, 0.1);
    await hans.until(() => hans.match.opponent.ready === 'downloading', 'the download');
    const before = await storedOf(matchGuid);
    await downloads(gina, matchGuid, 0.9);
    await hans.until(() => hans.match.opponent.progress === 0.9, 'the progress on the other node');
    await downloads(hans, matchGuid, 0.3);
    await gina.until(() => gina.match.opponent.progress === 0.3, 'the progress of the other node');
    expect(hans.match.version).toBe(match.version + 1);
    expect(await storedOf(matchGuid)).toMatchObject({ version: before.version + 1, log: before.log + 1 });
    const versions = hans.updates.map((update) => update.match.version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    await partWays(gina, hans, matchGuid);
  });

  test('a report is decided from the stored state, which is not read again while it is the cached one', async () => {
    const { database } = service;
    // Now, because the service executes the limits of a past match at once.
    const now = Date.now();
    const clock = { now: () => now };
    const [node, other] = [openMatches(database, { clock }), openMatches(database, { clock })];
    const { matchGuid, red } = await prepared(node, other, now);
    const report = (progress: number) =>
      node.setReady(red, matchGuid, { roundNumber: 1, state: 'downloading', progress }, now);
    const sent = vi.spyOn(database.pool, 'query');
    const reads = () =>
      sent.mock.calls.splice(0).filter(([query]) => (query as { name?: string }).name === 'match-load')
        .length;
    try {
      expect((await report(0.1)).you).toMatchObject({ ready: 'downloading', progress: 0.1 });
      expect(reads()).toBeGreaterThan(0);
      expect((await report(0.2)).status).toBe('preparing');
      expect(reads()).toBe(0);
    } finally {
      sent.mockRestore();
    }
  });
});
