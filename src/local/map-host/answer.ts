import type { CatalogueDifficulty, CatalogueMap } from './catalogue.ts';

interface Version {
  hash: string;
  state: string;
  difficulties: readonly CatalogueDifficulty[];
}

/** A map as the host's API answers it. */
export type MapAnswer = ReturnType<typeof answerFor>;

/**
 * One map in the host's own form. Fields that are null or have their default value are left out, as the
 * host leaves them out; fields of which the catalogue knows nothing carry neutral values.
 * @param files the folder that the addresses of files point to
 */
export function answerFor(map: CatalogueMap, files: string) {
  return {
    // A number in 2021, the same number in hexadecimal since.
    id: map.shape === '2021' ? Number.parseInt(map.key, 16) : map.key,
    name: map.name,
    uploader: {
      id: 1,
      name: map.levelAuthorName,
      hash: '0'.repeat(24),
      avatar: 'https://example.invalid/a.png',
      type: 'SIMPLE',
    },
    metadata: {
      bpm: map.bpm,
      duration: map.durationSeconds,
      songName: map.songName,
      songSubName: map.songSubName,
      songAuthorName: map.songAuthorName,
      levelAuthorName: map.levelAuthorName,
    },
    stats: { plays: 0, downloads: 0, upvotes: 0, downvotes: 0, score: 0.5 },
    uploaded: map.publishedAt,
    automapper: false,
    ranked: false,
    qualified: false,
    versions: versionsOf(map).map((version) => versionAnswer(map, version, files)),
    ...(map.shape !== '2021' && {
      createdAt: map.publishedAt,
      updatedAt: map.publishedAt,
      lastPublishedAt: map.publishedAt,
      bookmarked: false,
      ...(map.tags && { tags: map.tags }),
    }),
    ...(map.shape === '2025' && { declaredAi: 'None', blRanked: false, blQualified: false }),
  };
}

function versionsOf(map: CatalogueMap): Version[] {
  const published: Version = { hash: map.hash, state: 'Published', difficulties: map.difficulties };
  if (map.earlierVersion === undefined) return [published];
  // A test version is unfinished: its hardest difficulty is not there yet.
  return [{ ...map.earlierVersion, difficulties: map.difficulties.slice(0, -1) }, published];
}

function versionAnswer(map: CatalogueMap, version: Version, files: string) {
  return {
    hash: version.hash,
    ...(map.versionKey && { key: map.versionKey }),
    state: version.state,
    createdAt: map.publishedAt,
    sageScore: 0,
    diffs: version.difficulties.map((entry) => difficultyAnswer(map, entry)),
    // In 2021 the answers gave no addresses: clients put the file host's together from the hash.
    ...(map.shape !== '2021' && {
      downloadURL: `${files}/${version.hash}.zip`,
      coverURL: `${files}/${version.hash}.jpg`,
    }),
  };
}

function difficultyAnswer(map: CatalogueMap, { beats, maxScore, ...facts }: CatalogueDifficulty) {
  const seconds = thousandths((beats * 60) / map.bpm);
  return {
    ...facts,
    nps: seconds === 0 ? 0 : thousandths(facts.notes / seconds),
    // In beats, unlike `seconds`: read as a time it is wrong by the song's speed.
    length: beats,
    events: 0,
    chroma: false,
    me: false,
    ne: false,
    cinema: false,
    seconds,
    paritySummary: { errors: 0, warns: 0, resets: 0 },
    ...(maxScore !== null && { maxScore }),
    ...(map.shape === '2025' && { environment: 'DefaultEnvironment' }),
  };
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
