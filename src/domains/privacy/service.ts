import { Readable } from 'node:stream';
import { isoTime } from '../../platform/clock.ts';
import { existing } from '../../platform/errors.ts';
import { findPlayer, playerErrors, type Role } from '../players/index.ts';
import { createErasure, type ErasureOptions } from './erasure.ts';
import { PARTS } from './kept.ts';
import { type PersonExport, personExport } from './schemas.ts';
import * as store from './store.ts';

export type Privacy = ReturnType<typeof createService>;

/** Rows of a list that are read and written at once: a few milliseconds of this process, whatever somebody's history is. */
const MOST_ROWS = 500;

/** The text of a JSON array, in pieces that are read one after the other. */
async function* arrayText(read: (slice: store.Slice) => Promise<store.Row[]>): AsyncGenerator<string> {
  let after: store.Row | null = null;
  do {
    const rows = await read({ after, most: MOST_ROWS });
    if (rows.length > 0) yield (after === null ? '' : ',') + JSON.stringify(rows).slice(1, -1);
    after = rows.length < MOST_ROWS ? null : (rows.at(-1) ?? null);
  } while (after !== null);
}

/** The rights of a person: the export of all data that are kept of them, and their erasure. */
export function createService(options: ErasureOptions) {
  const { database, clock } = options;
  const { prisma } = database;

  /** The text of a {@link PersonExport}. It takes one connection of the database at a time, and none while the reader is slow. */
  async function* textOf(head: Pick<PersonExport, 'time' | 'player'>, readerGuid: string) {
    const { playerGuid } = head.player;
    yield `${JSON.stringify(head).slice(0, -1)},"matches":[`;
    yield* arrayText((slice) => store.matchesOf(prisma, playerGuid, slice));
    for (const [name, part] of Object.entries(PARTS)) {
      yield `],"${name}":[`;
      yield* arrayText((slice) => store.rowsOf(prisma, part, { playerGuid, readerGuid }, slice));
    }
    yield ']}';
  }

  return {
    erase: createErasure(options),

    /**
     * All that is kept of a person, without their reports about the reader: the text of a {@link PersonExport}, read while it
     * is sent. @throws PLAYER_NOT_FOUND
     */
    exportOf: async (playerGuid: string, readerGuid: string): Promise<Readable> => {
      const person = existing(await findPlayer(prisma, playerGuid), playerErrors.PLAYER_NOT_FOUND);
      const player = personExport.shape.player.parse({
        ...person,
        providerRoles: person.providerRoles as Role[],
        joinedAt: person.joinedAt.toISOString(),
        tokenIssuedAt: person.tokenIssuedAt.toISOString(),
        erasedAt: person.erasedAt?.toISOString() ?? null,
      });
      return Readable.from(textOf({ time: isoTime(clock.now()), player }, readerGuid), { objectMode: false });
    },
  };
}
