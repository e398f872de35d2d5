import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LEFT_OUT, OWN_STATEMENTS, PARTS, type Part } from '../../src/domains/privacy/kept.ts';
import { personExport } from '../../src/domains/privacy/schemas.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer } from '../harness/socket-player.ts';
import { playRound, publish } from '../replays/round.ts';

let service: TestService;
let queueGuid: string;

beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

/** Ids of things; every other `…Guid` is of a person. */
const THINGS =
  /^(match|queue|season|pool|map|category|ban|penalty|audit|session|review|replay|copyOf|correction|correctedMatch|connection|node|claim|release|file|report|copiedFrom)Guid$/;

describe('every column that names a person', () => {
  const schema = readFileSync(path.resolve(import.meta.dirname, '../../prisma/schema.prisma'), 'utf8');
  const columns = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, table, body = '']) =>
    [...body.matchAll(/^ {2}(\w+) +(?:String|Int|DateTime|Json|Bytes|BigInt|Float|Boolean)/gm)].map(
      ([, column = '']) => ({ table, column, name: `${table}.${column}` }),
    ),
  );
  const personal = columns.filter(
    ({ column }) =>
      (column.endsWith('Guid') && !THINGS.test(column)) || ['subject', 'platformId'].includes(column),
  );

  test('is exported, or has a reason why not', () => {
    expect(personal.length).toBeGreaterThan(25);
    const exported = Object.values<Part>(PARTS).map(
      ({ table, person = 'playerGuid' }) => `${table}.${person}`,
    );
    const known = [...exported, ...OWN_STATEMENTS, ...Object.keys(LEFT_OUT)];
    expect(personal.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
    // All names are columns of the schema.
    expect(known.filter((name) => !personal.some((one) => one.name === name))).toEqual([]);
  });

  test('is exported with columns that exist', () => {
    for (const { table, fields } of Object.values(PARTS))
      for (const field of fields) expect(columns.map(({ name }) => name)).toContain(`${table}.${field}`);
  });
});

