import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound, toFirstPick } from '../harness/socket-player.ts';

/** Names that try to be something else than a text. */
export const HOSTILE = {
  script: '<script>window.stolen = true</script><img src=x onerror="window.stolen = true">',
  direction: 'left \u202e thgir \u2067 isolate',
  long: 'W'.repeat(4000),
  emoji: '👩‍🚀🏳️‍🌈🤖',
  unseen: '\u200b\u2060\ufeff\u00ad',
  lines: 'first\nsecond\r\n\tthird\u2028fourth',
  quotes: `"'><svg onload=alert(1)>&amp;{{7*7}}\${7*7}`,
} as const;

export interface Scene {
  service: TestService;
  queueGuid: string;
  poolGuid: string;
  seasonGuid: string;
  /** A match that has ended, and one that runs. */
  endedGuid: string;
  runningGuid: string;
  /** A player of the ended match. */
  playerGuid: string;
  /** Where each page is, with data. */
  pages: Record<string, string>;
}

/** A service in which something has happened: a match is over, another one runs, a third player waits. */
export async function playScene(): Promise<Scene> {
  const service = await startTestService();
  const { queueGuid, poolGuid, seasonGuid } = await service.openQueue();
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  const endedGuid = await meet(anna, bert, queueGuid);
  await toFirstPick(anna, bert, endedGuid);
  for (let round = 0; round < 3; round++) await playRound(anna, bert, 0.9, 0.6);
  const ended = await anna.status('completed');
  await bert.status('completed');
  const [cora, dirk] = [await service.connect('Cora'), await service.connect('Dirk')];
  const runningGuid = await meet(cora, dirk, queueGuid);
  const emil = await service.connect('Emil');
  await emil.do('joinQueue', { queueGuid });
  const { playerGuid } = ended.you.player;
  return {
    service,
    queueGuid,
    poolGuid,
    seasonGuid,
    endedGuid,
    runningGuid,
    playerGuid,
    pages: {
      home: '/',
      ladder: `/ladder/${queueGuid}`,
      'ladder around a player': `/ladder/${queueGuid}?around=${playerGuid}`,
      'ladder with a search': `/ladder/${queueGuid}?query=a`,
      player: `/player/${playerGuid}`,
      'running match': `/match/${runningGuid}`,
      'ended match': `/match/${endedGuid}`,
      pool: `/pool/${poolGuid}`,
      me: '/me',
      staff: '/staff',
      'nothing here': '/nowhere',
    },
  };
}

/** Gives everything names, by hand: what nobody can enter today may have been stored yesterday. */
export async function renameAll({ service }: Pick<Scene, 'service'>, name: string): Promise<void> {
  const { prisma } = service.database;
  await prisma.player.updateMany({ data: { username: name } });
  await prisma.pool.updateMany({ data: { name } });
  await prisma.poolMap.updateMany({ data: { name } });
  await prisma.queue.updateMany({ data: { name } });
  await prisma.season.updateMany({ data: { name } });
  await prisma.mapCategory.updateMany({ data: { name } });
}
