import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configWarnings, loadConfig } from '../../src/config.ts';
import { type Variable, variables } from '../../src/config-variables.ts';
import { createLogger } from '../../src/logger.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ownOrigins } from '../../src/resources.ts';
import { startService } from '../../src/service.ts';
import { inherited, spawnService } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
/** A complete set of variables, as in production. */
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

/** pino: fatal. */
const FATAL = 60;
const COULD_NOT_START = 'The service could not start: ';

/** Runs the service with these variables until it ends by itself. Its whole output is lines of its log. */
async function runToTheEnd(variables: Record<string, string>, args: readonly string[] = []) {
  const started = spawnService(variables, [], args);
  const code = await started.exited;
  const output = started.output();
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  const problems = lines.map(({ msg }) => msg.replace(COULD_NOT_START, ''));
  return { code, output, lines, problems };
}

/** Each of these names begins one line, and there are no other lines. */
function expectOneLineFor(names: readonly string[], { code, lines, problems }: Ended): void {
  expect(code).toBe(1);
  for (const name of names)
    expect(
      problems.filter((problem) => problem.startsWith(`${name} `)),
      name,
    ).toHaveLength(1);
  expect(lines).toHaveLength(names.length);
  for (const { level, msg } of lines) {
    expect(level).toBe(FATAL);
    expect(msg.startsWith(COULD_NOT_START), msg).toBe(true);
  }
}
type Ended = Awaited<ReturnType<typeof runToTheEnd>>;

