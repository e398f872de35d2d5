import { z } from 'zod';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { guid, isoInstant, keyInstant, page, pageQuery } from '../../platform/http/schemas.ts';
import { line, remark } from '../../platform/http/text.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { firstSentence } from '../../platform/validation.ts';
import { mapCategory } from '../categories/index.ts';
import { characteristic, difficulty, hostKey, mapHash, mapKey, shownHash } from '../maps/index.ts';
import { season } from '../seasons/index.ts';
import { modifierCodes } from './rules.ts';

const modifier = z.enum(modifierCodes).meta({ id: 'Modifier' });

/** A map in a pool, as everybody sees it. */
export const poolMap = z
  .object({
    mapGuid: guid,
    key: hostKey,
    hash: shownHash,
    name: z.string(),
    characteristic,
    difficulty,
    categoryGuid: guid,
    modifiers: z.array(modifier),
    durationSeconds: z.int().describe('Length of the song'),
    maxScore: z.int(),
    coverUrl: z.string().nullable(),
    stale: z.boolean().describe('The map host now has a newer upload under the same key'),
    addedAt: isoInstant,
  })
  .meta({ id: 'PoolMap' });
export type PoolMap = z.output<typeof poolMap>;

export const poolStatus = z.enum(['draft', 'in_review', 'published', 'retired']).meta({ id: 'PoolStatus' });
export type PoolStatus = z.output<typeof poolStatus>;

export const pool = z
  .object({
    poolGuid: guid,
    seasonGuid: guid,
    name: z.string(),
    status: poolStatus,
    revision: z.int().describe('Grows by one with every change of the name or the maps'),
    mapCount: z.int(),
    submittedBy: guid.nullable().describe('`playerGuid` of the person who submitted it last'),
    publishedAt: isoInstant.nullable(),
    playlistUrl: z.string().nullable().describe('Null until published'),
    oneClickUrl: z.string().nullable().describe('Opens a playlist manager; null until published'),
  })
  .meta({ id: 'Pool' });
export type Pool = z.output<typeof pool>;

/** A pool with what only staff see of it. */
export const poolAlone = pool
  .extend({
    copiedFromGuid: guid
      .nullable()
      .optional()
      .describe('For staff: the pool it was copied from; null: none, or a deleted one'),
    changedBy: z
      .array(guid)
      .optional()
      .describe(
        'For staff: `playerGuid` of those who submitted or changed it since its last review. They may not review it.',
      ),
  })
  .meta({ id: 'PoolAlone' });

export const poolPage = page('PoolList', pool);
/** Keyset of the list: the last pool of a page. */
export const poolKey = z.tuple([guid]);
export const poolQuery = pageQuery.extend({ seasonGuid: guid.optional(), status: poolStatus.optional() });
export type PoolQuery = z.output<typeof poolQuery>;

/** A pool with its maps. `If-Match` of every write to the pool is compared with its entity tag. */
export const poolWithMaps = z
  .object({
    poolGuid: guid,
    name: z.string(),
    status: poolStatus,
    revision: z.int(),
    season: season.pick({ seasonGuid: true, name: true }).meta({ id: 'SeasonName' }),
    categories: z.array(mapCategory).describe('Those that its maps are in, in the order they are shown'),
    maps: z.array(poolMap),
  })
  .meta({ id: 'PoolWithMaps' });
export type PoolWithMaps = z.output<typeof poolWithMaps>;

export const poolParams = z.strictObject({ poolGuid: guid });
export const poolCategoryParams = z.strictObject({ poolGuid: guid, categoryGuid: guid });
export const coverImage = z.any().describe('A PNG').meta({ type: 'string', format: 'binary' });
export const poolMapParams = z.strictObject({ poolGuid: guid, mapGuid: guid });

export const deletedPool = z.null().describe('Deleted');
export const removedMap = z.null().describe('Removed');

export const newPool = z.strictObject({ seasonGuid: guid, name: line(100) }).meta({ id: 'NewPool' });
export type NewPool = z.output<typeof newPool>;

export const poolChange = z.strictObject({ name: line(100) }).meta({ id: 'PoolChange' });

export const poolCopy = z
  .strictObject({
    name: line(100),
    seasonGuid: guid.optional().describe('Left out: the season of the original'),
  })
  .meta({ id: 'PoolCopy' });
export type PoolCopy = z.output<typeof poolCopy>;

/** Spelled as by the map host. An unknown name is refused with DIFFICULTY_NOT_FOUND. */
const hostName = line(32);
const modifiers = z
  .array(modifier)
  .max(modifierCodes.length)
  .refine((codes) => new Set(codes).size === codes.length, 'must not repeat a code')
  .describe('Exactly these apply; at most one of SS, FS, SFS');

const mapFields = {
  characteristic: hostName.meta({ examples: ['Standard'] }),
  difficulty: hostName.meta({ examples: ['ExpertPlus'] }),
  categoryGuid: guid,
  modifiers,
};

/** A map to add. The server resolves name, hash, duration and maximum score. */
export const newPoolMap = z.strictObject({ key: mapKey, ...mapFields }).meta({ id: 'NewPoolMap' });
export type NewPoolMap = z.output<typeof newPoolMap>;

/** Reads a row of a batch or a file. @returns the row, or a refusal that names the first wrong value */
export function parseRow<S extends z.ZodType>(schema: S, row: unknown): z.output<S> | ServiceError {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  return commonErrors.VALIDATION_FAILED({ message: firstSentence(parsed.error, 'The row') });
}

