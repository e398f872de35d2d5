import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Person } from '../parts/person.tsx';
import { Listing, Reading } from '../parts/reading.tsx';
import type { List } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.reviews;
type Review = Shapes['PoolReview'];

function Verdict({ review, revision }: { review: Review; revision: number }) {
  return (
    <>
      <strong>{texts.given[review.verdict]}</strong> ·{' '}
      {texts.of(review.revision, review.revision === revision)} · <Person playerGuid={review.reviewerGuid} />{' '}
      · <Time at={review.createdAt} />
    </>
  );
}

/** The newest review, in a sentence. */
export function LastReview({ of, revision }: { of: List<Review>; revision: number }) {
  return (
    <Reading of={of}>
      {([last]) =>
        last === undefined ? (
          <p>{strings.actions.publish.noReview}</p>
        ) : (
          <p>
            {strings.actions.publish.last} <Verdict review={last} revision={revision} />
          </p>
        )
      }
    </Reading>
  );
}

function ReviewItem({ review, pool }: { review: Review; pool: Shapes['PoolWithMaps'] }) {
  const there = new Set(pool.maps.map(({ mapGuid }) => mapGuid));
  return (
    <li data-review={review.verdict}>
      <p>
        <Verdict review={review} revision={pool.revision} />
      </p>
      {review.comment !== null && <p class="written">{review.comment}</p>}
      {review.rows.length > 0 && (
        <dl class="written">
          {review.rows.map(({ mapGuid, key, name, characteristic, difficulty, comment }) => (
            <div key={mapGuid}>
              <dt>
                <Name text={name} /> <span class="quiet">{key}</span> {characteristic} {difficulty}
                {!there.has(mapGuid) && <span class="quiet"> ({texts.gone})</span>}
              </dt>
              <dd>{comment}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** All reviews of a pool, newest first. */
export const Reviews = ({ of, pool }: { of: List<Review>; pool: Shapes['PoolWithMaps'] }) => (
  <section data-reviews>
    <h2>{texts.title}</h2>
    <Listing of={of} nothing={texts.nothing}>
      {(items) => (
        <ul class="matches">
          {items.map((review) => (
            <ReviewItem key={review.reviewGuid} review={review} pool={pool} />
          ))}
        </ul>
      )}
    </Listing>
  </section>
);
