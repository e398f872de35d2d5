import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answerFor, type MapAnswer } from '../../src/local/map-host/answer.ts';
import { listEntries, loadCatalogue } from '../../src/local/map-host/catalogue.ts';

const captured = new URL('../../../shared/data/maps/', import.meta.url);
const withoutCaptures = existsSync(captured) ? '' : ' (skipped: ../shared/data/maps is not here)';

const catalogue = loadCatalogue();
const entries = listEntries(catalogue);
const files = 'http://files.test';

/** The highest score of plain notes: the multiplier is 1 for one note, 2 for four, 4 for eight, then 8. */
function highestScore(notes: number): number {
  let score = 0;
  for (let note = 0; note < notes; note++) score += 115 * (note < 1 ? 1 : note < 5 ? 2 : note < 13 ? 4 : 8);
  return score;
}

describe('the catalogue', () => {
  test('holds eighty maps with distinct keys and lower-case hashes', () => {
    expect(catalogue).toHaveLength(80);
    expect(new Set(catalogue.map((map) => map.key)).size).toBe(80);
    expect(new Set(catalogue.map((map) => map.hash)).size).toBe(80);
    expect(catalogue.every((map) => /^[0-9a-f]{40}$/.test(map.hash))).toBe(true);
  });

  test('names no uploader', () => {
    expect(new Set(catalogue.map((map) => map.levelAuthorName))).toEqual(new Set(['mapper']));
  });

  test('has more than five light shows that cannot be played, beside playable difficulties', () => {
    const unplayable = entries.filter((entry) => !entry.playable);
    expect(unplayable.length).toBeGreaterThan(5);
    expect(new Set(unplayable.map((entry) => entry.characteristic))).toEqual(new Set(['Lightshow']));
    expect(entries.filter((entry) => entry.playable).length).toBeGreaterThan(150);
  });

  test('has maps with one difficulty name under two characteristics', () => {
    const ambiguous = catalogue.filter((map) => {
      const names = map.difficulties.map((entry) => entry.difficulty);
      return new Set(names).size < names.length;
    });
    expect(ambiguous.length).toBeGreaterThan(5);
  });

  test('gives the maximum score of plain notes, where it gives one', () => {
    const scored = entries.filter((entry) => entry.maxScore !== null);
    expect(scored.map((entry) => entry.maxScore)).toEqual(scored.map((entry) => highestScore(entry.notes)));
  });

  test('treats a difficulty with notes and without a maximum score as playable', () => {
    expect(entries.find((entry) => entry.key === '1ab93')).toMatchObject({ maxScore: null, playable: true });
  });
});

describe(`answers for maps of the catalogue, compared with those captured from the real host${withoutCaptures}`, () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, captured), 'utf8'));
  /** Members that the stand-in leaves out: statistics, people, the song preview, labels. */
  const leftOut = new Set(['curator', 'curatedAt', 'collaborators', 'previewURL', 'label']);
  const fieldsOf = (value: object) =>
    Object.keys(value)
      .filter((name) => !leftOut.has(name))
      .sort();

  test.skipIf(withoutCaptures !== '')('have the same fields and the same facts', () => {
    const originals: MapAnswer[] = [
      ...read('published-123-maps.json'),
      read('map-4b6f1-2025-10.json'),
      read('map-2021-08-no-maxscore.json'),
    ];
    const byId = new Map(originals.map((map) => [map.id, map]));
    for (const map of catalogue) {
      const { earlierVersion: _, ...published } = map;
      const ours = answerFor(published, files);
      const theirs = byId.get(ours.id);
      if (theirs === undefined) throw new Error(`The map ${map.key} was never captured.`);
      expect(fieldsOf(ours)).toEqual(fieldsOf(theirs));
      expect(ours.metadata).toEqual(theirs.metadata);
      expect(ours.name).toBe(theirs.name);
      const [version] = ours.versions;
      const [original] = theirs.versions;
      if (version === undefined || original === undefined) throw new Error('There is a version.');
      expect(fieldsOf(version)).toEqual(fieldsOf(original));
      expect(version.hash).toBe(original.hash);
      expect(version.diffs).toHaveLength(original.diffs.length);
      for (const [index, entry] of version.diffs.entries()) {
        const { events, chroma, me, ne, cinema, paritySummary, nps, environment, ...facts } = entry;
        const originalEntry = original.diffs[index];
        expect(originalEntry).toMatchObject(facts);
        expect(nps).toBeCloseTo(originalEntry?.nps ?? Number.NaN, 2);
        expect(fieldsOf(entry)).toEqual(fieldsOf(originalEntry ?? {}));
      }
    }
  });
});
