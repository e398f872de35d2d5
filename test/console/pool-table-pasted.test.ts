import { expect, test } from 'vitest';
import { mapNamed, readPasted, textOf } from '../../src/console/pools/table/pasted.ts';
import { rowsOfCsv, toBplist, toCsv } from '../../src/domains/pools/interchange.ts';

/** What is read from a pasted text or a file. */

const HASH = '60542BD5BF9B17459631EDB1643352DD7ED5C6EC';
const row = (changes: object) => ({
  key: '',
  hash: '',
  characteristic: '',
  difficulty: '',
  category: '',
  modifiers: [],
  ...changes,
});

test.each([
  ['350A4', { key: '350a4', hash: '' }],
  [' !bsr 350a4 ', { key: '350a4', hash: '' }],
  [HASH.toLowerCase(), { key: '', hash: HASH }],
  [`custom_level_${HASH}`, { key: '', hash: HASH }],
  ['https://maps.example.org/maps/350a4', { key: '350a4', hash: '' }],
  ['https://maps.example.org/maps/350a4?tab=2#top', { key: '350a4', hash: '' }],
  ['http://maps.example.org/beatmap/350a4/', { key: '350a4', hash: '' }],
  ['https://api.example.org/maps/id/350a4', { key: '350a4', hash: '' }],
  [`https://api.example.org/maps/hash/${HASH}`, { key: '', hash: HASH }],
  [`https://cdn.example.org/${HASH.toLowerCase()}.zip`, { key: '', hash: HASH }],
  ['maps.example.org/maps/350a4', { key: '350a4', hash: '' }],
  ['game://350a4', { key: '350a4', hash: '' }],
  ['game://350a4/', { key: '350a4', hash: '' }],
])('%s names a map', (text, named) => {
  expect(mapNamed(text)).toEqual(named);
});

test.each([
  '',
  'xyz',
  '350a4350a4',
  'https://example.org/profile/350a4',
  'https://',
  'a b',
  'http://[',
  HASH.slice(1),
])('%s names no map', (text) => {
  expect(mapNamed(text)).toBeNull();
});

test.each([
  ['a text', Buffer.from('350a4\n„ü“'), '350a4\n„ü“'],
  ['a text with a byte order mark', Buffer.from('\uFEFFkey\n350a4'), 'key\n350a4'],
  ['the file of a spreadsheet', Buffer.from('504b030414000600080000002100', 'hex'), null],
  ['bytes that are not UTF-8', Buffer.from('a name;b\xfc', 'latin1'), null],
  ['UTF-16', Buffer.from('350a4', 'utf16le'), null],
  ['an empty file', Buffer.alloc(0), ''],
])('%s is read as text, or is none', (_, bytes, text) => {
  expect(textOf(Uint8Array.from(bytes).buffer)).toBe(text);
});

test('keys and links may be one or several on a line', () => {
  const text = '350a4\r\n\r\n3320f 36058\nhttps://maps.example.org/maps/370d5, 33727\n';
  expect(readPasted(text)).toEqual({
    rows: ['350a4', '3320f', '36058', '370d5', '33727'].map((key) => row({ key })),
    unread: [],
    left: '',
  });
});

test('lines without a map are returned, and nothing else is lost', () => {
  const { rows, unread, left } = readPasted('350a4\nwhat a nice song\n3320f\nhttps://example.org/nothing');
  expect(rows.map(({ key }) => key)).toEqual(['350a4', '3320f']);
  expect(unread).toEqual(['what a nice song', 'https://example.org/nothing']);
  expect(left).toBe('what a nice song\nhttps://example.org/nothing');
  expect(readPasted('')).toEqual({ rows: [], unread: [], left: '' });
});

test('values beside a key are recognised without a header, whatever their order', () => {
  const { rows } = readPasted('350a4\tA song\tExpert+\tTech\tnf, sn\n3320f\tonesaber\thard\t\t', [
    'Tech',
    'Speed',
  ]);
  expect(rows).toEqual([
    row({ key: '350a4', difficulty: 'ExpertPlus', category: 'Tech', modifiers: ['NF', 'SN'] }),
    row({ key: '3320f', characteristic: 'OneSaber', difficulty: 'Hard' }),
  ]);
});

test('a name that looks like a key is not taken for a map when the line has a hash or a difficulty', () => {
  expect(readPasted(`350a4,${HASH},Decade\n3320f,Face,Hard`).rows).toEqual([
    row({ key: '350a4', hash: HASH }),
    row({ key: '3320f', difficulty: 'Hard' }),
  ]);
});

