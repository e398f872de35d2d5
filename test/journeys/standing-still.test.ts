import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, SocketPlayer, toFirstPick } from '../harness/socket-player.ts';

/** Processes that are stopped in the middle of everything and go on, as a machine does that is suspended. */

let seeded: TestService;
let queueGuid: string;
const processes: ServiceProcess[] = [];
/** The service in this process fills the database and steps aside. */
beforeAll(async () => {
  seeded = await startTestService({ environment: { DRAIN_DELAY_SECONDS: '0.01' } });
  ({ queueGuid } = await seeded.openQueue());
  await seeded.service.stop();
});
afterEach(async () => {
  for (const one of processes.splice(0)) {
    one.signal('SIGCONT');
    await one.terminate();
  }
});
afterAll(async () => {
  seeded.service.stop = async () => undefined;
  await seeded.stop();
});

const start = async (environment: Record<string, string>) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const node = await startServiceProcess({
    ...seeded.environment,
    ...environment,
    PORT: String(port),
    BASE_URL: url,
  });
  processes.push(node);
  const connect = async (name: string): Promise<SocketPlayer> =>
    SocketPlayer.connect({
      url,
      name,
      token: await seeded.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }),
      pluginVersion: '1.0.0',
    });
  return { node, connect };
};
const deadline = (player: SocketPlayer): number => Date.parse(player.match.deadlineAt);

describe('a lone node that stands still', () => {
  test('for seven seconds gives exactly that back, before it does what was sent meanwhile', async () => {
    const { node, connect } = await start({ PICK_SECONDS: '45' });
    const [anna, bert] = [await connect('Anna'), await connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const [picker, waiter] = await toFirstPick(anna, bert, matchGuid);
    const [before, limit] = [await outagesIn(seeded.database), deadline(picker)];
    await inServiceSince(seeded.database, matchGuid);
    node.signal('SIGSTOP');
    const stoppedAt = performance.now();
    await sleep(6500);
    const { cardGuid } = picker.match.you.hand[3];
    const picked = picker.do('selectMap', { matchGuid, cardGuid });
    await sleep(500);
    node.signal('SIGCONT');
    const stoppedMs = performance.now() - stoppedAt;
    await picked;
    const [outage, ...more] = (await outagesIn(seeded.database)).slice(before.length);
    expect(more).toEqual([]);
    if (outage === undefined) throw new Error('Nothing was found to be an outage.');
    expect(outage.downMs).toBeGreaterThanOrEqual(Math.floor(stoppedMs) - 50);
    const { number, until, downMs } = outage;
    expect(await givenBackTo(seeded.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
    await waiter.status('preparing');
    const moved = waiter.updates
      .map(({ match }) => match)
      .find((match) => match.version > 0 && Date.parse(match.deadlineAt) === limit + downMs);
    expect(moved?.status, 'told with the limit moved by the outage').toBe('awaiting_pick');
    expect(waiter.match.currentMap).toEqual(picker.match.currentMap);
    await picker.do('forfeit', { matchGuid });
  });

  test('for less gives nothing, but reads first what was sent in time', async () => {
    const { node, connect } = await start({ PICK_SECONDS: '2.5' });
    const [cara, dirk] = [await connect('Cara'), await connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    const before = await outagesIn(seeded.database);
    await Promise.all([cara, dirk].map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] })));
    await Promise.all([cara.status('awaiting_pick'), dirk.status('awaiting_pick')]);
    node.signal('SIGSTOP');
    const picker = cara.match.pickerGuid === cara.match.you.player.playerGuid ? cara : dirk;
    // The limit would take the first one.
    const { cardGuid, map } = picker.match.you.hand[4];
    const picked = picker.do('selectMap', { matchGuid, cardGuid });
    await sleep(3800);
    node.signal('SIGCONT');
    await picked;
    expect((await picker.status('preparing')).currentMap).toEqual(map);
    expect(await outagesIn(seeded.database)).toEqual(before);
    expect(await givenBackTo(seeded.database, matchGuid)).toEqual([]);
    await picker.do('forfeit', { matchGuid });
  });
});

test('one of two that stands still gives nobody time: its players have their grace, others notice nothing', async () => {
  const environment = { PICK_SECONDS: '60', DISCARD_SECONDS: '60' };
  const [first, second] = [await start(environment), await start(environment)];
  const [emil, fred] = [await first.connect('Emil'), await first.connect('Fred')];
  const matchGuid = await meet(emil, fred, queueGuid);
  const [gina, hans] = [await second.connect('Gina'), await second.connect('Hans')];
  const other = await meet(gina, hans, queueGuid);
  await toFirstPick(gina, hans, other);
  const { match: unmoved } = await gina.do('getMatchState', { matchGuid: other });
  const [before, limit] = [await outagesIn(seeded.database), deadline(emil)];

  first.node.signal('SIGSTOP');
  const { prisma } = seeded.database;
  const presences = async () => {
    const { state } = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
    const { seats, deadlineAt } = state as any;
    return { kinds: [seats.red.presence, seats.blue.presence], deadlineAt };
  };
  await expect
    .poll(async () => (await presences()).kinds.map(({ kind }) => kind), { timeout: 15_000 })
    .toEqual(['away', 'away']);
  for (const presence of (await presences()).kinds)
    expect(presence).toMatchObject({ free: true, deadlineAt: presence.since + 60_000 });
  first.node.signal('SIGCONT');
  await expect
    .poll(async () => (await presences()).kinds.map(({ kind }) => kind), { timeout: 15_000 })
    .toEqual(['present', 'present']);
  expect(deadline(emil)).toBe(limit);
  expect((await presences()).deadlineAt).toBe(limit);
  expect(await outagesIn(seeded.database)).toEqual(before);
  expect(await givenBackTo(seeded.database, matchGuid)).toEqual([]);
  const { match: after } = await gina.do('getMatchState', { matchGuid: other });
  expect([after.version, after.deadlineAt]).toEqual([unmoved.version, unmoved.deadlineAt]);
  // Still connected, and served again.
  await emil.do('forfeit', { matchGuid });
  await fred.status('aborted');
  await gina.do('forfeit', { matchGuid: other });
});
