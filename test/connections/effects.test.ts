import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

/** What follows from a stored change comes although it failed at first, or found nobody. */

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const typesTo = ({ notices }: { notices: readonly any[] }) => notices.map(({ type }) => type);

test('a ban ends the match although the match could not be ended when the ban was stored', async () => {
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  await meet(anna, bert, queueGuid);
  const { playerGuid } = anna.match.you.player;
  const { pool } = service.database;
  await pool.query(
    `ALTER TABLE "MatchEvent" ADD CONSTRAINT test CHECK (event->>'type' <> 'banned') NOT VALID`,
  );
  const ban = { reason: 'A test.', until: null };
  expect((await service.request('admin', 'POST', `/players/${playerGuid}/bans`, ban)).status).toBe(500);
  await pool.query('ALTER TABLE "MatchEvent" DROP CONSTRAINT test');
  await anna.until(() => typesTo(anna).includes('banned'), 'the notice of the ban');
  expect((await bert.status('aborted', 'completed')).result.reason).toBe('banned');
  bert.leave();
});

test('the players of a queue that stopped leave it although they could not be removed at first', async () => {
  const { queueGuid: stopped } = await service.openQueue();
  const cara = await service.connect('Cara');
  await cara.do('joinQueue', { queueGuid: stopped });
  const { pool } = service.database;
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER test BEFORE DELETE ON "QueueEntry" EXECUTE FUNCTION refuse()`);
  expect((await service.request('admin', 'POST', `/queues/${stopped}/drain`)).status).toBe(500);
  await pool.query('DROP TRIGGER test ON "QueueEntry"');
  await cara.until(() => cara.queueUpdates.at(-1)?.reason === 'queue_drained', 'the notice of the stop');
  cara.leave();
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
