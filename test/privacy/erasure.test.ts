import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { subjectOf } from '../../src/local/identity-provider/accounts.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { createRetention } from '../../src/retention.ts';
import { bearer } from '../auth/fixture.ts';
import { ask } from '../harness/ask.ts';
import { refusal } from '../harness/curation.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, type SocketPlayer, toFirstPick, toPlaying } from '../harness/socket-player.ts';
import { createBrowser } from '../local/browser.ts';
import { playRound, publish } from '../replays/round.ts';

const WEBSITE = 'http://website.example';
let service: TestService;
let queueGuid: string;
let admin: string;

beforeAll(async () => {
  service = await startTestService({ environment: { WEBSITE_ORIGINS: WEBSITE } });
  ({ queueGuid } = await service.openQueue());
  admin = await service.identityProvider.accountToken('admin');
});
afterAll(() => service.stop());

const read = (url: string, headers?: Record<string, string>) =>
  ask(`${service.url}${url}`, 'GET', { headers });
const erase = async (
  playerGuid: string,
  headers: Record<string, string> = bearer(admin),
  body: unknown = { confirm: playerGuid },
) => {
  const answer = await ask(`${service.url}/players/${playerGuid}/erase`, 'POST', { headers, body });
  return answer.status === 200 ? { status: 200, ...answer.body } : refusal(answer);
};
const guidOf = async (player: SocketPlayer): Promise<string> => (await player.do('hello')).player.playerGuid;
const newcomer = async (name: string, claims: object = {}) => {
  const token = await service.identityProvider.mint({
    sub: name,
    platformId: null,
    username: name,
    ...claims,
  });
  const { body } = await read('/auth/me', bearer(token));
  return { token, playerGuid: body.playerGuid as string };
};
const ban = (playerGuid: string, reason = 'too loud') =>
  service.request('admin', 'POST', `/players/${playerGuid}/bans`, { reason, until: null });

/** A browser in which an account is signed in. */
async function logIn(account: string) {
  const browser = createBrowser();
  const { url: page } = await browser.open(`${service.url}/auth/login?returnTo=${WEBSITE}/home`);
  const callback = service.environment.OAUTH_CALLBACK_URL ?? `${service.url}/auth/callback`;
  const pressed = await browser.open(page, callback, {
    method: 'POST',
    body: new URLSearchParams({ account }),
  });
  const response = await browser.request(pressed.url);
  const me = async () => {
    const answer = await browser.request(`${service.url}/auth/me`);
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return {
    location: response.headers.get('location') ?? '',
    me,
    erase: async (playerGuid: string) => {
      const answer = await browser.request(`${service.url}/players/${playerGuid}/erase`, {
        method: 'POST',
        headers: { origin: WEBSITE, 'content-type': 'application/json' },
        body: JSON.stringify({ confirm: playerGuid }),
      });
      const body = (await answer.json()) as any;
      return answer.status === 200 ? { status: 200, ...body } : `${answer.status} ${body.error.code}`;
    },
  };
}

/** A text with the bytes in it as text: as they are, and as they were before they were compressed. */
const withBytes = (text: string): string =>
  text.replace(/\\\\x([0-9a-f]+)/g, (_, hex: string) => {
    const bytes = Buffer.from(hex, 'hex');
    try {
      return bytes.toString('latin1') + inflateSync(bytes).toString('latin1');
    } catch {
      return bytes.toString('latin1');
    }
  });

/** Every row of every table, as text. */
async function everyRow(): Promise<string[]> {
  const { prisma } = service.database;
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  expect(tables.length).toBeGreaterThan(40);
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await prisma.$queryRawUnsafe<{ text: string }[]>(
        `SELECT to_jsonb(t)::text AS text FROM "${name}" t`,
      );
      return found.map(({ text }) => `${name} ${withBytes(text)}`);
    }),
  );
  return rows.flat();
}

