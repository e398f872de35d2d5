import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays, playRound, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';

let service: TestService;
let queueGuid: string;
let poolGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid, poolGuid } = await service.openQueue());
});
afterAll(() => service.stop());

describe('two players who queue', () => {
  test('meet, discard, pick in turn, play and finish a rated match', async () => {
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const joined = await anna.do('joinQueue', { queueGuid });
    expect(joined.queueEntry).toMatchObject({ queueGuid, rating: 1000 });
    await bert.do('joinQueue', { queueGuid });
    const { matchGuid, seedHash } = await anna.status('waiting_players');
    expect(anna.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: 'matched' });
    expect(anna.match.opponent).toMatchObject({ player: null, rating: null });
    expect(anna.match.you.hand).toBeNull();

    await anna.do('joinMatch', { matchGuid });
    await bert.do('joinMatch', { matchGuid });
    await Promise.all([anna.status('awaiting_discards'), bert.status('awaiting_discards')]);
    const hands = [anna, bert].map((player) => player.match.you.hand);
    expect(hands.map((hand) => hand.length)).toEqual([5, 5]);
    expect(new Set(hands.flat().map((card: any) => card.map.mapGuid)).size).toBe(10);
    expect(anna.match.opponent).toMatchObject({ hand: null, handSize: 5, player: { username: 'Bert' } });

    const given = hands[0].slice(0, 2).map((card: any) => card.cardGuid);
    const after = (await anna.do('discardMaps', { matchGuid, cardGuids: given })).match;
    expect(after.you).toMatchObject({ discarded: true, handSize: 5 });
    expect(after.you.hand.map((card: any) => card.cardGuid)).not.toContain(given[0]);
    await bert.do('discardMaps', { matchGuid, cardGuids: [] });

    // Anna always plays better by 0.3: 0.3 + 0.3 + 0.3 × 4.5 is more than the health there is.
    await playRound(anna, bert, 0.9, 0.6);
    await Promise.all([anna.status('round_results'), bert.status('round_results')]);
    expect(bert.match.rounds).toHaveLength(1);
    expect(bert.match.you.health).toBeCloseTo(0.7, 3);
    const firstPicker = bert.match.rounds[0].pickerGuid;
    await playRound(anna, bert, 0.9, 0.6);
    await bert.until(() => bert.match.rounds.length === 2, 'the second round');
    expect(bert.match.rounds[1].pickerGuid).not.toBe(firstPicker);
    await playRound(anna, bert, 0.9, 0.6);
    const [won, lost] = await Promise.all([anna.status('completed'), bert.status('completed')]);

    expect(won.result).toMatchObject({ outcome: 'win', reason: 'health', ratingBefore: 1000 });
    expect(lost.result).toMatchObject({
      outcome: 'loss',
      reason: 'health',
      winnerGuid: won.you.player.playerGuid,
    });
    expect(won.result.ratingAfter).toBeGreaterThan(1000);
    expect(lost.result.ratingAfter).toBeLessThan(1000);
    expect(lost.you.health).toBe(0);
    const versions = anna.updates.map((update) => update.match.version);
    expect(versions).toEqual(versions.map((_, at) => at + 1));

    const { body: read } = await service.request(null, 'GET', `/matches/${matchGuid}`);
    expect(createHash('sha256').update(Buffer.from(read.seed, 'hex')).digest('hex')).toBe(seedHash);
    expect(read.result).toMatchObject({ outcome: 'decided', winnerGuid: won.you.player.playerGuid });
    const { body: ladder } = await service.request(null, 'GET', `/leaderboards/${queueGuid}`);
    expect(ladder.entries.map((entry: any) => [entry.rank, entry.player.username, entry.wins])).toEqual([
      [1, 'Anna', 1],
      [2, 'Bert', 0],
    ]);
    const hello = await anna.do('hello');
    expect(hello).toMatchObject({ match: null, queueEntry: null, lastMatch: { matchGuid }, penalty: null });
  });

  test('hold maps of the pool and no others, with the same hashes', async () => {
    const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    const { body: pool } = await service.request(null, 'GET', `/pools/${poolGuid}/maps`);
    const known = new Map(pool.maps.map((map: any) => [map.mapGuid, map]));
    for (const { map } of [...cara.match.you.hand, ...dirk.match.you.hand])
      expect(map).toEqual(known.get(map.mapGuid));
    await partWays(cara, dirk, matchGuid);
  });

  test('are rated when one of them forfeits after the first pick; that player loses', async () => {
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const matchGuid = await meet(emil, fred, queueGuid);
    const [picker, waiter] = await toFirstPick(emil, fred, matchGuid);
    await toPlaying(picker, waiter, matchGuid);
    await emil.do('forfeit', { matchGuid });
    const lost = await emil.status('completed');
    expect(lost.result).toMatchObject({ outcome: 'loss', reason: 'forfeit' });
    expect(lost.result.ratingAfter).toBeLessThan(lost.result.ratingBefore);
    expect((await emil.do('hello')).penalty).toBeNull();
  });

  test('a player who leaves before the first pick gets a penalty; the other waits again', async () => {
    const [gina, hans] = [await service.connect('Gina'), await service.connect('Hans')];
    const matchGuid = await meet(gina, hans, queueGuid);
    const before = hans.queueUpdates[0].queueEntry.joinedAt;
    await gina.do('forfeit', { matchGuid });
    const ended = await hans.status('aborted');
    expect(ended.result).toMatchObject({ outcome: 'no_contest', reason: 'left_before_first_pick' });
    await hans.until(() => hans.queueUpdates.at(-1).reason === 'requeued', 'being queued again');
    expect(hans.queueUpdates.at(-1).queueEntry.joinedAt).toBe(before);
    expect((await gina.do('hello')).penalty).toMatchObject({ reason: 'left_before_first_pick' });
    const answer = await gina.ask('joinQueue', { queueGuid });
    expect(answer).toMatchObject({ ok: false, error: { code: 'PENALIZED' } });
    await hans.do('leaveQueue');
  });
});

