import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCutDigest } from '../../src/domains/replays/cuts.ts';
import {
  createReplayReader,
  NOTE_KIND,
  type NoteEvent,
  readReplay,
  writeReplay,
} from '../../src/domains/replays/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { openStorage } from '../../src/platform/storage/storage.ts';
import { waitingForLocks } from '../harness/database.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { badCut, bombed, draft, good, missed, standing } from './plays.ts';
import { replaysAt } from './replays-at.ts';
import { type Player, playRound, publish, type Round } from './round.ts';

/** Replays that somebody else has published before. */

const DAY = 24 * 3_600_000;

let service: TestService;
let queueGuid: string;
beforeAll(async () => {
  service = await startTestService();
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());

const copiesOf = async ({ matchGuid }: Round) =>
  (await service.request('admin', 'GET', `/replay-reviews?reason=copy&matchGuid=${matchGuid}`)).body.items;

/** The same play by somebody of another name: other bytes, the same cuts. */
function renamed(file: Uint8Array): Buffer {
  const other = Buffer.from(file);
  const { at, length } = readReplay(file).personal.playerName;
  other.fill('z', at + 4, at + length);
  return other;
}

/** Publishes for a player who has the file of another. */
async function publishAs(round: Round, player: Player, file: Uint8Array) {
  const answer = await publish(service, round, player, file);
  expect(answer.status).toBe(201);
  return answer.body;
}

test('a replay with the bytes of another player’s, from any match, is listed with the original, only for staff', async () => {
  const [first, second] = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const [a] = first.players;
  const [c, d] = second.players;
  const original = await publishAs(first, a, a.play.replay);
  expect(await copiesOf(first)).toEqual([]);
  const copy = await publishAs(second, c, a.play.replay);
  expect(JSON.stringify(copy)).not.toContain('copyOf');
  const expected = { replayGuid: original.replayGuid, playerGuid: a.guid, matchGuid: first.matchGuid };
  expect(await copiesOf(second)).toMatchObject([
    {
      reason: 'copy',
      status: 'open',
      player: { playerGuid: c.guid },
      replay: { replayGuid: copy.replayGuid, verdict: copy.verdict, copyOf: expected },
    },
  ]);
  // A review for another reason shows it as well. A replay that is no copy shows null.
  const { items } = (
    await service.request('admin', 'GET', `/replay-reviews?reason=mismatch&matchGuid=${second.matchGuid}`)
  ).body;
  expect(items.map(({ replay }: any) => replay.copyOf)).toEqual(
    copy.verdict === 'mismatch' ? [expected] : [],
  );
  await publishAs(second, d, d.play.replay);
  expect(await copiesOf(second)).toHaveLength(1);
  await second.finish();
  const shown = await service.request('admin', 'GET', `/replays/${copy.replayGuid}`);
  expect(JSON.stringify(shown.body)).not.toContain('copyOf');
});

test('a replay with the cuts of another player’s and other bytes is listed, also when the original file is gone', async () => {
  const [first, second] = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const [a] = first.players;
  const [c, d] = second.players;
  const { replayGuid } = await publishAs(first, a, a.play.replay);
  await service.database.prisma.replay.update({ where: { replayGuid }, data: { removedAt: new Date() } });
  await publishAs(second, c, renamed(a.play.replay));
  expect(await copiesOf(second)).toMatchObject([
    { player: { playerGuid: c.guid }, replay: { copyOf: { replayGuid } } },
  ]);
  // If there are several originals, the first is named.
  await publishAs(second, d, a.play.replay);
  expect((await copiesOf(second)).map(({ replay }: any) => replay.copyOf.replayGuid)).toEqual([
    replayGuid,
    replayGuid,
  ]);
});

test('a player’s own replay is no copy, and a replay without a digest of cuts is compared by its bytes', async () => {
  const round = await playRound(service, queueGuid);
  const [a, b] = round.players;
  const { replay } = a.play;
  const before = async (playerGuid: string, row: { sha256: string; cutsSha256: string | null }) =>
    service.database.prisma.replay.create({
      data: {
        ...row,
        replayGuid: newGuid(),
        matchGuid: newGuid(),
        roundNumber: 1,
        playerGuid,
        uploadedAt: new Date(Date.now() - DAY),
        size: 1,
        verdict: 'verified',
        checks: [],
        personal: {},
      },
    });
  const cutsSha256 = digestOf(replay);
  await before(a.guid, { sha256: 'other bytes', cutsSha256 });
  await before(b.guid, { sha256: 'bytes from before', cutsSha256: null });
  await publishAs(round, a, replay);
  expect(await copiesOf(round)).toEqual([]);
  // A copy by another player names the first replay with these cuts.
  await publishAs(round, b, renamed(replay));
  expect(await copiesOf(round)).toMatchObject([
    { player: { playerGuid: b.guid }, replay: { copyOf: { playerGuid: a.guid } } },
  ]);
});

test('all copies but the first are listed when they are published at once', async () => {
  const rounds: Round[] = [];
  for (let nth = 0; nth < 3; nth += 1) rounds.push(await playRound(service, queueGuid));
  const file = rounds[0]?.players[0].play.replay as Uint8Array;
  const other = renamed(file);
  // Half of the files have other bytes and are found by their cuts.
  const parts = rounds.flatMap((round) => round.players.map((player) => ({ round, player })));
  await Promise.all(
    parts.map(({ round, player }, nth) => publishAs(round, player, nth % 2 === 0 ? file : other)),
  );
  const copies = (await Promise.all(rounds.map(copiesOf))).flat();
  expect(copies).toHaveLength(parts.length - 1);
  const rows = await service.database.prisma.replay.findMany({
    where: { playerGuid: { in: parts.map(({ player }) => player.guid) } },
    orderBy: { uploadedAt: 'asc' },
  });
  const [original, ...others] = rows;
  expect(original?.copyOfGuid).toBeNull();
  expect(original?.uploadedAt.getTime()).toBeLessThanOrEqual(Date.now());
  // Also the time of a copy that came before the original and waited for it.
  for (const row of others)
    expect(row.uploadedAt.getTime()).toBeGreaterThan(original?.uploadedAt.getTime() ?? 0);
});

test('a copy that is published while the original is still being recorded waits for it, and is listed', async () => {
  const [first, second] = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const [[a], [c]] = [first.players, second.players];
  const { pool } = service.database;
  const holder = await pool.connect();
  const waiting = () => waitingForLocks(service.database);
  try {
    // The original cannot be recorded for now.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE "Replay" IN EXCLUSIVE MODE');
    const original = publishAs(first, a, a.play.replay);
    await expect.poll(waiting).toBe(1);
    let isDone = false;
    const copy = publishAs(second, c, renamed(a.play.replay)).finally(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await waiting()) === 2).toBe(true);
    await holder.query('COMMIT');
    const { replayGuid } = await original;
    await copy;
    expect(await copiesOf(second)).toMatchObject([{ replay: { copyOf: { replayGuid } } }]);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

test('a replay is stored while a change of its match is being stored', async () => {
  const round = await playRound(service, queueGuid);
  const [player] = round.players;
  const holder = await service.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM "Match" WHERE "matchGuid" = $1 FOR UPDATE', [round.matchGuid]);
    await publishAs(round, player, player.play.replay);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

test('the file of an original is kept beyond its time while its copy is under review', async () => {
  const [first, second] = [await playRound(service, queueGuid), await playRound(service, queueGuid)];
  const [a] = first.players;
  const [c] = second.players;
  const { replayGuid } = await publishAs(first, a, a.play.replay);
  await publishAs(second, c, a.play.replay);
  const directory = service.environment.STORAGE_DIR as string;
  const storage = await openStorage({ directory });
  const tidyAt = (at: number) => replaysAt(at, { service, storage }).tidy();
  const file = path.join(directory, 'replays', replayGuid);
  await tidyAt(Date.now() + 91 * DAY);
  expect(existsSync(file)).toBe(true);
  const reviews = await service.request('admin', 'GET', `/replay-reviews?matchGuid=${second.matchGuid}`);
  for (const { reviewGuid } of reviews.body.items)
    await service.request('admin', 'POST', `/replay-reviews/${reviewGuid}/resolve`, {
      decision: 'dismissed',
      comment: 'Looked at.',
    });
  await tidyAt(Date.now() + 91 * DAY);
  expect(existsSync(file)).toBe(false);
  storage.close();
});

function digestOf(file: Uint8Array, notesOfMap = 31): string | null {
  const cuts = createCutDigest();
  const reader = createReplayReader({ totalBytes: file.length, onNote: cuts.add });
  reader.write(file);
  reader.end();
  return cuts.digest(notesOfMap);
}

describe('the digest of the cuts', () => {
  const notes = [
    ...Array.from({ length: 200 }, (_, nth) => good(nth)),
    missed(200),
    badCut(201),
    bombed(202),
  ];
  const digest = (changed: readonly NoteEvent[], notesOfMap?: number) =>
    digestOf(writeReplay(draft({ notes: changed })), notesOfMap);
  const plain = digest(notes);

  test('does not depend on the rest of the file or on the times of the cuts', () => {
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    const later = notes.map((note) => ({ ...note, time: note.time + 0.5, spawnTime: note.spawnTime + 1 }));
    expect(digest(later)).toBe(plain);
    const dressed = draft({ notes, frames: standing(100) }, { playerName: 'Else', playerID: '1' });
    expect(digestOf(writeReplay(dressed))).toBe(plain);
  });

  test('changes with a note, a type, the order or one bit of a cut', () => {
    const at = (nth: number, change: Partial<NoteEvent>) =>
      digest(notes.map((note, index) => (index === nth ? { ...note, ...change } : note)));
    const bits = new Float32Array([1]);
    const words = new Uint32Array(bits.buffer);
    words[0] = (words[0] as number) + 1;
    const [first, second, ...rest] = notes as [NoteEvent, NoteEvent, ...NoteEvent[]];
    const others = [
      at(0, { id: (first.id as number) + 1 }),
      at(3, { kind: NOTE_KIND.MISS }),
      at(7, { cut: { before: bits[0] as number, after: 1, distance: 0 } }),
      // Minus zero is the same number and another bit.
      at(7, { cut: { before: 1, after: 1, distance: -0 } }),
      digest([second, first, ...rest]),
      digest(notes.slice(0, -1)),
    ];
    expect(new Set([plain, ...others]).size).toBe(others.length + 1);
  });

  test('is not used on a map of 30 notes, or without a cut', () => {
    expect(digest(notes, 30)).toBe(null);
    expect(digest(Array.from({ length: 40 }, (_, nth) => missed(nth)))).toBe(null);
    expect(digest([...Array.from({ length: 40 }, (_, nth) => missed(nth)), badCut(40)])).not.toBe(null);
  });
});
