import { z } from 'zod';
import { isoInstant } from '../../platform/http/schemas.ts';

const gameVersion = z
  .string()
  .regex(/^(?!\.+$)[0-9A-Za-z._+-]{1,32}$/, 'must be 1 to 32 of [0-9A-Za-z._+-], not only dots');

export const releaseParams = z.strictObject({ gameVersion });

export const pluginRelease = z
  .object({
    gameVersion: z.string(),
    pluginVersion: z.string(),
    fileName: z.string(),
    sha256: z.string(),
    size: z.int().describe('Bytes'),
    uploadedAt: isoInstant,
    downloadUrl: z.string(),
  })
  .meta({ id: 'PluginRelease' });

export const releaseList = z.object({
  servedPluginVersion: z
    .string()
    .nullable()
    .describe('The newest served plugin version; null while nothing is published'),
  releases: z.array(pluginRelease),
});
export type ReleaseList = z.output<typeof releaseList>;

export const serverStatus = z
  .object({
    online: z.boolean(),
    status: z.enum(['online', 'draining', 'maintenance']),
    allowedGameVersions: z.array(z.string()).describe('Those a release is published for'),
    acceptedPluginVersions: z.array(z.string()),
    servedPluginVersion: z.string().nullable(),
    time: isoInstant,
  })
  .meta({ id: 'ServerStatus' });
export type ServerStatus = z.output<typeof serverStatus>;
