import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from '../harness/ask.ts';
import { letSilencePass, openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { meet, pickerFirst, playRound, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';

type Outage = Awaited<ReturnType<typeof outagesIn>>[number];

let nodes: ServiceNodes;
let node: ServiceNode;
// For each attempt anew: a process that was killed is none that can be killed again.
beforeEach(async () => {
  nodes = await openNodes({ PICK_SECONDS: '40', JOIN_SECONDS: '20' });
  node = await nodes.start();
});
afterEach(() => nodes.stop());

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

test('a service that is killed between two scores goes on with the match: same hands, healths and acknowledged score', async () => {
  let [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
  const matchGuid = await meet(anna, bert, nodes.queueGuid);
  await toFirstPick(anna, bert, matchGuid);
  await playRound(anna, bert, 0.9, 0.7);
  await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);
  const { roundNumber, currentMap } = await toPlaying(...pickerFirst(anna, bert), matchGuid);
  await anna.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.95) });
  const { match: before } = await anna.do('getMatchState', { matchGuid });
  await inServiceSince(nodes.database, matchGuid);

  await node.process.kill();
  await node.startAgain();
  [anna, bert] = [await node.connect('Anna'), await node.connect('Bert')];
  const { match } = await anna.do('hello');
  expect(match.you.hand).toEqual(before.you.hand);
  expect(match.you.scoreSubmitted).toBe(true);
  expect(match.opponent.health).toBe(before.opponent.health);
  expect(match.rounds).toEqual(before.rounds);
  expect(match.seedHash).toBe(before.seedHash);
  expect(match.currentMap).toEqual(before.currentMap);
  expect(match.status).toBe('playing');
  const { number, downMs, until } = (await outagesIn(nodes.database)).at(-1) as Outage;
  expect(await givenBackTo(nodes.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
  expect(Date.parse(match.deadlineAt)).toBe(Date.parse(before.deadlineAt) + downMs);

  await bert.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.2) });
  await bert.status('round_results');
  await bert.do('forfeit', { matchGuid });
  expect((await anna.status('completed')).result.outcome).toBe('win');
});
