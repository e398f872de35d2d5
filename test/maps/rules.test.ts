import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { attachment } from '../../src/domains/maps/playlist.ts';
import { chooseDifficulty, fileHosts, maxScoreOf } from '../../src/domains/maps/rules.ts';
import type { MapVersion } from '../../src/domains/maps/schemas.ts';

test('the name of a downloaded file has no slashes', () => {
  const disposition = attachment('../a/b\\c.bplist');
  expect(disposition).toBe(`attachment; filename=".._a_b_c.bplist"; filename*=UTF-8''.._a_b_c.bplist`);
});

test('the maximum score of plain notes follows the multiplier', () => {
  const scores = [0, 1, 2, 5, 6, 13, 14, 430, 1986].map(maxScoreOf);
  expect(scores).toEqual([0, 115, 345, 1035, 1495, 4715, 5635, 388_355, 1_819_875]);
});

const captured = fileURLToPath(new URL('../../../shared/data/maps/published-123-maps.json', import.meta.url));

test.skipIf(!existsSync(captured))(
  'the computed maximum score is the map host’s own wherever it gives one (captured answers; skipped without them)',
  () => {
    interface Captured {
      versions: { diffs: { notes: number; maxScore: number }[] }[];
    }
    const maps = JSON.parse(readFileSync(captured, 'utf8')) as Captured[];
    const difficulties = maps.flatMap(({ versions }) => versions.flatMap(({ diffs }) => diffs));
    expect(difficulties.length).toBeGreaterThan(200);
    for (const { notes, maxScore } of difficulties) expect(maxScoreOf(notes)).toBe(maxScore);
  },
);

const version: MapVersion = {
  key: '1',
  hash: 'A'.repeat(40),
  name: 'Song - Mapper',
  songName: 'Song',
  levelAuthorName: 'Mapper',
  durationSeconds: 120,
  difficulties: [
    { characteristic: 'Standard', difficulty: 'Expert', maxScore: 1000 },
    { characteristic: 'OneSaber', difficulty: 'Expert', maxScore: 700 },
    { characteristic: 'Lightshow', difficulty: 'Easy', maxScore: 0 },
  ],
  coverUrl: null,
  downloadUrl: 'https://cdn.example.org/a.zip',
};

test('a difficulty is found by both of its names', () => {
  const found = chooseDifficulty(version, { characteristic: 'OneSaber', difficulty: 'Expert' });
  expect(found).toEqual({
    characteristic: 'OneSaber',
    difficulty: 'Expert',
    maxScore: 700,
    durationSeconds: 120,
  });
});

test('an unplayable difficulty and a missing one have different refusals', () => {
  const choose = (characteristic: string, difficulty: string, of = version) => {
    try {
      return chooseDifficulty(of, { characteristic, difficulty });
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(choose('Standard', 'Hard')).toBe('DIFFICULTY_NOT_FOUND');
  expect(choose('standard', 'Expert')).toBe('DIFFICULTY_NOT_FOUND');
  expect(choose('Lightshow', 'Easy')).toBe('MAP_NOT_PLAYABLE');
  expect(choose('Standard', 'Expert', { ...version, durationSeconds: 0 })).toBe('MAP_NOT_PLAYABLE');
});

test.each([
  ['https://r2cdn.beatsaver.com/a.zip', true],
  ['https://a.b.beatsaver.com/a.zip', true],
  ['https://files.example.org:8443/a.zip', true],
  ['http://r2cdn.beatsaver.com/a.zip', false],
  ['https://beatsaver.com/a.zip', false],
  ['https://notbeatsaver.com/a.zip', false],
  ['https://beatsaver.com.evil.example/a.zip', false],
  ['https://r2cdn.beatsaver.com:8443/a.zip', false],
  ['https://files.example.org/a.zip', false],
  ['https://user:secret@r2cdn.beatsaver.com/a.zip', false],
  ['https://r2cdn.beatsaver.com@evil.example/a.zip', false],
  ['https://R2CDN.BeatSaver.COM/a.zip', true],
  ['https://r2cdn.beatsaver.com:443/a.zip', true],
  ['https://r2cdn.beatsaver.com./a.zip', false],
  ['https://.beatsaver.com/a.zip', false],
  ['https://r2cdn.beatsaver.com%2eevil.example/a.zip', false],
  ['https://r2cdn.beatsaver.com\\.evil.example/a.zip', true],
  ['https://evil.example\\.beatsaver.com/a.zip', false],
  ['https://r2cdn.beatsaver.com:8443@evil.example/a.zip', false],
  ['https://:@r2cdn.beatsaver.com/a.zip', true],
  ['https://files.example.org:8443/a.zip#x', true],
  ['https://ｒ２cdn.beatsaver.com/a.zip', true],
  ['https://xn--bcher-kva.example/a.zip', true],
  ['https://bücher.example/a.zip', true],
  ['https://b\u0443cher.example/a.zip', false],
  ['https://[::1]:9000/a.zip', true],
  ['https://[0:0::1]:9000/a.zip', true],
  ['https://[::1]/a.zip', false],
  ['https://127.0.0.1/a.zip', false],
  ['https://2130706433/a.zip', false],
  ['ftp://r2cdn.beatsaver.com/a.zip', false],
  ['data:text/html,x', false],
  ['javascript:alert(1)', false],
  ['//r2cdn.beatsaver.com/a.zip', false],
  ['', false],
])(
  'with a map host over https and a list of allowed hosts %s is given to clients: %s',
  (address, allowed) => {
    const hosts = fileHosts(
      ['.beatsaver.com', 'Files.example.org:8443', 'xn--bcher-kva.example', '[::1]:9000'],
      'https://api.beatsaver.com',
    );
    expect(hosts.accept(address) !== null).toBe(allowed);
  },
);

test('http addresses are allowed if the map host uses http', () => {
  expect(fileHosts(['localhost:9000'], 'http://localhost:9000').accept('http://localhost:9000/a.zip')).toBe(
    'http://localhost:9000/a.zip',
  );
  expect(
    fileHosts(['localhost:9000'], 'https://localhost:1').accept('http://localhost:9000/a.zip'),
  ).toBeNull();
});

test('the file of a hash has an address although the map host gives none', () => {
  const hash = 'AB'.repeat(20);
  const at = (hosts: string[], url: string) => fileHosts(hosts, url).fileOf(hash);
  expect(at(['.beatsaver.com'], 'https://api.beatsaver.com')).toBe(
    `https://cdn.beatsaver.com/${hash.toLowerCase()}.zip`,
  );
  expect(at(['localhost:9000'], 'http://localhost:9000')).toBe(
    `http://localhost:9000/${hash.toLowerCase()}.zip`,
  );
});
