import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveToArchive } from '../../src/domains/matches/archive-store.ts';
import { isProven, loadLog, type MatchLog, matchLog, proveMatch } from '../../src/domains/matches/index.ts';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { replayLog } from '../../src/replay-log.ts';
import { inherited } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, type SocketPlayer } from '../harness/socket-player.ts';
import { openMatches } from './service.ts';

let service: TestService;
let queueGuid: string;
let poolGuid: string;
let folder: string;
/** A match played to its end, its log, and the hands its players were dealt. */
let matchGuid: string;
let log: MatchLog;
const dealt = new Map<string, string[]>();

const handOf = (player: SocketPlayer): string[] => player.match.you.hand.map((card: any) => card.cardGuid);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'match-log-'));
  service = await startTestService();
  ({ queueGuid, poolGuid } = await service.openQueue());
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  matchGuid = await meet(anna, bert, queueGuid);
  for (const player of [anna, bert]) dealt.set(player.match.you.player.playerGuid, handOf(player));
  await anna.do('discardMaps', { matchGuid, cardGuids: handOf(anna).slice(0, 2) });
  await bert.do('discardMaps', { matchGuid, cardGuids: [] });
  for (let round = 1; round <= 3; round++) await playRound(anna, bert, 0.9, 0.6);
  await Promise.all([anna.status('completed'), bert.status('completed')]);
  log = (await service.request(null, 'GET', `/matches/${matchGuid}/log`)).body;
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body?.error?.code}`;
const failed = (changed: MatchLog): string[] =>
  proveMatch(changed).checks.flatMap(({ claim, problem }) => (problem === null ? [] : [claim]));

describe('the log of an ended match', () => {
  test('has the seed, the deal, and every event in order', async () => {
    const { body: shown } = await service.request(null, 'GET', `/matches/${matchGuid}`);
    expect(log).toMatchObject({ matchGuid, status: 'completed', seed: shown.seed, seedHash: shown.seedHash });
    for (const { playerGuid, hand } of [log.dealt.red, log.dealt.blue])
      expect(hand.map((card) => card.cardGuid)).toEqual(dealt.get(playerGuid));
    expect(log.events.map(({ version }) => version)).toEqual(log.events.map((_, at) => at + 1));
    expect(log.version).toBe(log.events.length);
    expect(log.events.map(({ event }) => event.type).filter((type) => type === 'submitScore')).toHaveLength(
      6,
    );
    for (const { at } of log.events) expect(new Date(at).toISOString()).toBe(at);
    expect(log.formerRatings).toEqual([]);
  });

  test('names no person: a person can be erased and the log still verifies', async () => {
    const { prisma } = service.database;
    const players = await prisma.player.findMany();
    const { state } = await prisma.match.findUniqueOrThrow({ where: { matchGuid }, select: { state: true } });
    const kept = JSON.stringify([log, state]);
    for (const { platformId, username } of players)
      for (const personal of [platformId, username]) expect(kept).not.toContain(`"${personal}"`);
    expect(kept).not.toMatch(/username|avatarUrl|platformId|pluginVersion|"stale"/);
  });

  test('verifies: it replays to the stored state', () => {
    expect(proveMatch(log).checks.map(({ problem }) => problem)).toEqual(Array(7).fill(null));
  });

  test('stores the pool by its guid, and stays the same when its maps become outdated and it is retired', async () => {
    const { prisma } = service.database;
    const first = { matchGuid_version: { matchGuid, version: 1 } };
    const { event } = await prisma.matchEvent.findUniqueOrThrow({ where: first });
    const { setup } = event as { setup: object };
    expect(setup).not.toHaveProperty('pool');
    const [made] = log.events;
    expect(made?.event).toMatchObject({ type: 'created', setup });
    const { body: pool } = await service.request(null, 'GET', `/pools/${poolGuid}/maps`);
    const maps = pool.maps.map(({ stale: _, ...map }: { stale: boolean }) => map);
    expect(made?.event).toHaveProperty('setup.pool', maps);

    await prisma.poolMap.updateMany({ where: { poolGuid }, data: { stale: true } });
    await prisma.pool.update({ where: { poolGuid }, data: { status: 'retired' } });
    expect(await loadLog(service.database, matchGuid)).toEqual(log);
    await prisma.pool.update({ where: { poolGuid }, data: { status: 'published' } });
    await prisma.poolMap.updateMany({ where: { poolGuid }, data: { stale: false } });

    // A log that was stored before has its maps.
    const before = { type: 'created', setup: { ...setup, pool: maps.slice(1) } };
    await prisma.matchEvent.update({ where: first, data: { event: before } });
    const older = await loadLog(service.database, matchGuid);
    expect(older?.events[0]?.event).toHaveProperty('setup.pool', maps.slice(1));
    await prisma.matchEvent.update({ where: first, data: { event: event as object } });
  });

  test('can be checked by hand: hash, pool and shuffle, as the documentation describes them', async () => {
    const sha256 = (...parts: (Buffer | string)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    const seed = Buffer.from(log.seed, 'hex');
    expect(sha256(seed).toString('hex')).toBe(log.seedHash);

    const { body: pool } = await service.request(null, 'GET', `/pools/${poolGuid}/maps`);
    const deck: string[] = pool.maps
      .map(({ hash, characteristic, difficulty }: any) => `${hash} ${characteristic} ${difficulty}`)
      .sort();
    const numbers: number[] = [];
    const next = (below: number): number => {
      for (;;) {
        const counter = Buffer.alloc(4);
        counter.writeUInt32BE(Math.floor(numbers.length / 8));
        const value = sha256(seed, 'deck', counter).readUInt32BE(4 * (numbers.length % 8));
        numbers.push(value);
        if (value < 2 ** 32 - (2 ** 32 % below)) return value % below;
      }
    };
    for (let last = deck.length - 1; last > 0; last--) {
      const chosen = next(last + 1);
      [deck[last], deck[chosen]] = [deck[chosen] as string, deck[last] as string];
    }
    const { red, blue, reserve } = log.dealt;
    const shuffled = [...red.hand, ...blue.hand, ...reserve].map(
      ({ map }) => `${map.hash} ${map.characteristic} ${map.difficulty}`,
    );
    expect(shuffled).toEqual(deck.slice(0, shuffled.length));
    expect(shuffled).toHaveLength(10 + 2 * 2);
  });

  test('is cacheable and public', async () => {
    const answer = await fetch(`${service.url}/matches/${matchGuid}/log`);
    expect(answer.headers.get('cache-control')).toMatch(/^public/);
    const again = await fetch(`${service.url}/matches/${matchGuid}/log`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await service.request('player-one', 'GET', `/matches/${matchGuid}/log`)).body).toEqual(log);
    const { body } = await service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`);
    expect(body.items, 'nobody is put on record for what is public').toEqual([]);
  });

  test('goes on with a correction by staff, and still verifies', async () => {
    const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
    const other = await meet(cara, dirk, queueGuid);
    const decide = (outcome: string, winnerGuid: string | null) =>
      service.request('admin', 'POST', `/matches/${other}/result`, { outcome, winnerGuid, reason: 'Test.' });
    await decide('win', cara.match.you.player.playerGuid);
    await service.request('admin', 'POST', `/matches/${other}/undo`, { reason: 'Test.' });
    await decide('draw', null);
    const { body } = await service.request(null, 'GET', `/matches/${other}/log`);
    expect(body.events.slice(-3).map(({ event }: any) => event.type)).toEqual([
      'decidedByStaff',
      'undoneByStaff',
      'decidedByStaff',
    ]);
    expect(failed(body)).toEqual([]);
    expect(body.formerRatings.map(({ before, after }: any) => [before, after])).toEqual(
      expect.arrayContaining([
        [1000, 1079],
        [1000, 921],
      ]),
    );
  });
});

