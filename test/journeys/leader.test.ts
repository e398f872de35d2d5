import { afterAll, beforeAll, expect, test } from 'vitest';
import { openNodes, type ServiceNodes } from '../harness/nodes.ts';

let nodes: ServiceNodes;
beforeAll(async () => {
  nodes = await openNodes();
});
afterAll(() => nodes.stop());

test('when the node that pairs is killed, another pairs within five seconds', async () => {
  // Only one node pairs: the first one that asks for the task.
  const leader = await nodes.start();
  const other = await nodes.startHere();
  const [anna, bert] = [await other.connect('Anna'), await other.connect('Bert')];
  await leader.process.kill();
  const killedAt = Date.now();
  for (const player of [anna, bert]) await player.do('joinQueue', { queueGuid: nodes.queueGuid });
  await Promise.all([anna.status('waiting_players'), bert.status('waiting_players')]);
  expect(Date.now() - killedAt).toBeLessThan(5000);
});
