import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Problem, Shapes } from '../api.ts';
import { type Choice, Decide, type Draft } from '../parts/decide.tsx';
import { DeskHeading } from '../parts/desk.tsx';
import { Link } from '../parts/link.tsx';
import { MatchBeside } from '../parts/match-beside.tsx';
import { retryNames } from '../parts/names.ts';
import { Person } from '../parts/person.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { PATHS } from '../paths.ts';
import { useMe } from '../session.ts';
import { DecisionOf } from './decision.tsx';
import { Bans, markOf, OtherReports, ReplaysOf } from './record.tsx';
import { strings } from './strings.ts';

type Report = Shapes['ListedReport'];
export type Verdict = Shapes['ReportDecisionStatus'];

const choicesFor = ({ matchGuid, playerGuid }: Report, name: string): Choice<Verdict>[] => [
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
          <Link to={PATHS.player} with={{ playerGuid }}>
            {strings.ban(name)}
          </Link>
        </p>
      </>
    ),
  },
  { value: 'dismissed', label: strings.dismiss, key: 'd', says: <p>{strings.dismissSays}</p> },
];

interface OneReportProps {
  report: Report;
  /** Name of the reported player. */
  name: string;
  /** Why the name cannot be read now; null: it is known, or there is none. */
  unread: Problem | null;
  draft: Draft<Verdict>;
  onDraft(changes: Partial<Draft<Verdict>>): void;
  send(status: Verdict, comment: string): Promise<Problem | null>;
}

/** One report: its text, author and player, the match, the history of the player, and the decision. */
export function OneReport({ report, name, unread, draft, onDraft, send }: OneReportProps) {
  const { may } = useMe();
  const { reportGuid, playerGuid, matchGuid, status } = report;
  return (
    <article data-report={reportGuid}>
      <DeskHeading guid={reportGuid}>
        <Name text={name} />
        {strings.heading(strings.reasons[report.reason])}
      </DeskHeading>
      <ProblemNote problem={unread} onRetry={retryNames} />
      <p>
        {report.comment === null ? (
          <span class="quiet">{strings.noComment}</span>
        ) : (
          <q>
            <Name text={report.comment} most={500} />
          </q>
        )}
        <span class="line quiet">
          {strings.by} <Person playerGuid={report.reporterGuid} />, <Time at={report.at} />
        </span>
        <span class="line">
          <Link to={PATHS.player} with={{ playerGuid }}>
            {strings.ban(name)}
          </Link>
        </span>
      </p>
      {status !== 'open' && (
        <div data-decided={status}>
          <DecisionOf reportGuid={reportGuid} />
        </div>
      )}
      <MatchBeside matchGuid={matchGuid} mark={markOf(report)} />
      <ReplaysOf report={report} />
      <OtherReports report={report} />
      <Bans report={report} />
      {status === 'open' && may('PATCH /reports/{reportGuid}') && (
        <Decide
          key={reportGuid}
          choices={choicesFor(report, name)}
          draft={draft}
          onDraft={onDraft}
          send={send}
        />
      )}
    </article>
  );
}