describe('a log that was tampered with', () => {
  const changed = (change: (copy: any) => void): MatchLog => {
    const copy = structuredClone(log);
    change(copy);
    return copy;
  };
  const SEED = 'The seed is the one that was promised';
  const MADE = 'The match was made from this seed';
  const RULES = 'The rules it was played by are known';
  const DEAL = 'The deal follows from the seed and the pool';
  const GAP = 'The log has no gap';
  const LINES = 'The rules accept every line';
  const STATE = 'The log leads to the state that is stored';

  test.each<[string, (copy: any) => void, string[]]>([
    ['another seed', (copy) => (copy.seed = '00'.repeat(32)), [SEED, MADE, DEAL]],
    ['a seed that is no number', (copy) => (copy.seed = 'x'), [SEED, MADE, DEAL]],
    ['another promise', (copy) => (copy.seedHash = '00'.repeat(32)), [SEED]],
    ['two cards that changed places', ({ dealt: { red } }) => red.hand.reverse(), [DEAL]],
    [
      'a pool that cannot be dealt',
      ({ events }) => events[0].event.setup.pool.splice(9),
      [DEAL, LINES, STATE],
    ],
    ['the log of another match', (copy) => (copy.matchGuid = newGuid()), [MADE]],
    [
      'another score',
      (copy) => {
        const { score } = copy.events.find(({ event }: any) => event.type === 'submitScore').event;
        score.rawScore -= 1;
        score.modifiedScore -= 1;
      },
      [STATE],
    ],
    [
      'another end',
      ({ events }) => (events.at(-1).at = new Date(Date.parse(events.at(-1).at) + 1).toISOString()),
      [STATE],
    ],
    ['an event less', (copy) => copy.events.splice(3, 1), [GAP, LINES, STATE]],
    ['no beginning', (copy) => copy.events.shift(), [MADE, RULES, DEAL, GAP, LINES, STATE]],
    ['no events', (copy) => (copy.events = []), [MADE, RULES, DEAL, GAP, STATE]],
    [
      'rules that nobody knows',
      (copy) => (copy.events[0].event.setup.rulesVersion = 1),
      [RULES, DEAL, LINES, STATE],
    ],
    ['another state', (copy) => (copy.stateHash = '00'.repeat(32)), [STATE]],
  ])('is found out: %s', (_, change, claims) => {
    expect(failed(changed(change))).toEqual(claims);
  });

  test('is found out: a pool with a map more', () => {
    const more = changed(({ events }) => {
      const { pool } = events[0].event.setup;
      pool.push({ ...pool[0], mapGuid: newGuid() });
    });
    expect(failed(more)).toEqual(expect.arrayContaining([DEAL, STATE]));
  });

  test('says which line is the first that the rules refuse, and why', () => {
    const at = log.events.findIndex(({ event }) => event.type === 'submitScore');
    const proof = proveMatch(changed(({ events }) => (events[at].event.score.rawScore = 10 ** 9)));
    expect(proof.refused).toEqual({
      line: at + 1,
      type: 'submitScore',
      reason: expect.stringMatching(/^SCORE_IMPOSSIBLE: rawScore 1000000000 is not within/),
    });
    expect(proof.steps).toHaveLength(at);
  });

  test('is found out by what was shown while the match ran', () => {
    expect(isProven(proveMatch(log, { promised: log.seedHash }))).toBe(true);
    expect(proveMatch(log, { promised: '00'.repeat(32) }).checks[0]).toEqual({
      claim: SEED,
      problem: expect.stringContaining('00'.repeat(32)),
    });
  });

  test('is found out by what the match shows', async () => {
    const { body: match } = await service.request(null, 'GET', `/matches/${matchGuid}`);
    expect(isProven(proveMatch(log, { match }))).toBe(true);
    const different = (change: (copy: any) => void): string | null => {
      const copy = structuredClone(match);
      change(copy);
      return proveMatch(log, { match: copy }).checks.at(-1)?.problem ?? null;
    };
    expect(different(({ players }) => (players[0].username = 'Renamed'))).toBeNull();
    expect(different((copy) => (copy.rounds[1].map.stale = true))).toBeNull();
    const loser = match.players.find((one: any) => one.playerGuid !== match.result.winnerGuid);
    expect(different((copy) => (copy.result.winnerGuid = loser.playerGuid))).toBe(
      'The match shows something else as result.',
    );
    expect(different((copy) => (copy.result.reason = 'forfeit'))).toContain('result');
    expect(different((copy) => copy.players.reverse())).toContain('players');
    expect(different((copy) => (copy.rounds[0].scores[0].rawScore -= 1))).toContain('rounds');
    expect(different((copy) => (copy.endedAt = copy.startedAt))).toContain('endedAt');
    expect(different((copy) => (copy.seed = null))).toContain('seed');
  });
});

