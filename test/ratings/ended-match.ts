import { newGuid } from '../../src/platform/clock.ts';
import type { Db } from '../../src/platform/database/database.ts';

interface Ended {
  matchGuid: string;
  queueGuid: string;
  seasonGuid: string;
  red: string;
  blue: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Stores a match that has ended: the match of a history row. */
export async function storeEndedMatch(db: Db, { red, blue, at, ...match }: Ended): Promise<void> {
  await db.match.create({
    data: {
      ...match,
      poolGuid: newGuid(),
      redGuid: red,
      blueGuid: blue,
      status: 'completed',
      outcome: 'decided',
      version: 1,
      rulesVersion: 2,
      state: {},
      rated: true,
      startedAt: new Date(at),
      endedAt: new Date(at),
    },
  });
}
