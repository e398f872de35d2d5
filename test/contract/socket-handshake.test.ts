import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../harness/clock.ts';
import { DEPLOY_SECRET, upload } from '../harness/releases.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';
import { knock, openRaw } from './raw-socket.ts';

const clock = manualClock(Date.now());
const SECOND = 1000;
let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService({ clock });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const tokenOf = (name: string, claims: object = {}, options = {}) =>
  service.identityProvider.mint(
    {
      sub: `local:${platformIdOf(name)}`,
      tokenType: 'platform:game',
      platformId: platformIdOf(name),
      platformVerified: true,
      username: name,
      ...claims,
    },
    options,
  );
/** Connects a player whose token stays good for this many seconds, the tolerance for clocks (30 s) included. */
const connectFor = async (name: string, seconds: number) => {
  const now = Math.floor(clock.now() / SECOND);
  return service.connect(name, { token: await tokenOf(name, { iat: now - 100, exp: now + seconds - 30 }) });
};
const guidOf = async (name: string): Promise<string> => {
  const player = await service.connect(name);
  const { playerGuid } = (await player.do('hello')).player;
  player.leave();
  return playerGuid;
};

describe('a handshake with several faults is refused for the first one in the order of the contract:', () => {
  // Each has this and every later flaw at once.
  const flaws: [code: string, claims: object, pluginVersion: unknown][] = [
    ['TOKEN_EXPIRED', { iat: 1000, exp: 2000, iss: 'https://other.example' }, undefined],
    ['TOKEN_INVALID', { iss: 'https://other.example' }, undefined],
    ['TOKEN_INVALID', { aud: 'https://other.example' }, undefined],
    ['INSUFFICIENT_SCOPE', { scope: 'other' }, undefined],
    ['TOKEN_TYPE_NOT_ALLOWED', { tokenType: 'web' }, undefined],
    ['PLATFORM_NOT_VERIFIED', {}, undefined],
    ['PLUGIN_VERSION_MISSING', { platformVerified: true }, undefined],
    ['PLUGIN_VERSION_NOT_ACCEPTED', { platformVerified: true }, '0.1.0'],
    ['PLATFORM_ID_TAKEN', { platformVerified: true }, '1.0.0'],
  ];
  const allLater = (at: number): object =>
    Object.assign(
      {},
      ...flaws
        .slice(at)
        .map(([, claims]) => claims)
        .reverse(),
    );

  test('the token, the platform, the version, the owner of the platform id', async () => {
    await guidOf('Owner');
    for (const [at, [code, claims, pluginVersion]] of flaws.entries()) {
      const needsVerified = code === 'PLUGIN_VERSION_MISSING' || at > 6;
      const token = await tokenOf('Owner', {
        sub: 'somebody-else',
        platformVerified: needsVerified,
        ...(at < 6 ? { ...allLater(at), platformVerified: false } : {}),
        ...claims,
      });
      const refusal = await knock(service.url, { token, pluginVersion });
      expect(refusal).toEqual({
        message: code,
        data: { code, message: expect.any(String), retryAfterMs: null },
      });
    }
  });

  test('a ban before draining, the owner of the platform id before a ban', async () => {
    const playerGuid = await guidOf('Banned');
    const { status } = await service.request('admin', 'POST', `/players/${playerGuid}/bans`, {
      reason: 'Cheating',
      until: null,
    });
    expect(status).toBe(201);
    const refusal = await knock(service.url, { token: await tokenOf('Banned'), pluginVersion: '1.0.0' });
    expect(refusal?.message).toBe('BANNED');
    expect(refusal?.data.message).toContain('Cheating');
    const stranger = await tokenOf('Banned', { sub: 'stranger' });
    expect((await knock(service.url, { token: stranger, pluginVersion: '1.0.0' }))?.message).toBe(
      'PLATFORM_ID_TAKEN',
    );
    // The version comes before the ban.
    const old = await knock(service.url, { token: await tokenOf('Banned'), pluginVersion: '0.9.0' });
    expect(old?.message).toBe('PLUGIN_VERSION_NOT_ACCEPTED');
    expect(old?.data.message).toContain('1.0.0');
  });
});

describe('a handshake', () => {
  test('is never refused because of the game version', async () => {
    for (const gameVersion of [undefined, '1.40.8', '', 7, { odd: true }, 'x'.repeat(500)])
      expect(
        await knock(service.url, { token: await tokenOf('Any'), pluginVersion: '1.0.0', gameVersion }),
      ).toBe(null);
  });

  test('without auth is refused as one without a token', async () => {
    const raw = await openRaw(service.url);
    raw.send('40');
    expect(JSON.parse((await raw.frame('44')).slice(2)).message).toBe('TOKEN_MISSING');
    const refusedAt = Date.now();
    await raw.closed;
    // Not when its time to connect is over, which is ten seconds.
    expect(Date.now() - refusedAt).toBeLessThan(8000);
  });

  test('with a plugin version that is no text is refused as one without a version', async () => {
    for (const pluginVersion of [null, '', 1, ['1.0.0']])
      expect((await knock(service.url, { token: await tokenOf('Any'), pluginVersion }))?.message).toBe(
        'PLUGIN_VERSION_MISSING',
      );
    expect((await knock(service.url, { token: await tokenOf('Any'), pluginVersion: 'one' }))?.message).toBe(
      'PLUGIN_VERSION_NOT_ACCEPTED',
    );
  });

  test('with a token that expired within the tolerance for clocks leads to a connection that stays until the tolerance ends', async () => {
    const [late, later] = [await connectFor('Late', 25), await connectFor('Later', 5)];
    clock.advance(10 * SECOND);
    await later.until(() => !later.socket.connected, 'being disconnected');
    expect(later.notices.map(({ type }) => type)).toEqual(['tokenExpired']);
    expect((await late.do('hello')).player.username).toBe('Late');
    expect(late.notices).toEqual([]);
    late.leave();
  });

  test('agrees on pings and on the size of a message, and offers no recovery', async () => {
    const raw = await openRaw(service.url);
    expect(JSON.parse((await raw.frame('0')).slice(1))).toMatchObject({
      pingInterval: 10_000,
      pingTimeout: 10_000,
      maxPayload: 32 * 1024,
    });
    raw.send(`40${JSON.stringify({ token: await tokenOf('Ping'), pluginVersion: '1.0.0' })}`);
    expect(JSON.parse((await raw.frame('40')).slice(2))).toEqual({ sid: expect.any(String) });
    raw.close();
  });

  test('answers plain requests with the headers every answer has', async () => {
    for (const path of ['?EIO=4&transport=polling', '?EIO=4&transport=nothing', '?EIO=3&transport=polling']) {
      const answer = await fetch(`${service.url}/socket.io/${path}`);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('x-powered-by')).toBeNull();
      await answer.text();
    }
  });
});

