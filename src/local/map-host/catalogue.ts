import { readFileSync } from 'node:fs';
import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{40}$/);

const difficulty = z.strictObject({
  characteristic: z.string(),
  difficulty: z.string(),
  notes: z.int().min(0),
  /** Null where the host never computed one: the answers of 2021. */
  maxScore: z.int().min(0).nullable(),
  /** From the first to the last note, in beats; 0 in a light show, which has no notes. */
  beats: z.number().min(0),
  njs: z.number(),
  offset: z.number(),
  bombs: z.int().min(0),
  obstacles: z.int().min(0),
});

const catalogueMap = z.strictObject({
  /** The map's number in hexadecimal, as it stands in links. */
  key: z.string().regex(/^[0-9a-f]{1,8}$/),
  /** Of the published version. */
  hash,
  /** Which year's form the host answers in; the forms differ in the fields that are there. */
  shape: z.enum(['2021', '2023', '2025']).default('2023'),
  /** In 2021 a version had a key of its own beside the map's number. */
  versionKey: z.string().optional(),
  /**
   * A version that was never published and yet comes first in the answer, as the host lists test versions.
   * These few are invented; everything else in the catalogue is fact.
   */
  earlierVersion: z.strictObject({ state: z.enum(['Uploaded', 'Testplay', 'Feedback']), hash }).optional(),
  name: z.string(),
  songName: z.string(),
  songSubName: z.string(),
  songAuthorName: z.string(),
  levelAuthorName: z.string(),
  bpm: z.number().positive(),
  /** Length of the song in whole seconds. */
  durationSeconds: z.int().min(0),
  publishedAt: z.iso.datetime(),
  tags: z.array(z.string()).default([]),
  difficulties: z.array(difficulty).min(1),
});

/** The facts of one map. Answers are made from them. */
export type CatalogueMap = z.output<typeof catalogueMap>;
export type CatalogueDifficulty = CatalogueMap['difficulties'][number];

/** One thing a pool could hold: a difficulty of a map, with what is needed to choose it. */
export interface CatalogueEntry {
  key: string;
  /** Lower case, as the host writes it. */
  hash: string;
  name: string;
  characteristic: string;
  difficulty: string;
  durationSeconds: number;
  notes: number;
  /** Null where the host gives none. */
  maxScore: number | null;
  /** False without notes, as in a light show. */
  playable: boolean;
}

/**
 * Reads the catalogue that lies beside this file: eighty real maps, one per line.
 * @returns a fresh copy, free to be changed.
 * @throws ZodError when the file does not hold what this module promises.
 */
export function loadCatalogue(): CatalogueMap[] {
  const file = readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8');
  return z.array(catalogueMap).parse(JSON.parse(file));
}

/** Every difficulty of the given maps, in their order: what the local stack chooses its seed pool from. */
export function listEntries(maps: readonly CatalogueMap[]): CatalogueEntry[] {
  return maps.flatMap((map) =>
    map.difficulties.map((entry) => ({
      key: map.key,
      hash: map.hash,
      name: map.name,
      characteristic: entry.characteristic,
      difficulty: entry.difficulty,
      durationSeconds: map.durationSeconds,
      notes: entry.notes,
      maxScore: entry.maxScore,
      playable: map.durationSeconds > 0 && (entry.maxScore ?? entry.notes) > 0,
    })),
  );
}
