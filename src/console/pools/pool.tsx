import { useRoute } from 'preact-iso';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { type Answer, api, ask, type Shapes } from '../api.ts';
import { Heading } from '../parts/heading.tsx';
import { useKept } from '../parts/kept.ts';
import { Link, publicAddress } from '../parts/link.tsx';
import { Person } from '../parts/person.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useRead } from '../read.ts';
import { useMe } from '../session.ts';
import { Actions } from './actions.tsx';
import { Differences } from './differences.tsx';
import { Files } from './files.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { Queues } from './queues.tsx';
import { KeptReview, ReviewForm } from './review.tsx';
import { EMPTY, isWritten, withRow } from './review-draft.ts';
import { Reviews } from './reviews.tsx';
import { Status } from './status.tsx';
import { strings } from './strings.ts';
import { PoolTable } from './table/pool-table.tsx';
import { type Pool, type PoolDesk, usePool } from './use-pool.ts';

const texts = strings.pool;

const NOTHING: Answer<null> = { data: null, etag: null, problem: null };

/** Turns the answer that a pool does not exist into one without data and without a problem. */
async function orNothing<Data>(sent: Promise<Answer<Data>>): Promise<Answer<Data | null>> {
  const answer = await sent;
  return answer.problem?.code === 'POOL_NOT_FOUND' ? NOTHING : answer;
}

/** The pool that a pool was copied from; null: none, or it is deleted. */
const useOrigin = (copiedFromGuid: string | null) =>
  useRead<Shapes['PoolWithMaps'] | null>(
    async () =>
      copiedFromGuid === null
        ? NOTHING
        : orNothing(
            ask(api.GET('/pools/{poolGuid}/maps', { params: { path: { poolGuid: copiedFromGuid } } })),
          ),
    [copiedFromGuid],
  );

/** How maps were played: those of a pool that was published, or else of the one that it was copied from. */
function useStatistics({ whole, alone }: Pool) {
  const isPublic = alone.publishedAt !== null;
  const poolGuid = isPublic ? whole.poolGuid : (alone.copiedFromGuid ?? whole.poolGuid);
  return useRead(
    () => orNothing(ask(api.GET('/pools/{poolGuid}/statistics', { params: { path: { poolGuid } } }))),
    [poolGuid],
  );
}

/** Facts of a pool in a line. */
function Facts({ pool: { whole, alone }, origin }: { pool: Pool; origin: Shapes['PoolWithMaps'] | null }) {
  const { poolGuid } = whole;
  return (
    <ul class="links quiet" data-facts>
      <li>
        <Status status={whole.status} />
      </li>
      <li>
        <Name text={whole.season.name} />, {texts.facts(whole)}
      </li>
      {origin && (
        <li>
          {texts.copiedFrom}{' '}
          <Link to={PATHS.pool} with={{ poolGuid: origin.poolGuid }}>
            <Name text={origin.name} />
          </Link>
        </li>
      )}
      {alone.submittedBy !== null && (
        <li>
          {texts.submittedBy} <Person playerGuid={alone.submittedBy} />
        </li>
      )}
      {alone.publishedAt !== null && (
        <>
          <li>
            {texts.publishedAt} <Time at={alone.publishedAt} />
          </li>
          <li>
            <a href={publicAddress(`/pool/${poolGuid}`)}>{texts.publicPage}</a>
          </li>
        </>
      )}
    </ul>
  );
}

interface ReviewPartProps {
  desk: PoolDesk;
  pool: Pool;
  origin: ReturnType<typeof useOrigin>;
  review: ReturnType<typeof useReview>;
}

/** Whether a review is asked for, and whether somebody else has to give it. */
function useReview({ whole, alone }: Pool) {
  const { may, playerGuid } = useMe();
  return {
    isInReview: whole.status === 'in_review' && may('POST /pools/{poolGuid}/reviews'),
    isOwn: alone.changedBy.includes(playerGuid),
  };
}

/** The difference, and beside it the review of those who may give one. */
function ReviewPart({
  desk,
  pool: { whole, alone },
  origin,
  review: { isInReview, isOwn },
}: ReviewPartProps) {
  const [draft, setDraft] = useKept(`pool-reviews/${whole.poolGuid}`, EMPTY);
  const canReview = isInReview && !isOwn;
  return (
    <div class={canReview ? 'beside' : undefined}>
      <Differences
        pool={whole}
        origin={origin}
        onComment={canReview ? (map) => setDraft(withRow(draft, map)) : undefined}
      />
      {(isInReview || isWritten(draft)) && (
        <section data-review-part>
          <h2>{strings.review.title}</h2>
          {isInReview && alone.changedBy.length > 0 && (
            <div data-not-you={isOwn ? '' : undefined}>
              <p>{isOwn ? strings.review.notYou : strings.review.others}</p>
              <ul class="links">
                {alone.changedBy.map((playerGuid) => (
                  <li key={playerGuid}>
                    <Person playerGuid={playerGuid} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          {canReview && <ReviewForm desk={desk} pool={whole} draft={draft} set={setDraft} />}
          {!canReview && isWritten(draft) && <KeptReview draft={draft} set={setDraft} />}
        </section>
      )}
    </div>
  );
}

function Parts({ desk, pool }: { desk: PoolDesk; pool: Pool }) {
  const { may } = useMe();
  const { whole, alone } = pool;
  const origin = useOrigin(alone.copiedFromGuid);
  const statistics = useStatistics(pool);
  const review = useReview(pool);
  return (
    <>
      <Facts pool={pool} origin={origin.data} />
      <Actions desk={desk} pool={pool} />
      {(!review.isInReview || review.isOwn) && <Meanwhile desk={desk} />}
      {whole.status === 'published' && <Queues pool={whole} origin={origin} />}
      <section>
        <h2>{texts.maps}</h2>
        <ProblemNote problem={statistics.problem} onRetry={statistics.reload} />
        <PoolTable
          pool={whole}
          etag={desk.etag}
          reload={desk.reload}
          isEditable={whole.status === 'draft' && may('POST /pools/{poolGuid}/maps/batch')}
          statistics={statistics.data}
        />
      </section>
      <ReviewPart desk={desk} pool={pool} origin={origin} review={review} />
      <Reviews of={desk.reviews} pool={whole} />
      <Files desk={desk} pool={pool} />
    </>
  );
}

function OnePool({ poolGuid }: { poolGuid: string }) {
  const desk = usePool(poolGuid);
  return (
    <>
      <Heading title={desk.data === null ? texts.title : plain(desk.data.whole.name)} />
      <Reading of={desk}>{(pool) => <Parts desk={desk} pool={pool} />}</Reading>
    </>
  );
}

/** One pool: its maps, and what staff do with it. */
export function PoolPage() {
  const { poolGuid = '' } = useRoute().params;
  return <OnePool key={poolGuid} poolGuid={poolGuid} />;
}
