import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, toFirstPick } from '../harness/socket-player.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService({ environment: { PICK_SECONDS: '40' } });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

test('the time of an outage of the database is given back, and the service goes on', async () => {
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  const matchGuid = await meet(anna, bert, queueGuid);
  const [picker] = await toFirstPick(anna, bert, matchGuid);
  const limit = Date.parse(picker.match.deadlineAt);
  await inServiceSince(service.database, matchGuid);
  const reconnect = await service.database.cutOff();
  const cutOffAt = performance.now();
  const { cardGuid } = picker.match.you.hand[2];
  await seconds(1);
  // A command that cannot be stored is refused.
  expect(await picker.refused('selectMap', { matchGuid, cardGuid })).toBe('SERVICE_UNAVAILABLE');
  const health = await service.request(null, 'GET', '/health');
  expect(health.status).toBe(200);
  expect((await service.request(null, 'GET', '/health/ready')).status).toBe(503);
  await seconds(6);
  const cutOffMs = Math.floor(performance.now() - cutOffAt);
  await reconnect();
  // The command is not carried out before the time is given back, although the client repeats it all the time.
  await expect
    .poll(async () => (await picker.ask('selectMap', { matchGuid, cardGuid })).ok, {
      timeout: 20_000,
      interval: 5,
    })
    .toBe(true);
  const [outage, ...more] = await outagesIn(service.database);
  if (outage === undefined) throw new Error('Nothing was found to be an outage.');
  expect(more).toEqual([]);
  expect(outage.downMs).toBeGreaterThanOrEqual(cutOffMs);
  const { number, downMs, until } = outage;
  expect(await givenBackTo(service.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
  await picker.status('preparing');
  expect(picker.updates.map(({ match }) => Date.parse(match.deadlineAt))).toContain(limit + downMs);
  await partWays(anna, bert, matchGuid);
});

test('a connection that is lost in an outage is stored once the database is back', async () => {
  const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
  const matchGuid = await meet(cara, dirk, queueGuid);
  const reconnect = await service.database.cutOff();
  cara.drop();
  await seconds(1);
  await reconnect();
  await dirk.until(() => dirk.match.opponent.presence === 'away', 'the opponent being away');
  const again = await service.connect('Cara');
  await dirk.until(() => dirk.match.opponent.presence === 'present', 'the opponent being back');
  const causes = dirk.updates.map(({ cause }) => cause.type);
  expect(causes.filter((cause) => cause === 'presenceChanged')).toHaveLength(2);
  await partWays(again, dirk, matchGuid);
});
