import type { Replay, Span } from './bsor/index.ts';

/**
 * The public's copy of a replay: the player's name is empty, the height 0, and the changes of the height are
 * left out. It is not stored: whoever reads it gets the file with other bytes in these three places.
 */

export type Personal = Replay['personal'];

/** An empty text, the height 0, and no records: each is four zero bytes. */
const BLANK = 4;

/** Where a piece of the copy comes from: from the file (both ends included), or from nowhere, being zeros. */
export type Piece = { file: { start: number; end: number } } | { zeros: number };

const inOrder = ({ playerName, height, heights }: Personal): Span[] => [playerName, height, heights];

/** Bytes of the copy. */
export const publicSize = (size: number, personal: Personal): number =>
  inOrder(personal).reduce((sum, { length }) => sum - length + BLANK, size);

/**
 * What a range of the copy consists of, in order.
 * @param size of the file
 * @param range both ends included; within the copy
 */
export function publicPieces(
  size: number,
  personal: Personal,
  range = { start: 0, end: publicSize(size, personal) - 1 },
): Piece[] {
  const pieces: Piece[] = [];
  /** Where the next piece begins, in the copy and in the file. */
  let [at, from] = [0, 0];
  const overlap = (length: number) => ({
    first: Math.max(0, range.start - at),
    last: Math.min(length - 1, range.end - at),
  });
  const keep = (until: number): void => {
    const { first, last } = overlap(until - from);
    if (first <= last) pieces.push({ file: { start: from + first, end: from + last } });
    at += until - from;
    from = until;
  };
  for (const span of inOrder(personal)) {
    keep(span.at);
    const { first, last } = overlap(BLANK);
    if (first <= last) pieces.push({ zeros: last - first + 1 });
    at += BLANK;
    from += span.length;
  }
  keep(size);
  return pieces;
}