describe('a connection', () => {
  test('that is lost costs nothing when the player comes back in time', async () => {
    const [ines, jens] = [await service.connect('Ines'), await service.connect('Jens')];
    const matchGuid = await meet(ines, jens, queueGuid);
    const [picker, waiter] = await toFirstPick(ines, jens, matchGuid);
    const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
    ines.drop();
    await jens.until(() => jens.match.opponent.presence === 'away', 'the other being away');
    const back = await service.connect('Ines');
    const hello = await back.do('hello');
    expect(hello.match).toMatchObject({ matchGuid, status: 'playing', roundNumber });
    expect(hello.match.you.hand.length).toBe(ines.match.you.hand.length);
    await jens.until(() => jens.match.opponent.presence === 'present', 'the other being back');
    await back.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.9) });
    await jens.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.8) });
    expect((await jens.status('round_results')).rounds[0].winnerGuid).toBe(hello.player.playerGuid);
    await jens.do('forfeit', { matchGuid });
  });

  test('is replaced by a newer one of the player, and its late end changes nothing', async () => {
    const [kira, lars] = [await service.connect('Kira'), await service.connect('Lars')];
    const matchGuid = await meet(kira, lars, queueGuid);
    const newer = await service.connect('Kira');
    await kira.until(() => !kira.socket.connected, 'being replaced');
    expect(kira.notices.map((notice) => notice.type)).toEqual(['sessionReplaced']);
    const { match } = await newer.do('getMatchState', { matchGuid });
    expect(match.you.presence).toBe('present');
    await newer.do('discardMaps', { matchGuid, cardGuids: [] });
    await partWays(newer, lars, matchGuid);
    expect(lars.updates.some((update) => update.match.opponent.presence === 'away')).toBe(false);
  });
});
