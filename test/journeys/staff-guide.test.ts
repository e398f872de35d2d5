import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTools, openShell, stepsOf } from '../harness/guide.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound } from '../harness/socket-player.ts';

const isReady = hasTools();

describe.skipIf(!isReady)(`the staff guide${isReady ? '' : ' (skipped: needs bash and curl 7.76)'}`, () => {
  const steps = stepsOf('staff-guide.md');
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Values that the reader of the guide fills in. */
  const fillIn: Record<string, () => Promise<string>> = {
    RUNNING_MATCH: () => beginMatch('Anna', 'Bert'),
    ENDED_MATCH: async () => {
      const [carl, dora] = [await service.connect('Carl'), await service.connect('Dora')];
      const matchGuid = await meet(carl, dora, await openQueue());
      await Promise.all([carl, dora].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
      await playRound(carl, dora, 0.9, 0.8);
      await carl.status('round_results', 'awaiting_pick');
      await dora.do('forfeit', { matchGuid });
      await carl.status('completed');
      return matchGuid;
    },
    PLAYER: async () => 'Carl',
  };
  const openQueue = async (): Promise<string> =>
    (await service.request(null, 'GET', '/queues')).body.items[0].queueGuid;
  const beginMatch = async (one: string, other: string): Promise<string> =>
    meet(await service.connect(one), await service.connect(other), await openQueue());

  test('works as written', async () => {
    const token = (account: 'admin' | 'pooler-one' | 'pooler-two') =>
      service.identityProvider.accountToken(account);
    const shell = openShell({
      API: service.url,
      ADMIN_TOKEN: await token('admin'),
      POOLER_TOKEN: await token('pooler-one'),
      REVIEWER_TOKEN: await token('pooler-two'),
    });
    expect(steps.length).toBeGreaterThan(15);
    for (const { heading, commands, output } of steps) {
      for (const [name, value] of Object.entries(fillIn)) {
        if (!commands.includes(`$${name}`)) continue;
        await shell.run(`${name}=${await value()}`);
        delete fillIn[name];
      }
      const printed = await shell.run(commands);
      expect(printed, `${heading}\n${commands}`).toBe(output ?? '');
    }
    shell.close();
    expect(Object.keys(fillIn)).toEqual([]);
  }, 120_000);

  test('leaves all its changes in the audit log, with the state before and after', async () => {
    const { body } = await service.request('admin', 'GET', '/audit-log?limit=100');
    const shapes: Record<string, string> = {};
    for (const { action, before, after } of body.items)
      shapes[action] =
        `${before === null ? 'nothing' : 'something'} → ${after === null ? 'nothing' : 'something'}`;
    expect(shapes).toEqual({
      createSeason: 'nothing → something',
      changeSeason: 'something → something',
      createMapCategory: 'nothing → something',
      changeMapCategory: 'something → something',
      deleteMapCategory: 'something → nothing',
      createPool: 'nothing → something',
      deletePool: 'something → nothing',
      copyPool: 'nothing → something',
      addMap: 'nothing → something',
      changeMap: 'something → something',
      removeMap: 'something → nothing',
      submitPool: 'something → something',
      reviewPool: 'something → something',
      publishPool: 'something → something',
      retirePool: 'something → something',
      createQueue: 'nothing → something',
      changeQueue: 'something → something',
      openQueue: 'something → something',
      drainQueue: 'something → something',
      closeQueue: 'something → something',
      abortMatch: 'something → something',
      undoMatch: 'something → something',
      decideMatch: 'something → something',
      setRoles: 'something → something',
      banPlayer: 'nothing → something',
      liftBan: 'something → something',
    });
  });
});
