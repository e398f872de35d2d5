import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Losses } from '../../src/domains/connections/losses.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { createRecovery } from '../../src/domains/connections/recovery.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

/** The effects of a stored change are repeated when they failed at first. */

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const typesTo = ({ notices }: { notices: readonly any[] }) => notices.map(({ type }) => type);

test('the effects of a stopped queue and of a ban come although both failed at first, and neither waits for the other', async () => {
  const [anna, bert, cara] = await Promise.all(['Anna', 'Bert', 'Cara'].map((name) => service.connect(name)));
  if (!anna || !bert || !cara) throw new Error('Three players are needed.');
  await meet(anna, bert, queueGuid);
  const { playerGuid } = anna.match.you.player;
  const { queueGuid: stopped } = await service.openQueue();
  await cara.do('joinQueue', { queueGuid: stopped });
  const { pool } = service.database;
  await pool.query(`
    ALTER TABLE "MatchEvent" ADD CONSTRAINT test CHECK (event->>'type' <> 'banned') NOT VALID;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER test BEFORE DELETE ON "QueueEntry" EXECUTE FUNCTION refuse()`);
  const ban = { reason: 'A test.', until: null };
  expect((await service.request('admin', 'POST', `/players/${playerGuid}/bans`, ban)).status).toBe(500);
  expect((await service.request('admin', 'POST', `/queues/${stopped}/drain`)).status).toBe(500);

  await pool.query('DROP TRIGGER test ON "QueueEntry"');
  await cara.until(() => cara.queueUpdates.at(-1)?.reason === 'queue_drained', 'the notice of the stop');
  expect(typesTo(anna)).toEqual([]);
  await pool.query('ALTER TABLE "MatchEvent" DROP CONSTRAINT test');
  await anna.until(() => typesTo(anna).includes('banned'), 'the notice of the ban');
  expect(anna.notices.at(-1)).toMatchObject({ type: 'banned', message: 'You are banned for good: A test.' });
  expect((await bert.status('aborted', 'completed')).result.reason).toBe('banned');
  for (const player of [bert, cara]) player.leave();
});

test('a node that was silent for so long that its seats were freed keeps nobody who was banned meanwhile', async () => {
  const [dora, emil] = [await service.connect('Dora'), await service.connect('Emil')];
  const { playerGuid } = (await dora.do('hello')).player;
  const { prisma } = service.database;
  const [seat] = await prisma.playerConnection.findMany({ where: { playerGuid } });
  const { playerGuid: createdByGuid } = (await emil.do('hello')).player;
  // Another node frees the seats; an admin bans the player, whose connection nobody finds.
  await prisma.$transaction([
    prisma.playerConnection.deleteMany({}),
    prisma.ban.create({
      data: { banGuid: newGuid(), playerGuid, reason: 'A test.', createdByGuid, createdAt: new Date(0) },
    }),
    prisma.serviceNode.deleteMany({ where: { nodeGuid: seat?.nodeGuid } }),
  ]);
  await dora.until(() => typesTo(dora).includes('banned'), 'the notice of the ban');
  await expect.poll(() => prisma.playerConnection.count({ where: { nodeGuid: seat?.nodeGuid } })).toBe(1);
  expect((await emil.do('hello')).player.username).toBe('Emil');
  emil.leave();
});

test('effects are repeated every five seconds, and at once after the clock was set back', async () => {
  const clock = manualClock();
  let repeated = 0;
  const emptyStopped = async () => {
    repeated += 1;
  };
  const options = {
    ...{ database: service.database, clock, node: () => ({ deadNodes: async () => [] }) },
    ...{ outages: { last: () => null }, pairing: { emptyStopped } },
  } as unknown as ConnectionsOptions;
  const nothing = async () => undefined;
  const { recover } = createRecovery(options, {} as Losses, { banned: nothing, erased: nothing });
  const counts: number[] = [];
  for (const ms of [0, 4999, 1, -3_600_000, 4999]) {
    clock.advance(ms);
    await recover();
    counts.push(repeated);
  }
  expect(counts).toEqual([1, 1, 2, 3, 3]);
});

test('the effects of a ban are repeated once the node that stored it has had the time for them', async () => {
  const player = await service.connect('Gerd');
  const { playerGuid } = (await player.do('hello')).player;
  const clock = manualClock();
  const createdAt = new Date(clock.now() - 500);
  await service.database.prisma.ban.create({
    data: { banGuid: newGuid(), playerGuid, reason: 'A test.', createdByGuid: playerGuid, createdAt },
  });
  const ended: string[] = [];
  const options = {
    ...{ database: service.database, clock, node: () => ({ deadNodes: async () => [] }) },
    ...{ outages: { last: () => null }, pairing: { emptyStopped: async () => undefined } },
  } as unknown as ConnectionsOptions;
  const { recover } = createRecovery(options, {} as Losses, {
    banned: async (guid) => void ended.push(guid),
    erased: async () => undefined,
  });
  await recover();
  expect(ended).not.toContain(playerGuid);
  clock.advance(5000);
  await recover();
  expect(ended).toContain(playerGuid);
  player.leave();
});

test('other work goes on while the recovery of a dead node fails', async () => {
  const { pool, prisma } = service.database;
  const { queueGuid: open, seasonGuid } = await service.openQueue();
  await pool.query(`
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
    CREATE TRIGGER test BEFORE DELETE ON "ServiceNode" FOR EACH ROW EXECUTE FUNCTION keep()`);
  const [nodeGuid, seenAt] = [newGuid(), new Date(Date.now() - 60_000)];
  await prisma.serviceNode.create({ data: { nodeGuid, startedAt: seenAt, seenAt, rulesVersion: 2 } });
  await prisma.season.update({ where: { seasonGuid }, data: { endsAt: new Date() } });
  const status = async () => (await prisma.queue.findUniqueOrThrow({ where: { queueGuid: open } })).status;
  await expect.poll(status).not.toBe('open');
  expect(await prisma.serviceNode.count({ where: { nodeGuid } })).toBe(1);
  await pool.query('DROP TRIGGER test ON "ServiceNode"');
  await expect.poll(() => prisma.serviceNode.count({ where: { nodeGuid } })).toBe(0);
});
