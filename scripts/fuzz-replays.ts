import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  createReplayReader,
  NOTE_KIND,
  ReplayError,
  readReplay,
  recount,
  writeReplay,
} from '../src/domains/replays/index.ts';
import { seededRandomness } from '../src/local/random.ts';

/**
 * Damages replays at random and reads them: `node scripts/fuzz-replays.ts --minutes 10 --seed any-text`.
 * Every file is read or refused with an offset inside it; in pieces of any size it is read with the same result, or
 * refused as well; nothing takes long; and what was read can be recounted. A file that breaks a rule is written out in
 * base64 with the seed, and ends the run.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** A folder of .bsor files to damage beside the made-up ones. */
    files: { type: 'string' },
  },
});
const seed = values.seed ?? randomBytes(6).toString('hex');
const { fraction } = seededRandomness(`fuzz ${seed}`);
const below = (limit: number): number => Math.floor(fraction() * limit);
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;

/** Microseconds of processor time. Files have a few kilobytes here, and all of them take far less. */
const SLOW_MICROSECONDS = 500_000;

const still = [0, 1.6, 0, 0, 0, 0, 1] as const;
const names = ['', 'Somebody', 'プレイヤー', '🎮🎮', 'é'];

function madeUp(): Buffer {
  const notes = Array.from({ length: below(40) }, (_, nth) => ({
    id: oneOf([30_000, 40_000, 50_000, 60_000, 70_000, 9, 0, 30_000_000]) + below(80),
    time: nth / 3,
    spawnTime: nth / 3,
    kind: oneOf(Object.values(NOTE_KIND)),
    cut: { before: fraction() * 1.5, after: fraction() * 1.5, distance: fraction() * 0.4 },
  }));
  const text = () => oneOf(names);
  return writeReplay({
    info: {
      version: '1',
      gameVersion: '1.40.0_1',
      timestamp: '1700000000',
      playerID: '1',
      playerName: text(),
      platform: 'steam',
      tracking: text(),
      hmd: text(),
      controller: '',
      hash: 'A'.repeat(40),
      songName: text(),
      mapper: text(),
      difficulty: 'Hard',
      score: below(1e6),
      mode: 'Standard',
      environment: '',
      modifiers: 'FS,DA',
      jumpDistance: 18,
      leftHanded: fraction() < 0.5,
      height: 1.7,
      startTime: 0,
      failTime: 0,
      speed: 0,
    },
    frames: Array.from({ length: below(20) }, (_, nth) => ({
      time: nth / 60,
      fps: 60,
      head: still,
      left: still,
      right: still,
    })),
    notes,
    walls: Array.from({ length: below(3) }, () => ({ id: 1, energy: 1, time: fraction(), spawnTime: 0 })),
    heights: Array.from({ length: below(3) }, () => ({ height: 1.7, time: fraction() })),
    pauses: Array.from({ length: below(3) }, () => ({ duration: 3n, time: fraction() })),
    ...(fraction() < 0.5 && { offsets: { left: still, right: still } }),
    ...(fraction() < 0.5 && { userData: { key: randomLike(below(30)) } }),
  });
}

const randomLike = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)));

const EDGES = [
  0,
  1,
  -1,
  2,
  255,
  256,
  300,
  4096,
  4097,
  65_535,
  2 ** 31 - 1,
  -(2 ** 31),
  0x7f800000,
  0x7fc00000,
];

/** Where a part of a file begins and ends. */
const partOf = (file: Buffer) =>
  [below(file.length + 1), below(file.length + 1)].sort((a, b) => a - b) as [from: number, to: number];

const DAMAGES: readonly ((file: Buffer) => Buffer)[] = [
  (file) => file.subarray(0, below(file.length + 1)),
  (file) => {
    const copy = Buffer.from(file);
    for (let flips = 1 + below(4); flips > 0 && copy.length > 0; flips -= 1)
      copy[below(copy.length)] = below(256);
    return copy;
  },
  (file) => {
    const copy = Buffer.from(file);
    if (copy.length >= 4) copy.writeInt32LE(oneOf(EDGES), below(copy.length - 3));
    return copy;
  },
  (file) => {
    const [from, to] = partOf(file);
    return Buffer.concat([file.subarray(0, from), file.subarray(to)]);
  },
  (file) => {
    const [from, to] = partOf(file);
    return Buffer.concat([file.subarray(0, to), file.subarray(from)]);
  },
  (file) => {
    const at = below(file.length + 1);
    return Buffer.concat([file.subarray(0, at), randomLike(below(12)), file.subarray(at)]);
  },
];

type Outcome = { refusedAt: number } | { read: string };

function outcomeOf(read: () => ReturnType<typeof readReplay>): Outcome {
  try {
    const replay = read();
    const { info, frames, notes, wallTimes, bytes, personal } = replay;
    return {
      read: JSON.stringify([info, frames, notes.count, wallTimes.length, bytes, personal, recount(replay)]),
    };
  } catch (error) {
    if (error instanceof ReplayError) return { refusedAt: error.byteOffset };
    throw error;
  }
}

function inPieces(file: Buffer): ReturnType<typeof readReplay> {
  const reader = createReplayReader({ totalBytes: file.length });
  for (let at = 0; at < file.length; ) {
    const size = 1 + below(200);
    reader.write(file.subarray(at, at + size));
    at += size;
  }
  return reader.end();
}

/** @throws Error saying which rule the reader broke */
function check(file: Buffer): 'read' | 'refused' {
  // The time of this process alone: other work on the machine does not count.
  const before = process.cpuUsage();
  const whole = outcomeOf(() => readReplay(file));
  if (process.cpuUsage(before).user > SLOW_MICROSECONDS) throw new Error('It took too long.');
  const pieces = outcomeOf(() => inPieces(file));
  if ('refusedAt' in whole && !(whole.refusedAt >= 0 && whole.refusedAt <= file.length))
    throw new Error(`It was refused at ${whole.refusedAt}, outside of the file.`);
  if (
    'read' in whole !== 'read' in pieces ||
    ('read' in whole && 'read' in pieces && whole.read !== pieces.read)
  )
    throw new Error(`In one: ${JSON.stringify(whole)}. In pieces: ${JSON.stringify(pieces)}.`);
  return 'read' in whole ? 'read' : 'refused';
}

const given =
  values.files && existsSync(values.files)
    ? readdirSync(values.files)
        .filter((name) => name.endsWith('.bsor'))
        .map((name) => {
          // The beginning and the end: the frames between are all alike.
          const file = readFileSync(path.join(values.files as string, name));
          return file.length < 300_000 ? file : file.subarray(0, 20_000);
        })
    : [];

console.log(`Damaging replays for ${values.minutes} minutes, seed ${seed}.`);
const endsAt = performance.now() + Number(values.minutes) * 60_000;
const counts = { read: 0, refused: 0 };
while (performance.now() < endsAt) {
  let file = given.length > 0 && fraction() < 0.02 ? oneOf(given) : madeUp();
  for (let damages = 1 + below(3); damages > 0; damages -= 1) file = oneOf(DAMAGES)(file);
  try {
    counts[check(file)] += 1;
  } catch (error) {
    console.error(
      `Seed ${seed}: ${error instanceof Error ? error.stack : error}\n${file.toString('base64')}`,
    );
    process.exit(1);
  }
}
console.log(
  `${counts.read + counts.refused} files: ${counts.read} read, ${counts.refused} refused, no rule broken.`,
);
