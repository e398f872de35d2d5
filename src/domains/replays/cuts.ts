import { createHash } from 'node:crypto';

/**
 * The numbers of the cuts identify a play: two people never make the same cuts, so a replay with the cuts of another is
 * a copy, with other changes or without. Source: docs/replays.md, *Copies*.
 */

/** On maps with this many notes or fewer, equal cuts prove nothing. */
const NOTES_THAT_PROVE_NOTHING = 30;
/** An event in the file: id, time, time of its spawn, type, each of 4 bytes; then the numbers of a cut. */
const EVENT = { TIME: 4, TYPE: 12, CUT: 16 } as const;

/**
 * Hashes the events of a replay in their order: of each the id of the note, the type and all numbers of the cut, bit
 * by bit. Times are left out: a copy may be shifted.
 */
export function createCutDigest() {
  const hash = createHash('sha256');
  let hasCuts = false;
  return {
    /** An event: `size` bytes of `view` from `event` on. */
    add: (view: DataView, event: number, size: number) => {
      const bytes = new Uint8Array(view.buffer, view.byteOffset + event, size);
      hash.update(bytes.subarray(0, EVENT.TIME)).update(bytes.subarray(EVENT.TYPE));
      hasCuts ||= size > EVENT.CUT;
    },
    /**
     * Once, after the last event.
     * @param notesOfMap how many notes the map of the replay has
     * @returns SHA-256 in hexadecimal; null where equal events would prove nothing: on a small map, or without a cut
     */
    digest: (notesOfMap: number) =>
      hasCuts && notesOfMap > NOTES_THAT_PROVE_NOTHING ? hash.digest('hex') : null,
  };
}
