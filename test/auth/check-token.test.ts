import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkToken } from '../../scripts/check-token.ts';
import { createAdmission, inspectToken, overHttp } from '../../src/domains/auth/index.ts';
import { createAdmissionLine } from '../../src/platform/admission-line.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { inherited } from '../harness/process.ts';
import { type AuthFixture, codeOf, openAuth, startProvider } from './fixture.ts';

const script = fileURLToPath(new URL('../../scripts/check-token.ts', import.meta.url));

/** Runs `npm run check-token` as its process. */
function runProcess(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    env: { ...inherited, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
}

/** The same call in this process. */
async function run(args: string[], environment: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await checkToken(args, environment);
  return { code: exitCode, output: stdout + stderr };
}

describe('an inspection', () => {
  let fixture: AuthFixture;
  beforeAll(async () => {
    fixture = await openAuth();
  });
  afterAll(() => fixture.close());
  const seconds = () => Math.floor(fixture.clock.now() / 1000);
  const inspect = (token: unknown) =>
    inspectToken(token, {
      candidates: fixture.keys.candidates,
      now: fixture.clock.now(),
      issuer: fixture.provider.issuer,
      audience: fixture.provider.audience,
    });

  test.each<[string, Record<string, unknown>, Parameters<AuthFixture['provider']['mint']>[1]?]>([
    ['a good game token', {}],
    ['an expired one', { exp: 1 }],
    ['one that is not valid yet', { nbf: 4e9 }],
    ['one of another issuer', { iss: 'https://other.example' }],
    ['one for another service', { aud: 'urn:other' }],
    ['one without the scope', { scope: 'profile' }],
    ['one of a website', { tokenType: 'web' }],
    ['one without a verified platform', { platformVerified: false }],
    ['one with a claim of a wrong type', { platformId: 7 }],
    ['an unsigned one', {}, { alg: 'none' }],
    ['one with everything wrong', { exp: 1, iss: 'x', aud: 'x', scope: '', tokenType: 'web' }],
  ])('gives the same answer as the service: %s', async (_name, claims, options) => {
    const token = await fixture.provider.mint({ tokenType: 'platform:game', ...claims }, options);
    const { everywhere, socket } = await inspect(token);
    const first = [...everywhere, ...socket].find(({ refusal }) => refusal)?.refusal;
    const admit = createAdmission({
      auth: fixture.auth,
      database: fixture.database,
      clock: fixture.clock,
      pluginVersions: async () => ({ accepted: ['1.0.0'], published: [] }),
      isDraining: () => false,
      line: createAdmissionLine(),
      onPutOff: () => undefined,
    });
    expect(first?.code ?? 'passed').toBe(await codeOf(admit({ token, pluginVersion: '1.0.0' })));
    const verified = await fixture.auth.verify(token).catch((error: unknown) => error);
    const http = everywhere.find(({ refusal }) => refusal)?.refusal;
    expect(http && overHttp(http).code).toBe(
      verified instanceof ServiceError ? overHttp(verified).code : undefined,
    );
  });

  test('continues after a failed check and shows everything that is wrong', async () => {
    const token = await fixture.provider.mint({
      exp: seconds() - 100,
      iss: 'x',
      scope: '',
      tokenType: 'web',
    });
    const { everywhere, socket } = await inspect(token);
    const refused = [...everywhere, ...socket].map(({ refusal }) => refusal?.code);
    expect(refused.filter(Boolean)).toEqual([
      'TOKEN_EXPIRED',
      'TOKEN_INVALID',
      'INSUFFICIENT_SCOPE',
      'TOKEN_TYPE_NOT_ALLOWED',
    ]);
  });
});

describe('npm run check-token', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let environment: Record<string, string>;
  beforeAll(async () => {
    provider = await startProvider();
    environment = {
      IDP_PUBLIC_KEY_URL: provider.publicKeyUrl,
      IDP_ISSUER: provider.issuer,
      IDP_AUDIENCE: provider.audience,
    };
  });
  afterAll(() => provider.stop());

  test('accepts a valid game token, and needs no settings for one of the local identity provider', async () => {
    const token = await provider.gameToken({ platformId: '76561190000000001', username: 'Anna' });
    const port = new URL(provider.issuer).port;
    const answers = [
      await runProcess([token], environment),
      await run([token], { IDENTITY_PROVIDER_PORT: port }),
    ];
    for (const { code, output } of answers) {
      expect(output).toContain('ok        It is well signed.');
      expect(output).toContain('platform id 76561190000000001.');
      expect(output).toContain('Over HTTP:     taken');
      expect(output).toContain('On the socket: let in');
      expect(code).toBe(0);
    }
  });

  test('names what is wrong, claim by claim', async () => {
    const wrong = await run([await provider.mint({ platformId: 7, exp: 'soon' })], environment);
    expect(wrong.output).toMatch(
      /REFUSED {3}Its claims have the right types: TOKEN_INVALID\..*\n *exp: .*\n *platformId: /,
    );
    expect(wrong.output).toContain('–         It has not expired: not looked at.');
    const web = await run([await provider.accountToken('admin')], environment);
    expect(web.output).toContain('Over HTTP:     taken');
    expect(web.output).toContain('On the socket: TOKEN_TYPE_NOT_ALLOWED');
    expect([wrong.code, web.code]).toEqual([1, 1]);
  });

  test('says that a token is too long for the head of a request', async () => {
    const token = await provider.mint({ username: 'x'.repeat(17 * 1024) });
    const { code, output } = await run([token], environment);
    expect(output).toContain('Over HTTP:     431 HEAD_TOO_LARGE');
    expect(output).toContain('On the socket: TOKEN_INVALID');
    expect(code).toBe(1);
  });

  test('says what is wrong with the call, and with the keys', async () => {
    const server = createServer((_request, response) => response.end('<!doctype html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const nonsense = await run(['a.b.c'], { IDP_PUBLIC_KEY_URL: url });
    server.close();
    expect(nonsense.output).toContain(`could not be read from ${url}: it is neither a PEM nor JSON`);
    const [none, unknown, help] = await Promise.all([runProcess([]), run(['--what']), run(['--help'])]);
    expect(none.output).toMatch(/^Give one token\./);
    expect(unknown.output).toContain("Unknown option '--what'");
    expect(help.output).toContain('npm run check-token -- <jwt>');
    expect([nonsense, none, unknown, help].map(({ code }) => code)).toEqual([1, 1, 1, 0]);
  });
});
