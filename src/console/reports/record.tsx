import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { Listing } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useAgain, useList } from '../read.ts';
import { strings as reviewStrings } from '../reviews/strings.ts';
import { DecisionOf } from './decision.tsx';
import { strings } from './strings.ts';

type Report = Shapes['ListedReport'];

/** The lists beside a report are read again when this changes: for another report, and when the report is decided. */
export const markOf = ({ reportGuid, status }: Report): string => `${reportGuid} ${status}`;

/** The reviews of replays of the match. */
export function ReplaysOf({ report }: { report: Report }) {
  const { matchGuid } = report;
  const texts = strings.replays;
  const list = useList('/replay-reviews', { query: { matchGuid, limit: 20 } });
  useAgain(list, markOf(report));
  return (
    <section data-replays="">
      <h3>{texts.title}</h3>
      <Listing of={list} nothing={texts.nothing}>
        {(reviews) => (
          <ul>
            {reviews.map(({ reviewGuid, player, reason, roundNumber, decision }) => (
              <li key={reviewGuid}>
                <Name text={player.username} most={40} />
                {': '}
                <Link to={PATHS.reviews} with={{}} query={{ status: '', matchGuid, at: reviewGuid }}>
                  {reviewStrings.reasons[reason]}, {texts.line(roundNumber)}
                </Link>
                {', '}
                {decision === null ? texts.open : reviewStrings.decisions[decision]}
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

/** One earlier report; what was said about it is read when it is opened. */
function Earlier({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      {strings.reasons[report.reason]}, <Time at={report.at} />:{' '}
      <strong>{strings.status[report.status]}</strong>
      {report.comment !== null && (
        <>
          {' '}
          <q>
            <Name text={report.comment} most={500} />
          </q>
        </>
      )}{' '}
      <Link
        to={PATHS.reports}
        with={{}}
        query={{ status: '', playerGuid: report.playerGuid, at: report.reportGuid }}
      >
        <Time at={report.at} />
      </Link>
      {report.status !== 'open' && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{strings.earlier.why}</summary>
          {isOpen && <DecisionOf reportGuid={report.reportGuid} />}
        </details>
      )}
    </li>
  );
}

/** Other reports about the same player, and their decisions. */
export function OtherReports({ report }: { report: Report }) {
  const { playerGuid, reportGuid } = report;
  const texts = strings.earlier;
  const list = useList('/reports', { query: { playerGuid, limit: 20 } });
  useAgain(list, markOf(report));
  const others = list.data?.filter((one) => one.reportGuid !== reportGuid) ?? null;
  return (
    <section data-earlier={playerGuid}>
      <h3>{texts.title}</h3>
      <Listing of={{ ...list, data: others }} nothing={texts.nothing}>
        {(reports) => (
          <ul>
            {reports.map((one) => (
              <Earlier key={one.reportGuid} report={one} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}

const BanLine = ({ ban: { reason, until, createdAt, liftedAt } }: { ban: Shapes['Ban'] }) => (
  <li>
    <Name text={reason} most={200} />, {strings.bans.since} <Time at={createdAt} />,{' '}
    {until === null ? (
      strings.bans.forGood
    ) : (
      <>
        {strings.bans.until} <Time at={until} />
      </>
    )}
    {liftedAt !== null && (
      <>
        , {strings.bans.lifted} <Time at={liftedAt} />
      </>
    )}
  </li>
);

/** The bans of a player, with those that are over. */
export function Bans({ report }: { report: Report }) {
  const { playerGuid } = report;
  const list = useList('/players/{playerGuid}/bans', { path: { playerGuid }, query: { limit: 20 } });
  useAgain(list, markOf(report));
  return (
    <section data-bans="">
      <h3>{strings.bans.title}</h3>
      <Listing of={list} nothing={strings.bans.nothing}>
        {(bans) => (
          <ul>
            {bans.map((ban) => (
              <BanLine key={ban.banGuid} ban={ban} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}
