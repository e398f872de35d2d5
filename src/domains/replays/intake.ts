import { commonErrors } from '../../platform/errors.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { replayErrors } from './errors.ts';

/** How uploads are held to what the process can bear. */

const KIB = 1024;
/** Uploads of one player that may wait for the one before; a plugin has no reason for more. */
const WAITING_PER_PLAYER = 2;
/**
 * A file is read in one block, which grows with what has come. In the first one it is read as it arrives: it has
 * the head of the file.
 */
const BLOCK_BYTES = [8 * KIB, 64 * KIB, 256 * KIB] as const;
/** Nothing is taken before something has come. */
const FIRST_BYTES = 64;
/** What an upload takes besides: buffers of the connection and of unpacking. */
const BASE_BYTES = 128 * KIB;
const RETRY_AFTER = { 'retry-after': '5' };

const busy = () => replayErrors.UPLOADS_BUSY({ headers: RETRY_AFTER });

/** Looks at a file while it arrives. */
export interface Looker {
  /** The next piece. Refuses the file by throwing. */
  write(piece: Uint8Array): void;
  /** The file is over. */
  end(): void;
  /** Bytes of memory that what it has read takes. */
  readonly memory: number;
}

/** A file that arrives. */
export interface Arrival {
  /** Its bytes where that is known before it has come; else null. */
  readonly length: number | null;
  /**
   * The pieces of the file, each good until the next one is asked for. `looker` has seen what is yielded.
   * @throws UPLOADS_BUSY when it was given up for others, and whatever the file or `looker` throws
   */
  pieces(looker?: Looker): AsyncIterable<Uint8Array>;
  /** Lets go of its memory. */
  done(): void;
}

interface Holder {
  file: Incoming;
  bytes: number;
  /** Whether all of it has come: it takes no longer than the service itself does. */
  isWhole: boolean;
}

/**
 * The memory of the files that arrive. It is taken as they come; where it does not suffice, the slowest of them
 * goes, the one that asks for more included.
 * @param most bytes of all together
 */
function createMemory(most: number) {
  const holders = new Set<Holder>();
  let taken = 0;
  const release = (holder: Holder): void => {
    if (holders.delete(holder)) taken -= holder.bytes;
  };
  const slowest = (): Holder | undefined => {
    let found: Holder | undefined;
    for (const holder of holders)
      if (!holder.isWhole && (found === undefined || holder.file.rate() < found.file.rate())) found = holder;
    return found;
  };
  return {
    release,
    /** A file takes so much from now on. @throws UPLOADS_BUSY when it is the slowest, or was given up before */
    take: (holder: Holder, bytes: number): void => {
      if (holder.bytes === 0) holders.add(holder);
      else if (!holders.has(holder)) throw busy();
      taken += bytes - holder.bytes;
      holder.bytes = bytes;
      while (taken > most) {
        const given = slowest() ?? holder;
        release(given);
        if (given === holder) throw busy();
        given.file.close(busy());
      }
    },
  };
}

/** Reads the first block of a file as it arrives. @param begun its first bytes */
async function readHead(
  file: Incoming,
  begun: Uint8Array,
  { block, looker }: { block: Uint8Array; looker: Looker | undefined },
): Promise<number> {
  block.set(begun);
  let filled = 0;
  for (let length = begun.length; length > 0; ) {
    looker?.write(block.subarray(filled, filled + length));
    filled += length;
    length = filled < block.length ? await file.fill(block.subarray(filled), 1) : 0;
  }
  return filled;
}

async function readBlock(file: Incoming, block: Uint8Array, looker: Looker | undefined): Promise<number> {
  const filled = await file.fill(block);
  if (filled > 0) looker?.write(block.subarray(0, filled));
  return filled;
}

/**
 * What all uploads of a node share.
 * @param most bytes of memory of all that arrive; left out: what the table of limits says
 */
export function createIntake(most: number = BOUNDS.replayMemory.value) {
  const turns = new Map<string, { last: Promise<void>; waiting: number; arriving: Incoming | null }>();
  const memory = createMemory(most);

  async function* piecesOf(holder: Holder, looker?: Looker): AsyncGenerator<Uint8Array> {
    const { file } = holder;
    const first = new Uint8Array(FIRST_BYTES);
    const begun = first.subarray(0, await file.fill(first, 1));
    let block = new Uint8Array(0);
    for (let nth = 0; ; nth += 1) {
      const length = BLOCK_BYTES[Math.min(nth, BLOCK_BYTES.length - 1)] as number;
      memory.take(holder, BASE_BYTES + length + (looker?.memory ?? 0));
      if (block.length !== length) block = Buffer.allocUnsafeSlow(length);
      const filled = await (nth === 0
        ? readHead(file, begun, { block, looker })
        : readBlock(file, block, looker));
      holder.isWhole = filled < length;
      if (filled > 0) yield block.subarray(0, filled);
      if (holder.isWhole) break;
    }
    looker?.end();
  }

  return {
    /**
     * Uploads of one player come one after the other, so that the same file sent twice is stored once. While
     * others wait, the one before may not be silent for long: a line that broke says nothing, and the plugin
     * that sends its file again over another should not have to wait until that is believed.
     * @throws RATE_LIMITED when too many wait already
     */
    inTurn: async <T>(playerGuid: string, file: Incoming, work: () => Promise<T>): Promise<T> => {
      const turn = turns.get(playerGuid) ?? { last: Promise.resolve(), waiting: 0, arriving: null };
      if (turn.waiting > WAITING_PER_PLAYER)
        throw commonErrors.RATE_LIMITED({
          message: 'Your replays are published one at a time. Publish this one again in a moment.',
          headers: RETRY_AFTER,
        });
      turns.set(playerGuid, turn);
      turn.waiting += 1;
      turn.arriving?.hurry(BOUNDS.replaySilence.value);
      const before = turn.last;
      const mine = before.then(() => {
        turn.arriving = file;
        if (turn.waiting > 1) file.hurry(BOUNDS.replaySilence.value);
        return work();
      });
      turn.last = mine.then(
        () => {},
        () => {},
      );
      try {
        return await mine;
      } finally {
        turn.waiting -= 1;
        if (turn.waiting === 0) turns.delete(playerGuid);
      }
    },

    /** A file that is to be read. */
    arrival: (file: Incoming): Arrival => {
      const holder: Holder = { file, bytes: 0, isWhole: false };
      return {
        length: file.length,
        pieces: (looker) => piecesOf(holder, looker),
        done: () => {
          file.close();
          memory.release(holder);
        },
      };
    },
  };
}