describe('the service does not start', () => {
  test('without variables, and logs one line for each missing one', async () => {
    expectOneLineFor(REQUIRED, await runToTheEnd({}));
  });

  test('with malformed variables, and logs each name without value and stack', async () => {
    const malformed: Record<string, string> = {
      PORT: '70000',
      HOST: 'http://hidden-host:3000',
      REDIS_URL: 'redis://127.0.0.1/hidden-database',
      BASE_URL: 'matches.example',
      DATABASE_URL: 'mysql://user:hidden-password@host/db',
      IDP_PUBLIC_KEY_URL: 'file:///hidden-key',
      SESSION_SECRET: 'hidden-short',
      OAUTH_CLIENT_SECRET: 'hidden-schlüssel',
      DEPLOY_SECRET: 'hidden-deploy',
      WEBSITE_ORIGINS: 'https://site.example/hidden-path',
      PLUGIN_VERSIONS: 'hidden-latest',
      LOG_LEVEL: 'hidden-loud',
      TRUST_PROXY: 'hidden-maybe',
      RATE_LIMIT_FACTOR: '-1',
      JOIN_SECONDS: '0',
      PICK_SECONDS: 'hidden-soon',
      SCORE_EARLIEST_SHARE: '1.5',
      MAINTENANCE: 'yes',
      S3_BUCKET: 'Hidden bucket hidden!',
      S3_ENDPOINT: 'hidden-endpoint',
      S3_PATH_STYLE: 'hidden-maybe',
      MAP_HOST_URL: 'https://hidden-user:hidden-word@maps.example',
      IDP_TOKEN_URL: 'https://hidden-user:hidden-word@id.example/token',
      OAUTH_CALLBACK_URL: 'https://hidden-user@matches.example/auth/callback',
      MAP_HOST_FILE_HOSTS: 'https://hidden-host/',
    };
    const ended = await runToTheEnd({ ...environment, ...malformed });
    expectOneLineFor(Object.keys(malformed), ended);
    expect(ended.output).not.toContain('hidden');
  });

  test('with the placeholders of the example file, and does not touch the database', async () => {
    const admin = new URL(environment.DATABASE_URL ?? '');
    const untouched = `untouched_${randomBytes(6).toString('hex')}`;
    await service.database.prisma.$executeRawUnsafe(`CREATE DATABASE ${untouched}`);
    admin.pathname = `/${untouched}`;
    const database = openDatabase({ url: admin.href });
    try {
      const placeholders = {
        BASE_URL: 'https://matches.change-me.example/',
        IDP_TOKEN_URL: 'https://id.change-me.example/token',
        OAUTH_CLIENT_ID: 'change-me',
        OAUTH_CLIENT_SECRET: 'change-me',
        SESSION_SECRET: `${'s'.repeat(40)},change-me-to-32-random-characters-or-more`,
        METRICS_TOKEN: `change-me${'m'.repeat(40)}`,
      };
      const ended = await runToTheEnd({ ...environment, DATABASE_URL: admin.href, ...placeholders });
      expectOneLineFor(Object.keys(placeholders), ended);
      const [{ tables }] = await database.prisma.$queryRawUnsafe<[{ tables: number }]>(
        `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
      );
      expect(tables).toBe(0);
    } finally {
      await database.close();
      await service.database.prisma.$executeRawUnsafe(`DROP DATABASE ${untouched} WITH (FORCE)`);
    }
  });

  test('without its database, and logs one line without the password', async () => {
    const ended = await runToTheEnd({
      ...environment,
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'postgresql://matches:hidden-password@localhost:9/matches',
    });
    expect(ended.output).not.toContain('hidden');
    expectOneLineFor(['the database at DATABASE_URL cannot be used:'], ended);
  });

  test('without a key of the identity provider, and says so', async () => {
    // The stored keys of the running service would let another one start.
    await service.database.prisma.identityKeySet.deleteMany();
    const variables = { PORT: '0', IDP_PUBLIC_KEY_URL: 'http://127.0.0.1:9/jwks' };
    const config = loadConfig({ ...environment, LOG_LEVEL: 'info', ...variables }, { production: true });
    const output = new PassThrough();
    const reason: unknown = await startService(config, { logger: createLogger(config, output) }).catch(
      String,
    );
    expect(reason).toMatch(/IDP_PUBLIC_KEY_URL|identity provider/i);
    const said = `${output.read() ?? ''}${reason}`;
    expect(said).not.toMatch(/\\n\s+at /);
    for (const secret of [environment.SESSION_SECRET, environment.OAUTH_CLIENT_SECRET])
      expect(said).not.toContain(secret);
  });

  test.each([
    ['on a port that is taken', {}, /^PORT is taken by another program: .*EADDRINUSE/],
    ['at an address of another machine', { PORT: '0', HOST: '192.0.2.1' }, /^HOST is no/],
    ['without a folder for files', { STORAGE_DIR: '/proc/files' }, /^STORAGE_DIR cannot/],
  ])('%s, and says why', async (_case, variables, reason) => {
    const config = loadConfig({ ...environment, LOG_LEVEL: 'error', ...variables }, { production: true });
    const output = new PassThrough();
    await expect(startService(config, { logger: createLogger(config, output) })).rejects.toThrow(reason);
    expect(output.read(), 'the reason is all that is logged').toBeNull();
  });
});

describe('a started service', () => {
  test('reads variables from the file of its argument; the environment comes first', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'matches-variables-'));
    try {
      const file = path.join(folder, '.env');
      const { SESSION_SECRET = '', ...others } = environment;
      await writeFile(
        file,
        `# secrets\nSESSION_SECRET=${SESSION_SECRET}\nPORT=hidden\nPICK_SECONDS=hidden\n`,
      );
      const variables = { ...others, PORT: '0' };
      expectOneLineFor(['PICK_SECONDS'], await runToTheEnd(variables, [file]));
      expectOneLineFor(['SESSION_SECRET'], await runToTheEnd(variables, [`${file}.none`]));
      expectOneLineFor([`${folder} cannot be read:`], await runToTheEnd(variables, [folder]));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('by npm start logs once that it listens, and stops cleanly when npm gets a signal, whatever shell npm runs it in', async () => {
    const npm = spawn('npm', ['start', '--silent'], {
      env: { ...inherited, HOME: process.env.HOME, ...environment, PORT: '0', LOG_LEVEL: 'info' },
    });
    let output = '';
    // The pipe stays open as long as the service, which outlives npm.
    const closed = new Promise((resolve) => npm.once('close', resolve));
    const listening = new Promise<void>((resolve) =>
      npm.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('"msg":"listening"')) resolve();
      }),
    );
    await Promise.race([listening, closed]);
    expect(output).toContain('"msg":"listening"');
    npm.kill('SIGTERM');
    await closed;
    expect(output).toMatch(/"msg":"stopping".*"msg":"stopped"/s);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => /listening/i.test(msg))).toEqual([
      expect.objectContaining({ msg: 'listening', url: environment.BASE_URL, port: expect.any(Number) }),
    ]);
  });
});

