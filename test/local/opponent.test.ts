import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Script } from '../../src/local/bot.ts';
import { PLAYERS } from '../../src/local/exhibition.ts';
import { type Opponent, openOpponent } from '../../src/local/opponent.ts';
import { meetAnybody } from '../../src/local/seed.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { LivePeer } from '../harness/live.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { type SocketPlayer, scoreOf } from '../harness/socket-player.ts';

/** The bot of `npm run dev -- --opponent`, played with by anybody who joins. */

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  // Limits as everybody has them: the bot is to keep within them.
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
  ({ queueGuid } = await service.openQueue());
  await meetAnybody(service, queueGuid);
});
afterAll(() => service.stop());

let opponent: Opponent | undefined;
const problems: string[] = [];
afterEach(() => {
  opponent?.close();
  expect(problems.splice(0)).toEqual([]);
});

/** The timeline, as far as it is written. */
let timeline: { text(): string; says(part: string): Promise<void> };

async function open(script?: Script, thinkMs = 10): Promise<void> {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => (text += chunk));
  timeline = {
    text: () => text,
    says: (part) =>
      new Promise((resolve) => {
        const look = () => text.includes(part) && resolve();
        stream.on('data', look);
        look();
      }),
  };
  opponent = await openOpponent({
    stack: { ...service, pluginVersion: PLUGIN_VERSION },
    queueGuid,
    script,
    thinkMs,
    songMs: () => 60,
    stream,
    onProblem: (problem) => void problems.push(problem),
  });
}

/** The player meets the bot. @returns the match at the first pick */
async function meetBot(player: SocketPlayer): Promise<string> {
  await player.do('joinQueue', { queueGuid });
  const { matchGuid } = await player.status('waiting_players');
  await player.do('joinMatch', { matchGuid });
  await player.status('awaiting_discards');
  await player.do('discardMaps', { matchGuid, cardGuids: [] });
  await player.status('awaiting_pick');
  return matchGuid;
}

/** The player whose turn it is picks a map. @returns the round */
async function prepare(player: SocketPlayer): Promise<number> {
  const { matchGuid, pickerGuid, you } = await player.status('awaiting_pick', 'preparing');
  if (pickerGuid === you.player.playerGuid)
    await player.do('selectMap', { matchGuid, cardGuid: you.hand[0].cardGuid });
  return (await player.status('preparing')).roundNumber;
}

async function startMap(player: SocketPlayer): Promise<void> {
  const roundNumber = await prepare(player);
  await player.do('setReady', { matchGuid: player.match.matchGuid, roundNumber, state: 'ready' });
  await player.status('playing');
}

async function submit(player: SocketPlayer): Promise<any> {
  const { matchGuid, roundNumber, currentMap } = player.match;
  return (await player.do('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.9) })).match;
}

test('plays with everybody who joins, again and again, and the timeline shows each match', async () => {
  await open();
  for (const name of ['Kim', 'Lea', 'Kim']) {
    const player = await service.connect(name);
    const matchGuid = await meetBot(player);
    await startMap(player);
    await submit(player);
    await player.status('round_results', 'awaiting_pick');
    await player.do('forfeit', { matchGuid });
    expect((await player.status('completed')).result.reason).toBe('forfeit');
    player.leave();
    await timeline.says(`match ${matchGuid}`);
  }
  expect(timeline.text()).toContain('Kim has the map');
  expect(timeline.text()).toContain('Lea has finished the map');
});

test('comes back to the queue each time its opponent leaves before the first pick', async () => {
  await open();
  for (const name of ['Mia', 'Noa']) {
    const player = await service.connect(name);
    await meetBot(player);
    await player.do('forfeit', { matchGuid: player.match.matchGuid });
    expect((await player.status('aborted')).result.reason).toBe('left_before_first_pick');
    player.leave();
  }
});

test('plays on with the next player when a match ends before it has sent its score', async () => {
  await open(undefined, 200);
  const first = await service.connect('Vera');
  const matchGuid = await meetBot(first);
  await startMap(first);
  await first.do('forfeit', { matchGuid });
  await first.status('completed');
  first.leave();
  const next = await service.connect('Willi');
  const nextGuid = await meetBot(next);
  await next.do('forfeit', { matchGuid: nextGuid });
  expect((await next.status('aborted')).matchGuid).not.toBe(matchGuid);
});

test('drop: loses its connection while a map is played, and comes back', async () => {
  await open('drop');
  const player = await service.connect('Olaf');
  const matchGuid = await meetBot(player);
  await startMap(player);
  await player.until(() => player.match.opponent.presence === 'away', 'the lost connection');
  expect(player.match.status).toBe('playing');
  await player.until(() => player.match.opponent.presence === 'present', 'the return');
  await submit(player);
  const { rounds } = await player.status('round_results');
  expect(rounds[0].scores.map(({ submitted }: any) => submitted)).toEqual([true, true]);
  await player.do('forfeit', { matchGuid });
});

test('discard-nothing: exchanges no card', async () => {
  await open('discard-nothing');
  const player = await service.connect('Pia');
  const matchGuid = await meetBot(player);
  await startMap(player);
  await player.do('forfeit', { matchGuid });
  await player.status('completed');
  const { body } = await service.request(null, 'GET', `/matches/${matchGuid}/log`);
  const discards = body.events
    .map(({ event }: any) => event)
    .filter(({ type }: any) => type === 'discardMaps');
  expect(discards.map(({ cardGuids }: any) => cardGuids)).toEqual([[], []]);
});

test('fail-download: fails in the first round, and not in the second', async () => {
  await open('fail-download');
  const player = await service.connect('Quin');
  const matchGuid = await meetBot(player);
  const roundNumber = await prepare(player);
  await player.until(() => player.match.opponent.ready === 'failed', 'the failed download');
  // Both failed: the round is over at once.
  await player.do('setReady', { matchGuid, roundNumber, state: 'failed' });
  await startMap(player);
  expect(player.match.roundNumber).toBe(2);
  await player.do('forfeit', { matchGuid });
});

test('late-score: sends its score after its song has ended and its opponent has sent one', async () => {
  await open('late-score', 60);
  const spectator = await LivePeer.open(service.url, PLAYERS[0].platformId);
  const player = await service.connect('Rosa');
  const matchGuid = await meetBot(player);
  await startMap(player);
  await spectator.until(
    () => spectator.frames.some((frame) => frame.includes('"end"')),
    'the end of its song',
  );
  spectator.leave();
  expect((await submit(player)).opponent.scoreSubmitted).toBe(false);
  const { rounds } = await player.status('round_results');
  expect(rounds[0].scores.map(({ submitted }: any) => submitted)).toEqual([true, true]);
  await player.do('forfeit', { matchGuid });
});

test('forfeit: gives up before the second round', async () => {
  await open('forfeit');
  const player = await service.connect('Sara');
  await meetBot(player);
  await startMap(player);
  await submit(player);
  const { result, rounds } = await player.status('completed');
  expect([result.outcome, result.reason, rounds.length]).toEqual(['win', 'forfeit', 1]);
});

test('bad-replay: claims more than its replays show', async () => {
  await open('bad-replay');
  const player = await service.connect('Tom');
  const matchGuid = await meetBot(player);
  await startMap(player);
  await timeline.says(`${PLAYERS[0].name}'s round 1 is mismatch`);
  await submit(player);
  const { rounds, opponent: bot } = await player.status('round_results');
  const claimed = rounds[0].scores.find(({ playerGuid }: any) => playerGuid === bot.player.playerGuid);
  expect(claimed.replay).toBe('mismatch');
  await player.do('forfeit', { matchGuid });
});
