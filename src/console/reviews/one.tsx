import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import type { Problem, Shapes } from '../api.ts';
import { type Choice, Decide, type Draft } from '../parts/decide.tsx';
import { DeskHeading } from '../parts/desk.tsx';
import { Link } from '../parts/link.tsx';
import { MatchBeside } from '../parts/match-beside.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { Decision, EarlierReviews } from './earlier.tsx';
import { Evidence } from './evidence.tsx';
import { strings } from './strings.ts';

type Review = Shapes['ReplayReview'];
type InRound = Shapes['ReplayReviewInRound'];
export type Verdict = Shapes['ReviewDecision'];

/** The effect of each decision, with links to where results and bans are changed. */
const choicesFor = ({ matchGuid, player, opponent }: InRound): Choice<Verdict>[] => [
  {
    value: 'upheld',
    label: strings.uphold,
    key: 'u',
    says: (
      <>
        <p>{strings.upholdSays}</p>
        <p class="links">
          <Link to={PATHS.match} with={{ matchGuid }}>
            {strings.correct}
          </Link>
          {[player, opponent.player].map(({ playerGuid, username }) => (
            <Link key={playerGuid} to={PATHS.player} with={{ playerGuid }}>
              {strings.ban(plain(username, 30))}
            </Link>
          ))}
        </p>
      </>
    ),
  },
  { value: 'dismissed', label: strings.dismiss, key: 'd', says: <p>{strings.dismissSays}</p> },
];

export interface OneReviewProps {
  guid: string;
  /** As the list has it; undefined: it is not on the list. */
  listed: Review | undefined;
  /** As it was decided here; undefined: it was not. */
  decided: Review | undefined;
  draft: Draft<Verdict>;
  onDraft(changes: Partial<Draft<Verdict>>): void;
  send(review: InRound, decision: Verdict, comment: string): Promise<Problem | null>;
}

const Title = ({ review }: { review: Review }) => (
  <>
    <Name text={review.player.username} />
    {strings.heading(review.roundNumber)}
    {strings.reasons[review.reason]}
  </>
);

/** One review: the evidence of both, the match beside it, what was decided before, and the decision. */
export function OneReview({ guid, listed, decided, draft, onDraft, send }: OneReviewProps) {
  const { may } = useMe();
  const read = useGet('/replay-reviews/{reviewGuid}', { path: { reviewGuid: guid } });
  const shown = listed ?? read.data ?? undefined;
  return (
    <article data-review={guid}>
      <DeskHeading guid={guid}>{shown !== undefined && <Title review={shown} />}</DeskHeading>
      <Reading of={read}>
        {(review) => {
          const now = decided ?? review;
          const isOpen = now.status === 'open';
          return (
            <>
              {!isOpen && (
                <p data-decided="">
                  <Decision review={now} />
                </p>
              )}
              <Evidence review={review} />
              <MatchBeside matchGuid={review.matchGuid} roundNumber={review.roundNumber} />
              <EarlierReviews review={review} />
              {isOpen && may('POST /replay-reviews/{reviewGuid}/resolve') && (
                <Decide
                  key={guid}
                  choices={choicesFor(review)}
                  draft={draft}
                  onDraft={onDraft}
                  send={(value, comment) => send(review, value, comment)}
                />
              )}
            </>
          );
        }}
      </Reading>
    </article>
  );
}
