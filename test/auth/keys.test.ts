import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAuth, type IdentityKeys, openIdentityKeys } from '../../src/domains/auth/index.ts';
import { candidatesOf, readKeyDocument } from '../../src/domains/auth/key-document.ts';
import type { IdentityProvider } from '../../src/local/identity-provider/server.ts';
import { freePort } from '../../src/local/postgres.ts';
import { manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { codeOf, silent, startProvider } from './fixture.ts';

let database: TestDatabase;
let provider: IdentityProvider;
const clock = manualClock();
const opened: IdentityKeys[] = [];
beforeAll(async () => {
  database = await cloneDatabase();
  provider = await startProvider({ now: clock.now });
});
afterEach(() => {
  provider.fail(null);
  for (const keys of opened.splice(0)) keys.close();
});
afterAll(async () => {
  await provider.stop();
  await database.drop();
});

async function open(publicKeyUrl: string): Promise<IdentityKeys> {
  const keys = await openIdentityKeys({ publicKeyUrl, db: database.prisma, clock, logger: silent });
  opened.push(keys);
  return keys;
}

const verdictWith = async (keys: IdentityKeys, token: string) => {
  const { issuer, audience } = provider;
  return codeOf(
    createAuth({ database, clock, logger: silent, keys, issuer, audience, adminSubjects: [] }).verify(token),
  );
};

describe('the public key at the start', () => {
  test.each(['publicKeyUrl', 'publicKeyPemUrl', 'publicKeyJsonUrl'] as const)(
    'is read from %s',
    async (form) => {
      const keys = await open(provider[form]);
      expect(keys.isDegraded()).toBe(false);
      expect(await verdictWith(keys, await provider.mint())).toBe('passed');
    },
  );

  test.each(['down', 'nonsense', 'slow'] as const)(
    'is the stored one when the provider is %s',
    async (failure) => {
      await open(provider.publicKeyUrl);
      clock.advance(1000);
      provider.fail(failure, { delayMs: 6000 });
      const keys = await open(provider.publicKeyUrl);
      expect(keys.isDegraded()).toBe(true);
      const token = await provider.mint();
      expect(await verdictWith(keys, token)).toBe('passed');
    },
  );

  test.each(['down', 'nonsense'] as const)(
    'is missing, with a clear error, when the provider is %s and no key is stored',
    async (failure) => {
      provider.fail(failure);
      await expect(open(`${provider.publicKeyUrl}?never=fetched`)).rejects.toThrow(
        /could not be read from IDP_PUBLIC_KEY_URL .*none is stored/,
      );
    },
  );

  test('is missing, with the reason and without the secret of the address, when nothing can be reached there', async () => {
    const port = await freePort();
    const failure = await open(`http://127.0.0.1:${port}/jwks?key=hidden`).catch(String);
    expect(failure).toContain(`IDP_PUBLIC_KEY_URL (connect ECONNREFUSED 127.0.0.1:${port})`);
    expect(failure).not.toContain('hidden');
  });

  test('is requested again when the provider is back', async () => {
    await open(provider.publicKeyUrl);
    provider.fail('down');
    const keys = await open(provider.publicKeyUrl);
    provider.fail(null);
    await provider.rotateKeys();
    clock.advance(60_000);
    expect(await verdictWith(keys, await provider.mint())).toBe('passed');
    expect(keys.isDegraded()).toBe(false);
  });
});

describe('a refresh', () => {
  test('that fails leaves the old keys in use', async () => {
    const keys = await open(provider.publicKeyUrl);
    const good = await provider.mint();
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const bad = await provider.mint({}, { key: stranger });
    provider.fail('down');
    expect(await verdictWith(keys, bad)).toBe('TOKEN_INVALID');
    expect(keys.isDegraded()).toBe(true);
    expect(await verdictWith(keys, good)).toBe('passed');
  });

  test('for one token counts for another token that was tried with the old keys before', async () => {
    const keys = await open(provider.publicKeyUrl);
    await provider.rotateKeys();
    const slow = {
      ...keys,
      refresh: async (tried: number) => {
        expect(await verdictWith(keys, await provider.mint())).toBe('passed');
        return keys.refresh(tried);
      },
    };
    expect(await verdictWith(slow, await provider.mint())).toBe('passed');
  });

  test('that withdraws the key of a token while the token is verified keeps the token out of the cache', async () => {
    const keys = await open(provider.publicKeyUrl);
    let isWithdrawn = false;
    const withdrawn = {
      ...keys,
      candidates: (kid: string | undefined) => {
        const found = isWithdrawn ? [] : keys.candidates(kid);
        isWithdrawn = true;
        return found;
      },
      generation: () => keys.generation() + Number(isWithdrawn),
      refresh: async () => false,
    };
    const { issuer, audience } = provider;
    const auth = createAuth({
      ...{ database, clock, logger: silent, keys: withdrawn },
      ...{ issuer, audience, adminSubjects: [] },
    });
    const token = await provider.mint();
    expect(await codeOf(auth.verify(token))).toBe('passed');
    expect(await codeOf(auth.verify(token))).toBe('TOKEN_INVALID');
  });

  test('is made after the clock was set back', async () => {
    const keys = await open(provider.publicKeyUrl);
    for (const back of [0, 3_600_000]) {
      clock.advance(-back);
      await provider.rotateKeys();
      expect(await verdictWith(keys, await provider.mint())).toBe('passed');
    }
  });

  test('is stored for the next start', async () => {
    const keys = await open(provider.publicKeyUrl);
    await provider.rotateKeys();
    const token = await provider.mint();
    expect(await verdictWith(keys, token)).toBe('passed');
    provider.fail('down');
    expect(await verdictWith(await open(provider.publicKeyUrl), token)).toBe('passed');
  });

  test('survives a database that cannot store it', async () => {
    const doomed = await cloneDatabase();
    const keys = await openIdentityKeys({
      publicKeyUrl: provider.publicKeyUrl,
      db: doomed.prisma,
      clock,
      logger: silent,
    });
    opened.push(keys);
    await doomed.prisma.$executeRaw`DROP TABLE "IdentityKeySet"`;
    const { publicKeyUrl } = provider;
    const started = await openIdentityKeys({ publicKeyUrl, db: doomed.prisma, clock, logger: silent });
    opened.push(started);
    expect(started.isDegraded()).toBe(false);
    await provider.rotateKeys();
    expect(await keys.refresh(keys.generation())).toBe(true);
    expect(await verdictWith(keys, await provider.mint())).toBe('passed');
    await doomed.drop();
  });
});

describe('a key document', () => {
  const rsa = (bits = 2048): KeyObject => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey;
  const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') =>
    key.export({ type, format: 'pem' }).toString();
  const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });

  test('gives the RS256 keys of a JWKS and ignores the others', () => {
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const keys = readKeyDocument(
      JSON.stringify({
        keys: [
          jwk(rsa(), { kid: 'one', alg: 'RS256', use: 'sig' }),
          jwk(rsa(), { kid: 'two' }),
          jwk(rsa()),
          jwk(rsa(), { kid: 'for-encryption', use: 'enc' }),
          jwk(rsa(), { kid: 'another-algorithm', alg: 'PS256' }),
          jwk(elliptic, { kid: 'elliptic' }),
          null,
          'text',
          [],
          { kty: 'oct', k: 'c2VjcmV0', kid: 'shared' },
          jwk(rsa(1024), { kid: 'too-short' }),
          { kty: 'RSA', n: '', e: '', kid: 'empty' },
        ],
      }),
    );
    expect(keys.map(({ kid }) => kid)).toEqual(['one', 'two', null]);
  });

  test('of many keys has all that are named, and of the others twenty for a token', () => {
    const [named, unnamed] = [jwk(rsa()), jwk(rsa())];
    const keys = readKeyDocument(
      JSON.stringify({
        keys: [
          ...Array.from({ length: 25 }, () => unnamed),
          ...Array.from({ length: 25 }, (_, at) => ({ ...named, kid: `key-${at}` })),
        ],
      }),
    );
    const candidates = candidatesOf(keys, 'key-24');
    expect(candidates).toHaveLength(20);
    expect(candidates[0]?.export({ format: 'jwk' })).toEqual(named);
    expect(candidatesOf(keys, undefined)).toHaveLength(20);
  });

  test('may be a PEM in both RSA forms, with blank lines around it', () => {
    expect(readKeyDocument(`\n${pem(rsa())}\n`)).toHaveLength(1);
    expect(readKeyDocument(pem(rsa(), 'pkcs1'))).toHaveLength(1);
  });

  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['a web page', () => '<!doctype html>'],
    ['JSON of another form', () => '{"key":"x"}'],
    ['an empty JWKS', () => '{"keys":[]}'],
    ['a JWKS of other things', () => '{"keys":[null]}'],
    ['a JWKS of keys that are too short', () => JSON.stringify({ keys: [jwk(rsa(1024))] })],
    ['another algorithm', () => JSON.stringify({ algorithm: 'HS256', publicKey: pem(rsa()) })],
    ['a PEM that is none', () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
    ['a key under 2048 bits', () => pem(rsa(1024))],
    ['a key that is not RSA', () => pem(generateKeyPairSync('ed25519').publicKey)],
    [
      'a private key',
      () =>
        generateKeyPairSync('rsa', { modulusLength: 2048 })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
    ],
  ])('is refused when it is %s', (_case, document) => {
    expect(() => readKeyDocument(document())).toThrow();
  });
});