describe('the log of a match that ended a day ago', () => {
  const move = (endedBefore = Date.now() + 1) => moveToArchive(service.database, { endedBefore, most: 10 });
  const places = async () => {
    const { prisma } = service.database;
    const [events, archive, { isArchived }] = await Promise.all([
      prisma.matchEvent.count({ where: { matchGuid } }),
      prisma.matchArchive.findUnique({ where: { matchGuid } }),
      prisma.match.findUniqueOrThrow({ where: { matchGuid }, select: { isArchived: true } }),
    ]);
    return { events, archived: archive !== null, isArchived };
  };
  const everywhere = { events: expect.any(Number), archived: true, isArchived: true };
  const decide = (outcome: string) =>
    service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
      outcome,
      winnerGuid: null,
      reason: 'A test.',
    });
  /** Credentials pass by the cached responses of the service. */
  const read = async () => (await service.request('player-one', 'GET', `/matches/${matchGuid}/log`)).body;

  test('is left alone before', async () => {
    const endedAt = log.events.at(-1)?.at ?? '';
    expect(await move(Date.parse(endedAt))).toBe(0);
    const matches = openMatches(service.database, {
      clock: { now: () => Date.parse(endedAt) + 24 * 3_600_000 },
    });
    await matches.archiveLogs();
    expect(await places()).toEqual({ events: log.version, archived: false, isArchived: false });
  });

  test('stays where it is when the move fails', async () => {
    const { pool } = service.database;
    await pool.query('ALTER TABLE "MatchArchive" ADD CONSTRAINT refused CHECK (false)');
    await expect(move()).rejects.toThrow('refused');
    expect(await places()).toEqual({ events: log.version, archived: false, isArchived: false });
    await pool.query('ALTER TABLE "MatchArchive" DROP CONSTRAINT refused');
  });

  test('becomes one row, once, however many nodes move it, and is read as before', async () => {
    const [ida, jan] = [await service.connect('Ida'), await service.connect('Jan')];
    const runningGuid = await meet(ida, jan, queueGuid);
    const ended = await service.database.prisma.match.count({ where: { endedAt: { not: null } } });
    const reads = Promise.all(Array.from({ length: 8 }, read));
    const moved = await Promise.all([move(), move(), move()]);
    expect(moved.reduce((sum, count) => sum + count)).toBe(ended);
    for (const one of await reads) expect(one).toEqual(log);
    expect(await places()).toEqual({ ...everywhere, events: 0 });
    expect(await read()).toEqual(log);
    const { prisma } = service.database;
    expect(await prisma.matchArchive.count()).toBe(ended);
    expect(await prisma.matchEvent.count({ where: { matchGuid: runningGuid } })).toBeGreaterThan(0);
    await partWays(ida, jan, runningGuid);
  });

  test('goes on with what staff decide later, and is moved again', async () => {
    expect((await decide('draw')).status).toBe(200);
    expect(await places()).toEqual({ events: 1, archived: true, isArchived: false });
    const corrected = await read();
    expect(corrected.events.slice(0, -1)).toEqual(log.events);
    expect(failed(corrected)).toEqual([]);
    await move();
    expect(await places()).toEqual({ ...everywhere, events: 0 });
    expect(await read()).toEqual(corrected);
  });

  test('loses nothing that staff decide while it is moved', async () => {
    for (const outcome of ['no_contest', 'draw', 'no_contest', 'draw']) {
      const [{ status }] = await Promise.all([decide(outcome), move()]);
      expect(status).toBe(200);
    }
    const corrected = await read();
    expect(corrected.version).toBe(log.version + 5);
    expect(failed(corrected)).toEqual([]);
    await move();
    expect(await places()).toEqual({ ...everywhere, events: 0 });
  });
});

