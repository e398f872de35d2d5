import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockAwayPlayers } from '../../src/domains/matches/seats-store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const versionsOf = (player: { updates: { match: { version: number } }[] }) =>
  player.updates.map(({ match }) => match.version);

describe('at the same moment', () => {
  test('both players discard: both count, and no card is in both hands', async () => {
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const twoOf = (player: typeof anna) =>
      player.match.you.hand.slice(0, 2).map((card: any) => card.cardGuid);
    await Promise.all([
      anna.do('discardMaps', { matchGuid, cardGuids: twoOf(anna) }),
      bert.do('discardMaps', { matchGuid, cardGuids: twoOf(bert) }),
    ]);
    await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);
    const maps = [anna, bert].flatMap((player) => player.match.you.hand.map((card: any) => card.map.mapGuid));
    expect(new Set(maps).size).toBe(10);
    expect(versionsOf(anna)).toEqual([...new Set(versionsOf(anna))].sort((a, b) => a - b));
    await partWays(anna, bert, matchGuid);
  });

  test('the same command ten times has one effect and ten good answers', async () => {
    const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    const [picker, waiter] = await toFirstPick(cara, dirk, matchGuid);
    const before = picker.match.version;
    const { cardGuid } = picker.match.you.hand[0];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => picker.ask('selectMap', { matchGuid, cardGuid })),
    );
    expect(answers.every((answer) => answer.ok)).toBe(true);
    const { match } = await waiter.do('getMatchState', { matchGuid });
    expect([match.status, match.version]).toEqual(['preparing', before + 1]);
    await partWays(cara, dirk, matchGuid);
  });

  test('two different picks: one is accepted, the other is refused and changes nothing', async () => {
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const matchGuid = await meet(emil, fred, queueGuid);
    const [picker] = await toFirstPick(emil, fred, matchGuid);
    const [first, second] = picker.match.you.hand;
    const answers = await Promise.all(
      [first, second].map(({ cardGuid }) => picker.ask('selectMap', { matchGuid, cardGuid })),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(answers.find((answer) => !answer.ok)).toMatchObject({ error: { code: 'WRONG_PHASE' } });
    expect((await picker.status('preparing')).you.handSize).toBe(4);
    await partWays(emil, fred, matchGuid);
  });

  test('both players send their scores twice: one round, and its damage counts once', async () => {
    const [gina, hans] = [await service.connect('Gina'), await service.connect('Hans')];
    const matchGuid = await meet(gina, hans, queueGuid);
    const [picker, waiter] = await toFirstPick(gina, hans, matchGuid);
    const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
    await Promise.all(
      [
        [gina, 0.9],
        [hans, 0.7],
        [gina, 0.9],
        [hans, 0.7],
      ].map(([player, accuracy]) =>
        (player as typeof gina).do('submitScore', {
          matchGuid,
          roundNumber,
          ...scoreOf(currentMap, accuracy as number),
        }),
      ),
    );
    const shown = await hans.status('round_results');
    expect(shown.rounds).toHaveLength(1);
    expect(shown.you.health).toBeCloseTo(0.8, 3);
    expect(await gina.refused('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.95) })).toBe(
      'SCORE_ALREADY_SUBMITTED',
    );
    await partWays(gina, hans, matchGuid);
  });

  test('both forfeit: one of them is accepted, and ratings change once', async () => {
    const [ines, jens] = [await service.connect('Ines'), await service.connect('Jens')];
    const matchGuid = await meet(ines, jens, queueGuid);
    const [picker, waiter] = await toFirstPick(ines, jens, matchGuid);
    await toPlaying(picker, waiter, matchGuid);
    const answers = await Promise.all([
      ines.ask('forfeit', { matchGuid }),
      jens.ask('forfeit', { matchGuid }),
    ]);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    const changes = await service.database.prisma.ratingChange.findMany({ where: { matchGuid } });
    expect(changes).toHaveLength(2);
  });

  test('three more connections of a player: one stays, and the player can play with it', async () => {
    const [kira, lars] = [await service.connect('Kira'), await service.connect('Lars')];
    const matchGuid = await meet(kira, lars, queueGuid);
    const newcomers = await Promise.all([
      service.connect('Kira'),
      service.connect('Kira'),
      service.connect('Kira'),
    ]);
    await Promise.all(newcomers.map((one) => one.ask('hello').catch(() => null)));
    const alive = () => newcomers.filter((one) => one.socket.connected);
    await expect.poll(() => alive().length).toBe(1);
    const [last] = alive() as [(typeof newcomers)[number]];
    const rows = await service.database.prisma.playerConnection.findMany();
    expect(rows.filter((row) => row.playerGuid === lars.match.opponent.player.playerGuid)).toHaveLength(1);
    expect((await last.do('getMatchState', { matchGuid })).match.you.presence).toBe('present');
    const updates = last.updates.length;
    await lars.do('discardMaps', { matchGuid, cardGuids: [] });
    await last.until(() => last.updates.length > updates, 'the next update');
    await partWays(lars, last, matchGuid);
  });

  test('many messages to join a queue: the player waits once', async () => {
    const mona = await service.connect('Mona');
    const answers = await Promise.all(Array.from({ length: 8 }, () => mona.ask('joinQueue', { queueGuid })));
    expect(new Set(answers.map((answer) => answer.ok && answer.data.queueEntry.joinedAt)).size).toBe(1);
    expect(await service.database.prisma.queueEntry.count()).toBe(1);
    await mona.do('leaveQueue');
  });
});

