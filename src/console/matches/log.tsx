import { useState } from 'preact/hooks';
import { clockTime } from '../../pages/parts/match-text.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import type { Match } from '../parts/match-words.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { useMe } from '../session.ts';
import { formerLines, logLines } from './log-lines.ts';
import { strings } from './strings.ts';

const texts = strings.log;

const Lines = ({ log, match }: { log: Shapes['MatchLog']; match: Match }) => {
  const former = formerLines(log, match);
  return (
    <>
      <Table class="log" label={texts.label} heads={['#', texts.since, texts.event]}>
        {logLines(log, match).map(({ version, at, afterMs, text }) => (
          <tr key={version}>
            <th scope="row">{version}</th>
            <td>
              <time dateTime={at} title={at}>
                {clockTime(afterMs)}
              </time>
            </td>
            <td class="wraps">{text}</td>
          </tr>
        ))}
      </Table>
      {former.length > 0 && (
        <>
          <h3>{texts.former}</h3>
          <ul>
            {former.map(({ replacedAt, text }) => (
              <li key={`${replacedAt} ${text}`}>
                {text} <Time at={replacedAt} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};

/**
 * The log, read only on demand: that of a running match shows both hands, is for admins who do not play in
 * it, and is recorded.
 */
export function Log({ match }: { match: Match }) {
  const { matchGuid, endedAt, players } = match;
  const me = useMe();
  const [log, setLog] = useState<Shapes['MatchLog'] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const read = async (): Promise<void> => {
    const answer = await ask(api.GET('/matches/{matchGuid}/log', { params: { path: { matchGuid } } }));
    setProblem(answer.problem);
    // The client reads tuples as lists.
    if (answer.data !== null) setLog(answer.data as Shapes['MatchLog']);
  };
  const isRunning = endedAt === null;
  const isOwn = players.some(({ playerGuid }) => playerGuid === me.playerGuid);
  if (isRunning && (isOwn || !me.may('POST /matches/{matchGuid}/abort'))) return null;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="quiet">{isRunning ? texts.hintRunning : texts.hintEnded}</p>
      <p>
        <button type="button" class="plain" data-read-log onClick={() => void read()}>
          {isRunning ? texts.readRunning : log === null ? texts.readEnded : texts.again}
        </button>
      </p>
      <ProblemNote problem={problem} onRetry={() => void read()} />
      {log !== null && <Lines log={log} match={match} />}
    </section>
  );
}
