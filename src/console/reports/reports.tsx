import { useRef, useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { NotSent, useDrafts } from '../parts/decide.tsx';
import { DeskView, useDesk, useQuery } from '../parts/desk.tsx';
import { deskStrings } from '../parts/desk-strings.ts';
import { PlayerFilter, SelectFilter } from '../parts/filters.tsx';
import { Heading } from '../parts/heading.tsx';
import { notify } from '../parts/notices.tsx';
import { asStored } from '../parts/once.ts';
import { useNameOf } from '../parts/person.tsx';
import { type List, useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { DecisionOf } from './decision.tsx';
import { OneReport, type Verdict } from './one.tsx';
import { strings } from './strings.ts';

type Report = Shapes['ListedReport'];

const guidOf = ({ reportGuid }: Report): string => reportGuid;

function Filters() {
  const { query, change } = useQuery();
  return (
    <div class="filters">
      <SelectFilter
        label={strings.statusLabel}
        values={VALUES.ReportStatus}
        labels={strings.status}
        value={query.status ?? 'open'}
        onChange={(status = '') => change({ status, at: undefined })}
      />
      <PlayerFilter
        guid={query.playerGuid}
        onChange={(playerGuid) => change({ playerGuid, at: undefined })}
      />
    </div>
  );
}

function Line({ report }: { report: Report }) {
  const { text: name } = useNameOf(report.playerGuid);
  return (
    <>
      <Name text={name} most={30} />
      <span class="line quiet">
        {strings.reasons[report.reason]}, <Time at={report.at} />
      </span>
      {report.status !== 'open' && <strong class="line">{strings.status[report.status]}</strong>}
    </>
  );
}

interface Overtaken {
  report: Report;
  name: string;
  /** Whether the decision that stands is this person's own, with another comment or another verdict. */
  isOwn: boolean;
  /** What was to be sent. */
  comment: string;
}

/** Says who has decided before, and what. */
const Meanwhile = ({ report, name, isOwn, comment }: Overtaken) => (
  <div class="warning" role="alert" data-meanwhile={report.reportGuid}>
    <p>{isOwn ? strings.already(name) : strings.meanwhile(name)}</p>
    <DecisionOf reportGuid={report.reportGuid} />
    <NotSent comment={comment} />
  </div>
);

/** The reports, with what was decided here since they were read. */
function useReports() {
  const { query } = useQuery();
  const { status = 'open', playerGuid } = query;
  // Anybody can write an address. The service refuses invalid values.
  const filter = { status: (status || undefined) as Report['status'] | undefined, playerGuid };
  const [decided, setDecided] = useState<ReadonlyMap<string, Report['status']>>(new Map());
  const read = useList('/reports', { query: { ...filter, limit: 25 } });
  const current = (report: Report): Report => ({
    ...report,
    status: decided.get(report.reportGuid) ?? report.status,
  });
  const list: List<Report> = { ...read, data: read.data?.map(current) ?? null };
  return {
    list,
    noteDecision: (reportGuid: string, now: Report['status']) =>
      setDecided((all) => new Map(all).set(reportGuid, now)),
  };
}

/** Reads who has decided about a report, and how: the audit log has it. */
async function decisionNow({ reportGuid }: Report) {
  const query = { target: `/reports/${reportGuid}`, limit: 1 };
  const { data, problem } = await ask(api.GET('/audit-log', { params: { query } }));
  const { actor = null, after } = data?.items[0] ?? {};
  const { status = null, comment = null } = (after ?? {}) as { status?: Report['status']; comment?: string };
  return { problem, actor, status, comment };
}

interface ChosenProps {
  report: Report;
  draft: ReturnType<typeof useDrafts<Verdict>>;
  /** It is decided. @param overtaken it was decided before, otherwise than this person has sent now */
  onDecided(status: Report['status'] | null, name: string, overtaken: Overtaken | null): void;
}

function Chosen({ report, draft: { draftOf, setDraft }, onDecided }: ChosenProps) {
  const { reportGuid } = report;
  const { playerGuid } = useMe();
  const { text: name, problem: unread } = useNameOf(report.playerGuid);
  // The name may come after a decision was sent, and another report may be selected by then.
  const newest = useRef({ reportGuid, name });
  newest.current = { reportGuid, name };
  const nameNow = (): string => (newest.current.reportGuid === reportGuid ? newest.current.name : name);
  const send = async (status: Verdict, comment: string): Promise<Problem | null> => {
    const params = { path: { reportGuid } };
    const { problem } = await ask(api.PATCH('/reports/{reportGuid}', { params, body: { status, comment } }));
    if (problem === null) onDecided(status, nameNow(), null);
    else if (problem.code === 'REPORT_CLOSED') {
      const now = await decisionNow(report);
      if (now.problem !== null) return now.problem;
      const isOwn = now.actor === playerGuid;
      // The answer to the same decision of this person may have been lost.
      const isSame = isOwn && now.status === status && now.comment === asStored(comment);
      onDecided(now.status, nameNow(), isSame ? null : { report, name: nameNow(), isOwn, comment });
    } else return problem;
    return null;
  };
  return (
    <OneReport
      report={report}
      name={name}
      unread={unread}
      draft={draftOf(reportGuid)}
      onDraft={(changes) => setDraft(reportGuid, changes)}
      send={send}
    />
  );
}

/** Reports of players about each other: a list with the match beside it, usable by keyboard. */
export function Reports() {
  const { list, noteDecision } = useReports();
  const draft = useDrafts<Verdict>('reports');
  const [meanwhile, setMeanwhile] = useState<Overtaken | null>(null);
  const desk = useDesk({ list, guidOf, isDone: ({ status }) => status !== 'open' });
  const onDecided =
    (report: Report): ChosenProps['onDecided'] =>
    (status, name, overtaken) => {
      if (status !== null) noteDecision(report.reportGuid, status);
      setMeanwhile(overtaken);
      if (status !== null && overtaken === null) notify(strings.done(strings.status[status], name));
      if (!desk.advance(report.reportGuid)) notify(deskStrings.decide.last);
    };
  return (
    <>
      <Heading title={common.sections.reports} />
      <Filters />
      {meanwhile !== null && <Meanwhile {...meanwhile} />}
      <DeskView
        desk={desk}
        nothing={strings.nothing}
        keys={strings.keys}
        line={(report) => <Line report={report} />}
      >
        {desk.item !== undefined && (
          <Chosen report={desk.item} draft={draft} onDecided={onDecided(desk.item)} />
        )}
        {desk.item === undefined && desk.guid !== null && list.problem === null && (
          <p class="quiet" role="status">
            {desk.isLooking ? common.loading : strings.gone}
          </p>
        )}
      </DeskView>
    </>
  );
}