test('a table with a header has its columns in any order, quotes and line ends within them', () => {
  const text =
    '\uFEFFModifiers;name;Difficulty;KEY;category\r\n"NF SN";"a ""quoted""; name\nof two lines";expertPlus;350A4;Tech; more\r\n;;Hard;;\r\n';
  expect(readPasted(text)).toEqual({
    rows: [row({ key: '350a4', difficulty: 'ExpertPlus', category: 'Tech', modifiers: ['NF', 'SN'] })],
    unread: [';;Hard;;'],
    left: 'Modifiers;name;Difficulty;KEY;category\n;;Hard;;',
  });
});

test.each([
  ['key,difficulty,category\n350a4,Expert,Tech\nzz!!,Hard,A new one', 'zz!!'],
  ['name;difficulty;key\n"One; two\nlines";Hard;350a4\n\n ;;\n"""Quoted""; and\n\nlong";Easy;zz!!\n', 'zz!!'],
  ['350a4\tExpert\nzz!!\tHard\tNF SN', 'zz!!'],
  [`{"songs":[{"hash":"${HASH}"},{"songName":"A","key":"zz!!","difficulties":[{"name":"hard"}]}]}`, 'zz!!'],
])('a row that cannot be read is left so that it is read once it is corrected: %j', (pasted, wrong) => {
  const { rows, left } = readPasted(pasted);
  expect(rows).toHaveLength(1);
  expect(left).toContain(wrong);
  const whole = readPasted(pasted.replace(wrong, '3320f'));
  const corrected = readPasted(left.replace(wrong, '3320f'));
  expect(whole.rows).toHaveLength(2);
  expect(corrected).toEqual({ rows: whole.rows.slice(1), unread: [], left: '' });
});

test.each([
  `{"songs":[${`{"hash":"${HASH}"},`.repeat(50)}`,
  '{"songs": 5}',
  '{"playlistTitle":"empty","songs":[]}',
  `{"playlistTitle":"x","maps":[{"hash":"${HASH}"}]}`,
  'key,difficulty',
  ',;',
])('a text without any map is told and left whole: %j', (pasted) => {
  expect(readPasted(` ${pasted}\n`)).toEqual({ rows: [], unread: [pasted], left: pasted });
});

const pool = {
  season: { seasonGuid: 's', name: 'Season' },
  name: 'Pool',
  status: 'draft',
  revision: 3,
  categories: [{ categoryGuid: 'c', name: '=Tech, "hard"', color: null, position: 0 }],
  maps: [
    {
      key: '350a4',
      hash: HASH,
      name: '=HYPERLINK("x"), or a name',
      difficulty: 'ExpertPlus',
      modifiers: ['NF', 'SN'],
    },
    { key: '3320f', hash: HASH.replace('6', '7'), name: 'Plain', difficulty: 'Hard', modifiers: [] },
  ].map((map) => ({
    ...map,
    characteristic: 'Standard',
    categoryGuid: 'c',
    durationSeconds: 100,
    maxScore: 1,
  })),
} as unknown as Parameters<typeof toCsv>[0];

test('a table that the service has exported is read as the service reads it', () => {
  const csv = toCsv(pool);
  const expected = rowsOfCsv(csv);
  expect(expected).toHaveLength(2);
  expect(readPasted(csv)).toEqual({ rows: expected, unread: [], left: '' });
});

test('a playlist has a row for each marked difficulty, and one for a song without any', () => {
  const exported = readPasted(JSON.stringify(toBplist(pool)));
  expect(exported.rows.map(({ key, category, modifiers }) => [key, category, modifiers])).toEqual([
    ['350a4', '=Tech, "hard"', ['NF', 'SN']],
    ['3320f', '=Tech, "hard"', []],
  ]);
  const foreign = {
    songs: [
      {
        hash: HASH.toLowerCase(),
        songName: 'One',
        difficulties: [{ characteristic: 'standard', name: 'expertPlus' }, { name: 'easy' }],
      },
      { levelid: `custom_level_${HASH} WIP`, difficulties: null },
      { songName: 'No map at all', key: 5 },
      null,
    ],
  };
  expect(readPasted(JSON.stringify(foreign))).toEqual({
    rows: [
      row({ hash: HASH, characteristic: 'Standard', difficulty: 'ExpertPlus' }),
      row({ hash: HASH, difficulty: 'Easy' }),
      row({ hash: HASH }),
    ],
    unread: ['No map at all', 'null'],
    left: '{"songs":[{"songName":"No map at all","key":5},null]}',
  });
});
