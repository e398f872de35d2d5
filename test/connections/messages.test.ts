import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMessages, takeMessages } from '../../src/domains/connections/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

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
  const message = { kind: 'send', event: 'queueUpdated', payload: { queueEntry: null } } as const;
  const players = [here, anna, bert, carl, newGuid()];
  const nodes = await addMessages(database, own, players, JSON.stringify(message), connectedAt);
  expect(nodes.map(({ nodeGuid }) => nodeGuid).sort()).toEqual([second, second, third].sort());
  const inbox = (nodeGuid: string) => takeMessages(database, nodeGuid);
  const told = (playerGuid: string) => ({ ...message, playerGuid });
  expect(await inbox(own)).toEqual([]);
  const messages = await inbox(second);
  expect(messages).toHaveLength(2);
  expect(messages).toEqual(expect.arrayContaining([told(anna), told(bert)]));
  expect(await inbox(third)).toEqual([told(carl)]);
});
