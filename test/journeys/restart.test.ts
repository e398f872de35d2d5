import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../harness/ask.ts';
import { letSilencePass, openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { meet, playRound, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';

type Outage = Awaited<ReturnType<typeof outagesIn>>[number];

let nodes: ServiceNodes;
/** Runs before and after each test. */
let node: ServiceNode;
beforeAll(async () => {
  nodes = await openNodes({ PICK_SECONDS: '40', JOIN_SECONDS: '20' });
  node = await nodes.start();
});
afterAll(() => nodes.stop());

describe('a service that is killed in the middle of a match', () => {
  test('goes on with it after a restart, with the same hands and healths', async () => {
    let [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
    const matchGuid = await meet(anna, bert, nodes.queueGuid);
    await toFirstPick(anna, bert, matchGuid);
    await playRound(anna, bert, 0.9, 0.7);
    const before = await anna.status('awaiting_pick').then(() => anna.do('getMatchState', { matchGuid }));
    await inServiceSince(nodes.database, matchGuid);

    await node.process.kill();
    await node.startAgain();
    [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
    const { match } = await anna.do('hello');
    expect(match.you.hand).toEqual(before.match.you.hand);
    expect(match.opponent.health).toBe(before.match.opponent.health);
    expect(match.rounds).toEqual(before.match.rounds);
    expect(match.seedHash).toBe(before.match.seedHash);
    expect(match.status).toBe('awaiting_pick');
    const [, { number, downMs, until }] = (await outagesIn(nodes.database)) as [Outage, Outage];
    expect(await givenBackTo(nodes.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
    expect(Date.parse(match.deadlineAt)).toBe(Date.parse(before.match.deadlineAt) + downMs);

    anna.updates.push({ match });
    bert.updates.push({ match: (await bert.do('hello')).match });
    const [picker, waiter] = match.pickerGuid === match.you.player.playerGuid ? [anna, bert] : [bert, anna];
    const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
    await anna.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.95) });

    // Killed again between the two scores: the acknowledged one is not lost.
    await node.process.kill();
    await node.startAgain();
    [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
    expect((await anna.do('hello')).match.you.scoreSubmitted).toBe(true);
    await bert.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.2) });
    await bert.status('round_results');
    await bert.do('forfeit', { matchGuid });
    expect((await anna.status('completed')).result.outcome).toBe('win');
  });
});

test('a place in the queue is kept through a deploy', async () => {
  const cara = await node.connect('Cara');
  const { queueEntry } = await cara.do('joinQueue', { queueGuid: nodes.queueGuid });
  expect(await node.process.terminate()).toBe(0);
  await node.startAgain();
  const again = await node.connect('Cara');
  expect((await again.do('hello')).queueEntry.joinedAt).toBe(queueEntry.joinedAt);
  await again.do('leaveQueue');
});

test('a player who was in a match before an outage of more than a day can be reported after it', async () => {
  const [dora, emil] = [await node.connect('Dora'), await node.connect('Emil')];
  const matchGuid = await meet(dora, emil, nodes.queueGuid);
  const { playerGuid } = emil.match.you.player;
  await dora.do('forfeit', { matchGuid });
  await emil.until(() => emil.match.result !== null, 'the end');
  await inServiceSince(nodes.database, matchGuid);
  await node.process.kill();
  const { pool } = nodes.database;
  await pool.query(
    `UPDATE "Match" SET "endedAt" = "endedAt" - interval '25 hours',
       state = jsonb_set(state, '{endedAt}', to_jsonb((state->>'endedAt')::bigint - 25 * 3600000))
     WHERE "matchGuid" = $1`,
    [matchGuid],
  );
  await pool.query(`UPDATE "ServiceLife" SET "inServiceUntil" = "inServiceUntil" - interval '25 hours'`);
  await letSilencePass(nodes.database);
  await node.startAgain();
  const report = await ask(`${node.url}/reports`, 'POST', {
    token: await nodes.gameToken('Dora'),
    body: { matchGuid, playerGuid, reason: 'other' },
  });
  expect(report.status).toBe(201);
});
