import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import { piecesOf } from '../../platform/http/uploads.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { replayErrors } from './errors.ts';

const MIB = 1024 * 1024;
export const MAX_REPLAY_BYTES = BOUNDS.replay.value;
/** Bytes that are unpacked at a time. */
const CHUNK_BYTES = 128 * 1024;

/**
 * The file in a body.
 * @param encoding of the body: `gzip`, or undefined
 * @throws UNSUPPORTED_MEDIA_TYPE; from `fill` PAYLOAD_TOO_LARGE as soon as there is more than a replay can have,
 *   however little of it was sent, REPLAY_UNREADABLE (not gzip), and what the body throws
 */
export function decoded(body: Incoming, encoding = 'identity'): Incoming {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity') return body;
  if (name !== 'gzip' && name !== 'x-gzip')
    throw commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'Of content encodings only gzip is known here.' });
  return unzipped(body);
}

function unzipped(body: Incoming): Incoming {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // A failure of either side ends both and is thrown where the file is read.
  gunzip.on('error', () => {});
  let chunks: AsyncIterator<Buffer> | null = null;
  let rest: Uint8Array = new Uint8Array(0);
  let size = 0;
  const start = (): AsyncIterator<Buffer> => {
    pipeline(piecesOf(body, 1), gunzip).catch(() => {});
    return gunzip.iterator();
  };
  const more = async () => {
    chunks ??= start();
    const next = await chunks.next().catch((cause: unknown) => {
      if (cause instanceof ServiceError) throw cause;
      throw replayErrors.REPLAY_UNREADABLE({
        message: 'The body is announced as gzip, and is not, or not all of it.',
        details: { byteOffset: size },
        cause,
      });
    });
    if (next.done) return false;
    rest = next.value;
    size += rest.length;
    if (size > MAX_REPLAY_BYTES)
      throw commonErrors.PAYLOAD_TOO_LARGE({
        message: `A replay has ${MAX_REPLAY_BYTES / MIB} MiB at most after decoding.`,
      });
    return true;
  };
  return {
    length: null,
    fill: async (block, least = block.length) => {
      let filled = 0;
      while (filled < least && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, block.length - filled);
        block.set(part, filled);
        filled += part.length;
        rest = rest.subarray(part.length);
      }
      return filled;
    },
    rate: body.rate,
    shortenSilence: body.shortenSilence,
    close: (reason) => {
      gunzip.destroy(reason);
      body.close(reason);
    },
  };
}
