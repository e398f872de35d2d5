import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRaw } from '../contract/raw-socket.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import type { SocketPlayer } from '../harness/socket-player.ts';

/** A player who connects while something else happens to the same player. */

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const PATIENT = { timeout: 20_000 };
const tokens = new Map<string, string>();
/** Connects a player, each time with the same token: the admission writes nothing for it. */
const connect = async (name: string): Promise<SocketPlayer> => {
  const token = tokens.get(name) ?? (await service.gameToken(name));
  tokens.set(name, token);
  return service.connect(name, { token });
};
const guidOf = async (player: SocketPlayer): Promise<string> => (await player.do('hello')).player.playerGuid;
const seatOf = (playerGuid: string) =>
  service.database.prisma.playerConnection.findUnique({ where: { playerGuid } });
const isSeatFree = (playerGuid: string) =>
  expect.poll(async () => (await seatOf(playerGuid)) === null, PATIENT).toBe(true);
const ban = (playerGuid: string) =>
  service.request('admin', 'POST', `/players/${playerGuid}/bans`, { reason: 'Insults', until: null });

const waiting = () => waitingForLocks(service.database);

/** Begins these works one after the other while the player is locked, so that they are done in this order. */
async function inTurn<A, B>(
  playerGuid: string,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const lock = await service.database.pool.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SELECT FROM "Player" WHERE "playerGuid" = $1 FOR NO KEY UPDATE', [playerGuid]);
    const one = first();
    await expect.poll(waiting, PATIENT).toBe(1);
    const other = second();
    await expect.poll(waiting, PATIENT).toBe(2);
    await lock.query('ROLLBACK');
    return await Promise.all([one, other]);
  } finally {
    lock.release(true);
  }
}

test('of two connections at once one stays, and the other gets the notice that it was replaced', async () => {
  for (let round = 0; round < 10; round++) {
    const both = await Promise.all([connect('anna'), connect('anna')]);
    await expect.poll(() => both.filter(({ socket }) => socket.connected).length, PATIENT).toBe(1);
    const replaced = both.find(({ socket }) => !socket.connected);
    expect(replaced?.notices).toMatchObject([{ type: 'sessionReplaced' }]);
    expect(replaced?.disconnectReason).toBe('io server disconnect');
  }
});

test('a connection that was opened before the present one and admitted after it is the one that is replaced', async () => {
  // The network was away when its CONNECT was sent, and the program was started again meanwhile.
  const older = await openRaw(service.url);
  const newer = await connect('gina');
  const before = await seatOf(await guidOf(newer));
  older.send(`40${JSON.stringify({ token: tokens.get('gina'), pluginVersion: '1.0.0' })}`);
  await older.closed;
  expect(older.frames.join(' ')).toContain('sessionReplaced');
  expect((await newer.do('hello')).match).toBeNull();
  expect(newer.notices).toEqual([]);
  expect(await seatOf(await guidOf(newer))).toEqual(before);
});

test('a late end of the older connection changes neither the seat nor the place in a queue', async () => {
  const [older, bystander] = [await connect('bert'), await connect('zoe')];
  await older.do('joinQueue', { queueGuid });
  const newer = await connect('bert');
  const playerGuid = await guidOf(newer);
  await older.until(() => older.disconnectReason !== null);
  // Ends of connections are stored in their order.
  const bystanderGuid = await guidOf(bystander);
  bystander.drop();
  await isSeatFree(bystanderGuid);
  expect(await seatOf(playerGuid)).not.toBeNull();
  const { queueEntry } = await newer.do('hello');
  expect(queueEntry).toMatchObject({ queueGuid });
  const stored = await service.database.prisma.queueEntry.findUnique({ where: { playerGuid } });
  expect(stored?.disconnectedAt).toBeNull();
  await newer.do('leaveQueue');
});

describe('a ban and a connect at the same moment end without a connection', () => {
  /** A player who is known and not connected. */
  const known = async (name: string): Promise<string> => {
    const player = await connect(name);
    const playerGuid = await guidOf(player);
    player.drop();
    await isSeatFree(playerGuid);
    return playerGuid;
  };
  const isDismissed = async (player: SocketPlayer, playerGuid: string): Promise<void> => {
    await player.until(() => player.disconnectReason !== null, 'the ban');
    expect(player.notices).toMatchObject([{ type: 'banned', message: expect.stringContaining('Insults') }]);
    await isSeatFree(playerGuid);
  };

  test('when the ban is stored first', async () => {
    const playerGuid = await known('carl');
    const [, player] = await inTurn(
      playerGuid,
      () => ban(playerGuid),
      () => connect('carl'),
    );
    await isDismissed(player, playerGuid);
  });

  test('when the connection is stored first', async () => {
    const playerGuid = await known('dora');
    const [player] = await inTurn(
      playerGuid,
      () => connect('dora'),
      () => ban(playerGuid),
    );
    await isDismissed(player, playerGuid);
  });

  test('in any order', async () => {
    for (let round = 0; round < 10; round++) {
      const playerGuid = await known(`emil${round}`);
      const [connected] = await Promise.all([
        connect(`emil${round}`).catch((error: Error) => error),
        ban(playerGuid),
      ]);
      if (connected instanceof Error) expect(connected.message).toBe('BANNED');
      else await isDismissed(connected, playerGuid);
    }
  });
});

describe('a player who connects again while being paired sits in the match', () => {
  /** A player who waits, and what pairs the player with somebody. */
  const waitingPlayer = async (name: string) => {
    const [player, other] = [await connect(name), await connect(`z${name}`)];
    const playerGuid = await guidOf(player);
    await player.do('joinQueue', { queueGuid });
    return { player, playerGuid, other, pair: () => other.do('joinQueue', { queueGuid }) };
  };
  const isPresent = async (player: SocketPlayer, other: SocketPlayer): Promise<void> => {
    await other.until(() => other.match !== undefined, 'the match');
    const { matchGuid } = other.match;
    const presence = async () => (await player.do('hello')).match?.you.presence;
    await expect.poll(presence, PATIENT).toBe('present');
    const known = player.updates.length;
    await other.do('forfeit', { matchGuid });
    await player.until(() => player.updates.length > known && player.match.result !== null, 'the end');
    await service.database.prisma.queueEntry.deleteMany();
    await service.database.prisma.penalty.deleteMany();
  };

  test('when the match is stored first', async () => {
    const { player, playerGuid, other, pair } = await waitingPlayer('fred');
    const [, again] = await inTurn(playerGuid, pair, () => {
      player.drop();
      return connect('fred');
    });
    await isPresent(again, other);
  });

  test('when the connection is stored first', async () => {
    const { playerGuid, other, pair } = await waitingPlayer('gina');
    const [again] = await inTurn(playerGuid, () => connect('gina'), pair);
    await isPresent(again, other);
  });

  test('in any order', async () => {
    for (let round = 0; round < 5; round++) {
      const { player, other, pair } = await waitingPlayer(`hans${round}`);
      player.drop();
      const [again] = await Promise.all([connect(`hans${round}`), pair()]);
      await isPresent(again, other);
    }
  });
});