const exportAs = async (token: string | null, playerGuid: string) => {
  const answer = await fetch(`${service.url}/players/${playerGuid}/export`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  return {
    status: answer.status,
    cache: answer.headers.get('cache-control'),
    body: (await answer.json()) as any,
  };
};
const ownExport = async (player: SocketPlayer) => {
  const { player: me } = await player.do('hello');
  const { status, body } = await exportAs(await service.gameToken(player.name), me.playerGuid);
  expect(status).toBe(200);
  return body;
};

describe('an export', () => {
  test('has all data of the person and none of anybody else', async () => {
    const round = await playRound(service, queueGuid);
    const [a, b] = round.players;
    await publish(service, round, a, a.play.replay);
    await publish(service, round, b, b.play.replay);
    // While the match runs, the export has only what everybody sees.
    const running = await ownExport(a.socket);
    expect(running.matches).toEqual([
      expect.objectContaining({ matchGuid: round.matchGuid, seat: null, rating: null, versions: null }),
    ]);
    expect(running.replays).toEqual([]);
    expect(JSON.stringify(running)).not.toContain('cardGuid');
    await round.finish();

    const { prisma } = service.database;
    const at = new Date();
    const other = newGuid();
    const penalty = { matchGuid: round.matchGuid, reason: 'not_ready', at, until: at };
    await prisma.penalty.createMany({
      data: [a, b].map(({ guid }) => ({ ...penalty, penaltyGuid: newGuid(), playerGuid: guid })),
    });
    await prisma.ban.create({
      data: {
        banGuid: newGuid(),
        playerGuid: a.guid,
        reason: 'too loud',
        createdByGuid: other,
        createdAt: at,
        until: at,
      },
    });
    await prisma.roleGrant.create({
      data: { playerGuid: a.guid, role: 'role:pooler', grantedByGuid: other, grantedAt: at },
    });
    await prisma.replayReview.create({
      data: {
        reviewGuid: newGuid(),
        matchGuid: round.matchGuid,
        roundNumber: 1,
        playerGuid: a.guid,
        reason: 'mismatch',
        createdAt: at,
        decision: 'dismissed',
        comment: 'a comment of staff',
        resolvedByGuid: other,
        resolvedAt: at,
      },
    });
    const report = { matchGuid: round.matchGuid, reason: 'stalling', status: 'open', at };
    await prisma.report.createMany({
      data: [
        { ...report, reportGuid: newGuid(), reporterGuid: a.guid, playerGuid: b.guid, comment: 'so slow' },
        { ...report, reportGuid: newGuid(), reporterGuid: b.guid, playerGuid: a.guid, comment: 'so rude' },
      ],
    });
    await prisma.auditEntry.create({
      data: {
        auditGuid: newGuid(),
        at,
        actorGuid: a.guid,
        action: 'banPlayer',
        target: `/players/${other}`,
        after: { comment: 'a comment of staff' },
      },
    });

    const whole = await ownExport(a.socket);
    expect(whole.player).toMatchObject({
      playerGuid: a.guid,
      username: a.name,
      platformId: platformIdOf(a.name),
      subject: expect.any(String),
    });
    expect(whole.matches).toMatchObject([
      { matchGuid: round.matchGuid, won: false, rating: { before: 1000 }, seat: { playerGuid: a.guid } },
    ]);
    const { hand, discarded } = whole.matches[0].seat;
    expect(hand.length).toBeGreaterThan(0);
    for (const { map } of [...hand, ...discarded]) expect(map.hash).toMatch(/^[0-9A-F]{40}$/);
    expect(whole.bans).toMatchObject([{ reason: 'too loud', until: at.toISOString() }]);
    expect(whole.penalties).toHaveLength(1);
    expect(whole.roles).toMatchObject([{ role: 'role:pooler' }]);
    expect(whole.replays).toMatchObject([{ matchGuid: round.matchGuid, verdict: 'verified' }]);
    expect(whole.replayReviews).toMatchObject([{ reason: 'mismatch', decision: 'dismissed' }]);
    expect(whole.ratings).toHaveLength(1);
    expect(whole.ratingChanges).toHaveLength(1);
    expect(whole.connections).toHaveLength(1);
    expect(whole.filedReports).toMatchObject([{ reason: 'stalling', comment: 'so slow' }]);
    expect(whole.actions).toMatchObject([{ action: 'banPlayer' }]);
    const text = JSON.stringify(whole);
    for (const foreign of [b.guid, b.name, platformIdOf(b.name), other, 'a comment of staff', 'so rude'])
      expect(text).not.toContain(foreign);
  });

  test('does not name the match before both have joined', async () => {
    const [cleo, dora] = [await service.connect('Cleo'), await service.connect('Dora')];
    await cleo.do('joinQueue', { queueGuid });
    expect((await ownExport(cleo)).queueEntries).toMatchObject([{ queueGuid, rating: 1000 }]);
    await dora.do('joinQueue', { queueGuid });
    const { matchGuid } = await cleo.status('waiting_players');
    expect(JSON.stringify(await ownExport(cleo))).not.toContain(matchGuid);
    await Promise.all([cleo, dora].map((one) => one.do('joinMatch', { matchGuid })));
    await cleo.status('awaiting_discards');
    const shown = await ownExport(cleo);
    expect(shown.matches).toMatchObject([{ matchGuid, status: 'awaiting_discards', seat: null, rounds: [] }]);
    await cleo.do('forfeit', { matchGuid });
    // A player whose opponent leaves before the first pick waits again.
    await dora.do('leaveQueue');
  });

  describe('of a long history', () => {
    const REPLAYS = 1_700;
    const MATCHES = 510;
    let playerGuid: string;
    let token: string;

    beforeAll(async () => {
      const [fay, gil] = [await service.connect('Fay'), await service.connect('Gil')];
      const matchGuid = await meet(fay, gil, queueGuid);
      await fay.do('forfeit', { matchGuid });
      ({ playerGuid } = (await fay.do('hello')).player);
      token = await service.gameToken('Fay');
      const { prisma } = service.database;
      // Hundreds have the same time, and all together are more than the sockets between service and reader hold.
      await prisma.$executeRaw`
        INSERT INTO "Match" SELECT copy.* FROM "Match" m, generate_series(2, ${MATCHES}) AS n, jsonb_populate_record(m,
          jsonb_build_object('matchGuid', gen_random_uuid(), 'sequence', nextval(pg_get_serial_sequence('"Match"', 'sequence')),
            'winnerGuid', CASE n % 2 WHEN 0 THEN ${playerGuid}::text END, 'startedAt', m."startedAt" + n / 200 * interval '1 s')
            || CASE n % 3 WHEN 0 THEN jsonb_build_object('redGuid', m."blueGuid", 'blueGuid', m."redGuid") ELSE '{}' END) AS copy
        WHERE m."matchGuid" = ${matchGuid}::uuid`;
      await prisma.$executeRaw`
        INSERT INTO "Replay" ("replayGuid", "matchGuid", "roundNumber", "playerGuid", "uploadedAt", size, sha256, verdict, checks,
          personal)
        SELECT gen_random_uuid(), ${matchGuid}::uuid, n, ${playerGuid}::uuid, now() + n / 700 * interval '1 s', 1, '', 'verified',
          jsonb_build_array(repeat('x', 10000)), '[]'
        FROM generate_series(1, ${REPLAYS}) AS n`;
      await prisma.$executeRaw`ANALYZE "Match", "Replay"`;
    });

    test('has each row once, in the order of time', async () => {
      const { body } = await exportAs(token, playerGuid);
      const { replays, matches } = personExport.parse(body);
      for (const [rows, guid, time, count] of [
        [replays, 'replayGuid', 'uploadedAt', REPLAYS],
        [matches, 'matchGuid', 'startedAt', MATCHES],
      ] as const) {
        expect(rows).toHaveLength(count);
        expect(new Set(rows.map((row) => row[guid])).size).toBe(count);
        const times = rows.map((row) => String(row[time]));
        expect(times).toEqual(times.toSorted());
      }
      expect(new Set(matches.map(({ won }) => won))).toEqual(new Set([true, null]));
    });

    test('breaks off when the database fails in between', async () => {
      const answer = await fetch(`${service.url}/players/${playerGuid}/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      const { prisma } = service.database;
      await prisma.$executeRaw`ALTER TABLE "Replay" RENAME TO "ReplayElsewhere"`;
      try {
        const readAll = async (): Promise<void> => {
          while (!(await reader.read()).done);
        };
        await expect(readAll()).rejects.toThrow('terminated');
      } finally {
        await prisma.$executeRaw`ALTER TABLE "ReplayElsewhere" RENAME TO "Replay"`;
      }
    });

    test('answers HEAD without reading the history', async () => {
      const sent = vi.spyOn(pg.Client.prototype, 'query');
      const answer = await fetch(`${service.url}/players/${playerGuid}/export`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      const statements = sent.mock.calls.map(([query]) => (query as unknown as { text: string }).text);
      sent.mockRestore();
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.filter((text) => / kept$| AS won,$/m.test(text))).toEqual([]);
    });
  });

  test('is for the person, with any credentials, and for admins without a game token', async () => {
    const { identityProvider } = service;
    const eve = await service.connect('Eve');
    const { player } = await eve.do('hello');
    const web = await identityProvider.mint({ sub: 'web person', platformId: null });
    const me = await fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${web}` } });
    const { playerGuid } = (await me.json()) as { playerGuid: string };
    const admin = await identityProvider.accountToken('admin');
    const gameAdmin = await identityProvider.mint({
      sub: 'game admin',
      platformId: null,
      permissions: ['role:admin'],
      tokenType: 'platform:game',
    });
    const outcome = async (token: string | null, guid: string) => {
      const { status, body } = await exportAs(token, guid);
      return status === 200 ? body.player.playerGuid : `${status} ${body.error.code}`;
    };
    expect(await exportAs(web, playerGuid)).toMatchObject({ status: 200, cache: 'no-store' });
    expect(await outcome(web, playerGuid.toUpperCase())).toBe(playerGuid);
    expect(await outcome(admin, player.playerGuid)).toBe(player.playerGuid);
    expect(await outcome(await service.gameToken('Eve'), player.playerGuid)).toBe(player.playerGuid);
    expect(await outcome(web, player.playerGuid)).toBe('403 FORBIDDEN');
    expect(await outcome(web, newGuid())).toBe('403 FORBIDDEN');
    expect(await outcome(web, 'nobody')).toBe('403 FORBIDDEN');
    expect(await outcome(gameAdmin, player.playerGuid)).toBe('403 FORBIDDEN');
    expect(await outcome(await identityProvider.accountToken('pooler-one'), player.playerGuid)).toBe(
      '403 FORBIDDEN',
    );
    expect(await outcome(null, player.playerGuid)).toBe('401 UNAUTHENTICATED');
    expect(await outcome(admin, newGuid())).toBe('404 PLAYER_NOT_FOUND');
    expect(await outcome(admin, 'nobody')).toBe('400 VALIDATION_FAILED');
  });
});