describe('an answer of the key address', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  test('may have more keys than are tried for a token without kid, which is said once for each document', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const others = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
    const set: object[] = Array.from({ length: 20 }, (_, at) => ({ ...others, kid: `key-${at}` }));
    set.push({ ...publicKey.export({ format: 'jwk' }), kid: 'last' });
    const url = await serve((_request, response) => response.end(JSON.stringify({ keys: set })));
    const warned: unknown[] = [];
    const keys = await openIdentityKeys({
      ...{ publicKeyUrl: url, db: database.prisma, clock },
      logger: { info: () => undefined, warn: (about: unknown) => void warned.push(about) },
    });
    opened.push(keys);
    const tokenOf = (kid: string | null) => provider.mint({}, { key: privateKey, kid });
    expect(await verdictWith(keys, await tokenOf('last'))).toBe('passed');
    expect(await verdictWith(keys, await tokenOf(null))).toBe('TOKEN_INVALID');
    clock.advance(60_000);
    await keys.refresh(keys.generation());
    expect(warned).toEqual([{ keys: 21, tried: 20 }]);
    set.push({ ...others, kid: 'newer' });
    clock.advance(60_000);
    expect(await keys.refresh(keys.generation())).toBe(true);
    expect(warned.at(-1)).toEqual({ keys: 22, tried: 20 });
  });

  test('with private keys verifies tokens, and only the public part is stored', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const exported = { ...privateKey.export({ format: 'jwk' }), kid: 'private' };
    const url = await serve((_request, response) => response.end(JSON.stringify({ keys: [exported] })));
    const token = await provider.mint({}, { key: privateKey, kid: 'private' });
    expect(await verdictWith(await open(url), token)).toBe('passed');
    const { body } = await database.prisma.identityKeySet.findUniqueOrThrow({ where: { publicKeyUrl: url } });
    const { n, e, kty } = createPublicKey(privateKey).export({ format: 'jwk' });
    expect(JSON.parse(body)).toEqual({ keys: [{ kty, n, e, kid: 'private' }] });
  });

  test('that never ends is cancelled', async () => {
    const url = await serve((_request, response) => {
      const more = setInterval(() => response.write(' '.repeat(16 * 1024)), 1);
      response.once('close', () => clearInterval(more));
    });
    await expect(open(url)).rejects.toThrow('more than 65536 bytes');
  });

  test('with an error status is not read', async () => {
    const url = await serve((_request, response) => response.writeHead(503).end('{"keys":[]}'));
    await expect(open(url)).rejects.toThrow('it answered 503');
  });
});