describe('a configuration', () => {
  const required = () => Object.fromEntries(REQUIRED.map((name) => [name, environment[name] ?? '']));
  const warningsWith = (changes: Record<string, string>) =>
    configWarnings(loadConfig({ ...environment, ...changes })).join('\n');

  test('without issuer or audience gets a warning', () => {
    expect(warningsWith({ IDP_ISSUER: '' })).toContain('IDP_ISSUER');
    expect(warningsWith({ IDP_AUDIENCE: '' })).toContain('IDP_AUDIENCE');
  });

  test('with a callback on another host gets a warning', () => {
    expect(warningsWith({ OAUTH_CALLBACK_URL: 'https://other.example/auth/callback' })).toContain(
      'OAUTH_CALLBACK_URL',
    );
    expect(warningsWith({ OAUTH_CALLBACK_URL: '' })).not.toContain('OAUTH_CALLBACK_URL');
  });

  test.each([
    ['http://matches.example', true],
    ['http://192.0.2.1:3000', true],
    ['http://127.example', true],
    ['https://matches.example', false],
    ['http://localhost:3000', false],
    ['http://matches.localhost', false],
    ['http://127.0.0.2:3000', false],
    ['http://[::1]:3000', false],
  ])('at %s gets a warning of plain HTTP: %s', (base, warned) => {
    expect(warningsWith({ BASE_URL: base, OAUTH_CALLBACK_URL: '' }).includes('BASE_URL is http')).toBe(
      warned,
    );
  });

  test.each([
    ['1', 1],
    ['127.0.0.1', ['127.0.0.1']],
    [' 10.0.0.0/8, ::1 ,loopback', ['10.0.0.0/8', '::1', 'loopback']],
    [
      '10.0.0.0/255.0.0.0,fd00::/8,uniquelocal,linklocal',
      ['10.0.0.0/255.0.0.0', 'fd00::/8', 'uniquelocal', 'linklocal'],
    ],
    ['true', null],
    ['maybe', null],
    ['1.5', null],
    ['-1', null],
    ['127001', null],
    ['127.0.0.1, proxy.example', null],
    ['10.0.0.0/33', null],
    ['0.0.0.0/0', null],
    ['fd00::/129', null],
    [',', null],
  ])('with the proxies %s has %j; null: it is refused', (value, expected) => {
    const load = () => loadConfig({ ...environment, TRUST_PROXY: value });
    if (expected === null) expect(load).toThrow(/^ {2}TRUST_PROXY must /m);
    else expect(load().trustProxy).toEqual(expected);
  });

  test.each([
    ['WEBSITE_ORIGINS', 'ftp://site.example'],
    ['WEBSITE_ORIGINS', 'https://site.example,null'],
    ['WEBSITE_ORIGINS', 'https://*.site.example'],
    ['WEBSITE_ORIGINS', 'https://Site.example'],
    ['WEBSITE_ORIGINS', 'https://site.example:443'],
    ['MAP_HOST_URL', 'ftp://maps.example'],
    ['MAP_HOST_URL', 'https://maps.example/#api'],
    ['BASE_URL', 'ws://matches.example'],
    ['IDP_AUTHORIZE_URL', 'ftp://id.example/authorize'],
    ['IDP_TOKEN_URL', 'ftp://id.example/token'],
    ['IDP_PUBLIC_KEY_URL', 'ftp://id.example/jwks'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example/auth/callback#here'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example/auth/login?tenant=one'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example/oauth/:provider'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example/*'],
    ['OAUTH_CALLBACK_URL', 'https://matches.example/caf%C3%A9'],
    ['S3_ENDPOINT', 's3://bucket'],
    ['DATABASE_URL', 'https://database.example/matches'],
    ['DATABASE_URL', 'postgresql://matches:pass/word#1@localhost:5432/matches'],
    ['DATABASE_URL', 'postgresql://matches:p%ss@localhost:5432/matches'],
    ['DATABASE_URL', 'postgresql://localhost/matches?schema=ranked'],
    ['DATABASE_URL', 'postgresql://localhost/matches?options=-csearch_path%3Dranked'],
    ['REDIS_URL', 'https://redis.example'],
    ['HOST', '127.0.0.1:3000'],
  ])('with %s=%s is refused', (name, value) => {
    const load = () => loadConfig({ ...environment, S3_BUCKET: 'bucket', [name]: value });
    expect(load).toThrow(new RegExp(`^ {2}${name} must `, 'm'));
  });

  test.each([
    ['https://matches.example/ranked', false],
    ['https://matches.example/ranked/', false],
    ['https://matches.example/ranked/health', false],
    ['https://matches.example/ranked/auth/callback', true],
    ['https://matches.example/ranked/auth/done', true],
    ['https://matches.example/ranked/oauth/done', true],
    ['https://matches.example/signed-in', true],
  ])('with the service below a path and the callback %s is taken: %s', (OAUTH_CALLBACK_URL, isTaken) => {
    const BASE_URL = 'https://matches.example/ranked';
    const load = () => loadConfig({ ...environment, BASE_URL, OAUTH_CALLBACK_URL });
    if (isTaken) expect(load().oauthCallbackUrl).toBe(OAUTH_CALLBACK_URL);
    else expect(load).toThrow(/^ {2}OAUTH_CALLBACK_URL must have a path of its own/m);
  });

  test.each([
    ['HTTPS://Matches.Example:443/', 'https://matches.example'],
    ['http://matches.example:80/Ranked//', 'http://matches.example/Ranked'],
    ['https:matches.example:8443', 'https://matches.example:8443'],
    ['https://bücher.example/café', 'https://xn--bcher-kva.example/caf%C3%A9'],
  ])('has the addresses that paths are appended to as browsers write them: %s', (given, written) => {
    const config = loadConfig({
      ...required(),
      BASE_URL: given,
      MAP_HOST_URL: given,
      WEBSITE_ORIGINS: 'https://website.example',
    });
    expect(config).toMatchObject({
      baseUrl: written,
      mapHostUrl: written,
      oauthCallbackUrl: `${written}/auth/callback`,
    });
    expect(ownOrigins(config)).toEqual(['https://website.example', new URL(written).origin]);
  });

  test('takes TLS for Redis however its scheme is written', () => {
    expect(loadConfig({ ...required(), REDIS_URL: 'REDISS://:Word@Redis.example/1' }).redisUrl).toBe(
      'rediss://:Word@Redis.example/1',
    );
  });

  test('may name the schema that the tables are in', () => {
    const DATABASE_URL = 'postgresql://localhost/matches?sslmode=require&schema=public';
    expect(loadConfig({ ...environment, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  });

  test('holds secrets as a header can carry them', () => {
    const secret = 's'.repeat(32);
    const given = { DEPLOY_SECRET: ` ${secret}\r\n`, METRICS_TOKEN: `${secret}\n` };
    expect(loadConfig({ ...environment, ...given })).toMatchObject({
      deploySecret: secret,
      metricsToken: secret,
    });
  });

  test.each([
    { S3_ENDPOINT: 'https://files.example' },
    { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  ])('of a bucket has its name: %o', (variables) => {
    expect(() => loadConfig({ ...environment, S3_BUCKET: '', ...variables })).toThrow(
      /^ {2}S3_BUCKET is required/m,
    );
  });

  test('has a bucket with a name or with the ARN of an access point', () => {
    const load = (bucket: string) => () => loadConfig({ ...environment, S3_BUCKET: bucket });
    for (const bucket of ['replays', 'arn:aws:s3:eu-west-1:123456789012:accesspoint/replays'])
      expect(load(bucket)).not.toThrow(/S3_BUCKET/);
    expect(load('a bucket')).toThrow(/S3_BUCKET must /);
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
  ])('with the service at %s and the website at %s: a warning of the cookie: %s', (base, origin, warned) => {
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
  ])('with the file hosts %s of the map host is taken: %s', (hosts, isAllowed) => {
    const load = () => loadConfig({ ...required(), MAP_HOST_FILE_HOSTS: hosts });
    if (isAllowed) expect(load().mapHostFileHosts).toEqual(hosts.split(', '));
    else expect(load).toThrow('MAP_HOST_FILE_HOSTS must hold host names');
  });

  test('has the documented defaults, lists without spaces, and durations with decimals', () => {
    const config = loadConfig({
      ...required(),
      WEBSITE_ORIGINS: ' https://a.example , https://b.example ',
      JOIN_SECONDS: '0.25',
    });
    expect(config).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      websiteOrigins: ['https://a.example', 'https://b.example'],
      adminSubjects: [],
      mapHostUrl: 'https://api.beatsaver.com',
      mapHostFileHosts: ['.beatsaver.com'],
      logLevel: 'info',
      rateLimitFactor: 1,
      penaltyFirstMs: 300_000,
      rematchMs: 600_000,
      drainDelayMs: 3000,
      shutdownMs: 10_000,
      maintenance: false,
      matchmakingIntervalMs: 1000,
      joinMs: 250,
      discardMs: 60_000,
      pickMs: 45_000,
      prepareMs: 120_000,
      countdownMs: 5000,
      scoreGraceMs: 30_000,
      roundResultsMs: 6000,
      scoreEarliestShare: 0.8,
      reconnectGraceMs: 60_000,
      reconnectBudgetMs: 180_000,
      oauthCallbackUrl: `${environment.BASE_URL}/auth/callback`,
    });
    expect(config.pluginVersions).toBeUndefined();
    expect(config.deploySecret).toBeUndefined();
  });

  test('rounds a duration below one millisecond up', () => {
    expect(loadConfig({ ...required(), PICK_SECONDS: '0.0001' }).pickMs).toBe(1);
    expect(() => loadConfig({ ...required(), PICK_SECONDS: '0.0' })).toThrow(
      'PICK_SECONDS must be a number above 0',
    );
  });

  test.each(Object.values<Variable>(variables).filter(({ schema }) => schema.description?.match(/\d/)))(
    'has numbers in plain digits within the bounds that the documents tell: $name',
    ({ name, schema: { description = '' } }) => {
      const load = (value: string) => () => loadConfig({ ...required(), [name]: value });
      const [low = 0, high = 0] = description.match(/[\d.]+/g)?.map(Number) ?? [];
      expect(high).toBeGreaterThan(low);
      const [beyond, ...others] = [
        String(high + 1),
        '1e1',
        '0x10',
        '1_0',
        '1,5',
        '+1',
        '-1',
        '.5',
        '1.',
        'Infinity',
      ];
      for (const value of [beyond, ...others])
        expect(load(value), value).toThrow(`${name} must be a number ${description}, in plain digits`);
      for (const value of [String(high), ` ${high} `]) expect(load(value), value).not.toThrow();
      const isOpen = description.startsWith('above');
      if (isOpen) expect(load(String(low))).toThrow(name);
      else expect(load(String(low))).not.toThrow();
    },
  );
});