describe('a connection lasts longer than its token', () => {
  test('until its match ends; then the player gets a notice and is disconnected', async () => {
    const [brief, other] = [await connectFor('Brief', 5), await service.connect('Other')];
    const matchGuid = await meet(brief, other, queueGuid);
    // A player without a match is disconnected when the service looks at the tokens.
    const idle = await connectFor('Idle', 5);
    clock.advance(10 * SECOND);
    await idle.until(() => !idle.socket.connected, 'being disconnected');
    expect((await brief.do('getMatchState', { matchGuid })).match.status).toBe('awaiting_discards');
    await brief.do('forfeit', { matchGuid });
    await brief.until(() => !brief.socket.connected, 'being disconnected');
    expect(brief.notices.map((notice) => notice.type)).toEqual(['tokenExpired']);
    expect(brief.disconnectReason).toBe('io server disconnect');
    await other.do('leaveQueue');
    other.leave();
  });
});

describe('while no plugin versions are configured', () => {
  let unset: TestService;
  beforeAll(async () => {
    unset = await startTestService({ environment: { PLUGIN_VERSIONS: '', DEPLOY_SECRET } });
  });
  afterAll(() => unset.stop());

  test('the published ones are accepted, and a connection is told when its own is retired', async () => {
    await expect(unset.connect('Cara')).rejects.toThrow('PLUGIN_VERSION_NOT_ACCEPTED');
    await upload(unset, '1.40.8', '1.0.0');
    const cara = await unset.connect('Cara');
    const { queueGuid: queue } = await unset.openQueue();
    await cara.do('joinQueue', { queueGuid: queue });
    await upload(unset, '1.40.8', '1.1.0');
    await cara.until(() => cara.notices.length > 0, 'the version being retired');
    await cara.until(() => cara.queueUpdates.at(-1).queueEntry === null, 'the place being taken away');
    expect(cara.queueUpdates.at(-1)).toEqual({ queueEntry: null, reason: null });
    expect((await cara.do('hello')).queueEntry).toBeNull();
    expect(cara.notices).toEqual([
      { type: 'pluginVersionRetired', message: expect.stringContaining('1.1.0'), retryAfterMs: null },
    ]);
    const answer = await cara.ask('joinQueue', { queueGuid: queue });
    expect(answer).toMatchObject({ ok: false, error: { code: 'PLUGIN_VERSION_NOT_ACCEPTED' } });
    expect(JSON.stringify(answer)).toContain('1.1.0');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(cara.notices).toHaveLength(1);
    expect(cara.socket.connected).toBe(true);
    await expect(unset.connect('Dirk')).rejects.toThrow('PLUGIN_VERSION_NOT_ACCEPTED');
    cara.leave();
  });

  test('a player in a match can come back with the version the match began with', async () => {
    const { queueGuid: queue } = await unset.openQueue();
    const [emil, fred] = [
      await unset.connect('Emil', { pluginVersion: '1.1.0' }),
      await unset.connect('Fred', { pluginVersion: '1.1.0' }),
    ];
    const matchGuid = await meet(emil, fred, queue);
    await upload(unset, '1.40.8', '2.0.0');
    emil.drop();
    const back = await unset.connect('Emil', { pluginVersion: '1.1.0' });
    expect((await back.do('hello')).match.matchGuid).toBe(matchGuid);
    await expect(unset.connect('Fred', { pluginVersion: '1.0.0' })).rejects.toThrow(
      'PLUGIN_VERSION_NOT_ACCEPTED',
    );
  });
});

test('while the database does not answer, a player with a good token is told how long to wait', async () => {
  const held = await service.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('LOCK TABLE "Player" IN ACCESS EXCLUSIVE MODE');
    const refusal = await knock(service.url, { token: await tokenOf('Nora'), pluginVersion: '1.0.0' });
    expect(refusal).toEqual({
      message: 'SERVICE_UNAVAILABLE',
      data: {
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('Try again'),
        retryAfterMs: expect.any(Number),
      },
    });
    const { retryAfterMs } = refusal?.data ?? {};
    expect(Number.isInteger(retryAfterMs)).toBe(true);
    expect(retryAfterMs).toBeGreaterThanOrEqual(500);
    expect(retryAfterMs).toBeLessThanOrEqual(5000);
  } finally {
    held.release(true);
  }
  // The lock goes with its connection.
  expect(await knock(service.url, { token: await tokenOf('Nora'), pluginVersion: '1.0.0' })).toBeNull();
});
