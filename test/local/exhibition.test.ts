import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExhibition, PLAYERS } from '../../src/local/exhibition.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { LivePeer } from '../harness/live.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  // Limits as everybody has them: the bots are to keep within them.
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
});
afterAll(() => service.stop());

test('the bots of the local stack can be watched: each song from its beginning to its end, with its mistakes', async () => {
  const { queueGuid } = await service.openQueue();
  const exhibition = await openExhibition({
    stack: { ...service, pluginVersion: PLUGIN_VERSION },
    queueGuid,
    fractionFor: () => Math.random,
    thinkMs: 10,
    songMs: () => 100,
    stream: new PassThrough().resume(),
  });
  const spectator = await LivePeer.open(service.url, PLAYERS[0].platformId);
  const [view] = await exhibition.play();
  exhibition.close();

  const { rounds } = view;
  expect(rounds.length).toBeGreaterThan(0);
  const frames = () => spectator.frames.map((frame) => JSON.parse(frame.toString()));
  await spectator.until(
    () => frames().filter(({ type }) => type === 'end').length === rounds.length,
    'the end of every song',
  );
  spectator.leave();
  const songs = frames().filter(({ type }) => type === 'song');
  expect(songs.map(({ roundNumber, map }) => [roundNumber, map.hash])).toEqual(
    rounds.map(({ roundNumber, map }) => [roundNumber, map.hash]),
  );
  const ends = frames().filter(({ type }) => type === 'end');
  for (const [nth, { cuts, badCuts, misses }] of ends.entries()) {
    expect(cuts + badCuts + misses).toBe(songs[nth].notes);
    expect(cuts).toBeGreaterThan(0);
  }
});