describe('an erased person', () => {
  test('is in no table, file or answer by name, and the matches stay', async () => {
    const [name, other] = ['Wilma', 'Xaver'];
    const platformId = platformIdOf(name);
    const round = await playRound(service, queueGuid, { names: [name, other] });
    const [a, b] = round.players;
    expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
    // Somebody else's play under the name and the platform id of this person.
    const claiming = replaced(b.play.replay, [platformIdOf(other), platformId], [other, name]);
    const claimed = await publish(service, round, b, claiming);
    expect(checkOf(claimed)).toMatchObject({ ok: false, actual: platformId });
    await service.request('admin', 'PUT', `/players/${a.guid}/roles`, { roles: ['role:pooler'] });
    const report = (token: string, playerGuid: string, comment: string) =>
      fetch(`${service.url}/reports`, {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ matchGuid: round.matchGuid, playerGuid, reason: 'other', comment }),
      });
    expect((await report(a.token, b.guid, 'what I wrote')).status).toBe(201);
    expect((await report(b.token, a.guid, `${name} / ${name.toLowerCase()} / ${platformId}`)).status).toBe(
      201,
    );
    const reports = await read('/reports', bearer(admin));
    const about = reports.body.items.find((one: any) => one.playerGuid === a.guid);
    await service.request('admin', 'PATCH', `/reports/${about.reportGuid}`, {
      status: 'dismissed',
      comment: `${name} is fine`,
    });
    // Texts about other things with the name of this person.
    const written = `${name.toUpperCase()}'s second account, ${platformId}`;
    await ban((await newcomer('Second account')).playerGuid, written);
    const pool = await service.database.prisma.pool.findFirstOrThrow();
    const review = { comment: `${name}, one more`, rows: [{ name: 'A map', comment: `asked\n${name}` }] };
    await service.database.prisma.poolReview.create({
      data: {
        ...{ reviewGuid: newGuid(), poolGuid: pool.poolGuid, revision: 1, reviewerGuid: b.guid },
        ...{ verdict: 'request_changes', createdAt: new Date(), ...review },
      },
    });
    await service.database.prisma.auditEntry.create({
      data: {
        ...{ auditGuid: newGuid(), at: new Date(0), actorGuid: b.guid, action: 'reviewPool' },
        ...{ target: `/pools/${pool.poolGuid}`, after: { ...pool, review } },
      },
    });
    // An action that the service does not know may have texts as well.
    await service.database.prisma.auditEntry.create({
      data: {
        ...{ auditGuid: newGuid(), at: new Date(0), actorGuid: b.guid, action: 'praisePool' },
        ...{ target: `/pools/${pool.poolGuid}`, after: { comment: `${name} chose well` } },
      },
    });
    // Somebody else claims the platform account, which staff are told.
    const thief = await service.identityProvider.mint({
      sub: 'thief',
      platformId,
      tokenType: 'platform:game',
    });
    await read('/auth/me', bearer(thief));
    expect(await erase(a.guid)).toBe('409 ALREADY_IN_MATCH');
    await round.finish();
    const undone = await service.request('admin', 'POST', `/matches/${round.matchGuid}/undo`, {
      reason: `${name} was not well`,
    });
    expect(undone.status).toBe(200);
    const banned = await ban(a.guid, `${name} is too loud`);
    await service.request('admin', 'DELETE', `/players/${a.guid}/bans/${banned.body.banGuid}`);
    const before = await read(`/players/${a.guid}`);
    expect(before.body.username).toBe(name);
    expect((await read(`/players?query=${name}`)).body.items).toHaveLength(1);
    const socket = await service.connect(name);
    await socket.do('joinQueue', { queueGuid });
    const replay = await service.database.prisma.replay.findFirstOrThrow({ where: { playerGuid: a.guid } });
    expect((await everyRow()).filter((row) => row.includes(name)).length).toBeGreaterThan(3);

    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    expect(await erase(a.guid)).toEqual({ status: 200, playerGuid: a.guid });
    await closed;
    expect(socket.notices.at(-1)).toMatchObject({ type: 'erased' });
    expect(await erase(a.guid)).toEqual({ status: 200, playerGuid: a.guid });

    const hidden = [name, platformId, subjectOf(platformId), 'what I wrote'];
    const rows = await vi.waitFor(
      async () => {
        const all = await everyRow();
        // Messages between nodes are taken off the table within a moment.
        expect(all.filter((row) => row.startsWith('PeerMessage'))).toEqual([]);
        return all;
      },
      { timeout: 20_000 },
    );
    const lower = hidden.map((one) => one.toLowerCase());
    expect(rows.filter((row) => lower.some((one) => row.toLowerCase().includes(one)))).toEqual([]);
    expect(rows.filter((row) => row.includes("…'s second account, …"))).toHaveLength(2);
    const folder = service.environment.STORAGE_DIR as string;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = readFileSync(path.join(file.parentPath, file.name), 'latin1');
      for (const one of hidden) expect(bytes.includes(one), file.name).toBe(false);
    }
    const { body: evidence } = await read(`/replays/${claimed.body.replayGuid}`);
    expect(evidence.downloadUrl).toBe(null);
    expect(checkOf({ body: evidence })).toEqual({ ...checkOf(claimed), actual: '0' });

    expect((await read(`/players/${a.guid}`)).body).toMatchObject({
      username: 'Erased player',
      avatarUrl: null,
    });
    for (const query of [name, platformId, 'Erased', '0'])
      expect((await read(`/players?query=${query}`)).body.items).toEqual([]);
    const { body: match } = await read(`/matches/${round.matchGuid}`);
    expect(match.players.find((one: any) => one.playerGuid === a.guid)).toEqual({
      playerGuid: a.guid,
      platformId: '0',
      username: 'Erased player',
      avatarUrl: null,
    });
    const shown = await read(`/replays/${replay.replayGuid}`);
    expect(shown.body).toMatchObject({ verdict: 'verified', downloadUrl: null });
    for (const headers of [{}, bearer(admin)])
      expect((await read(`/replays/${replay.replayGuid}/download`, headers)).body.error.code).toBe(
        'REPLAY_NOT_FOUND',
      );
    const { body: log } = await read('/audit-log?action=erasePlayer', bearer(admin));
    expect(log.items).toMatchObject([{ target: `/players/${a.guid}`, before: null }]);
    expect((await read(`/players/${a.guid}/export`, bearer(admin))).body).toMatchObject({
      player: { username: 'Erased player', subject: null, platformId: null },
      roles: [],
      logins: [],
      connections: [],
    });
    // A sign-in with the same account makes a new player.
    const again = await service.connect(name);
    expect(await guidOf(again)).not.toBe(a.guid);
    expect((await again.do('hello')).penalty).toBe(null);
  });
});

