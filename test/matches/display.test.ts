import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, toFirstPick } from '../harness/socket-player.ts';

const METRICS_TOKEN = 'metrics-token-of-thirty-two-characters';
let service: TestService;
let queueGuid: string;

beforeAll(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN } });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const read = async (path: string) => (await service.request(null, 'GET', path)).body;

describe('the display data of a match', () => {
  test('a new name shows in every view, and the log has no names', async () => {
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    expect(bert.match.opponent.player.username).toBe('Anna');
    const renamed = { platformId: platformIdOf('Anna'), username: 'Annabel' };
    const again = await service.connect('Anna', { token: await service.identityProvider.gameToken(renamed) });
    expect((await again.do('hello')).match.you.player.username).toBe('Annabel');
    expect((await bert.do('getMatchState', { matchGuid })).match.opponent.player.username).toBe('Annabel');
    await again.do('discardMaps', { matchGuid, cardGuids: [] });
    await bert.until(() => bert.match.opponent.discarded, 'the discard');
    expect(bert.match.opponent.player).toMatchObject(renamed);
    const names = ({ players }: any) => players.map(({ username }: any) => username).sort();
    expect(names(await read(`/matches/${matchGuid}`))).toEqual(['Annabel', 'Bert']);
    const { playerGuid } = bert.match.opponent.player;
    expect(names((await read(`/players/${playerGuid}/matches`)).items[0])).toEqual(['Annabel', 'Bert']);
    await partWays(again, bert, matchGuid);
    expect(JSON.stringify(await read(`/matches/${matchGuid}/log`))).not.toMatch(/Anna|Bert/);
  });

  test('a map that became outdated shows as that in the rounds that were played on it', async () => {
    const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    await toFirstPick(cara, dirk, matchGuid);
    await playRound(cara, dirk, 0.9, 0.8);
    await cara.until(() => cara.match.rounds.length === 1, 'the round');
    const { map } = cara.match.rounds[0];
    expect(map.stale).toBe(false);
    await partWays(cara, dirk, matchGuid);
    await service.database.prisma.poolMap.update({
      where: { mapGuid: map.mapGuid },
      data: { stale: true },
    });
    expect((await read(`/matches/${matchGuid}`)).rounds[0].map).toEqual({ ...map, stale: true });
  });
});

test('a match whose log does not lead to the stored state is told from that state; staff and operators are informed', async () => {
  const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
  const matchGuid = await meet(emil, fred, queueGuid);
  const { prisma } = service.database;
  const { state, version } = await prisma.match.findUniqueOrThrow({ where: { matchGuid } });
  const { seats, ...others } = state as unknown as MatchState;
  const changed = {
    ...others,
    version: version + 1,
    seats: { red: { ...seats.red, health: 0.5 }, blue: seats.blue },
  };
  // Somebody writes into the database, without an event for it.
  await prisma.match.update({
    where: { matchGuid },
    data: { version: version + 1, state: changed as object },
  });
  const healthOf = (match: any) => [match.you.health, match.opponent.health].sort();
  await emil.until(() => emil.match.version === version + 1, 'what is stored');
  expect(healthOf(emil.match)).toEqual([0.5, 1]);
  const audit = async () =>
    (await service.request('admin', 'GET', `/audit-log?target=/matches/${matchGuid}`)).body.items;
  await expect
    .poll(audit)
    .toMatchObject([{ actor: null, action: 'foundMatchLogBroken', after: { version: version + 1 } }]);
  const metrics = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect(await metrics.text()).toMatch(/^match_logs_broken_total 1$/m);

  // The match goes on.
  await emil.do('discardMaps', { matchGuid, cardGuids: [] });
  await fred.until(() => fred.match.opponent.discarded, 'the discard');
  await partWays(emil, fred, matchGuid);
});
