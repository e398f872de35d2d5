import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, scoreOf, toFirstPick } from '../harness/socket-player.ts';
import { openRaw } from './raw-socket.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const SOME_GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
const messageOf = async (player: SocketPlayer, event: string, payload: object): Promise<string> => {
  const answer = await player.ask(event, payload);
  return answer.ok ? 'accepted' : answer.error.message;
};

describe('messages that no client library sends are answered:', () => {
  const connectRaw = async (name: string) => {
    const raw = await openRaw(service.url);
    const token = await service.identityProvider.gameToken({
      platformId: `88${name.length}${name.charCodeAt(0)}`,
      username: name,
    });
    raw.send(`40${JSON.stringify({ token, pluginVersion: '1.0.0' })}`);
    await raw.frame('40');
    return raw;
  };
  const answerTo = async (frame: string): Promise<any> => {
    const raw = await connectRaw('Raw');
    raw.send(frame);
    const answer = JSON.parse((await raw.frame('437')).slice(3))[0];
    raw.close();
    return answer;
  };

  test.each([
    ['a number for a name', '427[5,{}]'],
    ['the name "error"', '427["error",{}]'],
    ['a name of the prototype', '427["constructor",{}]'],
    ['an empty name', '427["",{}]'],
  ])('%s is an unknown event', async (_case, frame) => {
    expect(await answerTo(frame)).toEqual({
      ok: false,
      error: { code: 'UNKNOWN_EVENT', message: expect.any(String) },
    });
  });

  test.each([
    ['null', '427["hello",null]'],
    ['a list', '427["hello",[]]'],
    ['a second payload', '427["hello",{},{}]'],
    ['an unknown member', '427["hello",{"a":1}]'],
  ])('%s for a payload does not fit', async (_case, frame) => {
    expect((await answerTo(frame)).error.code).toBe('VALIDATION_FAILED');
  });

  test('a missing payload counts as an empty one', async () => {
    expect((await answerTo('427["hello"]')).ok).toBe(true);
  });

  test('a message just below 32 KiB is answered, a longer one closes the connection', async () => {
    const raw = await connectRaw('Long');
    const around = '427["hello",{"a":""}]'.length;
    raw.send(`427["hello",{"a":"${'x'.repeat(32 * 1024 - around)}"}]`);
    expect(await raw.frame('437')).toContain('VALIDATION_FAILED');
    raw.send(`428["hello",{"a":"${'x'.repeat(32 * 1024)}"}]`);
    await raw.closed;
  });
});

describe('a repeated command has no second effect:', () => {
  test('in the next phases, and when the match has ended', async () => {
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    const given = anna.match.you.hand.slice(0, 2).map((card: any) => card.cardGuid);
    const sent: [SocketPlayer, string, object][] = [];
    const send = async (player: SocketPlayer, event: string, payload: object) => {
      sent.push([player, event, payload]);
      return player.do(event, payload);
    };
    await send(anna, 'joinMatch', { matchGuid });
    await send(anna, 'discardMaps', { matchGuid, cardGuids: given });
    await send(bert, 'discardMaps', { matchGuid, cardGuids: [] });
    await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);
    const picker = anna.match.pickerGuid === anna.match.you.player.playerGuid ? anna : bert;
    await send(picker, 'selectMap', { matchGuid, cardGuid: picker.match.you.hand[1].cardGuid });
    await Promise.all([anna.status('preparing'), bert.status('preparing')]);
    const round = { matchGuid, roundNumber: 1 };
    await send(anna, 'setReady', { ...round, state: 'downloading' });
    await send(anna, 'setReady', { ...round, state: 'downloading', progress: 0.5 });
    await send(anna, 'setReady', { ...round, state: 'ready' });
    await send(bert, 'setReady', { ...round, state: 'failed' });
    await send(bert, 'setReady', { ...round, state: 'ready' });
    const { currentMap } = await anna.status('playing');
    await send(anna, 'submitScore', { ...round, ...scoreOf(currentMap, 0.8) });

    const again = async () => {
      const before = (await anna.do('getMatchState', { matchGuid })).match;
      for (const [player, event, payload] of sent) {
        const answer = await player.ask(event, payload);
        expect(answer, `${event} ${JSON.stringify(payload)}`).toMatchObject({ ok: true });
        if (answer.ok) expect(answer.data.match.status).toBe(before.status);
      }
      const { time: _then, remainingMs: _left, startsInMs: _start, ...unchanged } = before;
      expect((await anna.do('getMatchState', { matchGuid })).match).toMatchObject(unchanged);
    };
    await again();
    await send(bert, 'submitScore', { ...round, ...scoreOf(currentMap, 0.7) });
    await Promise.all([anna.status('awaiting_pick'), bert.status('awaiting_pick')]);
    await again();
    await send(bert, 'forfeit', { matchGuid });
    await anna.status('completed');
    await again();

    // Other ones than the first are refused, in any phase.
    expect(await anna.refused('discardMaps', { matchGuid, cardGuids: [] })).toBe('DISCARD_ALREADY_DONE');
    expect(await anna.refused('submitScore', { ...round, ...scoreOf(currentMap, 0.81) })).toBe(
      'SCORE_ALREADY_SUBMITTED',
    );
    expect(
      await picker.refused('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid }),
    ).toBe('WRONG_PHASE');
    expect(await anna.refused('forfeit', { matchGuid })).toBe('WRONG_PHASE');
    expect(await anna.refused('setReady', { ...round, state: 'failed' })).toBe('WRONG_PHASE');
  });
});

