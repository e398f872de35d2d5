import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOfBplist, rowsOfCsv, toCsv } from '../../src/domains/pools/interchange.ts';
import { bplist } from '../../src/domains/pools/schemas.ts';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A pool to and from the tools that curators have. */

const [known] = loadCatalogue();

let service: TestService;
let source: { poolGuid: string; seasonGuid: string };
let token: string;
beforeAll(async () => {
  service = await startTestService();
  source = await service.openQueue({ maps: 12 });
  token = await service.identityProvider.accountToken('pooler-one');
});
afterAll(() => service.stop());

const draft = async (): Promise<string> =>
  (await service.request('admin', 'POST', '/pools', { seasonGuid: source.seasonGuid, name: 'Draft' })).body
    .poolGuid;
const maps = async (poolGuid: string) =>
  (await service.request('admin', 'GET', `/pools/${poolGuid}/maps`)).body.maps
    .map(({ key, hash, characteristic, difficulty, categoryGuid, modifiers, maxScore }: any) => ({
      key,
      hash,
      characteristic,
      difficulty,
      categoryGuid,
      modifiers,
      maxScore,
    }))
    // Ids made in the same millisecond are in no order.
    .sort((a: any, b: any) => `${a.hash} ${a.difficulty}`.localeCompare(`${b.hash} ${b.difficulty}`));
const send = async (
  poolGuid: string,
  format: 'csv' | 'bplist',
  body: string,
  { query = '', headers = {}, type = format === 'csv' ? 'text/csv' : 'application/json' } = {},
) => {
  const answer = await fetch(`${service.url}/pools/${poolGuid}/import.${format}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as any };
};
const exported = async (poolGuid: string, format: string) => {
  const answer = await fetch(`${service.url}/pools/${poolGuid}/export.${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.headers.get('content-disposition')).toContain(`.${format}"`);
  return Buffer.from(await answer.arrayBuffer()).toString('utf8');
};
const category = async (name: string): Promise<string> =>
  (await service.request('admin', 'POST', '/map-categories', { name })).body.categoryGuid;
const codes = ({ body }: { body: any }) =>
  body.error?.details?.rows?.map(({ index, code }: any) => [index, code]);

test.each(['csv', 'bplist'] as const)(
  'an import of an exported %s file makes the same maps in a new draft',
  async (format) => {
    const poolGuid = await draft();
    const file = await exported(source.poolGuid, format);
    const tried = await send(poolGuid, format, file, { query: '?dryRun=true' });
    expect([tried.status, tried.body.dryRun, tried.body.maps.length]).toEqual([200, true, 12]);
    expect(await maps(poolGuid)).toEqual([]);
    const { body: etagged } = await service.request('admin', 'GET', `/pools/${poolGuid}`);
    expect(etagged.revision).toBe(1);
    expect((await send(poolGuid, format, file)).status).toBe(201);
    expect(await maps(poolGuid)).toEqual(await maps(source.poolGuid));
    // Every row is in the draft now, so that a second import is refused.
    const again = await send(poolGuid, format, file);
    expect([again.status, codes(again).length, codes(again)[11]]).toEqual([
      400,
      12,
      [11, 'MAP_ALREADY_IN_POOL'],
    ]);
  },
);

test.each([
  [
    'a list of modifiers without quotes',
    'key,difficulty,modifiers\na,Hard,\nb,Hard,NF,FS\n',
    'more cells in row 3',
  ],
  ['a column twice', 'key,difficulty,modifiers,Modifiers\na,Hard,NF,FS\n', 'the column `modifiers` twice'],
  ['an open quotation mark', 'key,difficulty\na,Hard\n"b,Hard\n', 'quotation mark in row 3'],
  ['more columns than a table has', `key,difficulty${',a'.repeat(99)}\na,Hard\n`, 'has 101 columns'],
])('a table with %s is refused with its problem', async (_, table, message) => {
  const poolGuid = await draft();
  const { status, body } = await send(poolGuid, 'csv', table);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.error.message).toContain(message);
});

test('each wrong row is reported, and none is added', async () => {
  const poolGuid = await draft();
  const [map] = await maps(source.poolGuid);
  const line = (changes: object) =>
    Object.values({
      key: map.key,
      hash: '',
      difficulty: map.difficulty,
      category: 'Accuracy',
      modifiers: '',
      ...changes,
    }).join(';');
  const table = [
    '\uFEFFKey;Hash;Difficulty;Category;Modifiers',
    line({}),
    line({ category: 'Unknown' }),
    line({ key: 'zz' }),
    line({ key: '', hash: '0'.repeat(40) }),
    line({ modifiers: 'SS FS' }),
    line({ modifiers: 'XX' }),
    line({ difficulty: 'Impossible' }),
    line({ key: '' }),
    line({ category: '' }),
  ].join('\r\n');
  const answer = await send(poolGuid, 'csv', table);
  expect(answer.status).toBe(400);
  expect(codes(answer)).toEqual([
    [1, 'CATEGORY_NOT_FOUND'],
    [2, 'VALIDATION_FAILED'],
    [3, 'MAP_NOT_FOUND'],
    [4, 'MODIFIERS_CONFLICT'],
    [5, 'VALIDATION_FAILED'],
    [6, 'DIFFICULTY_NOT_FOUND'],
    [7, 'VALIDATION_FAILED'],
    [8, 'CATEGORY_NOT_FOUND'],
  ]);
  expect(await maps(poolGuid)).toEqual([]);
});

