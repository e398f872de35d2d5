import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chooseDifficulty, type Maps, type MapsOptions } from '../../src/domains/maps/index.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { temporaryStorage } from '../harness/storage.ts';
import {
  codeOf,
  forgetAnswers,
  hashOf,
  type ManyMaps,
  mapOf,
  openMaps,
  resolveOne,
  startManyMaps,
} from './many-maps.ts';

const storage = await temporaryStorage();

/** Answers of a hostile or broken map host. */

let database: TestDatabase;
let host: ManyMaps;
let maps: Maps;

const mapsWith = (options: Partial<MapsOptions> = {}): Maps =>
  openMaps({
    storage,
    database,
    mapHostUrl: host.url,
    mapHostFileHosts: [`127.0.0.1:${host.port}`, 'files.example.org:8443', '[::1]:9000'],
    ...options,
  });

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await forgetAnswers(database);
  host = await startManyMaps();
  maps = mapsWith();
});
afterEach(() => host.stop());

const answer = JSON.stringify(mapOf('1a'));
const json =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
  };

test.each<[string, (response: ServerResponse) => void]>([
  ['a body larger than any map', json(`{"id":"1a","name":"${'a'.repeat(3 * 1024 * 1024)}"}`)],
  [
    'a small body that is large once decoded',
    json(gzipSync(`{"id":"1a","name":"${'a'.repeat(50 * 1024 * 1024)}"}`), { 'content-encoding': 'gzip' }),
  ],
  ['a body that is not what its encoding says', json(answer, { 'content-encoding': 'gzip' })],
  [
    'JSON of half a million levels',
    json(`{"id":"1a","versions":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
  ],
  ['levels where nobody looks', json(`{"id":"1a","x":${'['.repeat(500_000)}`)],
  ['a web page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(answer)],
  ['a picture', (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(answer)],
  ['bytes that are no text', json(Buffer.from([0xff, 0xfe, 0x00]))],
  ['a body that breaks off', json(answer.slice(0, 40), { 'content-length': String(answer.length) })],
  ['no HTTP', (response) => response.socket?.end('HELLO\r\n\r\n')],
  ['a redirect to nowhere', (response) => response.writeHead(302, { location: 'http://[' }).end()],
  ['a redirect to a file', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
  [
    'a redirect with a password',
    (response) => response.writeHead(302, { location: `http://a:b@127.0.0.1:${host.port}/` }).end(),
  ],
  ['a redirect without an address', (response) => response.writeHead(302).end()],
  ['a redirect to itself', (response) => response.writeHead(307, { location: '/maps/id/1a' }).end()],
  ['a list of itself', json(`[${answer}]`)],
  ['null', json('null')],
  ['a song longer than a day', json(answer.replace('"duration":100', '"duration":86401'))],
  ['a number too large', json(answer.replace('"duration":100', '"duration":1e400'))],
  ['a negative number of notes', json(answer.replace('"notes":430', '"notes":-1'))],
  [
    'a thousand and one versions',
    json(JSON.stringify({ ...mapOf('1a'), versions: Array(1001).fill(mapOf('1a').versions[0]) })),
  ],
  ['a hash with a path in it', json(answer.replaceAll(hashOf('1a'), '../../etc/passwd'))],
])('%s is refused, and nothing of it is stored', async (_what, respond) => {
  host.respond = (_asked, response) => respond(response);
  expect(await codeOf(resolveOne(maps, '1a'))).toBe('UPSTREAM_UNAVAILABLE');
  expect(await database.prisma.hostMapVersion.count()).toBe(0);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['no headers', () => undefined],
  [
    'headers and nothing more',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
  ],
  [
    'a byte now and then',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('an answer that does not end is refused after the time-out: %s', async (_what, respond) => {
  host.respond = (_asked, response) => respond(response);
  const impatient = mapsWith({ mapHostTimeoutMs: 400 });
  expect(await codeOf(resolveOne(impatient, '1a'))).toBe('UPSTREAM_UNAVAILABLE');
});

test('long names are shortened', async () => {
  const long = '👾'.repeat(4000);
  const metadata = { ...mapOf('1a').metadata, songName: long, levelAuthorName: long };
  host.respond = (_asked, response) =>
    json(JSON.stringify({ ...mapOf('1a'), name: long, metadata }))(response);
  const cut = '👾'.repeat(1000);
  expect(await resolveOne(maps, '1a')).toMatchObject({ name: cut, songName: cut, levelAuthorName: cut });
});

test('a redirect to another port of the same machine is another origin, and is not followed', async () => {
  let asked = 0;
  const inside = createServer((_request, response) => {
    asked += 1;
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => inside.once('listening', resolve));
  const { port } = inside.address() as AddressInfo;
  for (const location of [`http://127.0.0.1:${port}/maps/id/1a`, `//127.0.0.1:${port}/maps/id/1a`]) {
    host.respond = (_asked, response) => response.writeHead(302, { location }).end();
    expect(await codeOf(resolveOne(maps, '1a'))).toBe('UPSTREAM_UNAVAILABLE');
  }
  expect(asked).toBe(0);
  inside.close();
});

test('a body is read if it is compressed, has another type, or has no type', async () => {
  const forms: ((response: ServerResponse) => void)[] = [
    json(gzipSync(answer), { 'content-encoding': 'gzip' }),
    json(answer, { 'content-type': 'application/vnd.host+json; charset=utf-8' }),
    json(`\uFEFF${answer}`),
    (response) => response.end(answer),
  ];
  for (const form of forms) {
    host.respond = (_asked, response) => form(response);
    expect(await codeOf(resolveOne(maps, '1a', { isFresh: true }))).toBe('resolved');
  }
});

test('negative numbers make a map that is not playable', async () => {
  host.respond = (_asked, response) =>
    response.end(
      answer.replace('"duration":100', '"duration":-1e300').replace('"maxScore":388355', '"maxScore":-9e15'),
    );
  const version = await resolveOne(maps, '1a');
  expect(version.durationSeconds).toBe(0);
  expect(() => chooseDifficulty(version, { characteristic: 'Standard', difficulty: 'Expert' })).toThrow(
    expect.objectContaining({ code: 'MAP_NOT_PLAYABLE' }),
  );
});

test('names are stored without control characters, halves of surrogate pairs and outer spaces', async () => {
  host.respond = (_asked, response) =>
    response.end(
      JSON.stringify(mapOf('1a', { name: 'x' })).replace('"x"', String.raw`" A\ud800B\u0000C\u001b[31m\nD "`),
    );
  expect((await resolveOne(maps, '1a')).name).toBe('A\uFFFDB C [31m D');
});

test.each<[string, boolean]>([
  ['HASH.zip', true],
  ['files/HASH.zip?from=here', true],
  ['HASH', true],
  [`${'0'.repeat(40)}.zip`, false],
  ['other.zip?file=HASH', false],
  ['other.zip#HASH', false],
  ['aHASH.zip', false],
  ['HASHf.zip', false],
])('the host’s address %s is used as the file of the hash: %s', async (path, isTaken) => {
  const hash = hashOf('1a');
  const address = `${host.url}/a/${path.replace('HASH', hash)}`;
  const [version] = mapOf('1a').versions;
  host.respond = (_asked, response) =>
    response.end(JSON.stringify(mapOf('1a', { versions: [{ ...version, downloadURL: address }] })));
  expect((await resolveOne(maps, '1a')).downloadUrl).toBe(isTaken ? address : `${host.url}/${hash}.zip`);
});

test('addresses are stored in the spelling that a header can hold', async () => {
  const hash = hashOf('1a');
  const [version] = mapOf('1a').versions;
  host.respond = (_asked, response) =>
    response.end(
      JSON.stringify(
        mapOf('1a', {
          versions: [
            {
              ...version,
              downloadURL: `HTTPS://FILES.EXAMPLE.ORG:8443/ä b/\n${hash}.zip`,
              coverURL: `https://[0:0:0:0:0:0:0:1]:9000/x\r\nset-cookie: a=b`,
            },
          ],
        }),
      ),
    );
  expect(await resolveOne(maps, '1a')).toMatchObject({
    downloadUrl: `https://files.example.org:8443/%C3%A4%20b/${hash}.zip`,
    coverUrl: 'https://[::1]:9000/xset-cookie:%20a=b',
  });
});
