import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, scoreOf, toFirstPick, toPlaying } from '../harness/socket-player.ts';
import { valuesIn } from '../harness/values.ts';
import { envelopeOf, told } from './shapes.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

/** A player whose every word, asked for or not, is held to the contract's shapes. */
async function strict(name: string): Promise<SocketPlayer & { misfits: string[] }> {
  const player = await service.connect(name);
  const misfits: string[] = [];
  player.socket.onAny((event: string, ...payloads: unknown[]) => {
    if (payloads.length !== 1) misfits.push(`${event} carries ${payloads.length} payloads`);
    const fits = told[event]?.safeParse(payloads[0]);
    if (!fits?.success) misfits.push(`${event}: ${fits?.error.message}`);
  });
  const ask = player.ask.bind(player);
  player.ask = async (event, payload) => {
    const answer = await ask(event, payload);
    const fits = envelopeOf(event).safeParse(answer);
    if (!fits.success) misfits.push(`the answer to ${event}: ${fits.error.message}`);
    return answer;
  };
  return Object.assign(player, { misfits });
}

const other = (a: SocketPlayer, b: SocketPlayer, one: SocketPlayer) => (one === a ? b : a);

describe('every message to a player has exactly the members of the contract', () => {
  test('in a match that is played to its end, with every message sent', async () => {
    const [anna, bert] = [await strict('Anna'), await strict('Bert')];
    for (const player of [anna, bert]) await player.do('hello');
    await anna.do('joinQueue', { queueGuid });
    expect((await anna.do('hello')).queueEntry).not.toBeNull();
    await anna.do('leaveQueue');
    const matchGuid = await meet(anna, bert, queueGuid);
    await anna.do('hello');
    await anna.refused('selectMap', { matchGuid, cardGuid: anna.match.you.hand[0].cardGuid });
    await anna.do('discardMaps', { matchGuid, cardGuids: [anna.match.you.hand[0].cardGuid] });
    await bert.do('discardMaps', { matchGuid, cardGuids: [] });
    await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);

    for (let round = 1; anna.match.status !== 'completed'; round++) {
      const picker = anna.match.pickerGuid === anna.match.you.player.playerGuid ? anna : bert;
      const waiter = other(anna, bert, picker);
      await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
      const roundNumber = round;
      const ready = { matchGuid, roundNumber };
      await waiter.do('setReady', { ...ready, state: 'downloading' });
      await waiter.do('setReady', { ...ready, state: 'downloading', progress: 0.25 });
      await waiter.do('setReady', { ...ready, state: 'failed' });
      await waiter.do('setReady', { ...ready, state: 'ready' });
      await picker.do('setReady', { ...ready, state: 'ready' });
      const { currentMap } = await anna.status('playing');
      await anna.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.9) });
      await bert.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.3), failed: true });
      await Promise.all([
        anna.status('awaiting_pick', 'completed'),
        bert.status('awaiting_pick', 'completed'),
      ]);
    }
    await anna.do('getMatchState', { matchGuid });
    expect((await anna.do('hello')).lastMatch).toMatchObject({ matchGuid, result: { reason: 'health' } });
    expect([...anna.misfits, ...bert.misfits]).toEqual([]);
    const causes = new Set(anna.updates.map((update) => update.cause.type));
    expect([...causes].sort()).toEqual(
      [
        'created',
        'playerJoined',
        'discarded',
        'pickStarted',
        'mapSelected',
        'readyChanged',
        'mapStarted',
        'scoreSubmitted',
        'roundFinished',
        'finished',
      ].sort(),
    );
  });

  test('in a match with a lost connection and a forfeit', async () => {
    const [cara, dirk] = [await strict('Cara'), await strict('Dirk')];
    const matchGuid = await meet(cara, dirk, queueGuid);
    cara.drop();
    await dirk.until(() => dirk.match.opponent.presence === 'away', 'the other being away');
    expect(dirk.updates.at(-1).cause).toEqual({
      type: 'presenceChanged',
      playerGuid: dirk.match.opponent.player.playerGuid,
    });
    expect(dirk.match.opponent.awayDeadlineAt).not.toBeNull();
    const again = await strict('Cara');
    await again.do('hello');
    await again.do('forfeit', { matchGuid });
    expect((await again.do('hello')).penalty).toMatchObject({ reason: 'left_before_first_pick' });
    await dirk.until(() => dirk.queueUpdates.at(-1)?.reason === 'requeued', 'being queued again');
    await dirk.do('leaveQueue');
    expect([...cara.misfits, ...dirk.misfits, ...again.misfits]).toEqual([]);
  });
});

describe('a player does not see hidden data:', () => {
  test('the opponent, before both have joined, over the socket or over HTTP', async () => {
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const { player } = await fred.do('hello');
    for (const one of [emil, fred]) await one.do('joinQueue', { queueGuid });
    const { matchGuid } = await emil.status('waiting_players');
    await fred.status('waiting_players');
    await fred.do('joinMatch', { matchGuid });
    await emil.until(() => emil.updates.at(-1).cause.type === 'playerJoined', 'the other having joined');
    fred.drop();
    await emil.until(() => emil.updates.at(-1).cause.type === 'presenceChanged', 'the other being away');
    const heard = JSON.stringify([emil.updates, await emil.do('getMatchState', { matchGuid })]);
    for (const trace of [player.playerGuid, player.platformId, 'Fred']) expect(heard).not.toContain(trace);

    // Neither by reading the match nor by asking which matches a suspect plays.
    for (const path of [
      `/matches/${matchGuid}`,
      '/matches',
      '/matches?status=waiting_players',
      '/matches?state=running',
      `/matches?state=running&playerGuid=${player.playerGuid}`,
      `/matches?playerGuid=${player.playerGuid}`,
      `/matches?status=waiting_players&playerGuid=${player.playerGuid}`,
      `/players/${player.playerGuid}/matches`,
    ]) {
      const { status, body } = await service.request(null, 'GET', path);
      expect(status).toBe(200);
      if (path.includes('playerGuid') || path.startsWith('/players')) expect(body.items).toEqual([]);
      else expect(JSON.stringify(body)).not.toContain(player.playerGuid);
    }
    await emil.do('forfeit', { matchGuid });
    const back = await service.connect('Fred');
    await back.do('leaveQueue');
  });

  test('hands and a lone score, over the socket or over HTTP', async () => {
    const [gina, hans] = [await service.connect('Gina'), await service.connect('Hans')];
    const matchGuid = await meet(gina, hans, queueGuid);
    const [picker, waiter] = await toFirstPick(gina, hans, matchGuid);
    const { roundNumber, currentMap } = await toPlaying(picker, waiter, matchGuid);
    const score = scoreOf(currentMap, 0.777);
    await gina.do('submitScore', { matchGuid, roundNumber, ...score });
    await hans.until(() => hans.match.opponent.scoreSubmitted, 'a score of the other');
    const { match } = await hans.do('getMatchState', { matchGuid });
    expect(match.rounds).toEqual([]);
    expect(match.opponent.health).toBe(1);
    const { body } = await service.request(null, 'GET', `/matches/${matchGuid}`);
    expect(body.rounds).toEqual([]);
    expect(body.seed).toBeNull();
    expect(valuesIn([hans.updates, match, body])).not.toContain(score.rawScore);
    const heard = JSON.stringify([hans.updates, match, body]);
    for (const card of gina.match.you.hand) {
      expect(heard).not.toContain(card.cardGuid);
      expect(heard).not.toContain(card.map.mapGuid);
    }
    await hans.do('forfeit', { matchGuid });
  });
});
