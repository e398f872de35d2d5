import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenBackTo, inServiceSince, outagesIn } from '../harness/outages.ts';
import { startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';

type Outage = Awaited<ReturnType<typeof outagesIn>>[number];

let service: TestService;
let queueGuid: string;
/** The service in this process seeds the database and steps aside; the matches run in processes of their own. */
beforeAll(async () => {
  service = await startTestService({ environment: { PICK_SECONDS: '40', JOIN_SECONDS: '20' } });
  ({ queueGuid } = await service.openQueue());
  await service.service.stop();
});
afterAll(async () => {
  service.service.stop = async () => undefined;
  await service.stop();
});

describe('a service that is killed in the middle of a match', () => {
  test('goes on with it after a restart, hands, health and all', async () => {
    let running = await startServiceProcess(service.environment);
    let [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    await toFirstPick(anna, bert, matchGuid);
    await playRound(anna, bert, 0.9, 0.7);
    const before = await anna.status('awaiting_pick').then(() => anna.do('getMatchState', { matchGuid }));
    await inServiceSince(service.database, matchGuid);

    await running.kill();
    running = await startServiceProcess(service.environment);
    [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const { match } = await anna.do('hello');
    expect(match.you.hand).toEqual(before.match.you.hand);
    expect(match.opponent.health).toBe(before.match.opponent.health);
    expect(match.rounds).toEqual(before.match.rounds);
    expect(match.seedHash).toBe(before.match.seedHash);
    expect(match.status).toBe('awaiting_pick');
    const [, { number, downMs, until }] = (await outagesIn(service.database)) as [Outage, Outage];
    expect(await givenBackTo(service.database, matchGuid)).toEqual([{ outage: number, downMs, until }]);
    expect(Date.parse(match.deadlineAt)).toBe(Date.parse(before.match.deadlineAt) + downMs);

    anna.updates.push({ match });
    bert.updates.push({ match: (await bert.do('hello')).match });
    const [picker, waiter] = match.pickerGuid === match.you.player.playerGuid ? [anna, bert] : [bert, anna];
    const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
    await anna.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.95) });

    // Killed again between the two scores: the acknowledged one is not lost.
    await running.kill();
    running = await startServiceProcess(service.environment);
    [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    expect((await anna.do('hello')).match.you.scoreSubmitted).toBe(true);
    await bert.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.2) });
    await bert.status('round_results');
    await bert.do('forfeit', { matchGuid });
    expect((await anna.status('completed')).result.outcome).toBe('win');
    expect(await running.terminate()).toBe(0);
  });

  test('keeps a place in the queue through a deploy', async () => {
    let running = await startServiceProcess(service.environment);
    const cara = await service.connect('Cara');
    const { queueEntry } = await cara.do('joinQueue', { queueGuid });
    expect(await running.terminate()).toBe(0);
    running = await startServiceProcess(service.environment);
    const again = await service.connect('Cara');
    expect((await again.do('hello')).queueEntry.joinedAt).toBe(queueEntry.joinedAt);
    await again.do('leaveQueue');
    await running.terminate();
  });
});
