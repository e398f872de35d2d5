import { readFileSync } from 'node:fs';

export interface CatalogueDifficulty {
  characteristic: string;
  difficulty: string;
  notes: number;
  /** Null where the host never computed one: the answers of 2021. */
  maxScore: number | null;
  /** From the first to the last note, in beats; 0 in a light show, which has no notes. */
  beats: number;
  njs: number;
  offset: number;
  bombs: number;
  obstacles: number;
}

/** The facts of one map. Answers are made from them. */
export interface CatalogueMap {
  /** The map's number in hexadecimal, as in links. */
  key: string;
  /** The hash of the published version, in lower case. */
  hash: string;
  /** The year whose form the host answers in; the forms have different fields. Left out: 2023. */
  shape?: '2021' | '2025';
  /** In 2021 a version had a key of its own beside the map's number. */
  versionKey?: string;
  /**
   * A version that was never published and comes first in the answer, as the host lists test versions. These few are
   * invented; everything else in the catalogue is fact.
   */
  earlierVersion?: { state: 'Uploaded' | 'Testplay' | 'Feedback'; hash: string };
  name: string;
  songName: string;
  songSubName: string;
  songAuthorName: string;
  levelAuthorName: string;
  bpm: number;
  /** Length of the song in whole seconds. */
  durationSeconds: number;
  publishedAt: string;
  tags?: string[];
  difficulties: CatalogueDifficulty[];
}

/** Reads eighty real maps. @returns a fresh copy, free to be changed */
export const loadCatalogue = (): CatalogueMap[] =>
  JSON.parse(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'));

/** Every difficulty of the given maps, in their order, and whether it can be played: a light show has no notes. */
export const listEntries = (maps: readonly CatalogueMap[]) =>
  maps.flatMap(({ key, hash, durationSeconds, difficulties }) =>
    difficulties.map((entry) => ({
      ...entry,
      key,
      hash,
      playable: durationSeconds > 0 && (entry.maxScore ?? entry.notes) > 0,
    })),
  );
