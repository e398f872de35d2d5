import { readFileSync } from 'node:fs';
import type { CatalogueMap } from './catalogue.ts';
import { zipOf } from './zip.ts';

/** A picture of 128 × 128 pixels, the same for every map. */
export const cover = readFileSync(new URL('./cover.jpg', import.meta.url));

/**
 * The archive of a map: an Info.dat in the game's format 2 and one empty level file per difficulty, without
 * the song. Enough to be unpacked and listed; the notes are the mapper's work and not ours to hand out, so
 * the SHA-1 of these files is *not* the map's hash.
 */
export function archiveOf(map: CatalogueMap): Buffer {
  const characteristics = Map.groupBy(map.difficulties, (entry) => entry.characteristic);
  const fileName = (characteristic: string, difficulty: string) => `${difficulty}${characteristic}.dat`;
  const info = {
    _version: '2.0.0',
    _songName: map.songName,
    _songSubName: map.songSubName,
    _songAuthorName: map.songAuthorName,
    _levelAuthorName: map.levelAuthorName,
    _beatsPerMinute: map.bpm,
    _coverImageFilename: 'cover.jpg',
    _difficultyBeatmapSets: [...characteristics].map(([characteristic, entries]) => ({
      _beatmapCharacteristicName: characteristic,
      _difficultyBeatmaps: entries.map((entry) => ({
        _difficulty: entry.difficulty,
        _beatmapFilename: fileName(characteristic, entry.difficulty),
        _noteJumpMovementSpeed: entry.njs,
        _noteJumpStartBeatOffset: entry.offset,
      })),
    })),
  };
  const level = JSON.stringify({ _version: '2.0.0', _events: [], _notes: [], _obstacles: [] });
  return zipOf({
    'Info.dat': JSON.stringify(info),
    'cover.jpg': cover,
    ...Object.fromEntries(
      map.difficulties.map((entry) => [fileName(entry.characteristic, entry.difficulty), level]),
    ),
  });
}
