import { isoTime } from '../../platform/clock.ts';
import { existing } from '../../platform/errors.ts';
import { playerErrors, type Role } from '../players/index.ts';
import { createErasure, type ErasureOptions } from './erasure.ts';
import { PARTS, type PartName } from './kept.ts';
import type { PersonExport } from './schemas.ts';
import * as store from './store.ts';

export type PrivacyOptions = ErasureOptions;

export type Privacy = ReturnType<typeof createService>;

/** The rights of a person: the export of all data that are kept of them, and their erasure. */
export function createService(options: PrivacyOptions) {
  const { database, clock } = options;
  const { prisma } = database;

  return {
    erase: createErasure(options),

    /** All that is kept of a person, without their reports about the reader. @throws PLAYER_NOT_FOUND */
    exportOf: async (playerGuid: string, readerGuid: string): Promise<PersonExport> => {
      const person = existing(await store.findPerson(prisma, playerGuid), playerErrors.PLAYER_NOT_FOUND);
      const parts = {} as Record<PartName, store.Row[]>;
      // One after the other: an export takes one connection of the database at a time.
      for (const [name, part] of Object.entries(PARTS))
        parts[name as PartName] = await store.rowsOf(prisma, part, playerGuid, readerGuid);
      return {
        time: isoTime(clock.now()),
        player: {
          ...person,
          providerRoles: person.providerRoles as Role[],
          joinedAt: person.joinedAt.toISOString(),
          tokenIssuedAt: person.tokenIssuedAt.toISOString(),
          erasedAt: person.erasedAt?.toISOString() ?? null,
        },
        matches: await store.matchesOf(prisma, playerGuid),
        ...parts,
      };
    },
  };
}
