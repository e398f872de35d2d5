import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { role } from '../players/index.ts';
import { PARTS, type PartName } from './kept.ts';

export const personParams = z.strictObject({ playerGuid: guid });

export const erasureBody = z
  .strictObject({ confirm: guid.describe('The `playerGuid` of the path once more') })
  .meta({ id: 'Erasure' });
export const erasedPlayer = z.object({ playerGuid: guid }).meta({ id: 'ErasedPlayer' });

const rows = (fields: readonly string[]) =>
  z.array(z.record(z.string(), z.unknown())).describe(fields.map((name) => `\`${name}\``).join(', '));

const parts = Object.fromEntries(
  Object.entries(PARTS).map(([name, { fields }]) => [name, rows(fields)]),
) as Record<PartName, ReturnType<typeof rows>>;

/** All that is kept of a person. */
export const personExport = z
  .object({
    time: isoInstant,
    player: z
      .object({
        playerGuid: guid,
        subject: z.string().nullable().describe('`sub` of the tokens; null once erased'),
        platformId: z.string().nullable(),
        username: z.string(),
        avatarUrl: z.string().nullable(),
        joinedAt: isoInstant,
        providerRoles: z.array(role),
        tokenIssuedAt: isoInstant.describe('Time of issue of the newest token'),
        erasedAt: isoInstant.nullable(),
      })
      .meta({ id: 'ExportedPlayer' }),
    matches: rows([
      'startedAt',
      'matchGuid',
      'queueGuid',
      'seasonGuid',
      'poolGuid',
      'status',
      'rated',
      'endedAt',
      'outcome',
      'reason',
      'won',
      'rating',
      'versions',
      'seat',
      'rounds',
    ]),
    ...parts,
  })
  .meta({ id: 'PersonExport' });
export type PersonExport = z.output<typeof personExport>;