test('a playlist of another tool needs only hashes and difficulties', async () => {
  const poolGuid = await draft();
  const [map] = await maps(source.poolGuid);
  const file = JSON.stringify({
    playlistTitle: 'Mine',
    image: null,
    customData: null,
    songs: [
      {
        hash: map.hash.toLowerCase(),
        songName: 'x',
        difficulties: [
          {
            characteristic: 'Standard',
            name: map.difficulty.charAt(0).toLowerCase() + map.difficulty.slice(1),
          },
        ],
      },
    ],
  });
  expect(codes(await send(poolGuid, 'bplist', file))).toEqual([[0, 'CATEGORY_NOT_FOUND']]);
  const query = `?categoryGuid=${map.categoryGuid}`;
  const answer = await send(poolGuid, 'bplist', file, { query, type: 'application/octet-stream' });
  expect(answer.status).toBe(201);
  expect(answer.body.maps[0]).toMatchObject({ hash: map.hash, difficulty: map.difficulty, modifiers: [] });
});

test.each(['csv', 'bplist'] as const)(
  'an import from %s with a row whose upload the host has replaced is refused, and names the row',
  async (format) => {
    if (known === undefined) throw new Error('The map host has no maps.');
    const [one, other] = await maps(source.poolGuid);
    const replaced =
      format === 'csv' ? { key: 'fed1', hash: '1'.repeat(40) } : { key: 'fed2', hash: '2'.repeat(40) };
    service.mapHost.addMap({ ...known, ...replaced });
    service.mapHost.republish(replaced.key);
    const rows = [one, { ...one, hash: replaced.hash, difficulty: known.difficulties[0]?.difficulty }, other];
    const file =
      format === 'csv'
        ? [
            'Hash;Characteristic;Difficulty;Category',
            ...rows.map((row) => `${row.hash};${row.characteristic};${row.difficulty};Accuracy`),
          ].join('\n')
        : JSON.stringify({
            playlistTitle: 'Mine',
            songs: rows.map(({ hash, characteristic, difficulty }) => ({
              hash,
              difficulties: [{ characteristic, name: difficulty }],
            })),
          });
    const poolGuid = await draft();
    const answer = await send(poolGuid, format, file, { query: `?categoryGuid=${one.categoryGuid}` });
    expect([answer.status, codes(answer)]).toEqual([400, [[1, 'MAP_STALE']]]);
    expect(await maps(poolGuid)).toEqual([]);
  },
);