describe('the log of every ended match is played again', () => {
  const isReplayed = async (guid: string) =>
    (await service.database.prisma.match.findUniqueOrThrow({ where: { matchGuid: guid } })).isReplayed;
  const broken = async (guid: string) =>
    (await service.request('admin', 'GET', `/audit-log?target=/matches/${guid}`)).body.items.filter(
      ({ action }: any) => action === 'foundMatchLogBroken',
    );
  const decide = (outcome: string) =>
    service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
      outcome,
      winnerGuid: null,
      reason: 'A test.',
    });

  test('once, and again after a correction by staff; that of a running match is not', async () => {
    const [kim, lea] = [await service.connect('Kim'), await service.connect('Lea')];
    const runningGuid = await meet(kim, lea, queueGuid);
    expect((await decide('no_contest')).status).toBe(200);
    const matches = openMatches(service.database);
    await matches.replayEndedLogs();
    // The service does the same once a minute, so it may have been first.
    const ended = await service.database.prisma.match.count({ where: { endedAt: { not: null } } });
    const replayed = matches.replayedLogs();
    expect(replayed).toBeLessThanOrEqual(ended);
    expect(await isReplayed(matchGuid)).toBe(true);
    expect(await isReplayed(runningGuid)).toBe(false);
    await matches.replayEndedLogs();
    expect(matches.replayedLogs()).toBe(replayed);
    expect((await decide('draw')).status).toBe(200);
    await matches.replayEndedLogs();
    expect(await isReplayed(matchGuid)).toBe(true);
    expect(matches.brokenLogs()).toBe(0);
    expect(await broken(matchGuid)).toEqual([]);
    await partWays(kim, lea, runningGuid);
  });

  test('and is not marked as played again before its problem is recorded', async () => {
    const { pool } = service.database;
    const [quinn, ruth] = [await service.connect('Quinn'), await service.connect('Ruth')];
    const spoilt = await meet(quinn, ruth, queueGuid);
    await partWays(quinn, ruth, spoilt);
    await pool.query(
      `ALTER TABLE "AuditEntry" ADD CONSTRAINT test CHECK (action <> 'foundMatchLogBroken') NOT VALID`,
    );
    await pool.query(
      `UPDATE "Match" SET state = jsonb_set(state, '{seats,red,health}', '0.5'), "isReplayed" = false WHERE "matchGuid" = $1`,
      [spoilt],
    );
    const matches = openMatches(service.database);
    await expect(matches.replayEndedLogs()).rejects.toThrow();
    expect([await isReplayed(spoilt), matches.brokenLogs()]).toEqual([false, 0]);
    await pool.query('ALTER TABLE "AuditEntry" DROP CONSTRAINT test');
    await matches.replayEndedLogs();
    expect(await isReplayed(spoilt)).toBe(true);
    expect(await broken(spoilt)).toHaveLength(1);
  });

  test('and one that cannot be checked stays for the next time, and does not hold up the others', async () => {
    const { pool, prisma } = service.database;
    const [wilma, xaver] = [await service.connect('Wilma'), await service.connect('Xaver')];
    const stuck = await meet(wilma, xaver, queueGuid);
    await partWays(wilma, xaver, stuck);
    await pool.query(
      `ALTER TABLE "AuditEntry" ADD CONSTRAINT test CHECK (target <> '/matches/${stuck}') NOT VALID`,
    );
    // The first in the order of the ends.
    await pool.query(
      `UPDATE "Match" SET state = jsonb_set(state, '{seats,red,health}', '0.5'), "endedAt" = '2001-01-01', "isReplayed" = false
       WHERE "matchGuid" = $1`,
      [stuck],
    );
    await prisma.match.updateMany({
      where: { endedAt: { not: null }, matchGuid: { not: stuck } },
      data: { isReplayed: false },
    });
    const matches = openMatches(service.database);
    await expect(matches.replayEndedLogs()).rejects.toThrow(stuck);
    const left = await prisma.match.findMany({ where: { endedAt: { not: null }, isReplayed: false } });
    expect(left.map((match) => match.matchGuid)).toEqual([stuck]);
    await pool.query('ALTER TABLE "AuditEntry" DROP CONSTRAINT test');
    await matches.replayEndedLogs();
    expect(await isReplayed(stuck)).toBe(true);
  });

  test('and a log whose pool has lost a map is reported to staff, and does not hold up the others', async () => {
    const [uma, vera] = [await service.connect('Uma'), await service.connect('Vera')];
    const incomplete = await meet(uma, vera, queueGuid);
    await partWays(uma, vera, incomplete);
    const { pool, prisma } = service.database;
    await pool.query(
      `UPDATE "Match" SET state = jsonb_set(state, '{poolGuid}', to_jsonb($2::text)), "isReplayed" = false WHERE "matchGuid" = $1`,
      [incomplete, newGuid()],
    );
    await prisma.match.update({ where: { matchGuid }, data: { isReplayed: false } });
    await openMatches(service.database).replayEndedLogs();
    expect([await isReplayed(incomplete), await isReplayed(matchGuid)]).toEqual([true, true]);
    expect((await broken(incomplete)).map(({ after }: any) => after.reason)).toEqual([
      expect.stringContaining('has no map'),
    ]);
  });

  test('and a log that does not fit what is stored is reported to staff and counted, once, and stops nothing', async () => {
    const { prisma } = service.database;
    const players = await Promise.all(['Mia', 'Noa', 'Oda', 'Pia'].map((name) => service.connect(name)));
    const [mia, noa, oda, pia] = players as [SocketPlayer, SocketPlayer, SocketPlayer, SocketPlayer];
    const spoilt = await meet(mia, noa, queueGuid);
    const lost = await meet(oda, pia, queueGuid);
    await partWays(mia, noa, spoilt);
    await partWays(oda, pia, lost);
    // Somebody writes into the database, without an event for it.
    await service.database.pool.query(
      `UPDATE "Match" SET state = jsonb_set(state, '{seats,red,health}', '0.5'), "isReplayed" = false WHERE "matchGuid" = $1`,
      [spoilt],
    );
    await prisma.match.update({ where: { matchGuid: lost }, data: { isReplayed: false } });
    await prisma.matchEvent.deleteMany({ where: { matchGuid: lost, version: 1 } });
    await prisma.match.update({ where: { matchGuid }, data: { isReplayed: false } });
    const matches = openMatches(service.database);
    await matches.replayEndedLogs();
    for (const guid of [spoilt, lost, matchGuid]) expect(await isReplayed(guid)).toBe(true);
    expect(await broken(spoilt)).toMatchObject([{ actor: null }]);
    expect((await broken(spoilt))[0].after.reason).toContain('stored is');
    expect(await broken(lost)).toMatchObject([{ actor: null }]);
    expect((await broken(lost))[0].after.reason).toContain('lost its beginning');
    const before = matches.brokenLogs();
    await matches.replayEndedLogs();
    expect(matches.brokenLogs()).toBe(before);
    for (const guid of [spoilt, lost]) expect(await broken(guid)).toHaveLength(1);
    expect(await broken(matchGuid)).toEqual([]);
    expect((await service.request(null, 'GET', `/matches/${spoilt}`)).status).toBe(200);
  });

  test('and a log that cannot be read is reported as well, stops no other check, and is answered with a reason', async () => {
    const { pool, prisma } = service.database;
    const names = ['Quin', 'Rosa', 'Sven', 'Tara', 'Ugo', 'Vera', 'Wim', 'Xena'];
    const players = await Promise.all(names.map((name) => service.connect(name)));
    const made: string[] = [];
    for (let at = 0; at < players.length; at += 2) {
      const [one, two] = players.slice(at, at + 2) as [SocketPlayer, SocketPlayer];
      const guid = await meet(one, two, queueGuid);
      await partWays(one, two, guid);
      made.push(guid);
    }
    const [emptied, foreign, stateless, archived] = made as [string, string, string, string];
    const setFirst = (guid: string, event: string) =>
      pool.query('UPDATE "MatchEvent" SET event = $2 WHERE "matchGuid" = $1 AND version = 1', [guid, event]);
    await moveToArchive(service.database, { endedBefore: Date.now() + 60_000, most: 50 });
    const bad = [emptied, foreign, stateless];
    for (const guid of bad) {
      const { events } = (await service.request('player-one', 'GET', `/matches/${guid}/log`)).body;
      const stored = events.map(({ event, ...entry }: any) => ({
        ...entry,
        matchGuid: guid,
        event,
        cause: { type: 'created', seat: null },
      }));
      await prisma.matchArchive.delete({ where: { matchGuid: guid } });
      await prisma.matchEvent.createMany({ data: stored });
    }
    await setFirst(emptied, '{"type":"created"}');
    await setFirst(foreign, '{"type":"created","setup":{"poolGuid":"none"}}');
    await pool.query(`UPDATE "Match" SET state = '{}' WHERE "matchGuid" = $1`, [stateless]);
    await pool.query(
      'UPDATE "MatchArchive" SET log = set_byte(log, 20, (get_byte(log, 20) + 77) % 256) WHERE "matchGuid" = $1',
      [archived],
    );
    const readsLog = async (guid: string) =>
      codeOf(await service.request(null, 'GET', `/matches/${guid}/log`));
    const bytes = (await prisma.matchArchive.findUniqueOrThrow({ where: { matchGuid: archived } })).log;
    await prisma.matchArchive.update({
      where: { matchGuid: archived },
      data: { log: Uint8Array.from(deflateSync('[null]')) },
    });
    expect(await readsLog(archived)).toBe('410 LOG_UNREADABLE');
    await prisma.matchArchive.update({ where: { matchGuid: archived }, data: { log: bytes } });
    const all = [...made, matchGuid];
    await pool.query('UPDATE "Match" SET "isReplayed" = false WHERE "matchGuid" = ANY($1::uuid[])', [all]);
    const matches = openMatches(service.database);
    await matches.replayEndedLogs();
    for (const guid of all) expect(await isReplayed(guid)).toBe(true);
    for (const guid of made) await expect.poll(() => broken(guid)).toHaveLength(1);
    expect(await broken(matchGuid)).toEqual([]);

    // Staff correct the match, and others are archived with it.
    await prisma.match.updateMany({ where: { matchGuid: { in: all } }, data: { isArchived: false } });
    const kept = await prisma.matchArchive.findUniqueOrThrow({ where: { matchGuid: archived } });
    expect(await moveToArchive(service.database, { endedBefore: Date.now() + 60_000, most: 50 })).toBe(5);
    expect(await prisma.matchEvent.count({ where: { matchGuid: { in: bad } } })).toBe(0);
    expect(await prisma.matchArchive.findUniqueOrThrow({ where: { matchGuid: archived } })).toEqual(kept);

    for (const guid of [emptied, foreign, archived]) {
      expect(await readsLog(guid)).toBe('410 LOG_UNREADABLE');
      expect((await service.request(null, 'GET', `/matches/${guid}`)).status).toBe(200);
      const page = await fetch(`${service.url}/match/${guid}`, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
    }
  });
});

