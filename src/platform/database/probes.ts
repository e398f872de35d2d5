import { randomBytes } from 'node:crypto';
import { newGuid } from '../clock.ts';
import { within } from '../within.ts';
import { type Database, inRolledBackTransaction } from './database.ts';
import { ping } from './statement.ts';

/** How long the database may take to answer a probe. */
const ANSWER_MS = 1000;
/** Unanswered probes of a kind at once, at most: each holds or waits for a connection of the pool. */
const MOST_PROBES = 4;

/** @returns whether `ask` succeeds in time */
function probe(ask: () => Promise<unknown>): () => Promise<boolean> {
  /** While one statement waits on a half-open connection, the next one uses another. */
  const asked = new Set<Promise<unknown>>();
  return async () => {
    if (asked.size < MOST_PROBES) {
      const one: Promise<unknown> = ask().finally(() => asked.delete(one));
      one.catch(() => undefined);
      asked.add(one);
    }
    const anySucceeds = Promise.any(asked).then(
      () => true,
      () => false,
    );
    return (await within(ANSWER_MS, anySucceeds)) === true;
  };
}

/** Bytes of a write that needs new pages: eight of them. They are random, because PostgreSQL compresses others. */
const ROOM_BYTES = 64 * 1024;

/** Writes a row that needs new pages, and rolls it back. */
const writePages = (database: Database) =>
  inRolledBackTransaction(database, [], (db) =>
    db.peerMessage.create({
      data: { nodeGuid: newGuid(), at: new Date(), body: randomBytes(ROOM_BYTES).toString('base64') },
    }),
  );

/**
 * Whether the database can be used. On a full disk writes that need no new page succeed, such as heartbeats, and others fail. So
 * after a refused write one that needs new pages has to succeed.
 */
export function databaseProbes(database: Database) {
  const answers = probe(() => ping(database));
  const takesPages = probe(() => writePages(database));
  return {
    /** Whether the pool gets statements through, also writes if one was refused lately. */
    works: async () => (await answers()) && (!database.isFull() || (await takesPages())),
    /** Whether a write is not refused, although none was lately. */
    hasRoom: async () => (await takesPages()) || !database.isFull(),
  };
}