describe('the seat of a player', () => {
  /** The seats of a node that is not known would be freed. */
  const addLivingNode = async (nodeGuid: string): Promise<void> => {
    const alive = { startedAt: new Date(), seenAt: new Date(Date.now() + 600_000), rulesVersion: 2 };
    await service.database.prisma.serviceNode.create({ data: { nodeGuid, ...alive } });
  };

  test('is not taken by a connection that is stored after a later one', async () => {
    const { prisma } = service.database;
    const mona = await service.connect('Mona');
    const { playerGuid } = (await mona.do('hello')).player;
    const [late, later] = ['ffffffff-ffff-7fff-bfff-ffffffffffff', newGuid()];
    await prisma.playerConnection.update({ where: { playerGuid }, data: { connectionGuid: late } });
    const again = await service.connect('Mona');
    await again.until(() => again.disconnectReason !== null, 'being replaced');
    expect(again.notices).toMatchObject([{ type: 'sessionReplaced' }]);
    expect(again.disconnectReason).toBe('io server disconnect');
    expect(await prisma.playerConnection.findUnique({ where: { playerGuid } })).toMatchObject({
      connectionGuid: late,
    });

    // The claim waited for the database of this node, and the player has connected to another one.
    const elsewhere = { nodeGuid: later, connectedAt: new Date(Date.now() + 15_000) };
    await addLivingNode(later);
    await prisma.playerConnection.update({ where: { playerGuid }, data: elsewhere });
    const behind = await service.connect('Mona');
    await behind.until(() => behind.disconnectReason !== null, 'being replaced');
    expect(behind.notices).toMatchObject([{ type: 'sessionReplaced' }]);
    expect(await prisma.playerConnection.findUnique({ where: { playerGuid } })).toMatchObject(elsewhere);

    // The clock of the database was set back: the last connection has the seat.
    elsewhere.connectedAt = new Date(Date.now() + 3_600_000);
    await prisma.playerConnection.update({ where: { playerGuid }, data: elsewhere });
    const last = await service.connect('Mona');
    await last.do('hello');
    expect(last.socket.connected).toBe(true);
    for (const player of [mona, last]) player.leave();
    await prisma.serviceNode.delete({ where: { nodeGuid: later } });
  });

  test('is not waited for by an older connection whose node was not told that another node has it', async () => {
    const { prisma } = service.database;
    const [rosa, sven] = [await service.connect('Rosa'), await service.connect('Sven')];
    const { playerGuid } = (await rosa.do('hello')).player;
    const elsewhere = { connectionGuid: newGuid(), nodeGuid: newGuid() };
    await addLivingNode(elsewhere.nodeGuid);
    await prisma.playerConnection.update({ where: { playerGuid }, data: elsewhere });
    await rosa.until(() => rosa.disconnectReason !== null, 'being replaced');
    expect(rosa.notices).toMatchObject([{ type: 'sessionReplaced' }]);
    expect(await prisma.playerConnection.findUnique({ where: { playerGuid } })).toMatchObject(elsewhere);
    expect((await sven.do('hello')).player.username).toBe('Sven');
    await prisma.playerConnection.delete({ where: { playerGuid } });
    await prisma.serviceNode.delete({ where: { nodeGuid: elsewhere.nodeGuid } });
    sven.leave();
  });

  test('is not taken back by a node that was taken for dead when the player has moved to another node', async () => {
    const { prisma } = service.database;
    const [paul, quin] = [await service.connect('Paul'), await service.connect('Quin')];
    const { playerGuid } = (await paul.do('hello')).player;
    await quin.do('hello');
    const elsewhere = { connectionGuid: newGuid(), nodeGuid: newGuid() };
    await addLivingNode(elsewhere.nodeGuid);
    await prisma.playerConnection.update({ where: { playerGuid }, data: elsewhere });
    await prisma.serviceNode.deleteMany({ where: { nodeGuid: { not: elsewhere.nodeGuid } } });
    await paul.until(() => paul.disconnectReason !== null, 'being replaced');
    expect(paul.notices).toMatchObject([{ type: 'sessionReplaced' }]);
    expect(await prisma.playerConnection.findUnique({ where: { playerGuid } })).toMatchObject(elsewhere);
    expect((await quin.do('hello')).player.username).toBe('Quin');
    await prisma.playerConnection.delete({ where: { playerGuid } });
    await prisma.serviceNode.delete({ where: { nodeGuid: elsewhere.nodeGuid } });
    quin.leave();
  });
});

