import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPeerReads } from '../../src/peer-reads.ts';

const EVERY_MS = 250;
const NODE = 'this node';
let done: unknown[];
let peers: string[];

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  peers = ['another node'];
});
afterEach(() => void vi.useRealTimers());

const options = () => ({
  node: { nodeGuid: NODE, livingPeers: async () => peers },
  sharedChanges: { exchange: async (living: readonly string[]) => void done.push(['exchange', living]) },
  holds: (playerGuid: string) => playerGuid === 'Anna',
  isFollowed: (matchGuid: string) => matchGuid === 'followed',
  readInbox: async (named?: readonly string[]) => void done.push(['inbox', named]),
  readFollowed: async (named?: readonly string[]) => void done.push(['followed', named]),
  everyMs: EVERY_MS,
});
const open = () => createPeerReads(options());
const EVERYTHING = [
  ['exchange', ['another node']],
  ['inbox', undefined],
  ['followed', undefined],
];

test('the first read is of everything, but only when there are other nodes', async () => {
  peers = [];
  const reads = open();
  expect(reads.restMs()).toBe(0);
  reads.note(['Anna']);
  await reads.read();
  expect(done).toEqual([['exchange', []]]);
  expect(reads.hasPeers()).toBe(false);
  peers = ['another node'];
  vi.advanceTimersByTime(EVERY_MS);
  await reads.read();
  expect(done.slice(1)).toEqual(EVERYTHING);
  expect(reads.hasPeers()).toBe(true);
});

test('a hint matters when it names this node, a player who is connected here, or a match that is followed here', () => {
  for (const topic of [NODE, 'Anna', 'followed']) expect(open().note(['Bert', topic])).toBe(true);
  expect(open().note(['Bert', 'a match', 'another node'])).toBe(false);
});

test('between two reads of everything only what hints named is read, and once', async () => {
  const reads = open();
  await reads.read();
  done = [];
  reads.note(['Anna', 'Bert']);
  reads.note(['Anna', 'followed']);
  await reads.read();
  expect(done).toEqual([
    ['inbox', ['Anna', 'followed']],
    ['followed', ['Anna', 'followed']],
  ]);
});

test('hints do not put off the read of everything', async () => {
  const reads = open();
  await reads.read();
  vi.advanceTimersByTime(EVERY_MS - 10);
  reads.note(['Anna']);
  await reads.read();
  expect(reads.restMs()).toBe(10);
  vi.advanceTimersByTime(10);
  expect(reads.restMs()).toBe(0);
  done = [];
  reads.note(['Anna']);
  await reads.read();
  expect(done).toEqual(EVERYTHING);
});

test('a slow or failed read of everything delays the next one', async () => {
  const slow = createPeerReads({
    ...options(),
    node: {
      nodeGuid: NODE,
      livingPeers: async () => {
        vi.advanceTimersByTime(2 * EVERY_MS);
        throw new Error('the database does not answer');
      },
    },
  });
  await expect(slow.read()).rejects.toThrow('the database does not answer');
  expect(slow.restMs()).toBe(EVERY_MS);
});
