import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { pressable } from '../../pages/parts/press.ts';
import { plain } from '../../pages/parts/text.ts';
import { api, ask, type Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { notify } from '../parts/notices.tsx';
import { useOnce } from '../parts/once.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Select } from '../parts/select.tsx';
import { useSending } from '../parts/sending.ts';
import { useMe } from '../session.ts';
import { Meanwhile } from './meanwhile.tsx';
import {
  bodyOf,
  EMPTY,
  isReviewOf,
  labelOf,
  type ReviewDraft,
  type RowDraft,
  withComment,
  withoutRow,
  withRow,
} from './review-draft.ts';
import { strings } from './strings.ts';
import type { PoolDesk } from './use-pool.ts';

const texts = strings.review;
type PoolMap = Shapes['PoolMap'];

interface RowFieldProps {
  row: RowDraft;
  isThere: boolean;
  change(comment: string): void;
  remove(): void;
}

/** The comment on one map. It takes the focus when it is begun, before the next key is read. */
function RowField({ row, isThere, change, remove }: RowFieldProps) {
  const place = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (row.comment === '') place.current?.focus();
  }, []);
  return (
    <li data-commented={row.mapGuid}>
      <label>
        <Name text={row.name} most={100} />
        <textarea
          ref={place}
          rows={2}
          value={row.comment}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </label>
      {!isThere && <p class="warning">{texts.gone}</p>}
      <button type="button" class="plain" aria-label={texts.removeOf(row.name)} onClick={remove}>
        {texts.remove}
      </button>
    </li>
  );
}

interface DraftProps {
  draft: ReviewDraft;
  set(changed: ReviewDraft): void;
  maps: readonly PoolMap[];
}

/** The comments on maps, and a choice of maps to comment on. */
function RowFields({ draft, set, maps }: DraftProps) {
  const [chosen, setChosen] = useState('');
  const there = new Set(maps.map(({ mapGuid }) => mapGuid));
  const map = maps.find(({ mapGuid }) => mapGuid === chosen);
  return (
    <fieldset>
      <legend>{texts.rows}</legend>
      <p class="quiet">{texts.rowsHint}</p>
      <ul class="comments">
        {draft.rows.map((row) => (
          <RowField
            key={row.mapGuid}
            row={row}
            isThere={there.has(row.mapGuid)}
            change={(comment) => set(withComment(draft, row.mapGuid, comment))}
            remove={() => set(withoutRow(draft, row.mapGuid))}
          />
        ))}
      </ul>
      <p class="actions">
        <Select
          name="map"
          aria-label={texts.chooseMap}
          value={chosen}
          set={setChosen}
          options={[
            { value: '', text: '' },
            ...maps.map((one) => ({ value: one.mapGuid, text: plain(labelOf(one), 80) })),
          ]}
        />
        <button
          type="button"
          class="plain"
          {...pressable(map !== undefined, () => {
            if (map !== undefined) set(withRow(draft, map));
            setChosen('');
          })}
        >
          {texts.add}
        </button>
      </p>
    </fieldset>
  );
}

const VerdictField = ({ draft, set }: Omit<DraftProps, 'maps'>) => (
  <fieldset>
    <legend>{texts.verdict}</legend>
    {VALUES.PoolVerdict.map((verdict) => (
      <label key={verdict} class="choice">
        <input
          type="radio"
          name="verdict"
          value={verdict}
          required
          checked={draft.verdict === verdict}
          onChange={() => set({ ...draft, verdict })}
        />{' '}
        {texts.verdicts[verdict]} <span class="quiet">{texts.what[verdict]}</span>
      </label>
    ))}
  </fieldset>
);

interface ReviewFormProps extends Omit<DraftProps, 'maps'> {
  desk: PoolDesk;
  pool: Shapes['PoolWithMaps'];
}

/** The form of a review. The view of the pool keeps the text, so that it is not lost when this form is closed. */
export function ReviewForm({ desk, pool, draft, set }: ReviewFormProps) {
  const newest = useRef(draft);
  newest.current = draft;
  const once = useOnce<null>(`pool-reviews/${pool.poolGuid}`);
  const { playerGuid } = useMe();
  const { isSending, problem, submit } = useSending(async () => {
    const { verdict } = draft;
    if (verdict === null) return null;
    const body = bodyOf({ ...draft, verdict }, pool.maps);
    return desk.write(
      (params) =>
        once({
          sent: null,
          send: () => ask(api.POST('/pools/{poolGuid}/reviews', { params, body })),
          // Only the newest one counts: an equal review with another one after it was sent earlier.
          newest: () =>
            ask(api.GET('/pools/{poolGuid}/reviews', { params: { path: params.path, query: { limit: 1 } } })),
          isIt: (review) =>
            review.reviewerGuid === playerGuid &&
            review.revision === pool.revision &&
            isReviewOf(review, body),
        }),
      () => {
        // What was typed while it was sent is not lost.
        if (newest.current === draft) set(EMPTY);
        notify(texts.sent);
      },
    );
  });
  return (
    <form class="stacked review" aria-label={texts.title} onSubmit={submit}>
      <VerdictField draft={draft} set={set} />
      <label>
        {texts.comment}
        <textarea
          name="comment"
          rows={4}
          value={draft.comment}
          onInput={({ currentTarget }) => set({ ...draft, comment: currentTarget.value })}
        />
      </label>
      <RowFields draft={draft} set={set} maps={pool.maps} />
      <ProblemNote problem={problem} />
      <Meanwhile desk={desk} />
      <button type="submit" {...pressable(!isSending && draft.verdict !== null)}>
        {texts.send}
      </button>
    </form>
  );
}

/** A review that can no longer be sent: its texts stay until they are thrown away. */
export const KeptReview = ({ draft, set }: Omit<DraftProps, 'maps'>) => (
  <div class="panel" role="status" data-kept-review>
    <p>{texts.kept}</p>
    {draft.comment !== '' && <p class="written">{draft.comment}</p>}
    <dl class="written">
      {draft.rows.map(({ mapGuid, name, comment }) => (
        <div key={mapGuid}>
          <dt>
            <Name text={name} most={100} />
          </dt>
          <dd>{comment}</dd>
        </div>
      ))}
    </dl>
    <button type="button" class="plain" onClick={() => set(EMPTY)}>
      {texts.discard}
    </button>
  </div>
);
