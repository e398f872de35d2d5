import { z } from 'zod';
import { isoInstant, page } from '../../platform/http/schemas.ts';
import { pluginVersionOf } from './rules.ts';

const gameVersion = z
  .string()
  .regex(/^(?!\.+$)[0-9A-Za-z._+-]{1,32}$/, 'must be 1 to 32 of [0-9A-Za-z._+-], not only dots')
  .meta({ examples: ['1.40.0'] });

const pluginVersion = z
  .string()
  .max(64)
  .refine((text) => pluginVersionOf(text) !== null, 'must be a semantic version such as 1.4.0');

export const releaseParams = z.strictObject({ gameVersion });

/** Loose: the other headers are kept. */
export const uploadHeaders = z.looseObject({
  'x-service-plugin-version': pluginVersion,
  'x-checksum-sha256': z
    .string()
    .regex(/^[0-9A-Fa-f]{64}$/, 'must be a SHA-256 in hexadecimal')
    .toLowerCase()
    .optional(),
  'x-signature-minisign': z.base64('must be a .minisig file in base64').max(8192).optional(),
  'content-disposition': z.string().max(1000).optional(),
  'content-encoding': z.string().optional(),
});

export const rollback = z.strictObject({ pluginVersion });

const file = {
  gameVersion: z.string().meta({ examples: ['1.40.0'] }),
  pluginVersion: z
    .string()
    .describe('Semantic version')
    .meta({ examples: ['1.4.0'] }),
  fileName: z.string(),
  sha256: z.string().describe('Hexadecimal').meta({ pattern: '^[0-9a-f]{64}$' }),
  size: z.int().describe('Bytes'),
};

export const pluginRelease = z
  .object({
    ...file,
    uploadedAt: isoInstant,
    downloadUrl: z.string().meta({ format: 'uri' }),
  })
  .meta({ id: 'PluginRelease' });
export type PluginRelease = z.output<typeof pluginRelease>;

export const releaseList = z
  .object({
    servedPluginVersion: z
      .string()
      .nullable()
      .describe('The newest served plugin version; null while nothing is published'),
    releases: z.array(pluginRelease),
  })
  .meta({ id: 'PluginReleaseList' });
export type ReleaseList = z.output<typeof releaseList>;

/** Sort key of the history. */
export const historyKey = z.tuple([z.guid()]);

const formerRelease = z
  .object({
    ...file,
    signed: z.boolean(),
    uploadedAt: isoInstant,
    servedFrom: isoInstant.describe('When it began to be served, the last time it did'),
    servedUntil: isoInstant.nullable().describe('Null: it is served now'),
  })
  .meta({ id: 'FormerPluginRelease' });
export type FormerRelease = z.output<typeof formerRelease>;
export const releaseHistory = page('FormerPluginReleaseList', formerRelease);

export const withdrawn = z.null().describe('Withdrawn');

export const binaryFile = z
  .string()
  .meta({ format: 'binary' })
  .describe('The file, or the part of it that `Range` asks for');
export const checksumLine = z.string().describe('SHA-256 in hexadecimal, two spaces, the name of the file');
export const minisignFile = z.string().describe('Four lines, as minisign writes them');

export const serverStatus = z
  .object({
    online: z.boolean(),
    status: z.enum(['online', 'draining', 'maintenance']).meta({ id: 'ServiceStatus' }),
    allowedGameVersions: z.array(z.string()).describe('Those a release is published for'),
    acceptedPluginVersions: z.array(z.string()),
    servedPluginVersion: z.string().nullable(),
    time: isoInstant,
  })
  .meta({ id: 'ServerStatus' });
export type ServerStatus = z.output<typeof serverStatus>;
