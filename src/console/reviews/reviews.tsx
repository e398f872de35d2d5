import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { NotSent, useDrafts } from '../parts/decide.tsx';
import { DeskView, useDesk, useQuery } from '../parts/desk.tsx';
import { deskStrings } from '../parts/desk-strings.ts';
import { MatchFilter, PlayerFilter, SelectFilter } from '../parts/filters.tsx';
import { Heading } from '../parts/heading.tsx';
import { notify } from '../parts/notices.tsx';
import { useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { Decision } from './earlier.tsx';
import { OneReview, type OneReviewProps, type Verdict } from './one.tsx';
import { strings } from './strings.ts';

type Review = Shapes['ReplayReview'];

const guidOf = ({ reviewGuid }: Review): string => reviewGuid;

function Filters() {
  const { query, change } = useQuery();
  return (
    <div class="filters">
      <SelectFilter
        label={strings.statusLabel}
        values={VALUES.ReviewStatus}
        labels={strings.status}
        value={query.status ?? 'open'}
        onChange={(status = '') => change({ status, at: undefined })}
      />
      <SelectFilter
        label={strings.reasonLabel}
        values={VALUES.ReviewReason}
        labels={strings.reasons}
        value={query.reason}
        onChange={(reason) => change({ reason, at: undefined })}
      />
      <PlayerFilter
        guid={query.playerGuid}
        onChange={(playerGuid) => change({ playerGuid, at: undefined })}
      />
      <MatchFilter guid={query.matchGuid} onChange={(matchGuid) => change({ matchGuid, at: undefined })} />
    </div>
  );
}

const Line = ({ review, decided }: { review: Review; decided: Review | undefined }) => {
  const { decision } = decided ?? review;
  return (
    <>
      <Name text={review.player.username} most={30} />
      <span class="line quiet">
        {strings.reasons[review.reason]}, {strings.round(review.roundNumber)}, {strings.listedAt}{' '}
        <Time at={review.createdAt} />
      </span>
      {decision !== null && <strong class="line">{strings.decisions[decision]}</strong>}
    </>
  );
};

interface Overtaken {
  /** As it was decided before. */
  review: Review;
  /** What was to be sent. */
  comment: string;
}

/** Says who has decided before, and what: another person, or this one with another decision or comment. */
function Meanwhile({ review, comment }: Overtaken) {
  const { addressWith } = useQuery();
  const { playerGuid } = useMe();
  const says = review.resolvedByGuid === playerGuid ? strings.already : strings.meanwhile;
  return (
    <div class="warning" role="alert" data-meanwhile={review.reviewGuid}>
      <p>
        {says(plain(review.player.username, 30), review.roundNumber)}
        <Decision review={review} />
      </p>
      <NotSent comment={comment} />
      <p>
        <a href={addressWith({ at: review.reviewGuid })}>{strings.look}</a>
      </p>
    </div>
  );
}

const useReviews = () => {
  const { query } = useQuery();
  const { status = 'open', reason, playerGuid, matchGuid } = query;
  // Anybody can write an address. The service refuses invalid values.
  const filter = {
    status: (status || undefined) as Review['status'] | undefined,
    reason: (reason || undefined) as Review['reason'] | undefined,
    playerGuid,
    matchGuid,
  };
  return useList('/replay-reviews', { query: { ...filter, limit: 25 } });
};

/** The reviews decided since the list was read, by guid, and the last one that was decided before this person sent a decision. */
function useDecisions() {
  const [decided, setDecided] = useState<ReadonlyMap<string, Review>>(new Map());
  const [meanwhile, setMeanwhile] = useState<Overtaken | null>(null);
  const note = (review: Review, overtaken: Overtaken | null): void => {
    setDecided((all) => new Map(all).set(review.reviewGuid, review));
    setMeanwhile(overtaken);
  };
  /** Sends a decision. @returns what went wrong, and whether another decision or comment stands */
  const send = async (
    reviewGuid: string,
    body: Shapes['ReplayReviewDecision'],
  ): Promise<{ problem: Problem | null; isOvertaken: boolean }> => {
    const params = { path: { reviewGuid } };
    const answer = await ask(api.POST('/replay-reviews/{reviewGuid}/resolve', { params, body }));
    if (answer.problem?.code !== 'REPLAY_REVIEW_RESOLVED') {
      if (answer.data !== null) note(answer.data, null);
      return { problem: answer.problem, isOvertaken: false };
    }
    // The same decision with the same comment is not refused.
    const now = await ask(api.GET('/replay-reviews/{reviewGuid}', { params }));
    if (now.data !== null) note(now.data, { review: now.data, comment: body.comment });
    return { problem: now.problem, isOvertaken: true };
  };
  return { decided, meanwhile, send };
}

/** Replays under review: a list with the evidence beside it, usable by keyboard. */
export function Reviews() {
  const list = useReviews();
  const { decided, meanwhile, send } = useDecisions();
  const { draftOf, setDraft } = useDrafts<Verdict>('reviews');
  const desk = useDesk({
    list,
    guidOf,
    isDone: (review) => decided.has(review.reviewGuid) || review.status === 'resolved',
  });
  const decide: OneReviewProps['send'] = async ({ reviewGuid, player }, decision, comment) => {
    const { problem, isOvertaken } = await send(reviewGuid, { decision, comment });
    // A review is only removed when its missing replay has come.
    if (problem?.code === 'REPLAY_REVIEW_NOT_FOUND') return { ...problem, message: strings.came };
    if (problem !== null) return problem;
    if (!isOvertaken) notify(strings.done(strings.decisions[decision], plain(player.username, 30)));
    if (!desk.advance(reviewGuid)) notify(deskStrings.decide.last);
    return null;
  };
  return (
    <>
      <Heading title={common.sections.reviews} />
      <Filters />
      {meanwhile !== null && <Meanwhile {...meanwhile} />}
      <DeskView
        desk={desk}
        nothing={strings.nothing}
        keys={strings.keys}
        line={(review) => <Line review={review} decided={decided.get(review.reviewGuid)} />}
      >
        {desk.guid !== null && (
          <OneReview
            guid={desk.guid}
            listed={desk.item}
            decided={decided.get(desk.guid)}
            draft={draftOf(desk.guid)}
            onDraft={(changes) => desk.guid !== null && setDraft(desk.guid, changes)}
            send={decide}
          />
        )}
      </DeskView>
    </>
  );
}