const PATIENT = { timeout: 20_000 };

const waiting = () => waitingForLocks(service.database);

describe('a player who joins a queue while the end of a match puts the player back into one', () => {
  test.each([
    ['the same', true],
    ['another', false],
  ])('joins %s', async (_which, isSame) => {
    const rosa = await service.connect('Rosa');
    const { playerGuid } = (await rosa.do('hello')).player;
    const wanted = isSame ? queueGuid : (await service.openQueue()).queueGuid;
    const entries = await service.database.pool.connect();
    let answer: ReturnType<typeof rosa.ask>;
    try {
      await entries.query('BEGIN');
      await entries.query(
        `INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion")
         VALUES ($1, $2, '2026-01-01', 1000, '1.0.0')`,
        [playerGuid, queueGuid],
      );
      answer = rosa.ask('joinQueue', { queueGuid: wanted });
      await expect.poll(waiting, PATIENT).toBe(1);
      await entries.query('COMMIT');
    } finally {
      entries.release(true);
    }
    expect(await answer).toMatchObject(
      isSame
        ? { ok: true, data: { queueEntry: { queueGuid, joinedAt: '2026-01-01T00:00:00.000Z' } } }
        : { ok: false, error: { code: 'ALREADY_QUEUED' } },
    );
    await rosa.do('leaveQueue');
    rosa.leave();
  });
});

describe('a player who is banned while joining a queue', () => {
  test('is banned and does not wait', async () => {
    const pia = await service.connect('Pia');
    const { playerGuid } = (await pia.do('hello')).player;
    const entries = await service.database.pool.connect();
    let banned: Promise<{ status: number }>;
    try {
      await entries.query('BEGIN');
      // A writer of the same key waits for the end of this transaction.
      await entries.query(
        `INSERT INTO "QueueEntry" ("playerGuid", "queueGuid", "joinedAt", rating, "pluginVersion")
         VALUES ($1, $2, now(), 1000, '1.0.0')`,
        [playerGuid, queueGuid],
      );
      pia.socket.emit('joinQueue', { queueGuid });
      await expect.poll(waiting, PATIENT).toBe(1);
      banned = service.request('admin', 'POST', `/players/${playerGuid}/bans`, {
        reason: 'Insults',
        until: null,
      });
      await expect.poll(waiting, PATIENT).toBe(2);
      expect(await service.database.prisma.ban.count(), 'the ban waits for its turn').toBe(0);
      await entries.query('ROLLBACK');
    } finally {
      entries.release(true);
    }
    expect((await banned).status).toBe(201);
    expect(await service.database.prisma.queueEntry.count()).toBe(0);
    expect(pia.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'banned' });
  });
});

