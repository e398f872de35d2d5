import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createInbox } from '../../src/domains/connections/inbox.ts';
import { createMessages } from '../../src/domains/connections/messages.ts';
import type { Notices } from '../../src/domains/connections/notices.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { addMessage, addMessages, readMessages } from '../../src/domains/connections/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase, waitingForLocks } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

test('a message to many players goes to the nodes that hold their connections, in one statement', async () => {
  const [own, second, third] = [newGuid(), newGuid(), newGuid()];
  const connectedAt = new Date();
  /** A player who is connected to this node. */
  const playerOn = async (nodeGuid: string): Promise<string> => {
    const playerGuid = newGuid();
    await database.prisma.playerConnection.create({
      data: { playerGuid, nodeGuid, connectionGuid: newGuid(), pluginVersion: '1.0.0', connectedAt },
    });
    return playerGuid;
  };
  const [here, anna, bert, carl] = [
    await playerOn(own),
    await playerOn(second),
    await playerOn(second),
    await playerOn(third),
  ];
  const payload = { queueEntry: null, reason: 'matched' } as const;
  const message = { kind: 'send', event: 'queueUpdated', payload } as const;
  const players = [here, anna, bert, carl, newGuid()];
  const nodes = await addMessages(database, own, players, JSON.stringify(message), connectedAt);
  expect(nodes.map(({ nodeGuid }) => nodeGuid).sort()).toEqual([second, second, third].sort());
  const inbox = (nodeGuid: string) => readMessages(database, nodeGuid);
  const told = (playerGuid: string) => ({
    ...{ sequence: expect.any(String), message: { ...message, playerGuid }, queueGuid: null },
  });
  expect(await inbox(own)).toEqual([]);
  const messages = await inbox(second);
  expect(messages).toHaveLength(2);
  expect(messages).toEqual(expect.arrayContaining([told(anna), told(bert)]));
  expect(await inbox(third)).toEqual([told(carl)]);
});

describe('a message to players', () => {
  const [own, other] = [newGuid(), newGuid()];
  const [anna, bert] = [newGuid(), newGuid()];
  const payload = { queueEntry: null, reason: 'queue_drained' } as const;
  /** Both have a connection here; Bert has another one on the other node by now. @returns the inbox there */
  const sendWhile = async (exclusivePeriod: object | null) => {
    await database.prisma.peerMessage.deleteMany();
    await database.prisma.playerConnection.deleteMany();
    for (const [playerGuid, nodeGuid] of [
      [anna, own],
      [bert, other],
    ] as const)
      await database.prisma.playerConnection.create({
        data: {
          playerGuid,
          nodeGuid,
          connectionGuid: newGuid(),
          pluginVersion: '1.0.0',
          connectedAt: new Date(),
        },
      });
    const here: string[] = [];
    const messages = createMessages(
      {
        database,
        clock: { now: () => Date.now() },
        node: () => ({ nodeGuid: own, exclusivePeriod: () => exclusivePeriod }),
        channel: () => ({ send: (playerGuid: string) => here.push(playerGuid) > 0 }),
        hint: () => undefined,
      } as unknown as ConnectionsOptions,
      {} as Notices,
      new Set(),
    );
    await messages.send([anna, bert], payload);
    expect(here).toEqual([anna, bert]);
    return readMessages(database, other);
  };

  test('reaches a player who has just moved to another node, although the old connection is still here', async () => {
    const message = { kind: 'send', event: 'queueUpdated', payload, playerGuid: bert };
    expect(await sendWhile(null)).toMatchObject([{ message, queueGuid: null }]);
  });

  test('is not stored while there is no other node', async () => {
    expect(await sendWhile({})).toEqual([]);
  });
});

