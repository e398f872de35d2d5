import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readReplay, replaySections } from '../../src/domains/replays/index.ts';
import { playMap } from '../../src/local/play.ts';
import { cut } from '../../src/platform/database/silence.ts';
import { refusal } from '../harness/curation.ts';
import { waitingForLocks } from '../harness/database.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { draft } from './plays.ts';
import {
  answerTo,
  fetchNoCovers,
  incomingFiles,
  openUpload,
  playRound,
  publish as publishTo,
} from './round.ts';

let service: TestService;
let queueGuid: string;

beforeAll(async () => {
  service = await startTestService({});
  ({ queueGuid } = await service.openQueue());
  await fetchNoCovers(service);
});
afterAll(() => service.stop());

const played = (options: Parameters<typeof playRound>[2] = {}) => playRound(service, queueGuid, options);
const publish = (
  round: Parameters<typeof publishTo>[1],
  player: Parameters<typeof publishTo>[2],
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
) => publishTo(service, round, player, body, headers);

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const storedFiles = async () => {
  const folder = path.join(service.environment.STORAGE_DIR as string, 'replays');
  return readdir(folder).catch(() => []);
};
const get = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(`${service.url}${url}`, { headers, method });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('a replay that agrees with its score', () => {
  test('is verified, shown to both players and, after the match, to everybody', async () => {
    const match = await played();
    const [a, b] = match.players;
    const answer = await publish(match, a, a.play.replay);
    expect(answer.status).toBe(201);
    expect(answer.body.checks.filter(({ ok }: any) => !ok)).toEqual([]);
    expect(answer.body).toEqual({
      replayGuid: expect.any(String),
      verdict: 'verified',
      checks: expect.arrayContaining([
        { name: 'mapHash', ok: true, decisive: true, expected: match.map.hash, actual: match.map.hash },
      ]),
    });
    expect(answer.body.checks.map(({ name }: any) => name)).toEqual([
      ...['mapHash', 'characteristic', 'difficulty', 'modifiers', 'submittedScore', 'recomputedScore'],
      ...['missCount', 'badCutCount', 'fullCombo', 'notPractice'],
      ...['noteCount', 'notFailed', 'timeWindow', 'gameVersion', 'plausibility', 'player'],
    ]);
    expect(answer.body.checks.map(({ decisive }: any) => decisive)).toEqual(
      Array.from({ length: 16 }, (_, nth) => nth < 10),
    );
    for (const one of [a, b]) {
      const { match: view } = await one.socket.do('getMatchState', { matchGuid: match.matchGuid });
      expect(view.rounds[0].scores.find(({ playerGuid }: any) => playerGuid === a.guid).replay).toBe(
        'verified',
      );
      expect(view.rounds[0].scores.find(({ playerGuid }: any) => playerGuid === b.guid).replay).toBe(
        'missing',
      );
    }
    const { replayGuid } = answer.body;
    const listed = (account: string | null) =>
      service.request(account, 'GET', `/matches/${match.matchGuid}/replays`);
    expect((await listed('developer')).body.items).toMatchObject([
      { ...answer.body, roundNumber: 1, playerGuid: a.guid },
    ]);
    expect(refusal(await listed('player-one'))).toBe('403 FORBIDDEN');
    expect(refusal(await listed(null))).toBe('401 UNAUTHENTICATED');
    const unknown = await service.request('admin', 'GET', `/matches/${replayGuid}/replays`);
    expect(refusal(unknown)).toBe('404 MATCH_NOT_FOUND');
    expect((await get(`/replays/${replayGuid}`)).status).toBe(404);
    expect((await get(`/replays/${replayGuid}/download`)).status).toBe(404);
    await match.finish();
    expect(b.socket.match.rounds[0].scores.map(({ replay }: any) => replay).sort()).toEqual([
      'missing',
      'verified',
    ]);
    const page = JSON.parse(String((await get(`/matches/${match.matchGuid}`)).bytes));
    expect(page.rounds[0].scores.find(({ playerGuid }: any) => playerGuid === a.guid).replay).toBe(
      'verified',
    );
    const shown = JSON.parse(String((await get(`/replays/${replayGuid}`)).bytes));
    expect(shown).toMatchObject({
      ...answer.body,
      matchGuid: match.matchGuid,
      roundNumber: 1,
      playerGuid: a.guid,
      size: a.play.replay.length,
      sha256: sha256Of((await get(`/replays/${replayGuid}/download`)).bytes),
      downloadUrl: `${service.url}/replays/${replayGuid}/download`,
    });
  });

  test('is downloaded without personal data by everybody, and unchanged by staff', async () => {
    const match = await played();
    const [a] = match.players;
    const { replayGuid } = (await publish(match, a, gzipSync(a.play.replay), { 'content-encoding': 'gzip' }))
      .body;
    await match.finish();
    const url = `/replays/${replayGuid}/download`;
    const everybodys = await get(url);
    expect(everybodys.status).toBe(200);
    expect(everybodys.bytes.includes(Buffer.from(a.name))).toBe(false);
    expect(readReplay(everybodys.bytes).info).toEqual({
      ...readReplay(a.play.replay).info,
      playerName: '',
      height: 0,
    });
    const tag = everybodys.headers.get('etag') as string;
    expect((await get(url, { 'if-none-match': tag })).status).toBe(304);
    for (const [from, to] of [
      [0, 9],
      [60, 130],
      [200, 400],
    ] as const) {
      const part = await get(url, { range: `bytes=${from}-${to}` });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${everybodys.bytes.length}`);
      expect(part.bytes.equals(everybodys.bytes.subarray(from, to + 1))).toBe(true);
    }
    expect((await get(url, { range: `bytes=${everybodys.bytes.length}-` })).status).toBe(416);
    const head = await get(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(everybodys.bytes.length)]);

    const token = await service.identityProvider.accountToken('admin');
    const authorization = `Bearer ${token}`;
    const staffs = await get(url, { authorization });
    expect(staffs.bytes.equals(a.play.replay)).toBe(true);
    expect(staffs.headers.get('cache-control')).toBe('no-store');

    // With the hash of the original, anybody can try heights in the copy until the hash matches.
    const sha256 = sha256Of(a.play.replay);
    expect(JSON.parse(String((await get(`/replays/${replayGuid}`, { authorization })).bytes)).sha256).toBe(
      sha256,
    );
    expect(staffs.headers.get('etag')).toBe(`"${sha256}"`);
    const shown = await get(`/replays/${replayGuid}`);
    for (const { bytes, headers } of [everybodys, head, shown])
      expect([String(bytes), ...headers.values()].join()).not.toContain(sha256);
  });

  test('sent again gets the same answer; another file is refused', async () => {
    const match = await played();
    const [a] = match.players;
    const first = await publish(match, a, a.play.replay);
    const again = await publish(match, a, gzipSync(a.play.replay), { 'content-encoding': 'gzip' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const other = playMap({
      map: match.map,
      player: { platformId: platformIdOf(a.name), name: a.name },
      accuracy: 0.5,
      seed: 'another',
      startedAt: Date.now(),
      gameVersion: '1.40.0',
    });
    expect(refusal(await publish(match, a, other.replay))).toBe('409 REPLAY_EXISTS');
  });

  test('sent again gets the same answer after the end of the match has cut off its round; no new one is taken', async () => {
    const match = await played({ submit: false });
    const [a, b] = match.players;
    await match.submitScore(a);
    const first = await publish(match, a, a.play.replay);
    await match.finish();
    const again = await publish(match, a, a.play.replay);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(refusal(await publish(match, a, b.play.replay))).toBe('409 REPLAY_EXISTS');
    expect(refusal(await publish(match, b, b.play.replay))).toBe('409 WRONG_PHASE');
  });

  test('sent twice at once is stored once, and both are answered', async () => {
    const match = await played();
    const [a] = match.players;
    const before = (await storedFiles()).length;
    const answers = await Promise.all([1, 2].map(() => publish(match, a, a.play.replay)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await storedFiles()).length).toBe(before + 1);
  });
});

test('a file stays when the connection breaks while its row is being stored, because the row may still come', async () => {
  const match = await played();
  const [player] = match.players;
  const { pool, prisma } = service.database;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE "Replay" IN EXCLUSIVE MODE');
    const answer = publish(match, player, player.play.replay);
    await expect.poll(() => waitingForLocks(service.database)).toBe(1);
    const calls = query.mock.calls as unknown as [string | pg.QueryConfig][];
    const nth = calls.findIndex(([asked]) => typeof asked === 'object' && asked.name === 'publish-replay');
    cut(query.mock.contexts[nth] as pg.Client);
    expect((await answer).status).toBe(503);
    await holder.query('COMMIT');
  } finally {
    query.mockRestore();
    await holder.query('ROLLBACK');
    holder.release();
  }
  await expect.poll(() => prisma.replay.count({ where: { playerGuid: player.guid } })).toBe(1);
  const again = await publish(match, player, player.play.replay);
  expect(again).toMatchObject({ status: 200, body: { verdict: 'verified' } });
  expect(await prisma.replayUpload.count({ where: { replayGuid: again.body.replayGuid } })).toBe(0);
  await match.finish();
  expect((await get(`/replays/${again.body.replayGuid}/download`)).status).toBe(200);
});

describe('a replay that does not agree', () => {
  test('with its score is a mismatch, changes no result, and is listed with the evidence', async () => {
    const match = await played({ changes: { claim: (score) => Math.floor(score * 0.99) } });
    const [a, b] = match.players;
    const { status, body } = await publish(match, a, a.play.replay);
    expect([status, body.verdict]).toEqual([201, 'mismatch']);
    expect(body.checks.filter(({ ok }: any) => !ok).map(({ name }: any) => name)).toEqual([
      'recomputedScore',
    ]);
    const { match: view } = await b.socket.do('getMatchState', { matchGuid: match.matchGuid });
    expect(view.rounds[0].scores.map(({ replay }: any) => replay)).toContain('mismatch');
    expect(view.rounds[0].scores.find(({ playerGuid }: any) => playerGuid === a.guid).rawScore).toBe(
      a.play.rawScore,
    );

    const list = await service.request(
      'admin',
      'GET',
      `/replay-reviews?status=open&matchGuid=${match.matchGuid}`,
    );
    expect(list.body).toMatchObject({
      items: [
        {
          status: 'open',
          reason: 'mismatch',
          roundNumber: 1,
          player: { playerGuid: a.guid, username: a.name },
          score: { rawScore: a.play.rawScore },
          replay: { replayGuid: body.replayGuid, verdict: 'mismatch', checks: body.checks },
          decision: null,
        },
      ],
      nextCursor: null,
    });
    const { reviewGuid } = list.body.items[0];
    expect(reviewGuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const resolve = (decision: string) =>
      service.request('admin', 'POST', `/replay-reviews/${reviewGuid}/resolve`, {
        decision,
        comment: 'Looked at.',
      });
    expect((await resolve('upheld')).body).toMatchObject({ status: 'resolved', decision: 'upheld' });
    expect((await resolve('upheld')).status).toBe(200);
    expect(refusal(await resolve('dismissed'))).toBe('409 REPLAY_REVIEW_RESOLVED');
    const audit = await service.request('admin', 'GET', '/audit-log?limit=1');
    expect(audit.body.items[0]).toMatchObject({
      action: 'resolveReplayReview',
      target: `/replay-reviews/${reviewGuid}`,
    });
    const open = await service.request(
      'admin',
      'GET',
      `/replay-reviews?status=open&matchGuid=${match.matchGuid}`,
    );
    expect(open.body.items).toEqual([]);
    expect((await service.request('pooler-one', 'GET', '/replay-reviews')).status).toBe(403);
  });

  test('is shown with the evidence of both players of the round, but not to staff who played in it', async () => {
    const match = await played({
      names: ['Local Admin', 'Rival'],
      changes: { claim: (score) => Math.floor(score * 0.99) },
    });
    const [a, b] = match.players;
    const mine = (await publish(match, a, a.play.replay)).body;
    const of = { matchGuid: match.matchGuid, roundNumber: 1, status: 'open', reason: 'mismatch' };
    const permissions = ['role:admin'];
    const token = await service.identityProvider.mint({ sub: 'second', platformId: null, permissions });
    const ask = async (address: string) => {
      const { status, bytes } = await get(address, { authorization: `Bearer ${token}` });
      return { status, body: JSON.parse(bytes.toString()) };
    };
    const listed = async () => (await ask(`/replay-reviews?matchGuid=${match.matchGuid}`)).body.items;
    const part = ({ guid, name, play }: typeof a, replay: object | null) => ({
      player: { playerGuid: guid, platformId: platformIdOf(name), username: name },
      score: expect.objectContaining({ rawScore: play.rawScore }),
      replay: replay && expect.objectContaining({ ...replay, playerGuid: guid, copyOf: null }),
    });
    const [first] = await listed();
    const path = `/replay-reviews/${first.reviewGuid}`;
    expect((await ask(path)).body).toEqual({ ...first, opponent: part(b, null) });
    const theirs = (await publish(match, b, b.play.replay)).body;
    expect((await ask(path)).body).toMatchObject({ ...of, ...part(a, mine), opponent: part(b, theirs) });
    const [, second] = await listed();
    expect((await ask(`/replay-reviews/${second.reviewGuid}`)).body).toEqual({
      ...second,
      opponent: part(a, mine),
    });
    const replays = `/matches/${match.matchGuid}/replays?limit=1`;
    const { body: page } = await ask(replays);
    const { body: rest } = await ask(`${replays}&cursor=${page.nextCursor}`);
    expect([...page.items, ...rest.items].map(({ replayGuid }) => replayGuid).sort()).toEqual(
      [mine.replayGuid, theirs.replayGuid].sort(),
    );
    expect(rest.nextCursor).toBeNull();
    const none = match.matchGuid;
    expect(refusal(await ask(`/replay-reviews/${none}`))).toBe('404 REPLAY_REVIEW_NOT_FOUND');
    expect(refusal(await service.request('admin', 'GET', path))).toBe('403 OWN_MATCH');
    // While the match runs, the list would show a player the other's score of the round.
    const list = `/replay-reviews?matchGuid=${match.matchGuid}`;
    const ownList = async () => (await service.request('admin', 'GET', list)).body.items;
    expect(await ownList()).toEqual([]);
    await b.socket.do('forfeit', { matchGuid: match.matchGuid });
    expect(await ownList()).toHaveLength(2);
    const decision = { decision: 'dismissed', comment: 'Mine.' };
    expect(refusal(await service.request('admin', 'POST', `${path}/resolve`, decision))).toBe(
      '403 OWN_MATCH',
    );
  });

  test('with its round, because it is from another match or of another player, is a mismatch', async () => {
    const match = await played();
    const other = await played();
    const [a, b] = match.players;
    const foreign = await publish(match, a, other.players[0].play.replay);
    expect(foreign.body.verdict).toBe('mismatch');
    const theirs = await publish(match, b, a.play.replay);
    expect(theirs.body.verdict).toBe('mismatch');
    const failed = theirs.body.checks.filter(({ ok }: any) => !ok).map(({ name }: any) => name);
    expect(failed).toEqual(expect.arrayContaining(['submittedScore', 'player']));
  });
});

test('a replay needs the plugin version that its match began with, whatever versions are accepted now', async () => {
  const match = await played();
  const [a, b] = match.players;
  const versions = { [a.guid]: { pluginVersion: '0.5.0', gameVersion: null } };
  await service.database.prisma.match.update({ where: { matchGuid: match.matchGuid }, data: { versions } });
  await match.finish();
  const old = { 'x-service-plugin-version': '0.5.0' };
  expect((await publish(match, a, a.play.replay, old)).status).toBe(201);
  expect(refusal(await publish(match, b, b.play.replay, old))).toBe('426 PLUGIN_VERSION_NOT_ACCEPTED');
});

describe('an upload', () => {
  test('is refused with what is wrong with the token, the plugin, its format or its round', async () => {
    const match = await played();
    const [a] = match.players;
    const send = (changes: Record<string, string>, token = a.token, about: object = {}) =>
      publish({ ...match, ...about }, { token }, a.play.replay, changes).then(refusal);
    const stranger = await service.identityProvider.gameToken({
      platformId: '7700000001',
      username: 'Stranger',
    });
    expect(await send({}, 'nonsense')).toBe('401 UNAUTHENTICATED');
    expect(await send({}, await service.identityProvider.accountToken('admin'))).toBe(
      '403 TOKEN_TYPE_NOT_ALLOWED',
    );
    expect(await send({ 'x-service-plugin-version': '0.0.1' })).toBe('426 PLUGIN_VERSION_NOT_ACCEPTED');
    expect(await send({ 'x-service-plugin-version': '' })).toBe('426 PLUGIN_VERSION_NOT_ACCEPTED');
    expect(await send({ 'content-type': 'application/json' })).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await send({ 'content-encoding': 'br' })).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await send({}, stranger)).toBe('404 MATCH_NOT_FOUND');
    expect(await send({}, a.token, { roundNumber: 2 })).toBe('409 WRONG_PHASE');
    expect(await send({}, a.token, { roundNumber: 0 })).toBe('400 VALIDATION_FAILED');
    expect(await send({}, a.token, { roundNumber: 'x' })).toBe('400 VALIDATION_FAILED');
    expect(await send({}, a.token, { matchGuid: 'x' })).toBe('400 VALIDATION_FAILED');
    expect(await send({}, a.token, { matchGuid: '00000000-0000-7000-8000-000000000000' })).toBe(
      '404 MATCH_NOT_FOUND',
    );
  });

  test('of an unreadable file is refused as unreadable also when its file cannot be removed yet', async () => {
    const match = await played();
    const [a] = match.players;
    const { pool } = service.database;
    await pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER test BEFORE DELETE ON "ReplayUpload" EXECUTE FUNCTION refuse()`);
    const answer = await publish(match, a, a.play.replay.subarray(0, 5000));
    await pool.query('DROP TRIGGER test ON "ReplayUpload"');
    expect(refusal(answer)).toBe('422 REPLAY_UNREADABLE');
  });

  test('of an unreadable file is refused with the offset, and leaves no file', async () => {
    const match = await played();
    const [a] = match.players;
    const before = (await storedFiles()).length;
    const cut = a.play.replay.subarray(0, 5000);
    const answer = await publish(match, a, cut);
    expect(refusal(answer)).toBe('422 REPLAY_UNREADABLE');
    expect(answer.body.error.details).toEqual({ byteOffset: expect.any(Number) });
    expect(refusal(await publish(match, a, Buffer.from('hello')))).toBe('422 REPLAY_UNREADABLE');
    const broken = await publish(match, a, gzipSync(a.play.replay).subarray(0, 1000), {
      'content-encoding': 'gzip',
    });
    expect(refusal(broken)).toBe('422 REPLAY_UNREADABLE');
    expect(refusal(await publish(match, a, Buffer.alloc(0)))).toBe('422 REPLAY_UNREADABLE');
    expect((await storedFiles()).length).toBe(before);
    // The whole file can be published after that.
    expect((await publish(match, a, a.play.replay)).status).toBe(201);
  });

  test('of a gzip bomb is refused before the body has ended', async () => {
    const match = await played();
    const [a] = match.players;
    const before = (await storedFiles()).length;
    const [head, info] = replaySections(draft()) as [Buffer, Buffer];
    // More frames than anybody counts, each of them zeros.
    const endless = gzipSync(Buffer.concat([head, info, Buffer.from('01ffffff7f', 'hex')]));
    // A member of 16 MiB of zeros, over and over: nobody ever sees the end of this.
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const bomb = async (first: Uint8Array) => {
      const body = Readable.from(
        (function* () {
          for (yield first; ; ) yield member;
        })(),
      );
      const request = openUpload(service, match, a, { 'content-encoding': 'gzip' });
      body.pipe(request);
      const answer = await answerTo(request);
      body.destroy();
      request.destroy();
      return refusal(answer);
    };
    expect(await bomb(endless)).toBe('413 PAYLOAD_TOO_LARGE');
    // This one is no replay from its first byte on.
    expect(await bomb(member)).toBe('422 REPLAY_UNREADABLE');
    expect((await storedFiles()).length).toBe(before);
  });

  test('with an announced length that is too large is refused before its body is sent', async () => {
    const match = await played();
    const [a] = match.players;
    const request = openUpload(service, match, a, { 'content-length': String(65 * 1024 * 1024) });
    request.flushHeaders();
    expect((await answerTo(request)).status).toBe(413);
    request.destroy();
  });

  test('that is interrupted leaves no file, and the replay can be sent again', async () => {
    const match = await played();
    const [a] = match.players;
    const before = (await storedFiles()).length;
    const request = openUpload(service, match, a, { 'content-length': String(a.play.replay.length) });
    // Files are written in blocks of 8 KiB; covers of maps arrive in the same folder.
    await new Promise<void>((resolve) => request.write(a.play.replay.subarray(0, 8192), () => resolve()));
    await expect.poll(async () => [...(await incomingFiles(service)).values()]).toContain(8192);
    request.destroy();
    await expect.poll(async () => (await incomingFiles(service)).size).toBe(0);
    expect((await storedFiles()).length).toBe(before);
    expect((await publish(match, a, a.play.replay)).status).toBe(201);
  });

  test('of a banned player is refused', async () => {
    const match = await played();
    const [a] = match.players;
    await service.request('admin', 'POST', `/players/${a.guid}/bans`, { reason: 'Testing.', until: null });
    expect(refusal(await publish(match, a, a.play.replay))).toBe('403 BANNED');
    expect(refusal(await publish(match, a, a.play.replay, { 'x-service-plugin-version': '0.0.1' }))).toBe(
      '426 PLUGIN_VERSION_NOT_ACCEPTED',
    );
  });
});