describe('the log of a running match', () => {
  test('is only for an admin, and the reading is recorded', async () => {
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const running = await meet(emil, fred, queueGuid);
    const path = `/matches/${running}/log`;
    for (const account of [null, 'player-one', 'pooler-one'])
      expect(codeOf(await service.request(account, 'GET', path)), String(account)).toBe(
        '404 MATCH_NOT_FOUND',
      );
    const { platformId, username } = ACCOUNTS.admin;
    const gameToken = await service.identityProvider.gameToken({ platformId, username });
    const inGame = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${gameToken}` },
    });
    expect(inGame.status, 'an admin in the game is a player').toBe(404);
    const records = async () =>
      (await service.request('admin', 'GET', `/audit-log?target=${path.replace('/log', '')}`)).body.items;
    expect(await records()).toEqual([]);

    const answer = await service.request('admin', 'GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(failed(matchLog.parse(answer.body))).toEqual([]);
    const { playerGuid: actor } = (await service.request('admin', 'GET', '/auth/me')).body;
    expect(await records()).toMatchObject([{ actor, action: 'readMatchLog', target: `/matches/${running}` }]);
    await partWays(emil, fred, running);
  });

  test('is refused to an admin who plays in it, until it has ended', async () => {
    const { platformId, username } = ACCOUNTS.admin;
    const token = await service.identityProvider.gameToken({ platformId, username });
    const [admin, gina] = [await service.connect('admin', { token }), await service.connect('Gina')];
    const running = await meet(admin, gina, queueGuid);
    const path = `/matches/${running}/log`;
    expect(codeOf(await service.request('admin', 'GET', path))).toBe('403 OWN_MATCH');
    await partWays(admin, gina, running);
    expect((await service.request('admin', 'GET', path)).status).toBe(200);
  });
});

test('the log of a match that does not exist is not found', async () => {
  for (const account of [null, 'admin'])
    expect(codeOf(await service.request(account, 'GET', `/matches/${newGuid()}/log`))).toBe(
      '404 MATCH_NOT_FOUND',
    );
  expect(codeOf(await service.request(null, 'GET', '/matches/x/log'))).toBe('400 VALIDATION_FAILED');
});

describe('npm run replay-log', () => {
  const command = fileURLToPath(new URL('../../src/replay-log.ts', import.meta.url));
  const runProcess = async (args: string[]) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env: inherited,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output };
  };
  /** The same call in this process. */
  const run = async (args: string[], environment: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await replayLog(args, environment);
    return { code: exitCode, output: stdout + stderr };
  };
  const written = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    return file;
  };

  test('says of a file that every claim holds', async () => {
    const { code, output } = await runProcess([await written('good.json', JSON.stringify(log))]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(matchGuid) });
    expect(output.match(/^ok /gm)).toHaveLength(7);
  });

  test('compares a log with what the match shows', async () => {
    const { body: match } = await service.request('player-one', 'GET', `/matches/${matchGuid}`);
    const { body: last } = await service.request('player-one', 'GET', `/matches/${matchGuid}/log`);
    const file = await written('last.json', JSON.stringify(last));
    const good = await run([file, await written('match.json', JSON.stringify(match))]);
    expect({ ...good, ok: good.output.match(/^ok /gm)?.length }).toMatchObject({ code: 0, ok: 8 });
    const other = await run([
      file,
      await written('other.json', JSON.stringify({ ...match, endedAt: match.startedAt })),
    ]);
    expect(other.code).toBe(1);
    expect(other.output).toContain('something else as endedAt');
  });

  test('says the same of a match in the database', async () => {
    const environment = { DATABASE_URL: service.database.url };
    const { code, output } = await run([matchGuid], environment);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('completed') });
    const unknown = newGuid();
    expect(await run([unknown], environment)).toEqual({
      code: 1,
      output: `There is no match ${unknown} in this database.\n`,
    });
  });

  test('reads .env for the database', async () => {
    await written('.env', `DATABASE_URL=${service.database.url}\n`);
    const { code, output } = await runProcess([matchGuid]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('completed') });
  });

  test('says which claim does not hold', async () => {
    const file = await written('bad.json', JSON.stringify({ ...log, stateHash: '00'.repeat(32) }));
    const { code, output } = await run([file]);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAILED {2}The log leads to the state that is stored\. It leads to .*$/m);
    expect(output.match(/^ok /gm)).toHaveLength(6);
  });

  test('says in one line why there is nothing to check', async () => {
    const answers = [
      await run([path.join(folder, 'none.json')]),
      await run([await written('text.json', 'no json')]),
      await run([await written('other.json', '{"items":[]}')]),
      await run([matchGuid]),
      await run([matchGuid], { DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none' }),
      await runProcess([]),
    ];
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
    const [none, text, other, noUrl, noDatabase, nothing] = answers.map(({ output }) => output);
    expect(none).toContain('cannot be read');
    expect(text).toContain('is not JSON');
    expect(other).toContain('is not the log of a match');
    expect(noUrl).toContain('DATABASE_URL is not set');
    expect(noDatabase).toContain('could not be read from the database');
    expect(noDatabase).not.toContain('secret');
    expect(nothing).toContain('npm run replay-log -- <file|matchGuid>');
    for (const output of [none, text, other, noUrl, noDatabase]) expect(output).not.toMatch(/\n\s+at /);
  });
});
