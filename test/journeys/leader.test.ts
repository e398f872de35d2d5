import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { SocketPlayer } from '../harness/socket-player.ts';

let seeded: TestService;
let queueGuid: string;
const processes: ServiceProcess[] = [];
/** The service in this process fills the database and steps aside. */
beforeAll(async () => {
  seeded = await startTestService();
  ({ queueGuid } = await seeded.openQueue());
  await seeded.service.stop();
});
afterAll(async () => {
  for (const one of processes) await one.kill();
  seeded.service.stop = async () => undefined;
  await seeded.stop();
});

const startNode = async (): Promise<{ node: ServiceProcess; url: string }> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const node = await startServiceProcess({ ...seeded.environment, PORT: String(port), BASE_URL: url });
  processes.push(node);
  return { node, url };
};
const connectTo = async (url: string, name: string): Promise<SocketPlayer> =>
  SocketPlayer.connect({
    url,
    name,
    token: await seeded.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }),
    pluginVersion: '1.0.0',
  });

test('when the node that pairs is killed, another pairs within five seconds', async () => {
  const leader = await startNode();
  const other = await startNode();
  const [anna, bert] = [await connectTo(other.url, 'Anna'), await connectTo(other.url, 'Bert')];
  // Only one node pairs: the first to ask for the task, which the older node was.
  await leader.node.kill();
  const killedAt = Date.now();
  await anna.do('joinQueue', { queueGuid });
  await bert.do('joinQueue', { queueGuid });
  await Promise.all([anna.status('waiting_players'), bert.status('waiting_players')]);
  expect(Date.now() - killedAt).toBeLessThan(5000);
  await Promise.all([anna, bert].map((one) => one.leave()));
});