export const poolMapChange = z.strictObject(mapFields).partial().meta({ id: 'PoolMapChange' });
export type PoolMapChange = z.output<typeof poolMapChange>;
/** A change in a batch. */
export const batchChange = poolMapChange.extend({ mapGuid: guid }).meta({ id: 'BatchedChange' });

const most = BOUNDS.batch.value;
export const poolBatch = z
  .strictObject({
    maps: z.array(newPoolMap).max(most).default([]).describe('Maps to add'),
    changes: z.array(batchChange).max(most).default([]),
    removals: z.array(guid).max(most).default([]).describe('`mapGuid` of maps to remove'),
  })
  .refine(
    ({ maps, changes, removals }) => maps.length + changes.length + removals.length > 0,
    'must have at least one row',
  )
  .meta({ id: 'NewPoolMaps' });
export const savedBatch = z
  .object({
    maps: z.array(poolMap).describe('Those that were added, in the order of the request'),
    changed: z
      .array(poolMap)
      .optional()
      .describe('As they are now, in the order of the request; only with changes or removals'),
    removed: z
      .array(guid)
      .optional()
      .describe('`mapGuid` of those that were removed; only with changes or removals'),
  })
  .meta({ id: 'AddedPoolMaps' });

export const importQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'])
    .meta({ id: 'Flag' })
    .default('false')
    .describe('`true`: only says what would become of it'),
  categoryGuid: guid.optional().describe('Category of rows that name none'),
});
export type ImportQuery = z.output<typeof importQuery>;

export const csvFile = z
  .string()
  .min(1)
  .describe('Columns `key` or `hash`, `characteristic`, `difficulty`, `category`, `modifiers`');
export const exportedTable = z
  .any()
  .describe('The columns of an import, and some for people')
  .meta({ type: 'string' });
export const exportedPlaylist = z.any().describe('The file').meta({ type: 'object' });

/** The used parts of a playlist of another tool. */
const bplistDifficulty = z
  .looseObject({ characteristic: z.string().max(100).nullish(), name: z.string().max(100) })
  .meta({ id: 'ImportedDifficulty' });
const bplistSong = z
  .looseObject({
    key: z.string().max(100).nullish(),
    hash: z.string().max(100).nullish(),
    levelid: z.string().max(200).nullish(),
    difficulties: z.array(bplistDifficulty).max(200).nullish(),
    customData: z
      .looseObject({
        category: z.string().max(100).nullish(),
        modifiers: z.array(z.string().max(10)).max(50).nullish(),
      })
      .meta({ id: 'ImportedCustomData' })
      .nullish(),
  })
  .meta({ id: 'ImportedSong' });
/** Reads the songs up to the first that is wrong: to gather all the problems of a large file takes seconds. */
const bplistSongs = z
  .array(z.unknown())
  .max(10_000)
  .meta({ items: { $ref: '#/components/schemas/ImportedSong' } })
  .transform((songs, { issues }) => {
    const read: z.output<typeof bplistSong>[] = [];
    for (const [index, song] of songs.entries()) {
      const { data, error } = bplistSong.safeParse(song);
      if (error) {
        for (const { path, message } of error.issues)
          issues.push({ code: 'custom', message, path: [index, ...path], input: song });
        return z.NEVER;
      }
      read.push(data);
    }
    return read;
  });
export const bplist = z.looseObject({ songs: bplistSongs }).meta({ id: 'ImportedPlaylist' });
export type Bplist = z.output<typeof bplist>;

/** A row of a file: a map by its key, or by exactly one hash. */
export const importRow = z.strictObject({
  key: z.union([mapKey, z.literal('')]),
  hash: z.union([mapHash, z.literal('')]),
  ...mapFields,
});

export const importedMaps = z
  .object({
    dryRun: z.boolean().describe('Nothing was added'),
    maps: z.array(poolMap).describe('In the order of the file'),
  })
  .meta({ id: 'ImportedPoolMaps' });

/** A comment on one map, with what names the map: it may be gone from the pool when the comment is read. */
const reviewedRow = poolMap
  .pick({ mapGuid: true, key: true, name: true, characteristic: true, difficulty: true })
  .extend({ comment: z.string() })
  .meta({ id: 'ReviewedMap' });
export type ReviewedRow = z.output<typeof reviewedRow>;

export const poolReview = z
  .object({
    reviewGuid: guid,
    poolGuid: guid,
    revision: z.int().describe('The revision of the pool that was looked at'),
    reviewerGuid: guid,
    verdict: z.enum(['approve', 'request_changes']).meta({ id: 'PoolVerdict' }),
    comment: z.string().nullable(),
    rows: z.array(reviewedRow).describe('Comments on single maps'),
    createdAt: isoInstant,
  })
  .meta({ id: 'PoolReview' });
export type PoolReview = z.output<typeof poolReview>;

export const reviewPage = page('PoolReviewList', poolReview);
/** Keyset of the list: time and id of the last review of a page. */
export const reviewKey = z.tuple([keyInstant, guid]);
export type ReviewKey = z.output<typeof reviewKey>;

export const newReview = z
  .strictObject({
    verdict: poolReview.shape.verdict,
    comment: remark(2000).nullable().default(null),
    rows: z
      .array(z.strictObject({ mapGuid: guid, comment: remark(500) }).meta({ id: 'NewReviewedMap' }))
      .max(BOUNDS.batch.value)
      .refine(
        (rows) => new Set(rows.map(({ mapGuid }) => mapGuid)).size === rows.length,
        'must not repeat a map',
      )
      .default([])
      .describe('Comments on maps of the pool'),
  })
  .meta({ id: 'NewPoolReview' });
export type NewReview = z.output<typeof newReview>;
