import { z } from 'zod';

/** A key in any case. The map host writes it in lower-case hexadecimal without leading zeros. */
export const mapKey = z
  .string()
  .regex(/^[0-9a-fA-F]{1,8}$/, 'must be 1 to 8 hexadecimal characters')
  .overwrite((key) => key.toLowerCase().replace(/^0+(?=.)/, ''))
  .describe('Key on the map host')
  .meta({ examples: ['350a4'] });

/** A SHA-1 in any case. */
export const mapHash = z
  .string()
  .regex(/^[0-9a-fA-F]{40}$/, 'must be 40 hexadecimal characters')
  .toUpperCase()
  .meta({ examples: ['60542BD5BF9B17459631EDB1643352DD7ED5C6EC'] });

/** Names of the map host. Difficulties of other names are not taken from it. */
export const CHARACTERISTICS = [
  'Standard',
  'OneSaber',
  'NoArrows',
  '90Degree',
  '360Degree',
  'Lightshow',
  'Lawless',
  'Legacy',
] as const;
export const DIFFICULTIES = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const;

/** How a map is shown. The names are those of the map host, so they are not checked again. */
export const characteristic = z.string().meta({ id: 'Characteristic', enum: [...CHARACTERISTICS] });
export const difficulty = z.string().meta({ id: 'Difficulty', enum: [...DIFFICULTIES] });
export const hostKey = z
  .string()
  .describe('Key on the map host')
  .meta({ pattern: '^[0-9a-f]{1,8}$', examples: ['350a4'] });
export const shownHash = z
  .string()
  .describe('SHA-1 of the upload, 40 upper-case hexadecimal characters')
  .meta({ pattern: '^[0-9A-F]{40}$', examples: ['60542BD5BF9B17459631EDB1643352DD7ED5C6EC'] });

export const hashParams = z.strictObject({ hash: mapHash });

export const coverPicture = z
  .any()
  .describe('A JPEG, PNG or WebP; `Content-Type` says which')
  .meta({ type: 'string', format: 'binary' });

export const redirectToFile = z.null().describe('`Location` is the file on the map host');

export const mapHashes = z
  .array(shownHash)
  .describe('Upper case, sorted, each once')
  .meta({ id: 'MapHashes' });

/** One difficulty of an upload. The same difficulty name may stand under several characteristics. */
const hostDifficulty = z.object({ characteristic: z.string(), difficulty: z.string(), maxScore: z.int() });
export const hostDifficulties = z.array(hostDifficulty);
export type HostDifficulty = z.output<typeof hostDifficulty>;

/** One upload of a map, validated. */
export interface MapVersion {
  /** Lower case. As asked for; the map's own when a hash was asked for. */
  key: string;
  /** 40 upper-case hexadecimal characters. */
  hash: string;
  name: string;
  songName: string;
  levelAuthorName: string;
  /** Length of the song. 0 when the host does not know it; such a map is not playable. */
  durationSeconds: number;
  difficulties: HostDifficulty[];
  /** On an allowed file host; null otherwise. */
  coverUrl: string | null;
  /** The zip of exactly this hash, on an allowed file host. */
  downloadUrl: string;
}

export const lookupQuery = z
  .strictObject({
    key: mapKey.optional(),
    hash: mapHash
      .optional()
      .describe('In place of the key: the map that has or had an upload with this hash'),
  })
  .refine(({ key, hash }) => (key === undefined) !== (hash === undefined), {
    path: ['key'],
    message: 'or hash must be given, and not both',
  });
export type LookupQuery = z.output<typeof lookupQuery>;

/** An upload that could be added to a pool now. */
export const lookedUpMap = z
  .object({
    key: hostKey,
    hash: shownHash,
    name: z.string(),
    durationSeconds: z.int().describe('Length of the song; 0 when the host does not know it'),
    coverUrl: z.string().nullable(),
    difficulties: z.array(
      z
        .object({
          characteristic,
          difficulty,
          maxScore: z.int().describe('0 when it cannot be played'),
          playable: z.boolean().describe('False: adding it is refused with MAP_NOT_PLAYABLE'),
        })
        .meta({ id: 'LookedUpDifficulty' }),
    ),
  })
  .meta({ id: 'LookedUpMap' });
export type LookedUpMap = z.output<typeof lookedUpMap>;

/** The largest integer of a database column. */
const MAX_INTEGER = 2 ** 31 - 1;
/** A day: no song is longer. A match waits as long as its map lasts. */
const MAX_DURATION_SECONDS = 86_400;
/** The score of this many notes, 920 points each, still fits into an integer. */
const MAX_NOTES = 1_000_000;

/** An upload as the map host answers it. The host leaves out what is null or has its default. */
const hostVersion = z.object({
  hash: z.string().regex(/^[0-9a-f]{40}$/i),
  /** Only answers of 2021 have it. */
  key: z.string().nullish(),
  state: z.string().nullish(),
  diffs: z
    .array(
      z.object({
        characteristic: z.string().max(100),
        difficulty: z.string().max(100),
        notes: z.int().min(0).max(MAX_NOTES).nullish(),
        maxScore: z.int().max(MAX_INTEGER).nullish(),
      }),
    )
    .max(200)
    .nullish(),
  downloadURL: z.string().max(2000).nullish(),
  coverURL: z.string().max(2000).nullish(),
});
export type HostVersion = z.output<typeof hostVersion>;

/** The used parts of a map as the map host answers it. */
export const hostMap = z.object({
  /** A number in answers of 2021, hexadecimal text since then. */
  id: z.union([z.string(), z.int().min(0)]),
  name: z.string().nullish(),
  metadata: z
    .object({
      duration: z.number().max(MAX_DURATION_SECONDS).nullish(),
      songName: z.string().nullish(),
      levelAuthorName: z.string().nullish(),
    })
    .nullish(),
  versions: z.array(hostVersion).max(1000),
  deletedAt: z.string().nullish(),
});
export type HostMap = z.output<typeof hostMap>;

const playlistSong = z
  .object({
    hash: shownHash,
    key: hostKey,
    songName: z.string(),
    levelAuthorName: z.string(),
    levelid: z.string().describe('`custom_level_` and the hash'),
    difficulties: z.array(z.object({ characteristic, name: difficulty }).meta({ id: 'PlaylistDifficulty' })),
  })
  .meta({ id: 'PlaylistSong' });

export const playlist = z
  .object({
    playlistTitle: z.string(),
    playlistAuthor: z.string(),
    playlistDescription: z.string(),
    image: z.string().describe('A PNG as a data URI'),
    customData: z
      .object({
        syncURL: z.string().describe('Answers with this very playlist').meta({ format: 'uri' }),
        AllowDuplicates: z.literal(true),
        ReadOnly: z.literal(true),
      })
      .meta({ id: 'PlaylistCustomData' }),
    songs: z.array(playlistSong),
  })
  .meta({ id: 'Playlist' });
export type Playlist = z.output<typeof playlist>;
