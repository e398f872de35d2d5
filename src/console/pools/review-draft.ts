import type { Shapes } from '../api.ts';
import { asStored } from '../parts/once.ts';

type PoolMap = Shapes['PoolMap'];
type Verdict = Shapes['PoolVerdict'];

/** A comment that is being written on a map. It names the map, which may be gone before the comment is sent. */
export interface RowDraft {
  mapGuid: string;
  name: string;
  comment: string;
}

/** A review that is being written. */
export interface ReviewDraft {
  verdict: Verdict | null;
  comment: string;
  rows: readonly RowDraft[];
}

export const EMPTY: ReviewDraft = { verdict: null, comment: '', rows: [] };

/** Whether something would be lost with it. */
export const isWritten = ({ comment, rows }: ReviewDraft): boolean =>
  comment.trim() !== '' || rows.some((row) => row.comment.trim() !== '');

/** The name of a map in a comment. */
export const labelOf = ({ name, characteristic, difficulty }: PoolMap): string =>
  `${name} · ${characteristic} ${difficulty}`;

/** Begins a comment on a map, unless there is one. */
export const withRow = (draft: ReviewDraft, map: PoolMap): ReviewDraft =>
  draft.rows.some(({ mapGuid }) => mapGuid === map.mapGuid)
    ? draft
    : { ...draft, rows: [...draft.rows, { mapGuid: map.mapGuid, name: labelOf(map), comment: '' }] };

export const withoutRow = (draft: ReviewDraft, gone: string): ReviewDraft => ({
  ...draft,
  rows: draft.rows.filter(({ mapGuid }) => mapGuid !== gone),
});

export const withComment = (draft: ReviewDraft, mapGuid: string, comment: string): ReviewDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.mapGuid === mapGuid ? { ...row, comment } : row)),
});

/** The body of the request: comments that are written, on maps that are in the pool. */
export function bodyOf(
  { verdict, comment, rows }: ReviewDraft & { verdict: Verdict },
  maps: readonly PoolMap[],
): Required<Shapes['NewPoolReview']> {
  const there = new Set(maps.map(({ mapGuid }) => mapGuid));
  return {
    verdict,
    comment: comment.trim() || null,
    rows: rows.flatMap((row) =>
      there.has(row.mapGuid) && row.comment.trim() !== ''
        ? [{ mapGuid: row.mapGuid, comment: row.comment.trim() }]
        : [],
    ),
  };
}

/** Whether a review says what the body of a request says. */
export const isReviewOf = (
  review: Pick<Shapes['PoolReview'], 'verdict' | 'comment' | 'rows'>,
  { verdict, comment, rows }: ReturnType<typeof bodyOf>,
): boolean =>
  review.verdict === verdict &&
  review.comment === (comment && asStored(comment)) &&
  review.rows.length === rows.length &&
  rows.every((row) =>
    review.rows.some((one) => one.mapGuid === row.mapGuid && one.comment === asStored(row.comment)),
  );