describe('a refused command changes nothing and has a code:', () => {
  test('in every phase of a match', async () => {
    const [cara, dirk, stranger] = [
      await service.connect('Cara'),
      await service.connect('Dirk'),
      await service.connect('Sven'),
    ];
    expect(await cara.refused('joinQueue', { queueGuid: SOME_GUID })).toBe('QUEUE_NOT_FOUND');
    const { queueGuid: otherQueue } = await service.openQueue();
    await cara.do('joinQueue', { queueGuid });
    expect(await cara.refused('joinQueue', { queueGuid: otherQueue })).toBe('ALREADY_QUEUED');
    await dirk.do('joinQueue', { queueGuid });
    const { matchGuid } = await cara.status('waiting_players');
    await dirk.status('waiting_players');
    const versions = async () => (await cara.do('getMatchState', { matchGuid })).match.version;

    for (const queue of [queueGuid, otherQueue])
      expect(await cara.refused('joinQueue', { queueGuid: queue })).toBe('ALREADY_IN_MATCH');
    for (const event of ['joinMatch', 'forfeit', 'getMatchState']) {
      expect(await stranger.refused(event, { matchGuid })).toBe('MATCH_NOT_FOUND');
      expect(await stranger.refused(event, { matchGuid: SOME_GUID })).toBe('MATCH_NOT_FOUND');
    }
    expect(await messageOf(cara, 'discardMaps', { matchGuid, cardGuids: [] })).toContain('waiting_players');
    expect(await versions()).toBe(1);
    await Promise.all([cara.do('joinMatch', { matchGuid }), dirk.do('joinMatch', { matchGuid })]);
    await Promise.all([cara.status('awaiting_discards'), dirk.status('awaiting_discards')]);

    const start = await versions();
    const [one, two, three] = cara.match.you.hand.map((card: any) => card.cardGuid);
    const theirs = dirk.match.you.hand[0].cardGuid;
    const discard = (cardGuids: string[]) => cara.refused('discardMaps', { matchGuid, cardGuids });
    expect(await discard([one, two, three])).toBe('TOO_MANY_DISCARDS');
    expect(await discard([one, one, one])).toBe('TOO_MANY_DISCARDS');
    expect(await discard([one, one])).toBe('DUPLICATE_CARD');
    expect(await discard([one, theirs])).toBe('CARD_NOT_IN_HAND');
    expect(await messageOf(cara, 'discardMaps', { matchGuid, cardGuids: [one, two, three] })).toMatch(/2.*3/);
    expect(await messageOf(cara, 'selectMap', { matchGuid, cardGuid: one })).toContain('awaiting_discards');
    expect(await versions()).toBe(start);

    const [picker, waiter] = await toFirstPick(cara, dirk, matchGuid);
    const own = picker.match.you.hand[0].cardGuid;
    const other = waiter.match.you.hand[0].cardGuid;
    expect(await waiter.refused('selectMap', { matchGuid, cardGuid: other })).toBe('NOT_YOUR_TURN');
    expect(await waiter.refused('selectMap', { matchGuid, cardGuid: SOME_GUID })).toBe('NOT_YOUR_TURN');
    expect(await picker.refused('selectMap', { matchGuid, cardGuid: other })).toBe('CARD_NOT_IN_HAND');
    expect(await picker.refused('setReady', { matchGuid, roundNumber: 1, state: 'ready' })).toBe(
      'WRONG_PHASE',
    );
    await picker.do('selectMap', { matchGuid, cardGuid: own });
    await Promise.all([cara.status('preparing'), dirk.status('preparing')]);

    expect(await messageOf(cara, 'setReady', { matchGuid, roundNumber: 2, state: 'ready' })).toMatch(/1.*2/);
    // Merged or not, progress of another round is no progress.
    for (let times = 0; times < 3; times++)
      expect(
        await cara.refused('setReady', { matchGuid, roundNumber: 2, state: 'downloading', progress: 0.1 }),
      ).toBe('WRONG_ROUND');
    for (const progress of [-0.1, 1.1, 'half'])
      expect(
        await cara.refused('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress }),
      ).toBe('VALIDATION_FAILED');
    expect(await cara.refused('setReady', { matchGuid, roundNumber: 1, state: 'away' })).toBe(
      'VALIDATION_FAILED',
    );
    await Promise.all(
      [cara, dirk].map((one) => one.do('setReady', { matchGuid, roundNumber: 1, state: 'ready' })),
    );
    const { currentMap } = await cara.status('playing');
    await dirk.status('playing');

    const score = scoreOf(currentMap, 0.5);
    const submit = (change: object) =>
      cara.refused('submitScore', { matchGuid, roundNumber: 1, ...score, ...change });
    expect(await submit({ roundNumber: 2 })).toBe('WRONG_ROUND');
    expect(await submit({ rawScore: currentMap.maxScore + 1, modifiedScore: currentMap.maxScore + 1 })).toBe(
      'SCORE_IMPOSSIBLE',
    );
    expect(await submit({ rawScore: -1, modifiedScore: -1 })).toBe('SCORE_IMPOSSIBLE');
    expect(await submit({ modifiedScore: score.modifiedScore + 1 })).toBe('SCORE_IMPOSSIBLE');
    expect(await submit({ noFailTriggered: true })).toBe('SCORE_IMPOSSIBLE');
    expect(await submit({ fullCombo: true, missCount: 1 })).toBe('SCORE_IMPOSSIBLE');
    expect(await submit({ rawScore: 0.5 })).toBe('VALIDATION_FAILED');
    expect(await submit({ missCount: -1 })).toBe('VALIDATION_FAILED');
    expect(await submit({ missCount: undefined })).toBe('VALIDATION_FAILED');
    expect((await cara.do('getMatchState', { matchGuid })).match.you.scoreSubmitted).toBe(false);
    await cara.do('forfeit', { matchGuid });
    expect(await messageOf(dirk, 'submitScore', { matchGuid, roundNumber: 1, ...score })).toContain(
      'completed',
    );
    for (const player of [cara, dirk, stranger]) player.leave();
  });

  test('in a pool of ten maps discarded cards are replaced by those of the other hand', async () => {
    const { queueGuid: small } = await service.openQueue({ maps: 10, rules: { maxDiscards: 5 } });
    const [emil, fred] = [await service.connect('Emil'), await service.connect('Fred')];
    const matchGuid = await meet(emil, fred, small);
    const all = emil.match.you.hand.map((card: any) => card.cardGuid);
    const { match } = await emil.do('discardMaps', { matchGuid, cardGuids: all });
    const held = match.you.hand.map((card: any) => card.map.mapGuid).sort();
    expect(held).toEqual(fred.match.you.hand.map((card: any) => card.map.mapGuid).sort());
    expect(match.you.hand.map((card: any) => card.cardGuid)).not.toContain(fred.match.you.hand[0].cardGuid);
    await fred.do('forfeit', { matchGuid });
  });
});

describe('download progress', () => {
  test('faster than twice a second is merged and not refused, and does not come after a later state', async () => {
    const limited = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
    try {
      const { queueGuid: queue } = await limited.openQueue();
      const [gina, hans] = [await limited.connect('Gina'), await limited.connect('Hans')];
      const matchGuid = await meet(gina, hans, queue);
      const [picker] = await toFirstPick(gina, hans, matchGuid);
      await picker.do('selectMap', { matchGuid, cardGuid: picker.match.you.hand[0].cardGuid });
      const { version } = await gina.status('preparing');
      const answers = await Promise.all(
        Array.from({ length: 150 }, (_, at) =>
          gina.ask('setReady', {
            matchGuid,
            roundNumber: 1,
            state: 'downloading',
            progress: (at + 1) / 200,
          }),
        ),
      );
      expect(answers.filter((answer) => !answer.ok)).toEqual([]);
      await hans.until(() => hans.match.opponent.progress === 0.75, 'the last progress');
      expect(hans.match.version).toBeLessThanOrEqual(version + 4);
      expect(hans.match.opponent.ready).toBe('downloading');
      // A state is never merged, and puts an end to what waits.
      await gina.do('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress: 0.8 });
      await gina.do('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress: 0.9 });
      await gina.do('setReady', { matchGuid, roundNumber: 1, state: 'ready' });
      // Progress of the other player that waits as long, and begins to wait later.
      for (const progress of [0.1, 0.2])
        await hans.do('setReady', { matchGuid, roundNumber: 1, state: 'downloading', progress });
      await gina.until(() => gina.match.opponent.progress === 0.2, 'the progress of the other');
      await hans.do('getMatchState', { matchGuid });
      expect(hans.match.opponent).toMatchObject({ ready: 'ready', progress: null });
    } finally {
      await limited.stop();
    }
  });
});