test('an erased person gets no ban and no role, which would have no effect', async () => {
  const { playerGuid } = await newcomer('Gone');
  expect(await erase(playerGuid)).toMatchObject({ status: 200 });
  const roles = await service.request('admin', 'PUT', `/players/${playerGuid}/roles`, {
    roles: ['role:pooler'],
  });
  for (const refused of [await ban(playerGuid), roles])
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PLAYER_ERASED']);
  const { prisma } = service.database;
  expect(await prisma.ban.count({ where: { playerGuid } })).toBe(0);
  expect(await prisma.roleGrant.count({ where: { playerGuid } })).toBe(0);
});

test('a name that only texts about the person have is taken out of all texts, however many they are', async () => {
  const { prisma } = service.database;
  const [{ playerGuid }, other] = [await newcomer('Grumblewick'), await newcomer('Somebody')];
  await prisma.auditEntry.createMany({
    data: Array.from({ length: 101 }, (_, nth) => ({
      ...{ auditGuid: newGuid(), at: new Date(nth), actorGuid: null, action: 'banPlayer' },
      ...{ target: `/players/${playerGuid}/bans/${newGuid()}`, after: { reason: 'Grumblewick is loud' } },
    })),
  });
  await ban(other.playerGuid, 'another account of Grumblewick');
  expect(await erase(playerGuid)).toMatchObject({ status: 200 });
  expect((await everyRow()).filter((row) => row.includes('Grumblewick'))).toEqual([]);
});

test('the erasure of a person whose id is a word of the service changes no text about others', async () => {
  const { prisma } = service.database;
  const { playerGuid } = await newcomer('Worded', { sub: 'Standard' });
  const others = () =>
    prisma.auditEntry.findMany({
      where: { target: { not: `/players/${playerGuid}` } },
      orderBy: { auditGuid: 'asc' },
    });
  const before = await others();
  expect(JSON.stringify(before)).toContain('"Standard"');
  expect(await erase(playerGuid)).toMatchObject({ status: 200 });
  expect(await others()).toEqual(before);
});

test('a name that is a word in many texts stays in texts that are not about the person', async () => {
  const { prisma } = service.database;
  const { playerGuid } = await newcomer('Tech');
  await ban(playerGuid, 'tech is loud');
  const reason = 'one more tech, and fewer streams';
  await prisma.auditEntry.createMany({
    data: Array.from({ length: 101 }, (_, nth) => ({
      ...{ auditGuid: newGuid(), at: new Date(nth), actorGuid: null, action: 'abortMatch' },
      ...{ target: `/matches/${newGuid()}`, after: { reason } },
    })),
  });
  expect(await erase(playerGuid)).toMatchObject({ status: 200 });
  expect((await prisma.ban.findFirstOrThrow({ where: { playerGuid } })).reason).toBe('… is loud');
  expect((await everyRow()).filter((row) => row.includes(reason))).toHaveLength(101);
});

/** A file with texts in place of others of the same length. */
function replaced(file: Uint8Array, ...texts: readonly (readonly [from: string, to: string])[]): Buffer {
  return Buffer.from(
    texts.reduce((bytes, [from, to]) => {
      expect(bytes).toContain(from);
      return bytes.replaceAll(from, to);
    }, Buffer.from(file).toString('latin1')),
    'latin1',
  );
}

const checkOf = ({ body }: { body: any }) => body.checks.find((check: any) => check.name === 'player');

describe('a copy of a play of somebody erased', () => {
  const fileOf = (replayGuid: string) =>
    readdirSync(service.environment.STORAGE_DIR as string, { recursive: true }).filter((one) =>
      String(one).includes(replayGuid),
    );

  test('loses its file, which may have the name in its header, and stays a copy', async () => {
    const [name, other] = ['Berta', 'Ceska'];
    const round = await playRound(service, queueGuid, { names: [name, other] });
    const [a, b] = round.players;
    await publish(service, round, a, a.play.replay);
    const copy = replaced(a.play.replay, [platformIdOf(name), platformIdOf(other)]);
    const { replayGuid } = (await publish(service, round, b, copy)).body;
    await round.finish();
    expect(fileOf(replayGuid)).toHaveLength(1);
    expect(await erase(a.guid)).toMatchObject({ status: 200 });
    expect(fileOf(replayGuid)).toEqual([]);
    const { body } = await read(`/replays/${replayGuid}`);
    expect(body.downloadUrl).toBe(null);
    // It has the platform id of the player who published it.
    expect(checkOf({ body })).toMatchObject({ ok: true, actual: platformIdOf(other) });
    const reviews = await read(`/replay-reviews?playerGuid=${b.guid}`, bearer(admin));
    expect(reviews.body.items.map((one: any) => one.reason)).toContain('copy');
  });

  test('that is published after the erasure is recognised, and its file is not kept', async () => {
    const [name, other] = ['Dolly', 'Emilo'];
    const round = await playRound(service, queueGuid, { names: [name, other] });
    const [a, b] = round.players;
    await publish(service, round, a, a.play.replay);
    await round.finish();
    expect(await erase(a.guid)).toMatchObject({ status: 200 });
    const published = await publish(service, round, b, a.play.replay);
    expect([published.status, checkOf(published)]).toEqual([
      201,
      expect.objectContaining({ ok: false, expected: platformIdOf(other), actual: '0' }),
    ]);
    const { replayGuid } = published.body;
    expect(fileOf(replayGuid)).toEqual([]);
    expect((await read(`/replays/${replayGuid}`)).body).toMatchObject({
      downloadUrl: null,
      checks: published.body.checks,
    });
    const again = await publish(service, round, b, a.play.replay);
    expect([again.status, again.body]).toEqual([200, published.body]);
  });
});

