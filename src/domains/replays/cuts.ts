import { createHash } from 'node:crypto';

/**
 * The numbers of the cuts identify a play: two people never make the same cuts, so a replay with the cuts of another is
 * a copy, with other changes or without. Source: the contract, 8.
 */

/** Maps of no more notes prove nothing. */
const NOTES_THAT_PROVE_NOTHING = 30;
/** An event in the file: id, time, time of its spawn, type, each of 4 bytes; then the numbers of a cut. */
const EVENT = { ID: 0, TYPE: 12, CUT: 16 } as const;
const WORD = 4;
/** Bytes that are hashed at once. */
const SHEET_BYTES = 8 * 1024;
/** Longest part of an event that is hashed: id, type, and the 72 bytes of a cut. */
const LONGEST = 80;

/**
 * Adds up the events of a replay in their order: of each the id of the note, the type and all numbers of the cut, bit
 * by bit. Times are left out: a copy may be shifted.
 */
export function createCutDigest() {
  const hash = createHash('sha256');
  const sheet = new DataView(new ArrayBuffer(SHEET_BYTES));
  let at = 0;
  let hasCuts = false;
  const put = (view: DataView, from: number) => {
    sheet.setUint32(at, view.getUint32(from));
    at += WORD;
  };
  const flush = () => {
    hash.update(new Uint8Array(sheet.buffer, 0, at));
    at = 0;
  };
  return {
    /** An event: `size` bytes of `view` from `event` on. */
    add: (view: DataView, event: number, size: number) => {
      if (at + LONGEST > SHEET_BYTES) flush();
      put(view, event + EVENT.ID);
      put(view, event + EVENT.TYPE);
      for (let from = EVENT.CUT; from < size; from += WORD) put(view, event + from);
      hasCuts ||= size > EVENT.CUT;
    },
    /**
     * Once, after the last event.
     * @param notesOfMap how many notes the map of the replay has
     * @returns SHA-256 in hexadecimal; null where equal events would prove nothing: on a small map, or without a cut
     */
    digest: (notesOfMap: number) => {
      flush();
      return hasCuts && notesOfMap > NOTES_THAT_PROVE_NOTHING ? hash.digest('hex') : null;
    },
  };
}