describe('a node that reads its inbox after a hint', () => {
  const nodeGuid = newGuid();
  const [anna, bert] = [newGuid(), newGuid()];
  let done: unknown[];
  /** Those who are in a match whose end was not delivered yet. */
  let playing: string[];
  const open = (on: Database = database, toldHere = new Set<string>()) =>
    createInbox(
      {
        database: on,
        clock: { now: () => Date.now() },
        node: () => ({ nodeGuid }),
        channel: () => ({
          holds: (playerGuid: string) => playerGuid !== nodeGuid,
          send: (playerGuid: string, event: string) => done.push([event, playerGuid]),
        }),
        matches: {
          awaitsEnd: (playerGuid: string) => playing.includes(playerGuid),
          catchUp: async () => void done.push(['all matches']),
          catchUpWith: async (playerGuids: string[]) => void done.push(['matches of', ...playerGuids]),
          receiveProgress: async (playerGuids: string[]) => void done.push(['progress', ...playerGuids]),
        },
      } as unknown as ConnectionsOptions,
      {
        dismiss: (connectionGuid: string) => void done.push(['dismiss', connectionGuid]),
      } as unknown as Notices,
      toldHere,
    );
  const readInbox = (named?: string[]) => open().readInbox(named);
  /** Puts a message into the inbox: this player waits in a queue now, or in none. */
  const tell = (playerGuid: string, queueGuid: string | null) => {
    const place = { joinedAt: '', waitingMs: 0, rating: 1000, gap: 100 };
    const queueEntry = queueGuid === null ? null : { queueGuid, ...place };
    const payload = { queueEntry, reason: null } as const;
    const message = { kind: 'send', playerGuid, event: 'queueUpdated', payload } as const;
    return addMessage(database.prisma, nodeGuid, message, Date.now());
  };
  const report = { matchGuid: newGuid(), reporterGuid: anna, roundNumber: 1, progress: 0.5 };
  beforeEach(async () => {
    done = [];
    playing = [anna];
    const at = Date.now();
    const { prisma } = database;
    await prisma.peerMessage.deleteMany();
    await addMessage(prisma, nodeGuid, { kind: 'progress', playerGuid: bert, report }, at);
    await tell(anna, null);
  });

  test('takes its messages when the hint names the node: after the matches they may follow from, with the progress of downloads last', async () => {
    await readInbox([nodeGuid, anna]);
    expect(done).toEqual([
      ['matches of', anna],
      ['queueUpdated', anna],
      ['matches of', nodeGuid, anna, bert],
      ['progress', bert],
    ]);
  });

  test('leaves its messages when the hint names only a player whose match goes on', async () => {
    await readInbox([anna]);
    expect(done).toEqual([['matches of', anna]]);
    expect(await readMessages(database, nodeGuid)).toHaveLength(2);
  });

  test('takes its messages before it reads a match that may have begun after them', async () => {
    playing = [];
    await readInbox([anna]);
    expect(done.slice(0, 2)).toEqual([
      ['queueUpdated', anna],
      ['matches of', anna, bert],
    ]);
  });

  test('reads everything when there was no hint', async () => {
    await readInbox();
    expect(done).toEqual([['matches of', anna], ['queueUpdated', anna], ['all matches'], ['progress', bert]]);
  });

  test('reads the matches of a player again between two messages, because a whole match may lie between them', async () => {
    playing = [];
    await tell(anna, null);
    await readInbox();
    expect(done.slice(0, 3)).toEqual([
      ['queueUpdated', anna],
      ['matches of', anna],
      ['queueUpdated', anna],
    ]);
  });

  test('does not deliver a place in a queue that the player no longer has', async () => {
    playing = [];
    await tell(bert, newGuid());
    await readInbox();
    expect(done.slice(0, 2)).toEqual([['queueUpdated', anna], ['all matches']]);
  });

  test('delivers the places on the way to the present one', async () => {
    playing = [];
    await tell(bert, newGuid());
    await tell(bert, null);
    await readInbox();
    const updates = done.filter((one) => (one as string[])[0] === 'queueUpdated');
    expect(updates).toEqual([
      ['queueUpdated', anna],
      ['queueUpdated', bert],
      ['queueUpdated', bert],
    ]);
  });

  describe('while this node itself sends a place to the player', () => {
    /** Reads the inbox; this happens to Anna between the first read and its answer, and this node tells her. */
    const readWhile = async (change: () => Promise<unknown>) => {
      playing = [];
      const toldHere = new Set<string>();
      let reads = 0;
      const query = async (config: { name: string; text: string }) => {
        const answer = await database.pool.query(config);
        if (config.name === 'inbox-read') {
          reads += 1;
          if (reads === 1) {
            await change();
            toldHere.add(anna);
          }
        }
        return answer;
      };
      await open({ ...database, pool: { query } as unknown as Database['pool'] }, toldHere).readInbox();
      expect(reads).toBe(2);
      expect(await database.prisma.peerMessage.count()).toBe(0);
      return done.filter((one) => (one as string[])[0] === 'queueUpdated');
    };

    test('does not deliver the older place after it', async () => {
      const { pool, prisma } = database;
      await pool.query('ALTER TABLE "QueueEntry" DROP CONSTRAINT "QueueEntry_queueGuid_fkey"');
      onTestFinished(async () => void (await prisma.queueEntry.deleteMany()));
      const data = { playerGuid: anna, rating: 1000, pluginVersion: '1.0.0', joinedAt: new Date() };
      const join = () => prisma.queueEntry.create({ data: { ...data, queueGuid: newGuid() } });
      expect(await readWhile(join)).toEqual([]);
    });

    test('delivers the message when it tells of the present place', async () => {
      expect(await readWhile(() => Promise.resolve())).toEqual([['queueUpdated', anna]]);
    });
  });

  /** Another connection of a player has replaced this one. */
  const replace = (connectionGuid: string) =>
    addMessage(
      database.prisma,
      nodeGuid,
      { kind: 'dismiss', connectionGuid, notice: 'sessionReplaced', message: 'A test.' },
      Date.now(),
    );

  test('begins a read when the one before has removed what it handled', async () => {
    playing = [];
    await tell(anna, null);
    const asked: string[] = [];
    const query = (config: { name: string; text: string }) => {
      asked.push(config.name);
      return database.pool.query(config);
    };
    const { readInbox } = open({ ...database, pool: { query } as unknown as Database['pool'] });
    await Promise.all([readInbox(), readInbox([nodeGuid])]);
    expect(asked).toEqual(['inbox-read', 'inbox-remove', 'inbox-read']);
    expect(done.filter((one) => (one as string[])[0] === 'queueUpdated')).toHaveLength(2);
    expect(done.filter((one) => (one as string[])[0] === 'progress')).toHaveLength(1);
    expect(await database.prisma.peerMessage.count()).toBe(0);
  });

  test('handles each message once when the connection to the database breaks meanwhile', async () => {
    const proxy = await startFaultyProxy(database.url);
    onTestFinished(() => proxy.stop());
    const cut = openDatabase({ url: proxy.url });
    onTestFinished(() => cut.close());
    const [older, newer] = [newGuid(), newGuid()];
    await replace(older);
    const lock = await database.pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM "PeerMessage" FOR UPDATE');
    const { readInbox } = open(cut);
    const failed = readInbox().catch((error: unknown) => error);
    await expect.poll(() => waitingForLocks(database)).toBe(1);
    proxy.cut();
    expect(await failed).toBeInstanceOf(Error);
    await replace(newer);
    // The database goes on with the first removal.
    const again = readInbox();
    await expect.poll(() => waitingForLocks(database)).toBe(2);
    await lock.query('ROLLBACK');
    lock.release();
    await again;
    await readInbox();
    const handled = done.filter((one) => !(one as string[])[0]?.includes('matches'));
    expect(handled).toEqual([
      ['queueUpdated', anna],
      ['dismiss', older],
      ['progress', bert],
      ['dismiss', newer],
    ]);
    expect(await database.prisma.peerMessage.count()).toBe(0);
  });
});
