import { newGuid } from '../../src/platform/clock.ts';
import type { Db } from '../../src/platform/database/database.ts';

interface Stored {
  matchGuid: string;
  queueGuid: string;
  seasonGuid: string;
  red: string;
  blue: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Stores a match that runs. @returns its place in the order of matches */
export async function storeRunningMatch(db: Db, { red, blue, at, ...match }: Stored): Promise<number> {
  const { sequence } = await db.match.create({
    data: {
      ...match,
      poolGuid: newGuid(),
      redGuid: red,
      blueGuid: blue,
      status: 'playing',
      version: 1,
      rulesVersion: 2,
      state: {},
      rated: true,
      startedAt: new Date(at),
    },
  });
  return Number(sequence);
}

export async function endMatch(db: Db, { matchGuid, at }: Pick<Stored, 'matchGuid' | 'at'>): Promise<void> {
  await db.match.update({
    where: { matchGuid },
    data: { status: 'completed', outcome: 'decided', endedAt: new Date(at) },
  });
}

/** Stores a match that has ended: the match of a history row. */
export async function storeEndedMatch(db: Db, match: Stored): Promise<void> {
  await storeRunningMatch(db, match);
  await endMatch(db, match);
}
