import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createReplayReader, recount } from '../src/domains/replays/index.ts';
import { type Claim, inOwnProcess, measure, speedRatio } from './harness.ts';
import { benchPlay } from './replays-play.ts';
import { benchUploads } from './replays-uploads.ts';
import { HASHED, VERIFIED } from './replays-variants.ts';

/** The cost of reading and verifying a replay, and of receiving an upload. */
export async function bench(): Promise<Claim[]> {
  const rates = await measure('One replay of 3 MiB', [
    inOwnProcess('replays-variants.ts', HASHED),
    inOwnProcess('replays-variants.ts', VERIFIED),
  ]);
  return [
    {
      text: 'reading and verifying, of the speed of SHA-256',
      measured: speedRatio(rates, VERIFIED, HASHED),
      atLeast: 0.5,
    },
    { text: 'memory of reading, of the file', measured: memoryOfReading(), atMost: 2 },
    ...(await benchUploads()),
  ];
}

const PIECE = 256 * 1024;

/** The most that is held while a file is read in pieces, the file included, as a multiple of the file. */
function memoryOfReading(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const { replay } = benchPlay(24);
  const read = (): number => {
    collect();
    const before = used();
    let most = 0;
    const reader = createReplayReader({ totalBytes: replay.length });
    for (let at = 0; at < replay.length; at += PIECE) {
      reader.write(replay.subarray(at, at + PIECE));
      most = Math.max(most, used() - before);
    }
    recount(reader.end());
    return Math.max(most, used() - before);
  };
  // The first use compiles code, which does not count for the file.
  read();
  return 1 + read() / replay.length;
}
