import { Cover } from '../../pages/parts/cover.ts';
import { difficultyText } from '../../pages/parts/match-text.ts';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { PersonLink } from '../parts/person.tsx';
import { Table } from '../parts/table.tsx';
import { CopyOrigin } from './copy.tsx';
import { Original } from './original.tsx';
import { strings } from './strings.ts';

type Review = Shapes['ReplayReviewInRound'];
type Part = Review['opponent'];
type Replay = Shapes['ReplayEvidence'];

const NUMBER = new Intl.NumberFormat();
/** With seconds, because the limits of a play are not whole minutes. */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
/** As the check of the time writes an instant, in UTC. */
const INSTANT = /([+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;
const yesNo = (is: boolean): string => (is ? strings.score.yes : strings.score.no);

function Score({ score }: { score: Part['score'] }) {
  const texts = strings.score;
  if (score === null) return <p class="quiet">{texts.none}</p>;
  const rows: [string, string][] = [
    [texts.raw, NUMBER.format(score.rawScore)],
    [texts.modified, NUMBER.format(score.modifiedScore)],
    [texts.misses, NUMBER.format(score.missCount)],
    [texts.badCuts, NUMBER.format(score.badCutCount)],
    [texts.fullCombo, yesNo(score.fullCombo)],
    [texts.noFail, yesNo(score.noFailTriggered)],
    [texts.failed, yesNo(score.failed)],
  ];
  return (
    <dl class="scores">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a check expected or found. Instants of the time of the play are in the reader's own time zone. */
function Value({ name, text }: { name: Shapes['ReplayCheckName']; text: string }) {
  if (name !== 'timeWindow') return <Name text={text} most={200} />;
  const parts = text.split(INSTANT).map((part, index) =>
    // Every second part is an instant.
    index % 2 === 0 ? (
      part
    ) : (
      <time key={part} dateTime={part}>
        {MOMENT.format(new Date(part))}
      </time>
    ),
  );
  return <>{parts}</>;
}

function CheckRow({ check }: { check: Shapes['ReplayCheck'] }) {
  const texts = strings.check;
  return (
    <tr class={check.ok ? undefined : 'fails'} data-check={check.name} data-ok={check.ok}>
      <th scope="row">
        {strings.checks[check.name]}
        {check.decisive && <span class="line quiet">{texts.decisive}</span>}
      </th>
      <td>{check.ok ? texts.ok : <strong>{texts.fails}</strong>}</td>
      <td class="wraps">
        <Value name={check.name} text={check.expected} />
      </td>
      <td class="wraps">
        <Value name={check.name} text={check.actual} />
      </td>
    </tr>
  );
}

function Checks({ checks, role }: { checks: Replay['checks']; role: string }) {
  const texts = strings.check;
  const failed = checks.filter(({ ok }) => !ok).map((check) => strings.checks[check.name]);
  return (
    <>
      <p>{failed.length === 0 ? texts.allHold(checks.length) : texts.failed(failed, checks.length)}</p>
      <Table label={texts.table(role)} heads={[texts.name, texts.holds, texts.expected, texts.found]}>
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </Table>
    </>
  );
}

function ReplayView({ replay, role }: { replay: Replay | null; role: string }) {
  const texts = strings.replay;
  if (replay === null) return <p class="quiet">{texts.none}</p>;
  return (
    <>
      <p>
        <strong class={replay.verdict === 'mismatch' ? 'fails' : undefined} data-verdict={replay.verdict}>
          {texts[replay.verdict]}
        </strong>
        <span class="line quiet">
          {texts.uploaded} <Time at={replay.uploadedAt} /> · {texts.bytes(replay.size)}
        </span>
        <span class="line quiet">
          {texts.sha256} <code>{replay.sha256}</code>
        </span>
        <span class="line">
          <Original replay={replay} text={texts.download} />
        </span>
      </p>
      {replay.copyOf !== null && <CopyOrigin copyOf={replay.copyOf} sha256={replay.sha256} />}
      <Checks checks={replay.checks} role={role} />
    </>
  );
}

const Side = ({ part, role }: { part: Part; role: string }) => (
  <section
    class="panel"
    aria-label={`${plain(part.player.username, 40)}: ${role}`}
    data-player={part.player.playerGuid}
  >
    <h4>
      <PersonLink player={part.player} /> <span class="quiet">{role}</span>
    </h4>
    <Score score={part.score} />
    <ReplayView replay={part.replay} role={role} />
  </section>
);

/** The plays of both players in a round, side by side: score, replay and every check. */
export const Evidence = ({ review }: { review: Review }) => (
  <section>
    <h3>{strings.evidence}</h3>
    <div class="map">
      {review.map.coverUrl !== null && <Cover hash={review.map.hash} />}
      <div>
        <Name text={review.map.name} />
        <span class="line quiet">{difficultyText(review.map)}</span>
      </div>
    </div>
    <div class="board">
      <Side part={review} role={strings.reviewed} />
      <Side part={review.opponent} role={strings.opponent} />
    </div>
  </section>
);