/** The answer of an address; of a stream only what comes first. */
async function get(url: string, headers: Record<string, string> = {}) {
  const left = new AbortController();
  const answer = await fetch(`${service.url}${url}`, {
    headers: { connection: 'close', ...headers },
    signal: left.signal,
  });
  const { status } = answer;
  const etag = answer.headers.get('etag');
  if (!/event-stream/.test(answer.headers.get('content-type') ?? ''))
    return { status, etag, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
  const chunk = await answer.body?.getReader().read();
  left.abort();
  return { status, etag, text: Buffer.from(chunk?.value ?? []).toString('latin1') };
}

test('no page, picture, stream or list shows an erased name, also not to a client with a cached answer', async () => {
  const [name, other] = ['Yolan', 'Zeno'];
  const [one, two] = [await service.connect(name), await service.connect(other)];
  const matchGuid = await meet(one, two, queueGuid);
  await toFirstPick(one, two, matchGuid);
  const [playerGuid, otherGuid] = [await guidOf(one), await guidOf(two)];
  await one.do('forfeit', { matchGuid });
  await one.status('completed', 'aborted');
  await service.request('admin', 'POST', `/matches/${matchGuid}/result`, {
    outcome: 'win',
    winnerGuid: otherGuid,
    reason: `${name} had to leave`,
  });
  const html = { accept: 'text/html' };
  const staff = bearer(admin);
  const asked: [path: string, headers: Record<string, string>][] = [
    ...['/', `/ladder/${queueGuid}`, `/ladder/${queueGuid}?around=${playerGuid}`].map(
      (at) => [at, html] as const,
    ),
    ...[`/player/${playerGuid}`, `/player/${otherGuid}`].map((at) => [at, html] as const),
    ...[`/match/${matchGuid}`, `/overlay/${matchGuid}`].map((at) => [at, html] as const),
    ...['', '/log', '/events'].map((part) => [`/matches/${matchGuid}${part}`, {}] as const),
    ...['', '/matches', '/ratings'].map((part) => [`/players/${playerGuid}${part}`, {}] as const),
    ...['/matches', '/ratings'].map((part) => [`/players/${otherGuid}${part}`, {}] as const),
    ...['/events', '/matches', `/matches?playerGuid=${playerGuid}`].map((at) => [at, {}] as const),
    ...['', `?around=${playerGuid}`].map((part) => [`/leaderboards/${queueGuid}${part}`, {}] as const),
    ...['/audit-log?limit=100', '/reports', '/replay-reviews'].map((at) => [at, staff] as const),
    ...['standing', 'roles', 'bans', 'export'].map(
      (part) => [`/players/${playerGuid}/${part}`, staff] as const,
    ),
    [`/audit-log?target=/matches/${matchGuid}`, staff],
    [`/match/${matchGuid}/preview.png`, {}],
  ].map(([path, headers]) => [path as string, headers as Record<string, string>]);
  const before = await Promise.all(asked.map(([path, headers]) => get(path, headers)));
  const namedIn = asked.filter((_, at) => before[at]?.text.includes(name)).map(([path]) => path);
  expect(namedIn.length).toBeGreaterThan(12);
  expect(namedIn).toContain(`/audit-log?target=/matches/${matchGuid}`);

  expect(await erase(playerGuid)).toMatchObject({ status: 200 });
  for (const [at, [path, headers]] of asked.entries()) {
    const kept = before[at];
    const condition: Record<string, string> = kept?.etag ? { 'if-none-match': kept.etag } : {};
    const after = await get(path, { ...headers, ...condition });
    expect([path, after.text.includes(name), after.text.includes(platformIdOf(name))]).toEqual([
      path,
      false,
      false,
    ]);
    expect([200, 204, 304]).toContain(after.status);
    // A client with the tag of an answer that had the name does not get a 304.
    if (kept?.text.includes(name)) expect([path, after.status]).toEqual([path, 200]);
  }
  // The names of both players are drawn into the picture.
  const picture = await get(`/match/${matchGuid}/preview.png`);
  expect(picture.status).toBe(200);
  expect(picture.text).not.toBe(before.at(-1)?.text);
  two.leave();
});

test('a review of an erased player’s replay goes on without the name, and is decided', async () => {
  const [name, other] = ['Quirin', 'Sophie'];
  const round = await playRound(service, queueGuid, { names: [name, other] });
  const [a, b] = round.players;
  for (const player of round.players) await publish(service, round, player, player.play.replay);
  await round.finish();
  const { prisma } = service.database;
  const reviewGuid = newGuid();
  const at = new Date();
  const { replayGuid } = await prisma.replay.findFirstOrThrow({ where: { playerGuid: a.guid } });
  const review = { matchGuid: round.matchGuid, roundNumber: 1, playerGuid: a.guid, createdAt: at };
  await prisma.replayReview.createMany({
    data: [
      { ...review, reviewGuid, reason: 'mismatch' },
      {
        ...review,
        reviewGuid: newGuid(),
        reason: 'copy',
        decision: 'upheld',
        comment: `${name} copied it`,
        resolvedByGuid: b.guid,
        resolvedAt: at,
      },
    ],
  });
  const listed = async (status: string) =>
    JSON.stringify((await read(`/replay-reviews?status=${status}&playerGuid=${a.guid}`, bearer(admin))).body);
  expect(await listed('open')).toContain(name);
  expect(await listed('resolved')).toContain(name);
  expect(await erase(a.guid)).toMatchObject({ status: 200 });
  for (const status of ['open', 'resolved']) {
    const text = await listed(status);
    expect(text).toContain(status === 'open' ? reviewGuid : '… copied it');
    for (const one of [name, platformIdOf(name)]) expect(text).not.toContain(one);
  }
  expect((await read(`/replays/${replayGuid}`)).body.downloadUrl).toBe(null);
  const decided = await service.request('admin', 'POST', `/replay-reviews/${reviewGuid}/resolve`, {
    decision: 'dismissed',
    comment: 'The file is gone.',
  });
  expect(decided.status).toBe(200);
  expect(JSON.stringify(decided.body)).not.toContain(name);
});

test('the ladder keeps the entry of an erased player', async () => {
  const [one, two] = [await service.connect('Uta'), await service.connect('Vera')];
  const matchGuid = await meet(one, two, queueGuid);
  const [picker, waiter] = await toFirstPick(one, two, matchGuid);
  await toPlaying(picker, waiter, matchGuid);
  const playerGuid = await guidOf(one);
  await one.do('forfeit', { matchGuid });
  await one.status('completed');
  // A cached answer of before the erasure.
  expect(JSON.stringify((await read(`/leaderboards/${queueGuid}`)).body)).toContain('Uta');
  expect(await erase(playerGuid)).toEqual({ status: 200, playerGuid });
  const { body } = await read(`/leaderboards/${queueGuid}`);
  const entry = body.entries.find((found: any) => found.player.playerGuid === playerGuid);
  expect(entry).toMatchObject({
    player: { playerGuid, username: 'Erased player', platformId: '0', avatarUrl: null },
    losses: 1,
  });
  expect(JSON.stringify(body)).not.toContain('Uta');
  expect((await read(`/players/${playerGuid}`)).body.ratings).toHaveLength(1);
  two.leave();
});

test('who comes back after an erasure decides no match that they played in, sees nothing more of it, and reviews no pool that they submitted', async () => {
  const [name, other] = ['Zeno', 'Yves'];
  const [one, two] = [await service.connect(name), await service.connect(other)];
  const [playerGuid, winnerGuid] = [await guidOf(one), await guidOf(two)];
  const matchGuid = await meet(one, two, queueGuid);
  const [picker, waiter] = await toFirstPick(one, two, matchGuid);
  await toPlaying(picker, waiter, matchGuid);
  await one.do('forfeit', { matchGuid });
  await one.status('completed');
  const platformId = platformIdOf(name);
  const permissions = ['role:admin', 'role:pooler'];
  const claims = { sub: subjectOf(platformId), platformId, username: name, permissions };
  const token = await service.identityProvider.mint(claims);
  const does = async (as: string, method: string, url: string, body: object = {}): Promise<string> => {
    const answer = await fetch(`${service.url}${url}`, {
      method,
      headers: { ...bearer(as), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await answer.json()) as { error?: { code: string } };
    return error ? `${answer.status} ${error.code}` : String(answer.status);
  };

  const { seasonGuid } = await service.database.prisma.season.findFirstOrThrow();
  const { body: pool } = await service.request('admin', 'POST', '/pools', { seasonGuid, name: 'Draft' });
  const { poolGuid } = pool;
  const { key, characteristic, difficulty, categoryGuid } =
    await service.database.prisma.poolMap.findFirstOrThrow();
  const map = { key, characteristic, difficulty, categoryGuid, modifiers: [] };
  expect(await does(token, 'POST', `/pools/${poolGuid}/maps/batch`, { maps: [map] })).toBe('201');
  expect(await does(token, 'POST', `/pools/${poolGuid}/submit`)).toBe('200');
  const reportGuid = newGuid();
  const report = { matchGuid, reason: 'other', status: 'open', at: new Date() };
  await service.database.prisma.report.createMany({
    data: [
      { ...report, reportGuid, reporterGuid: winnerGuid, playerGuid },
      { ...report, reportGuid: newGuid(), reporterGuid: playerGuid, playerGuid: winnerGuid },
    ],
  });
  const reviewGuid = newGuid();
  await service.database.prisma.replayReview.create({
    data: { reviewGuid, matchGuid, roundNumber: 1, playerGuid, reason: 'missing', createdAt: new Date() },
  });
  expect(await erase(playerGuid)).toMatchObject({ status: 200 });

  const win = { outcome: 'win', winnerGuid: playerGuid };
  const acts: [string, string, object, string][] = [
    ['POST', `/matches/${matchGuid}/result/preview`, win, '403 OWN_MATCH'],
    ['POST', `/matches/${matchGuid}/result`, { ...win, reason: 'Mine.' }, '403 OWN_MATCH'],
    ['POST', `/matches/${matchGuid}/undo`, { reason: 'Mine.' }, '403 OWN_MATCH'],
    ['PATCH', `/reports/${reportGuid}`, { status: 'dismissed', comment: 'No.' }, '403 OWN_MATCH'],
    [
      'POST',
      `/replay-reviews/${reviewGuid}/resolve`,
      { decision: 'dismissed', comment: 'No.' },
      '403 OWN_MATCH',
    ],
    ['POST', `/pools/${poolGuid}/reviews`, { verdict: 'approve' }, '403 SELF_REVIEW'],
  ];
  for (const [method, url, body, refused] of acts)
    expect(await does(token, method, url, body), url).toBe(refused);
  const reads = async (as: string) => [
    (await read(`/reports?playerGuid=${playerGuid}`, bearer(as))).body.items.length,
    (await read(`/reports?playerGuid=${winnerGuid}`, bearer(as))).body.items.length,
    (await read(`/replay-reviews/${reviewGuid}`, bearer(as))).body.error?.code,
  ];
  expect(await reads(token)).toEqual([0, 0, 'OWN_MATCH']);
  expect(await reads(admin)).toEqual([1, 1, undefined]);
  expect((await read(`/players/${winnerGuid}`)).body.ratings).toHaveLength(1);

  const { body: reviewed } = await service.request('pooler-two', 'POST', `/pools/${poolGuid}/reviews`, {
    verdict: 'approve',
  });
  expect(reviewed).toMatchObject({ verdict: 'approve' });
  for (const [method, url, body] of acts.slice(0, -1))
    expect(await does(admin, method, url, body), url).toBe('200');
  const told = async (as: string) => [
    (await read(`/audit-log?target=/reports/${reportGuid}`, bearer(as))).body.items.length,
    (await read(`/players/${winnerGuid}/export`, bearer(as))).body.filedReports.length,
  ];
  expect(await told(token)).toEqual([0, 0]);
  expect(await told(admin)).toEqual([1, 1]);
  // Other tests count the admins.
  const { body: back } = await read('/auth/me', bearer(token));
  expect(await erase(back.playerGuid)).toMatchObject({ status: 200 });
  two.leave();
});

describe('an erasure', () => {
  test('is allowed to the person with a login and to admins, and is refused in the order of the contract', async () => {
    const eve = await newcomer('Eve');
    const game = await service.gameToken('Eve');
    const gameGuid = (await read('/auth/me', bearer(game))).body.playerGuid;
    const pooler = await service.identityProvider.accountToken('pooler-one');
    expect(await erase(eve.playerGuid, {})).toBe('401 UNAUTHENTICATED');
    expect(await erase(eve.playerGuid, bearer(eve.token))).toBe('403 FORBIDDEN');
    expect(await erase(gameGuid, bearer(game))).toBe('403 FORBIDDEN');
    expect(await erase(eve.playerGuid, bearer(pooler), {})).toBe('403 FORBIDDEN');
    expect(await erase('nobody', bearer(pooler))).toBe('403 FORBIDDEN');
    expect(await erase('nobody')).toBe('400 VALIDATION_FAILED');
    for (const body of [{}, { confirm: gameGuid }, { confirm: eve.playerGuid, more: 1 }])
      expect(await erase(eve.playerGuid, bearer(admin), body)).toBe('400 VALIDATION_FAILED');
    expect(await erase(newGuid())).toBe('404 PLAYER_NOT_FOUND');
    const { body: me } = await read('/auth/me', bearer(admin));
    expect(await erase(me.playerGuid)).toBe('409 LAST_ADMIN');
    expect((await read(`/players/${eve.playerGuid}`)).body.username).toBe('Eve');
  });

  test('of oneself while banned ends the login; the same person comes back as a new and banned player', async () => {
    const browser = await logIn('player-one');
    const stranger = await newcomer('Stranger');
    const { playerGuid, platformId } = (await browser.me()).body;
    await ban(playerGuid);
    const at = new Date();
    await service.database.prisma.penalty.create({
      data: {
        penaltyGuid: newGuid(),
        playerGuid,
        matchGuid: newGuid(),
        reason: 'not_ready',
        at,
        until: new Date(at.getTime() + 600_000),
      },
    });
    const standing = async () => (await read(`/players/${playerGuid}/standing`, bearer(admin))).body;
    const penalties = [expect.objectContaining({ reason: 'not_ready', at: at.toISOString() })];
    expect(await standing()).toEqual({
      playerGuid,
      platformId,
      erasedAt: null,
      penalties,
      logins: [{ startedAt: expect.any(String), endsAt: expect.any(String) }],
    });
    expect(await browser.erase(stranger.playerGuid)).toBe('403 BANNED');
    expect(await browser.erase(playerGuid)).toEqual({ status: 200, playerGuid });
    expect(await standing()).toEqual({
      playerGuid,
      platformId: '0',
      erasedAt: expect.any(String),
      penalties,
      logins: [],
    });
    expect((await read(`/players/${newGuid()}/standing`, bearer(admin))).body.error.code).toBe(
      'PLAYER_NOT_FOUND',
    );
    expect((await browser.me()).status).toBe(401);
    expect(await service.database.prisma.loginSession.count({ where: { playerGuid } })).toBe(0);

    expect((await logIn('player-one')).location).toContain('loginError=banned');
    const game = await service.identityProvider.gameToken({ platformId, username: 'Local Player One' });
    await expect(service.connect('Local Player One', { token: game })).rejects.toThrow('BANNED');
    const { body: me } = await read('/auth/me', bearer(game));
    expect(me.playerGuid).not.toBe(playerGuid);
    expect((await read(`/players/${me.playerGuid}/bans`, bearer(admin))).body.items).toMatchObject([
      { reason: 'too loud', until: null, liftedAt: null },
    ]);
    expect(await service.database.prisma.penalty.count({ where: { playerGuid: me.playerGuid } })).toBe(1);
  });

  test('does not let a ban be left behind by another account with the same platform id', async () => {
    const platformId = '88001122';
    const claims = { platformId, tokenType: 'platform:game' };
    const first = await newcomer('First', claims);
    await ban(first.playerGuid);
    expect(await erase(first.playerGuid)).toMatchObject({ status: 200 });
    // A new account, and one that was there before and links the platform id now.
    const { playerGuid } = await newcomer('Second');
    const linked = await newcomer('Second', claims);
    expect(linked.playerGuid).toBe(playerGuid);
    expect((await read(`/players/${playerGuid}/bans`, bearer(admin))).body.items).toHaveLength(1);
    const innocent = await newcomer('Third', { ...claims, platformId: '88001123' });
    expect((await read(`/players/${innocent.playerGuid}/bans`, bearer(admin))).body.items).toEqual([]);
  });

  test('restores a ban once after each erasure, and not after staff have lifted it', async () => {
    const bansOf = async (playerGuid: string) =>
      (await read(`/players/${playerGuid}/bans`, bearer(admin))).body.items;
    const first = await newcomer('Again');
    await ban(first.playerGuid);
    for (const _ of [1, 2, 3]) {
      await erase((await newcomer('Again')).playerGuid);
      expect(await bansOf((await newcomer('Again')).playerGuid)).toMatchObject([{ liftedAt: null }]);
    }
    const { playerGuid } = await newcomer('Again');
    const [{ banGuid }] = await bansOf(playerGuid);
    const lift = await service.request('admin', 'DELETE', `/players/${playerGuid}/bans/${banGuid}`);
    expect(lift.status).toBe(204);
    await erase(playerGuid);
    expect(await bansOf((await newcomer('Again')).playerGuid)).toEqual([]);
  });

  test('keeps hashes only of players with a ban or a penalty, each with its own key', async () => {
    const { prisma } = service.database;
    const [loud, louder, quiet] = [await newcomer('Loud'), await newcomer('Louder'), await newcomer('Quiet')];
    await Promise.all([ban(loud.playerGuid), ban(louder.playerGuid)]);
    for (const { playerGuid } of [loud, louder, quiet]) await erase(playerGuid);
    const kept = await prisma.erasedIdentity.findMany({
      where: { playerGuid: { in: [loud, louder, quiet].map((one) => one.playerGuid) } },
    });
    expect(new Set(kept.map((one) => one.playerGuid))).toEqual(new Set([loud.playerGuid, louder.playerGuid]));
    expect(new Set(kept.map((one) => Buffer.from(one.key).toString('hex'))).size).toBe(2);
    expect(kept.map((one) => one.platformIdHash)).toEqual([null, null]);

    const retention = createRetention({
      database: service.database,
      clock: { now: Date.now },
      auditRetentionDays: 365,
      penaltyRetentionDays: 365,
      mapHostRetentionDays: 365,
      reportRetentionDays: 365,
    });
    const left = async () => (await prisma.erasedIdentity.findMany()).map(({ playerGuid }) => playerGuid);
    await prisma.ban.updateMany({
      where: { playerGuid: loud.playerGuid },
      data: { liftedAt: new Date(), liftedByGuid: newGuid() },
    });
    await retention.removeExpired();
    expect(await left()).not.toContain(loud.playerGuid);
    expect(await left()).toContain(louder.playerGuid);
  });

  test('leaves one row of hashes of a person, however often the person comes back, and penalties still count', async () => {
    const { prisma } = service.database;
    const claims = { platformId: '88001177', tokenType: 'platform:game' };
    const returned = () => newcomer('Boomerang', claims);
    const rowsBefore = await prisma.erasedIdentity.count();
    const { playerGuid } = await newcomer('Boomerang');
    const penalty = { penaltyGuid: newGuid(), matchGuid: newGuid(), reason: 'not_ready' };
    const [at, until] = [new Date(), new Date(Date.now() + 600_000)];
    await prisma.penalty.create({ data: { ...penalty, playerGuid, at, until } });
    await erase(playerGuid);
    for (const _ of [1, 2, 3]) {
      const { playerGuid: again } = await returned();
      expect(await prisma.penalty.count({ where: { playerGuid: again } })).toBe(1);
      await erase(again);
      expect(await prisma.erasedIdentity.count()).toBe(rowsBefore + 1);
    }
    // A token without the platform id is recognised too, and leaves the hash of the platform id.
    await erase((await newcomer('Boomerang')).playerGuid);
    const other = await newcomer('Other', claims);
    expect(await prisma.penalty.count({ where: { playerGuid: other.playerGuid } })).toBe(1);
  });

  test('of the last admin is refused, also when two admins erase each other at once', async () => {
    const permissions = ['role:admin'];
    const { body: me } = await read('/auth/me', bearer(admin));
    const second = await newcomer('Second admin', { permissions });
    const outcomes = await Promise.all([
      erase(second.playerGuid, bearer(admin)),
      erase(me.playerGuid, bearer(second.token)),
    ]);
    expect(outcomes.map((one) => (typeof one === 'string' ? one : 200)).sort()).toEqual([
      200,
      '409 LAST_ADMIN',
    ]);
    admin = await service.identityProvider.accountToken('admin');
    if (typeof outcomes[0] === 'string') admin = second.token;
    expect((await read('/audit-log', bearer(admin))).status).toBe(200);
  });
});

describe('at the same time as an erasure', () => {
  test('other erasures of the person change nothing more', async () => {
    const { playerGuid } = await newcomer('Twice');
    const outcomes = await Promise.all([erase(playerGuid), erase(playerGuid), erase(playerGuid)]);
    expect(outcomes).toEqual(Array(3).fill({ status: 200, playerGuid }));
    const entries = await service.database.prisma.auditEntry.count({
      where: { action: 'erasePlayer', target: `/players/${playerGuid}` },
    });
    expect(entries).toBe(1);
  });

  test('exports have the state before or after the erasure, and store nothing', async () => {
    const name = 'Exporting';
    const { playerGuid } = await newcomer(name);
    await ban(playerGuid, `${name} is loud`);
    const exported = () => read(`/players/${playerGuid}/export`, bearer(admin));
    const [outcome, ...exports] = await Promise.all([
      erase(playerGuid),
      ...Array.from({ length: 6 }, exported),
    ]);
    expect(outcome).toEqual({ status: 200, playerGuid });
    for (const { status, body } of exports) {
      expect(status).toBe(200);
      expect([name, 'Erased player']).toContain(body.player.username);
      // A person who is erased in an export has no account in it either.
      expect(body.player.subject === null).toBe(body.player.username === 'Erased player');
    }
    const after = await exported();
    expect(JSON.stringify(after.body)).not.toContain(name);
    expect(after.body.bans).toMatchObject([{ reason: '… is loud' }]);
    expect((await everyRow()).filter((row) => row.includes(name))).toEqual([]);
  });

  test('a ban comes before and stays in force, or is refused; no role is left', async () => {
    const { prisma } = service.database;
    for (let times = 0; times < 5; times++) {
      const name = `Racing ${times}`;
      const { playerGuid } = await newcomer(name);
      const [banned] = await Promise.all([
        ban(playerGuid),
        erase(playerGuid),
        service.request('admin', 'PUT', `/players/${playerGuid}/roles`, { roles: ['role:pooler'] }),
      ]);
      expect([201, 409]).toContain(banned.status);
      const { playerGuid: next } = await newcomer(name);
      const { items } = (await read(`/players/${next}/bans`, bearer(admin))).body;
      expect(items).toHaveLength(banned.status === 201 ? 1 : 0);
      expect(await prisma.roleGrant.count({ where: { playerGuid } })).toBe(0);
    }
  });

  test('a sign-in does not restore the name, and creates at most one new player', async () => {
    const { prisma } = service.database;
    for (let times = 0; times < 5; times++) {
      const name = `Busy ${times}`;
      const { playerGuid } = await newcomer(name);
      const tokens = await Promise.all(
        [1, 2, 3].map((nth) =>
          service.identityProvider.mint({ sub: name, platformId: null, username: `${name} ${nth}` }),
        ),
      );
      await Promise.all([erase(playerGuid), ...tokens.map((token) => read('/auth/me', bearer(token)))]);
      expect(await prisma.player.findUnique({ where: { playerGuid } })).toMatchObject({
        subject: null,
        username: 'Erased player',
        avatarUrl: null,
      });
      expect(await prisma.player.count({ where: { subject: name } })).toBeLessThanOrEqual(1);
    }
  });

  test('a login leaves no session of the erased person', async () => {
    const { prisma } = service.database;
    const { body: me } = await (await logIn('player-two')).me();
    await Promise.all([erase(me.playerGuid), logIn('player-two'), logIn('player-two')]);
    expect(await prisma.loginSession.count({ where: { playerGuid: me.playerGuid } })).toBe(0);
    const { body: after } = await (await logIn('player-two')).me();
    expect(after.playerGuid).not.toBe(me.playerGuid);
  });

  test('a join leaves no place in a queue', async () => {
    const { prisma } = service.database;
    for (let times = 0; times < 5; times++) {
      const player = await service.connect(`Join${times}`);
      const playerGuid = await guidOf(player);
      await Promise.all([player.ask('joinQueue', { queueGuid }).catch(() => null), erase(playerGuid)]);
      expect(await prisma.queueEntry.count({ where: { playerGuid } })).toBe(0);
      expect(await prisma.playerConnection.count({ where: { playerGuid } })).toBeLessThanOrEqual(1);
    }
  });

  test('a connection of the erased person ends, in both orders', async () => {
    const { prisma } = service.database;
    for (let times = 0; times < 5; times++) {
      const name = `Con${times}`;
      const first = await service.connect(name);
      const playerGuid = await guidOf(first);
      const [second] = await Promise.all([service.connect(name).catch(() => null), erase(playerGuid)]);
      await expect.poll(() => prisma.playerConnection.count({ where: { playerGuid } })).toBe(0);
      expect(first.socket.connected).toBe(false);
      if (second?.socket.connected) expect(await guidOf(second)).not.toBe(playerGuid);
      second?.leave();
    }
  });

  test('either the pairing or the erasure happens', async () => {
    const { prisma } = service.database;
    for (let times = 0; times < 5; times++) {
      const [one, two] = [await service.connect(`P${times}a`), await service.connect(`P${times}b`)];
      const playerGuid = await guidOf(one);
      await one.do('joinQueue', { queueGuid });
      const [, outcome] = await Promise.all([two.do('joinQueue', { queueGuid }), erase(playerGuid)]);
      const seats = await prisma.runningSeat.count({ where: { playerGuid } });
      const isErased = typeof outcome !== 'string';
      if (!isErased) expect(outcome).toBe('409 ALREADY_IN_MATCH');
      expect(seats).toBe(isErased ? 0 : 1);
      expect(await prisma.queueEntry.count({ where: { playerGuid } })).toBe(0);
      if (isErased) await two.do('leaveQueue');
      else {
        const { matchGuid } = await two.status('waiting_players');
        await two.do('joinMatch', { matchGuid });
        await two.do('forfeit', { matchGuid });
        await two.status('aborted', 'completed');
      }
      two.leave();
      one.leave();
    }
  });
});
