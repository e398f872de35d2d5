import { BLANK, type Replay, type Span } from './bsor/index.ts';

/**
 * The public's copy of a replay: the player's name is empty, the height 0, and the changes of the height are
 * left out. It is not stored: a reader gets the file with other bytes in these three places.
 */

export type Personal = Replay['personal'];

/** A piece of the copy: a part of the file (both ends included), or zeros. */
type Piece = { file: { start: number; end: number } } | { zeros: number };

const inOrder = ({ playerName, height, heights }: Personal): Span[] => [playerName, height, heights];

/** Bytes of the copy. */
export const publicSize = (size: number, personal: Personal): number =>
  inOrder(personal).reduce((sum, { length }) => sum - length + BLANK.length, size);

/**
 * The pieces of a range of the copy, in order.
 * @param size of the file
 * @param range both ends included; within the copy
 */
export function publicPieces(
  size: number,
  personal: Personal,
  range = { start: 0, end: publicSize(size, personal) - 1 },
): Piece[] {
  const pieces: Piece[] = [];
  /** Where the next piece begins in the copy. */
  let at = 0;
  /** Adds the part of a piece that is in the range. @param from where it begins in the file; null: zeros */
  const add = (length: number, from: number | null) => {
    const first = Math.max(0, range.start - at);
    const last = Math.min(length - 1, range.end - at);
    at += length;
    if (first > last) return;
    pieces.push(
      from === null ? { zeros: last - first + 1 } : { file: { start: from + first, end: from + last } },
    );
  };
  let from = 0;
  for (const span of inOrder(personal)) {
    add(span.at - from, from);
    add(BLANK.length, null);
    from = span.at + span.length;
  }
  add(size - from, from);
  return pieces;
}
