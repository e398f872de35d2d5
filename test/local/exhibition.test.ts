import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openExhibition, PLAYERS } from '../../src/local/exhibition.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { LivePeer } from '../harness/live.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  // Limits as everybody has them: the bots are to keep within them.
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

test('the bots of the local stack can be watched: each song from its beginning to its end, with its mistakes', async () => {
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

test('a ban of a bot while its match waits for it is a problem that is told, and it plays again once the ban is lifted', async () => {
  const players = [
    { platformId: '9000000000000301', name: 'Elara', skill: 0.93 },
    { platformId: '9000000000000302', name: 'Fornax', skill: 0.92 },
  ] as const;
  const stream = new PassThrough();
  const paired = new Promise<void>((resolve) => {
    stream.on('data', (chunk) => String(chunk).includes('paired') && resolve());
  });
  const exhibition = await openExhibition({
    stack: { ...service, pluginVersion: PLUGIN_VERSION },
    queueGuid,
    players,
    fractionFor: () => Math.random,
    thinkMs: 200,
    songMs: () => 60,
    stream,
  });
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    exhibition.close();
  });

  const { body: found } = await service.request('admin', 'GET', '/players?query=Fornax');
  const bans = `/players/${found.items[0].playerGuid}/bans`;
  const first = exhibition.play();
  await paired;
  const { body: ban } = await service.request('admin', 'POST', bans, { reason: 'Tried', until: null });
  const lift = () => service.request('admin', 'DELETE', `${bans}/${ban.banGuid}`);
  onTestFinished(async () => void (await lift()));
  await first.catch(() => undefined);
  // The match may end before the connection does.
  const attempt = () => exhibition.play().catch((error: Error) => error.message);
  await expect.poll(attempt).toContain('Fornax was refused: ');
  expect((await lift()).status).toBe(204);
  const [view] = await exhibition.play();
  expect(view.status).toBe('completed');
  expect(rejections).toEqual([]);
});
