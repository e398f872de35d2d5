import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { meet, partWays, type SocketPlayer } from '../harness/socket-player.ts';

/** A process that is suspended in a match and goes on, as on a machine that is suspended. */

let nodes: ServiceNodes;
/** Its picks have a limit that passes in less than an outage takes, discards one that does not. */
let node: ServiceNode;
beforeAll(async () => {
  nodes = await openNodes({ PICK_SECONDS: '2.5', DISCARD_SECONDS: '60' });
  node = await nodes.start();
});
afterEach(() => node.process.signal('SIGCONT'));
afterAll(() => nodes.stop());

const deadline = (player: SocketPlayer): number => Date.parse(player.match.deadlineAt);

describe('a lone node that is suspended', () => {
  test('for seven seconds gives this time back before it reads its messages', async () => {
    const [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
    const matchGuid = await meet(anna, bert, nodes.queueGuid);
    const [before, limit] = [await outagesIn(nodes.database), deadline(anna)];
    await inServiceSince(nodes.database, matchGuid);
    node.process.signal('SIGSTOP');
    const stoppedAt = performance.now();
    await sleep(6500);
    const [{ cardGuid }] = anna.match.you.hand;
    const discarded = anna.do('discardMaps', { matchGuid, cardGuids: [cardGuid] });
    await sleep(500);
    node.process.signal('SIGCONT');
    const stoppedMs = performance.now() - stoppedAt;
    await discarded;
    const [outage, ...more] = (await outagesIn(nodes.database)).slice(before.length);
    expect(more).toEqual([]);
    if (outage === undefined) throw new Error('Nothing was found to be an outage.');
    expect(outage.downMs).toBeGreaterThanOrEqual(Math.floor(stoppedMs) - 50);
    const { number, until, downMs } = outage;
    expect(await givenBackTo(nodes.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
    await bert.until(() => bert.match.opponent.discarded, 'what the other did');
    const moved = bert.updates
      .map(({ match }) => match)
      .find((match) => match.version > 0 && Date.parse(match.deadlineAt) === limit + downMs);
    expect(moved?.opponent.discarded, 'told with the limit moved by the outage').toBe(false);
    expect(deadline(bert)).toBe(limit + downMs);
    await partWays(anna, bert, matchGuid);
  });

  test('for less than an outage gives nothing back, but reads messages before it applies limits', async () => {
    const [cara, dirk] = [await node.connect('Cara'), await node.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, nodes.queueGuid);
    const before = await outagesIn(nodes.database);
    await Promise.all([cara, dirk].map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] })));
    await Promise.all([cara.status('awaiting_pick'), dirk.status('awaiting_pick')]);
    node.process.signal('SIGSTOP');
    const picker = cara.match.pickerGuid === cara.match.you.player.playerGuid ? cara : dirk;
    // The limit would select the first card.
    const { cardGuid, map } = picker.match.you.hand[4];
    const picked = picker.do('selectMap', { matchGuid, cardGuid });
    // The limit has passed by then, and an outage begins at 5 s.
    await sleep(2800);
    node.process.signal('SIGCONT');
    await picked;
    expect((await picker.status('preparing')).currentMap).toEqual(map);
    expect(await outagesIn(nodes.database)).toEqual(before);
    expect(await givenBackTo(nodes.database, matchGuid)).toEqual([]);
    await partWays(cara, dirk, matchGuid);
  });
});

test('one of two nodes that is suspended gives no time back: its players have their grace, others notice nothing', async () => {
  const second = await nodes.startHere();
  const [emil, fred] = [await node.connect('Emil'), await node.connect('Fred')];
  const matchGuid = await meet(emil, fred, nodes.queueGuid);
  const [gina, hans] = [await second.connect('Gina'), await second.connect('Hans')];
  const other = await meet(gina, hans, nodes.queueGuid);
  const { match: unmoved } = await gina.do('getMatchState', { matchGuid: other });
  const [before, limit] = [await outagesIn(nodes.database), deadline(emil)];

  node.process.signal('SIGSTOP');
  const { prisma } = nodes.database;
  const presences = async () => {
    const { state } = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
    const { seats, deadlineAt } = state as any;
    return { kinds: [seats.red.presence, seats.blue.presence], deadlineAt };
  };
  await expect.poll(async () => (await presences()).kinds.map(({ kind }) => kind)).toEqual(['away', 'away']);
  for (const presence of (await presences()).kinds)
    expect(presence).toMatchObject({ free: true, deadlineAt: presence.since + 60_000 });
  node.process.signal('SIGCONT');
  await expect
    .poll(async () => (await presences()).kinds.map(({ kind }) => kind))
    .toEqual(['present', 'present']);
  expect(deadline(emil)).toBe(limit);
  expect((await presences()).deadlineAt).toBe(limit);
  expect(await outagesIn(nodes.database)).toEqual(before);
  expect(await givenBackTo(nodes.database, matchGuid)).toEqual([]);
  const { match: after } = await gina.do('getMatchState', { matchGuid: other });
  expect([after.version, after.deadlineAt]).toEqual([unmoved.version, unmoved.deadlineAt]);
  // Still connected, and served again.
  await emil.do('forfeit', { matchGuid });
  await fred.status('aborted');
  await gina.do('forfeit', { matchGuid: other });
  // The node is alone again.
  await second.service.stop();
});
