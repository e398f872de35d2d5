import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, type SocketPlayer, toFirstPick } from '../harness/socket-player.ts';

/** A database that is full for less time than an outage takes: players who tried to come back keep match and place. */

const clock = manualClock(Date.now());
let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService({ clock, environment: { PICK_SECONDS: '600' } });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const begin = async (a: string, b: string): Promise<[SocketPlayer, SocketPlayer, string]> => {
  const players = [await service.connect(a), await service.connect(b)] as const;
  const matchGuid = await meet(...players, queueGuid);
  await toFirstPick(...players, matchGuid);
  return [...players, matchGuid];
};
const wait = async (name: string, where = queueGuid): Promise<SocketPlayer> => {
  const player = await service.connect(name);
  await player.do('joinQueue', { queueGuid: where });
  return player;
};
const entries = () => service.database.prisma.queueEntry.findMany();
const guidOf = async (player: SocketPlayer): Promise<string> =>
  (await player.do('hello')).player.playerGuid as string;

test('a player who is put off keeps match and place, and one who is not loses them', async () => {
  const [anna, bert, held] = await begin('Anna', 'Bert');
  const [cara, dirk, lost] = await begin('Cara', 'Dirk');
  // In queues of their own, so that they are not paired with each other.
  const another = await service.openQueue();
  const eva = await wait('Eva');
  const evaGuid = await guidOf(eva);
  const fred = await wait('Fred', another.queueGuid);
  const fredGuid = await guidOf(fred);
  for (const one of [anna, cara, eva, fred]) one.drop();
  for (const one of [bert, dirk])
    await one.until(() => one.match.opponent.presence === 'away', 'being alone');
  await expect.poll(async () => (await entries()).every((one) => one.disconnectedAt !== null)).toBe(true);

  const reconnect = await service.database.cutOff();
  for (const name of ['Anna', 'Eva']) {
    const refused = await service.connect(name).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      data: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: expect.any(Number) },
    });
  }
  // Graces and places end while the database stores nothing.
  clock.advance(70_000);
  await reconnect();

  await dirk.status('completed', 'aborted');
  expect(dirk.match.result.reason).toBe('left_before_first_pick');
  await dirk.do('leaveQueue');
  await expect
    .poll(async () => (await entries()).map(({ playerGuid }) => playerGuid))
    .not.toContain(fredGuid);
  expect((await entries()).map(({ playerGuid }) => playerGuid)).toContain(evaGuid);
  const [log, foreign] = await Promise.all(
    [held, lost].map((matchGuid) => service.database.prisma.matchEvent.findMany({ where: { matchGuid } })),
  );
  const putOffs = (lines: typeof log) =>
    lines?.filter(({ event }) => (event as { type: string }).type === 'putOff');
  expect([putOffs(log)?.length, putOffs(foreign)?.length]).toEqual([1, 0]);
  const { state } = await service.database.prisma.match.findUniqueOrThrow({ where: { matchGuid: held } });
  const presences = Object.values((state as unknown as MatchState).seats).map(({ presence }) => presence);
  const away = presences.find(({ kind }) => kind === 'away');
  if (away?.kind !== 'away') throw new Error('Nobody is away.');
  expect(away.deadlineAt - away.since).toBe(120_000);

  const again = await service.connect('Anna');
  expect((await again.do('hello')).match).toMatchObject({ matchGuid: held, status: 'awaiting_pick' });
  await bert.until(() => bert.match.opponent.presence === 'present', 'the opponent being back');
  const evaAgain = await service.connect('Eva');
  expect((await evaAgain.do('hello')).queueEntry).toMatchObject({ queueGuid });
  const entry = await service.database.prisma.queueEntry.findUniqueOrThrow({
    where: { playerGuid: evaGuid },
  });
  expect(entry).toMatchObject({ disconnectedAt: null, extendedMs: 0 });
  await evaAgain.do('leaveQueue');
  await partWays(again, bert, held);
}, 60_000);

test('an extended place in the queue ends a minute later', async () => {
  const gerd = await wait('Gerd');
  const playerGuid = await guidOf(gerd);
  const { prisma } = service.database;
  gerd.drop();
  const away = () => prisma.queueEntry.findUnique({ where: { playerGuid } });
  await expect.poll(async () => (await away())?.disconnectedAt ?? null).not.toBeNull();
  const reconnect = await service.database.cutOff();
  for (let times = 0; times < 2; times++)
    await expect(service.connect('Gerd')).rejects.toMatchObject({ message: 'SERVICE_UNAVAILABLE' });
  await reconnect();
  await expect.poll(async () => (await away())?.extendedMs).toBe(60_000);
  clock.advance(76_000);
  await expect.poll(away).toBeNull();
});
