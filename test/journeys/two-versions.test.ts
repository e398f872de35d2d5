import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchLog, proveMatch, RULEBOOK } from '../../src/domains/matches/index.ts';
import { RULES_VERSION } from '../../src/domains/matches/state.ts';
import { NEXT_DAMAGE, nextRulebook, nextRules } from '../harness/next-rules.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, type SocketPlayer } from '../harness/socket-player.ts';

/** The first node is of the next version of the rules, the second one of the present version. */

let first: TestService;
let queueGuid: string;
let second: SecondNode | null = null;

beforeAll(async () => {
  first = await startTestService({ rulebook: nextRulebook, environment: { ROUND_RESULTS_SECONDS: '0.3' } });
  ({ queueGuid } = await first.openQueue());
});
afterAll(async () => {
  await second?.service.stop();
  await first.stop();
});

const stored = (matchGuid: string) => first.database.prisma.match.findUniqueOrThrow({ where: { matchGuid } });
const rulesOf = async (matchGuid: string) => (await stored(matchGuid)).rulesVersion;
const problemsIn = async (matchGuid: string, rulebook = nextRulebook) => {
  const { body } = await first.request(null, 'GET', `/matches/${matchGuid}/log`);
  return proveMatch(matchLog.parse(body), { rulebook }).checks.flatMap(({ claim, problem }) =>
    problem ? [claim] : [],
  );
};
const keepHands = (players: readonly SocketPlayer[], matchGuid: string) =>
  Promise.all(players.map((player) => player.do('discardMaps', { matchGuid, cardGuids: [] })));
/** Plays the first round with a gap of 0.1, whose multiplier is 1. @returns what it cost */
const firstDamage = async (a: SocketPlayer, b: SocketPlayer, matchGuid: string): Promise<number> => {
  await keepHands([a, b], matchGuid);
  await playRound(a, b, 1, 0.9);
  await a.until(() => a.match.rounds.length === 1, 'the round');
  return a.match.rounds[0].damage;
};

test('nodes of two versions use the rules that both know, and a single node its own', async () => {
  second = await startSecondNode(first);
  const [anna, bert] = [await first.connect('Anna'), await second.connect('Bert')];
  const matchGuid = await meet(anna, bert, queueGuid);
  expect(await rulesOf(matchGuid)).toBe(RULES_VERSION);
  expect(await firstDamage(anna, bert, matchGuid)).toBeCloseTo(0.1, 3);

  // The last node of the present version stops, and the other one takes over. The match keeps the rules it began with.
  await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);
  await second.service.stop();
  second = null;
  const back = await first.connect('Bert');
  await expect.poll(() => first.database.prisma.serviceNode.count()).toBe(1);
  await anna.until(() => anna.match.opponent.presence === 'present', 'the other being back');
  if (!back.match) back.updates.push({ match: (await back.do('getMatchState', { matchGuid })).match });
  await playRound(anna, back, 1, 0.9);
  await anna.until(() => anna.match.rounds.length === 2, 'the second round');
  expect(anna.match.rounds[1].damage).toBeCloseTo(0.1, 3);
  await partWays(anna, back, matchGuid);
  expect(await problemsIn(matchGuid)).toEqual([]);

  const [cara, dirk] = [await first.connect('Cara'), await first.connect('Dirk')];
  const next = await meet(cara, dirk, queueGuid);
  expect(await rulesOf(next)).toBe(nextRules.version);
  expect(await firstDamage(cara, dirk, next)).toBeCloseTo(NEXT_DAMAGE * 0.1, 3);
  await partWays(cara, dirk, next);
  expect(await problemsIn(next)).toEqual([]);
  expect(await problemsIn(next, RULEBOOK)).toContain('The rules it was played by are known');
});

describe('a node that does not know the rules of a match', () => {
  test('closes connections of its players and shows the match, but not its log', async () => {
    const [emil, fred] = [await first.connect('Emil'), await first.connect('Fred')];
    const matchGuid = await meet(emil, fred, queueGuid);
    expect(await rulesOf(matchGuid)).toBe(nextRules.version);
    second = await startSecondNode(first);
    const there = await second.connect('Emil');
    await there.until(() => !there.socket.connected, 'the connection being closed');
    expect(there.disconnectReason).not.toBe('io server disconnect');
    const shown = await fetch(`${second.url}/matches/${matchGuid}`);
    expect((await shown.json()).status).toBe('awaiting_discards');

    const back = await first.connect('Emil');
    expect((await back.do('getMatchState', { matchGuid })).match.matchGuid).toBe(matchGuid);
    await keepHands([back, fred], matchGuid);
    await fred.status('awaiting_pick');
    await partWays(back, fred, matchGuid);
    const log = await fetch(`${second.url}/matches/${matchGuid}/log`);
    expect([log.status, (await log.json()).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await problemsIn(matchGuid)).toEqual([]);
  });
});