test('an import is refused for a published pool, with an old If-Match, to an admin, and in a wrong format', async () => {
  const file = await exported(source.poolGuid, 'csv');
  const published = await send(source.poolGuid, 'csv', file);
  expect([published.status, published.body.error.code]).toEqual([409, 'POOL_NOT_EDITABLE']);
  const poolGuid = await draft();
  const stale = await send(poolGuid, 'csv', file, { headers: { 'if-match': '"old"' } });
  expect([stale.status, stale.body.error.code]).toEqual([412, 'STALE']);
  const admin = await fetch(`${service.url}/pools/${poolGuid}/import.csv`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.identityProvider.mint({ sub: 'an-admin', platformId: null, permissions: ['role:admin'] })}`,
      'content-type': 'text/csv',
    },
    body: file,
  });
  expect(admin.status).toBe(403);
  for (const [format, body, type, expected] of [
    ['csv', file, 'application/json', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['bplist', file, 'text/csv', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['bplist', '{"half', 'application/octet-stream', '400 VALIDATION_FAILED'],
    ['bplist', '{"songs":[]}', 'application/json', '400 VALIDATION_FAILED'],
    ['csv', 'a,b\n1,2', 'text/csv', '400 VALIDATION_FAILED'],
    ['csv', 'key,difficulty\n"open', 'text/csv', '400 VALIDATION_FAILED'],
    ['csv', `key,difficulty\n${'1,Expert\n'.repeat(201)}`, 'text/csv', '400 VALIDATION_FAILED'],
  ] as const) {
    const answer = await send(await draft(), format, body, { type });
    expect(`${answer.status} ${answer.body.error?.code}`, `${format} ${type} ${body.slice(0, 20)}`).toBe(
      expected,
    );
  }
});

describe('a table', () => {
  test('may repeat columns that are not read', () => {
    const table = `key,a,difficulty${',a'.repeat(97)}\n1a2b,x,Hard\n`;
    expect(rowsOfCsv(table)).toMatchObject([{ key: '1a2b', difficulty: 'Hard' }]);
  });

  test('with thousands of columns of one name is refused for the number of its columns', () => {
    const numbered = Array.from({ length: 4000 }, (_, nth) => `a_${nth + 1}`);
    const table = ['key', 'difficulty', ...numbered, ...Array(8000).fill('a')].join(',');
    expect(() => rowsOfCsv(table)).toThrow('has 12002 columns');
  });

  test('has no formulas for spreadsheets, and is read without the quotes that prevent them', () => {
    const pool: any = {
      name: 'P',
      status: 'draft',
      revision: 1,
      season: { name: 'S' },
      categories: [{ categoryGuid: 'c', name: '-fast' }],
      maps: [
        {
          key: '1',
          hash: 'A'.repeat(40),
          name: '=HYPERLINK("x")',
          characteristic: 'Standard',
          difficulty: 'Expert',
          categoryGuid: 'c',
          modifiers: ['NF', 'GN'],
          durationSeconds: 1,
          maxScore: 1,
        },
      ],
    };
    const table = toCsv(pool);
    expect(table).toContain(`"'=HYPERLINK(""x"")"`);
    expect(table).not.toMatch(/(^|[,\r\n])"?[=+@-]/);
    expect(rowsOfCsv(table)).toEqual([
      {
        key: '1',
        hash: 'A'.repeat(40),
        characteristic: 'Standard',
        difficulty: 'Expert',
        category: '-fast',
        modifiers: ['NF', 'GN'],
      },
    ]);
  });
});

test('a playlist may name the upload by the level id of the game', () => {
  const hash = '414169F2F791443D9F6278009DD91EBE369BC9B6';
  const song = (levelid: string) => rowsOfBplist(bplist.parse({ songs: [{ key: '1a2b', levelid }] }))[0];
  expect(song(`custom_level_${hash}`)).toMatchObject({ key: '', hash });
  expect(song('BeatSaber')).toMatchObject({ key: '1a2b', hash: '' });
});

test('a playlist is read up to its first wrong song', async () => {
  const song = { hash: '1'.repeat(40), difficulties: Array(200).fill({}) };
  const file = { songs: [{ hash: '1'.repeat(40) }, ...Array(600).fill(song)] };
  expect(bplist.safeParse(file).error?.issues).toHaveLength(200);
  const { status, body } = await send(await draft(), 'bplist', JSON.stringify(file));
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.error.details.fields[0].path).toBe('songs.1.difficulties.0.name');
});

test('a row with a hundred thousand modifiers has one problem', async () => {
  const modifiers = 'x '.repeat(100_000);
  const { body } = await send(
    await draft(),
    'csv',
    `key,difficulty,category,modifiers\n1a2b,Hard,Accuracy,${modifiers}`,
  );
  expect(body.error.details.rows).toEqual([
    { index: 0, code: 'VALIDATION_FAILED', message: 'modifiers must have at most 15 entries.' },
  ]);
});

const samples = path.resolve(import.meta.dirname, '../../../shared/data/playlists');
test.skipIf(!existsSync(samples))(
  'playlists of well-known services are understood (skipped without ../shared)',
  () => {
    const rows = (file: string) =>
      rowsOfBplist(bplist.parse(JSON.parse(readFileSync(path.join(samples, file), 'utf8'))));
    expect(rows('host-qualified.bplist')[0]).toMatchObject({
      characteristic: 'Standard',
      difficulty: 'ExpertPlus',
    });
    expect(rows('host-download.bplist')[0]).toMatchObject({
      hash: '414169f2f791443d9f6278009dd91ebe369bc9b6',
      difficulty: '',
    });
  },
);

test('a category is found by its exact spelling first, and then without regard to case and composition, where only one fits', async () => {
  const [upper, lower, accented] = [await category('TECH'), await category('tech'), await category('été')];
  const [first, second, third, fourth] = await maps(source.poolGuid);
  const row = (map: any, name: string) => `${map.hash},${map.characteristic},${map.difficulty},${name},`;
  const table = [
    'hash,characteristic,difficulty,category,modifiers',
    row(first, 'TECH'),
    row(second, 'tech'),
    row(third, 'été'.normalize('NFD')),
    row(fourth, 'ÉTÉ'),
  ].join('\r\n');
  const { body } = await send(await draft(), 'csv', table);
  expect(body.maps?.map((map: any) => map.categoryGuid)).toEqual([upper, lower, accented, accented]);
  const ambiguous = await send(
    await draft(),
    'csv',
    [table.split('\r\n')[0], row(first, 'Tech')].join('\r\n'),
  );
  expect(ambiguous.body.error.details.rows).toMatchObject([{ index: 0, code: 'CATEGORY_NOT_FOUND' }]);
});