describe('a player who is away when the time to join ends', () => {
  test('is not away for the end of the match when a new connection is stored first', async () => {
    const { prisma, pool } = service.database;
    const rita = await service.connect('Rita');
    const { playerGuid } = (await rita.do('hello')).player;
    rita.leave();
    await expect.poll(() => prisma.playerConnection.count({ where: { playerGuid } })).toBe(0);
    const presence = { kind: 'away', since: 1000, deadlineAt: 2000, free: false } as const;
    const readAway = () => prisma.$transaction((db) => lockAwayPlayers(db, [{ playerGuid, presence }]));
    expect(await readAway()).toEqual(new Map([[playerGuid, 1000]]));

    const claim = await pool.connect();
    let away: ReturnType<typeof readAway>;
    try {
      await claim.query('BEGIN');
      await claim.query('SELECT 1 FROM "Player" WHERE "playerGuid" = $1 FOR NO KEY UPDATE', [playerGuid]);
      await claim.query(
        `INSERT INTO "PlayerConnection" ("playerGuid", "connectionGuid", "nodeGuid", "pluginVersion", "connectedAt")
         SELECT $1, $2, "nodeGuid", '1.0.0', now() FROM "ServiceNode"`,
        [playerGuid, newGuid()],
      );
      away = readAway();
      await expect.poll(waiting, PATIENT).toBe(1);
      await claim.query('COMMIT');
    } finally {
      claim.release(true);
    }
    expect(await away).toEqual(new Map());
    await prisma.playerConnection.delete({ where: { playerGuid } });
  });
});

describe('a player who loses the connection while the other forfeits', () => {
  test('is put back into the queue as an absent player', async () => {
    const [nora, otto] = [await service.connect('Nora'), await service.connect('Otto')];
    const matchGuid = await meet(nora, otto, queueGuid);
    const ottoGuid = otto.match.you.player.playerGuid;
    // Both changes are under way at once, and the forfeit is the first to be stored.
    const match = await service.database.pool.connect();
    try {
      await match.query('BEGIN');
      await match.query('SELECT 1 FROM "Match" WHERE "matchGuid" = $1 FOR UPDATE', [matchGuid]);
      nora.socket.emit('forfeit', { matchGuid });
      await expect.poll(waiting, PATIENT).toBe(1);
      otto.drop();
      await expect.poll(waiting, PATIENT).toBe(2);
      await match.query('COMMIT');
    } finally {
      match.release(true);
    }
    await nora.status('aborted');
    await expect
      .poll(
        () => service.database.prisma.playerConnection.count({ where: { playerGuid: ottoGuid } }),
        PATIENT,
      )
      .toBe(0);
    const entry = await service.database.prisma.queueEntry.findUnique({ where: { playerGuid: ottoGuid } });
    expect(entry).toMatchObject({ disconnectedAt: expect.any(Date) });
    await service.database.prisma.queueEntry.deleteMany();
  });
});

describe('a limit that passes during a command', () => {
  test('leaves one outcome that both players see', async () => {
    const quick = await startTestService({ environment: { PICK_SECONDS: '0.25' } });
    try {
      const { queueGuid: queue } = await quick.openQueue();
      for (let round = 0; round < 5; round++) {
        const [nils, olga] = [await quick.connect(`Nils${round}`), await quick.connect(`Olga${round}`)];
        const matchGuid = await meet(nils, olga, queue);
        const [picker, waiter] = await toFirstPick(nils, olga, matchGuid);
        const wanted = picker.match.you.hand[4];
        await new Promise((resolve) => setTimeout(resolve, 240 + round * 5));
        const answer = await picker.ask('selectMap', { matchGuid, cardGuid: wanted.cardGuid });
        await Promise.all([picker.status('preparing'), waiter.status('preparing')]);
        expect(picker.match.currentMap).toEqual(waiter.match.currentMap);
        if (answer.ok) expect(picker.match.currentMap.mapGuid).toBe(wanted.map.mapGuid);
        else expect(answer.error.code).toBe('WRONG_PHASE');
        await picker.do('forfeit', { matchGuid });
      }
    } finally {
      await quick.stop();
    }
  });
});
