import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { Person } from '../parts/person.tsx';
import { Listing } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useList } from '../read.ts';
import { strings } from './strings.ts';

const texts = strings.earlier;

type Review = Shapes['ReplayReview'];

/** The decision about a review. */
export const Decision = ({ review }: { review: Review }) => (
  <>
    {review.decision === null ? texts.open : strings.decidedAs(strings.decisions[review.decision])}
    {review.comment !== null && (
      <>
        {' '}
        <q>
          <Name text={review.comment} most={1000} />
        </q>
      </>
    )}
    {review.resolvedByGuid !== null && (
      <>
        {' '}
        {strings.by} <Person playerGuid={review.resolvedByGuid} />
      </>
    )}
    {review.resolvedAt !== null && (
      <>
        {', '}
        <Time at={review.resolvedAt} />
      </>
    )}
  </>
);

const Line = ({ review, isSameRound }: { review: Review; isSameRound: boolean }) => (
  <li>
    <Link to={PATHS.reviews} with={{}} query={{ matchGuid: review.matchGuid, at: review.reviewGuid }}>
      {strings.reasons[review.reason]}, {strings.round(review.roundNumber)}
    </Link>
    {isSameRound && ` (${texts.sameRound})`}, {strings.listedAt} <Time at={review.createdAt} />.{' '}
    <Decision review={review} />
  </li>
);

interface OfPlayerProps {
  player: Review['player'];
  current: Review;
}

function OfPlayer({ player: { playerGuid, username }, current }: OfPlayerProps) {
  const list = useList('/replay-reviews', { query: { playerGuid, limit: 20 } });
  const others = list.data?.filter(({ reviewGuid }) => reviewGuid !== current.reviewGuid) ?? null;
  return (
    <section data-earlier={playerGuid}>
      <h4>
        {texts.of} <Name text={username} />
      </h4>
      <Listing of={{ ...list, data: others }} nothing={texts.nothing}>
        {(reviews) => (
          <ul>
            {reviews.map((review) => (
              <Line
                key={review.reviewGuid}
                review={review}
                isSameRound={
                  review.matchGuid === current.matchGuid && review.roundNumber === current.roundNumber
                }
              />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

/** The other reviews of both players, with what was decided about them. */
export const EarlierReviews = ({ review }: { review: Shapes['ReplayReviewInRound'] }) => (
  <section>
    <h3>{texts.title}</h3>
    <OfPlayer player={review.player} current={review} />
    <OfPlayer player={review.opponent.player} current={review} />
  </section>
);
