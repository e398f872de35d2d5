import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configWarnings, loadConfig } from '../../src/config.ts';
import { spawnService } from '../harness/process.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
/** Variables of a service that could run, as production has them. */
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  ({ environment } = service);
});
afterAll(() => service.stop());

const REQUIRED = [
  'BASE_URL',
  'DATABASE_URL',
  'IDP_AUTHORIZE_URL',
  'IDP_TOKEN_URL',
  'IDP_PUBLIC_KEY_URL',
  'OAUTH_CLIENT_ID',
  'OAUTH_CLIENT_SECRET',
  'SESSION_SECRET',
];

/** Runs the service with these variables until it ends by itself. */
async function runToTheEnd(variables: Record<string, string>) {
  const started = spawnService(variables);
  const code = await started.exited;
  return { code, output: started.output(), lines: started.output().trim().split('\n') };
}

describe('the service does not start', () => {
  test('without any variables, and names each one that is missing on a line of its own', async () => {
    const { code, lines } = await runToTheEnd({});
    expect(code).toBe(1);
    for (const name of REQUIRED)
      expect(lines.filter((line) => line.trim().startsWith(`${name} `))).toHaveLength(1);
    expect(lines[0]).toBe('The service could not start: its configuration is not usable.');
    expect(lines).toHaveLength(REQUIRED.length + 1);
  });

  test('with malformed ones, and names each without its value and without a stack', async () => {
    const malformed: Record<string, string> = {
      PORT: '70000',
      BASE_URL: 'matches.example',
      DATABASE_URL: 'mysql://user:hidden-password@host/db',
      IDP_PUBLIC_KEY_URL: 'file:///hidden-key',
      SESSION_SECRET: 'hidden-short',
      OAUTH_CLIENT_SECRET: 'hidden-schlüssel',
      DEPLOY_SECRET: 'hidden-deploy',
      WEBSITE_ORIGINS: 'https://site.example/hidden-path',
      PLUGIN_VERSIONS: 'hidden-latest',
      LOG_LEVEL: 'hidden-loud',
      TRUST_PROXY: 'true',
      RATE_LIMIT_FACTOR: '-1',
      JOIN_SECONDS: '0',
      PICK_SECONDS: 'hidden-soon',
      SCORE_EARLIEST_SHARE: '1.5',
      MAINTENANCE: 'yes',
      S3_ENDPOINT: 'hidden-endpoint',
      S3_PATH_STYLE: 'hidden-maybe',
      MAP_HOST_URL: 'https://hidden-user:hidden-word@maps.example',
      IDP_TOKEN_URL: 'https://hidden-user:hidden-word@id.example/token',
      OAUTH_CALLBACK_URL: 'https://hidden-user@matches.example/auth/callback',
      MAP_HOST_FILE_HOSTS: 'https://hidden-host/',
    };
    const { code, output, lines } = await runToTheEnd({ ...environment, ...malformed });
    expect(code).toBe(1);
    for (const name of Object.keys(malformed))
      expect(
        lines.filter((line) => line.trim().startsWith(`${name} `)),
        name,
      ).toHaveLength(1);
    expect(lines).toHaveLength(Object.keys(malformed).length + 1);
    expect(output).not.toMatch(/hidden|^\s+at /m);
  });

  test('without its database, and says so in a line without the password', async () => {
    const { code, lines, output } = await runToTheEnd({
      ...environment,
      PORT: '0',
      DATABASE_URL: 'postgresql://matches:hidden-password@localhost:9/matches',
    });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(output).toMatch(/could not start: .*(database|DATABASE_URL)/i);
    expect(output).not.toContain('hidden');
  });

  test('without a single key of the identity provider, and says so', async () => {
    const { code, output } = await runToTheEnd({
      ...environment,
      PORT: '0',
      DATABASE_URL: environment.DATABASE_URL ?? '',
      IDP_PUBLIC_KEY_URL: 'http://127.0.0.1:9/jwks',
      ...(await emptyDatabase()),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/IDP_PUBLIC_KEY_URL|identity provider/i);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test.each([
    [
      'on a port that is taken',
      {},
      /^The service could not start: PORT is taken by another program: .*EADDRINUSE/,
    ],
    [
      'at an address of another machine',
      { PORT: '0', HOST: '192.0.2.1' },
      /^The service could not start: HOST is no/,
    ],
    [
      'without a folder for files',
      { STORAGE_DIR: '/proc/files' },
      /^The service could not start: STORAGE_DIR cannot/,
    ],
  ])('%s, and says so in one line', async (_case, variables, reason) => {
    const { code, lines } = await runToTheEnd({ ...environment, LOG_LEVEL: 'error', ...variables });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(reason)]);
  });
});

/** The stored keys of the running service would let another one start. */
async function emptyDatabase(): Promise<Record<string, string>> {
  await service.database.prisma.identityKeySet.deleteMany();
  return {};
}

describe('the service that was started', () => {
  test('listens on a free port and logs it, and says nothing secret at any level', async () => {
    const started = spawnService({
      ...environment,
      PORT: '0',
      LOG_LEVEL: 'trace',
      DEPLOY_SECRET: 'd'.repeat(40),
    });
    await expect.poll(() => started.output(), { timeout: 10_000 }).toContain('"msg":"listening"');
    const port = Number(/"port":(\d+)/.exec(started.output())?.[1]);
    expect(port).toBeGreaterThan(0);
    const url = `http://127.0.0.1:${port}`;
    const token = await service.identityProvider.accountToken('admin');
    const gameToken = await service.identityProvider.gameToken({
      platformId: platformIdOf('Logger'),
      username: 'Logger',
    });
    await fetch(`${url}/audit-log`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${url}/auth/me`, { headers: { cookie: `session=${token}` } });
    await fetch(`${url}/auth/callback?code=secret-code&state=secret-state`);
    await fetch(`${url}/seasons`, { headers: { authorization: 'Bearer secret.bearer.token' } });
    const { io } = await import('socket.io-client');
    for (const auth of [{ token: gameToken, pluginVersion: '1.0.0' }, { token: 'secret-nonsense' }]) {
      const socket = io(url, {
        auth,
        transports: ['websocket', 'polling'],
        forceNew: true,
        reconnection: false,
      });
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve);
        socket.once('connect_error', () => resolve());
      });
      if (socket.connected) await socket.emitWithAck('hello', {});
      socket.disconnect();
    }
    const code = await started.terminate();
    const output = started.output();
    expect(code).toBe(0);
    const secrets = [
      token,
      gameToken,
      environment.SESSION_SECRET,
      environment.OAUTH_CLIENT_SECRET,
      'd'.repeat(40),
      'secret-code',
      'secret-state',
      'secret.bearer',
      'secret-nonsense',
      new URL(environment.DATABASE_URL ?? '').password,
    ];
    for (const secret of secrets) if (secret) expect(output.includes(secret), secret).toBe(false);
    // Otherwise the search above proves nothing.
    expect(output).toContain('/audit-log');
  });
});

describe('a configuration that is allowed', () => {
  const warningsWith = (changes: Record<string, string>) =>
    configWarnings(loadConfig({ ...environment, ...changes })).join('\n');

  test('but does not check issuer or audience is warned of', () => {
    expect(warningsWith({ IDP_ISSUER: '' })).toContain('IDP_ISSUER');
    expect(warningsWith({ IDP_AUDIENCE: '' })).toContain('IDP_AUDIENCE');
  });

  test('but whose logins come back to another host is warned of', () => {
    expect(warningsWith({ OAUTH_CALLBACK_URL: 'https://other.example/auth/callback' })).toContain(
      'OAUTH_CALLBACK_URL',
    );
    expect(warningsWith({ OAUTH_CALLBACK_URL: '' })).not.toContain('OAUTH_CALLBACK_URL');
  });

  test.each([
    ['https://api.example.org', 'https://www.example.org', false],
    ['https://example.org', 'https://play.example.org', false],
    ['https://api.example.org', 'https://example.com', true],
    ['https://api.example.co.uk', 'https://www.example.co.uk', false],
    ['https://api.example.co.uk', 'https://other.co.uk', true],
    ['https://api.example.org', 'http://www.example.org', true],
    ['http://localhost:3000', 'http://localhost:5173', false],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:5173', false],
    ['http://127.0.0.1:3000', 'http://localhost:5173', true],
  ])('with the service at %s and the website at %s: warned of the cookie: %s', (base, origin, warned) => {
    const warnings = warningsWith({ BASE_URL: base, WEBSITE_ORIGINS: origin });
    expect(warnings.includes('WEBSITE_ORIGINS')).toBe(warned);
  });

  test.each([
    ['cdn.example.org', true],
    ['CDN.example.org:8443, .example.org', true],
    ['.example.org:8443', true],
    ['127.0.0.1:9000', true],
    ['[::1]:9000', true],
    ['example.org:99999', false],
    ['example.org/', false],
    ['*.example.org', false],
    ['user@example.org', false],
    ['..example.org', false],
    ['999.1.1.1', false],
    ['[::1', false],
    ['bücher.example', false],
    [',', false],
  ])('files may lie on %s: %s', (hosts, isAllowed) => {
    const required = Object.fromEntries(REQUIRED.map((name) => [name, environment[name] ?? '']));
    const load = () => loadConfig({ ...required, MAP_HOST_FILE_HOSTS: hosts });
    if (isAllowed) expect(load().MAP_HOST_FILE_HOSTS).toEqual(hosts.split(', '));
    else expect(load).toThrow('MAP_HOST_FILE_HOSTS must hold host names');
  });

  test('has the documented defaults, lists without spaces, and durations with decimals', () => {
    const required = Object.fromEntries(REQUIRED.map((name) => [name, environment[name] ?? '']));
    const config = loadConfig({
      ...required,
      WEBSITE_ORIGINS: ' https://a.example , https://b.example ',
      JOIN_SECONDS: '0.25',
    });
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      WEBSITE_ORIGINS: ['https://a.example', 'https://b.example'],
      ADMIN_SUBJECTS: [],
      MAP_HOST_URL: 'https://api.beatsaver.com',
      MAP_HOST_FILE_HOSTS: ['.beatsaver.com'],
      LOG_LEVEL: 'info',
      RATE_LIMIT_FACTOR: 1,
      PENALTY_FIRST_SECONDS: 300_000,
      REMATCH_SECONDS: 600_000,
      DRAIN_DELAY_SECONDS: 3000,
      SHUTDOWN_SECONDS: 10_000,
      MAINTENANCE: false,
      MATCHMAKING_INTERVAL_MS: 1000,
      JOIN_SECONDS: 250,
      DISCARD_SECONDS: 60_000,
      PICK_SECONDS: 45_000,
      PREPARE_SECONDS: 120_000,
      COUNTDOWN_SECONDS: 5000,
      SCORE_GRACE_SECONDS: 30_000,
      ROUND_RESULTS_SECONDS: 6000,
      SCORE_EARLIEST_SHARE: 0.8,
      RECONNECT_GRACE_SECONDS: 60_000,
      RECONNECT_BUDGET_SECONDS: 180_000,
      OAUTH_CALLBACK_URL: `${environment.BASE_URL}/auth/callback`,
    });
    expect(config.PLUGIN_VERSIONS).toBeUndefined();
    expect(config.DEPLOY_SECRET).toBeUndefined();
  });

  test('takes a duration of less than a millisecond for one', () => {
    const required = Object.fromEntries(REQUIRED.map((name) => [name, environment[name] ?? '']));
    expect(loadConfig({ ...required, PICK_SECONDS: '0.0001' }).PICK_SECONDS).toBe(1);
    expect(() => loadConfig({ ...required, PICK_SECONDS: '0.0' })).toThrow('PICK_SECONDS must be above 0');
  });
});
