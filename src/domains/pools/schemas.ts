import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';

/** A map in a pool, as everybody sees it. */
export const poolMap = z
  .object({
    mapGuid: guid,
    key: z.string().describe('Key on the map host'),
    hash: z.string().describe('SHA-1 of the upload, 40 upper-case hexadecimal characters'),
    name: z.string(),
    characteristic: z.string(),
    difficulty: z.string(),
    categoryGuid: guid,
    modifiers: z.array(z.string()),
    durationSeconds: z.int().describe('Length of the song'),
    maxScore: z.int(),
    coverUrl: z.string().nullable(),
    stale: z.boolean().describe('The map host now has a newer upload under the same key'),
    addedAt: isoInstant,
  })
  .meta({ id: 'PoolMap' });
export type PoolMap = z.output<typeof poolMap>;
