import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type Curation, done, refusal, someMaps, startCuration, startDraft } from '../harness/curation.ts';

let curation: Curation;

beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());

const all = loadCatalogue();
const [sample] = all;
/** Some maps, those with a difficulty that has no score, and one without a duration. */
const catalogue = [
  ...all.filter(({ difficulties }, at) => at < 4 || difficulties.some(({ maxScore }) => maxScore === 0)),
  ...(sample ? [{ ...sample, key: 'ffff1', hash: '1'.repeat(40), durationSeconds: 0 }] : []),
];
const lookUp = (key: string) => curation.pooler.get(`/maps/lookup?key=${key}`);

test('a look-up shows the values that adding the map stores', async () => {
  const { poolGuid, categoryGuid } = await startDraft(curation);
  for (const row of someMaps(3, categoryGuid)) {
    const found = done(await lookUp(row.key.toUpperCase()));
    const added = done(await curation.pooler.post(`/pools/${poolGuid}/maps`, row));
    const { key, hash, name, durationSeconds, coverUrl, difficulties } = found;
    const { characteristic, difficulty, maxScore } = added;
    expect(added).toMatchObject({ key, hash, name, durationSeconds, coverUrl });
    expect(difficulties).toContainEqual({ characteristic, difficulty, maxScore, playable: true });
  }
});

test('the hash of an old upload finds the upload that is published now', async () => {
  const [row] = someMaps(8, '').slice(-1);
  const before = done(await lookUp(row?.key ?? ''));
  const byHash = (hash: string) => curation.pooler.get(`/maps/lookup?hash=${hash.toLowerCase()}`);
  expect(done(await byHash(before.hash))).toEqual(before);
  const replacedBy = curation.mapHost.republish(before.key);
  curation.clock.advance(61_000);
  const after = done(await byHash(before.hash));
  expect(after).toMatchObject({ key: before.key, hash: replacedBy.toUpperCase() });
});

test('every difficulty is listed in the order of the host; what cannot be played has the score 0', async () => {
  const [unknownLength] = catalogue.slice(-1);
  if (unknownLength) curation.mapHost.addMap(unknownLength);
  for (const map of catalogue) {
    const { durationSeconds, difficulties } = done(await lookUp(map.key));
    expect(durationSeconds, map.key).toBe(map.durationSeconds);
    expect(difficulties.map((one: { difficulty: string }) => one.difficulty)).toEqual(
      map.difficulties.map(({ difficulty }) => difficulty),
    );
    for (const [index, { maxScore, notes }] of map.difficulties.entries()) {
      const isPlayable = map.durationSeconds > 0 && (maxScore ?? notes) > 0;
      expect(difficulties[index].playable, map.key).toBe(isPlayable);
      expect(difficulties[index].maxScore > 0, map.key).toBe(isPlayable);
    }
  }
  expect(catalogue.length).toBeGreaterThan(5);
});

test.each([
  ['?key=fffffff', '404 MAP_NOT_FOUND'],
  ['?key=xyz', '400 VALIDATION_FAILED'],
  ['?key=123456789', '400 VALIDATION_FAILED'],
  [`?key=${'0'.repeat(40)}`, '400 VALIDATION_FAILED'],
  [`?hash=${'0'.repeat(40)}`, '404 MAP_NOT_FOUND'],
  ['?hash=350a4', '400 VALIDATION_FAILED'],
  [`?key=1&hash=${'0'.repeat(40)}`, '400 VALIDATION_FAILED'],
  ['?key=', '400 VALIDATION_FAILED'],
  ['', '400 VALIDATION_FAILED'],
  ['?key=1&hash=2', '400 VALIDATION_FAILED'],
])('/maps/lookup%s is refused with %s', async (query, refused) => {
  expect(refusal(await curation.pooler.get(`/maps/lookup${query}`))).toBe(refused);
});

test('a look-up fails while the host is down, unless it was answered within the last minute', async () => {
  const { mapHost, clock, database } = curation;
  const [first, second] = catalogue;
  await database.prisma.hostMapKey.deleteMany();
  expect((await lookUp(first?.key ?? '')).status).toBe(200);
  mapHost.fail('down');
  clock.advance(50_000);
  expect((await lookUp(first?.key ?? '')).status).toBe(200);
  expect(refusal(await lookUp(second?.key ?? ''))).toBe('502 UPSTREAM_UNAVAILABLE');
  mapHost.fail(null);
});
