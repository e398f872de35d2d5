import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createSharedChanges } from '../../src/platform/database/shared-changes.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let here: TestDatabase;
let there: Database;
beforeAll(async () => {
  here = await cloneDatabase();
  there = openDatabase({ url: here.url });
  for (const { changes } of [here, there]) changes.watch(['Season']);
});
afterAll(async () => {
  await there.close();
  await here.drop();
});

/** Two nodes that know each other's versions. */
async function twoNodes() {
  const [reader, writer] = [createSharedChanges(here), createSharedChanges(there)];
  await reader.exchange(['writer']);
  await writer.exchange(['reader']);
  return { reader, writer, mark: here.changes.mark(['Season']) };
}
const write = () => there.changes.writing(['Season'], async () => undefined);
const isOutdated = (mark: number) => here.changes.mark(['Season']) !== mark;

test('a change of another node is seen with the next exchange', async () => {
  const { reader, writer, mark } = await twoNodes();
  await write();
  await writer.exchange(['reader']);
  expect(isOutdated(mark)).toBe(false);
  await reader.exchange(['writer']);
  expect(isOutdated(mark)).toBe(true);
});

test('after a node died everything is read again, because its last write may not have been announced', async () => {
  const { reader, mark } = await twoNodes();
  await write();
  await reader.exchange(['another']);
  expect(isOutdated(mark)).toBe(true);
});

test('a node that was suspended sees what others wrote while they took it for dead', async () => {
  const { reader, writer, mark } = await twoNodes();
  await write();
  await writer.exchange([]);
  await reader.exchange(['writer']);
  expect(isOutdated(mark)).toBe(true);
});

test('a node that stops announces its last writes', async () => {
  const { reader, writer, mark } = await twoNodes();
  await write();
  await writer.announce();
  await reader.exchange(['writer']);
  expect(isOutdated(mark)).toBe(true);
});

test('an exchange without a change keeps what was read', async () => {
  const { reader, writer, mark } = await twoNodes();
  await writer.exchange(['reader']);
  await reader.exchange(['writer']);
  expect(isOutdated(mark)).toBe(false);
});
