import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Freshness } from '../../pages/parts/freshness.ts';
import { Name } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Problem, type Shapes } from '../api.ts';
import { useFollow } from '../follow.ts';
import { Ask } from '../parts/dialog.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { type Read, useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as shared } from '../strings.ts';
import { QueueForm, RulesInWords } from './form.tsx';
import { QUEUE_EVENTS, type StreamedQueues } from './list.tsx';
import { strings } from './strings.ts';
import { useSeasonNames } from './things.ts';

const texts = strings.queue;

type Queue = Shapes['Queue'];

/** The queue as it is now: read once, and followed until it is closed. */
function useQueue(queueGuid: string) {
  const read = useGet('/queues/{queueGuid}', { path: { queueGuid } });
  const isFollowed = read.data !== null && read.data.status !== 'closed';
  const followed = useFollow<StreamedQueues>(
    isFollowed ? `events?queueGuid=${queueGuid}` : null,
    QUEUE_EVENTS,
  );
  const streamed = followed.state?.queues[queueGuid];
  // Changes are compared with these members: all but the numbers of players.
  const { waiting: _, playing: __, ...state } = streamed ?? { waiting: 0, playing: 0 };
  const shape = JSON.stringify([followed.state?.snapshotAt, state]);
  useEffect(() => {
    // Also after a snapshot without the queue: it was closed while the connection was cut.
    if (followed.state !== null && isFollowed) read.reload();
  }, [shape]);
  const counts = isFollowed &&
    streamed !== undefined && { waiting: streamed.waiting, playing: streamed.playing };
  return { read, followed, isFollowed, queue: read.data && { ...read.data, ...counts } };
}

interface ActionProps {
  queue: Queue;
  poolName: string;
  read: Read<Queue>;
}

/** Opens or drains a queue after saying what that does to who waits and plays. */
function Transition({ action, ...props }: ActionProps & { action: 'open' | 'drain' }) {
  const { queue, poolName, read } = props;
  const [isAsking, setAsking] = useState(false);
  const outcome = useOutcome();
  const submit = async (): Promise<Problem | null> => {
    const path = { queueGuid: queue.queueGuid };
    const params = { path, header: against(read.etag) };
    const { problem } = await outcome({
      send: () =>
        action === 'open'
          ? ask(api.POST('/queues/{queueGuid}/open', { params }))
          : ask(api.POST('/queues/{queueGuid}/drain', { params })),
      now: () => ask(api.GET('/queues/{queueGuid}', { params: { path } })),
      isDone: ({ status }) => (status === 'open') === (action === 'open'),
    });
    if (problem === null) notify(strings[action].done);
    read.reload();
    return problem;
  };
  return (
    <>
      <button
        type="button"
        class={action === 'drain' ? 'destructive' : undefined}
        data-action={action}
        onClick={() => {
          read.reload();
          setAsking(true);
        }}
      >
        {strings[action].button}
      </button>
      {isAsking && (
        <Ask
          title={strings[action].title(plain(queue.name))}
          action={strings[action].action}
          send={submit}
          onClose={() => setAsking(false)}
        >
          {action === 'open' ? (
            <p>{strings.open.text(plain(poolName))}</p>
          ) : (
            <ul data-effect="">
              <li>{strings.drain.after}</li>
              <li>{strings.drain.waiting(queue.waiting)}</li>
              <li>{strings.drain.playing(queue.playing)}</li>
            </ul>
          )}
        </Ask>
      )}
    </>
  );
}

interface FactsProps extends ActionProps {
  seasonName(seasonGuid: string): string;
}

/** The state of the queue, and links to more about it. */
function Facts({ queue, poolName, seasonName, read }: FactsProps) {
  const { may } = useMe();
  const { queueGuid, status, waiting, playing, poolGuid, seasonGuid } = queue;
  return (
    <section aria-label={texts.facts} data-status={status}>
      <p>
        <strong>{strings.status[status]}</strong>. {texts.waiting(waiting)}, {texts.playing(playing)}.{' '}
        {status === 'draining' && texts.draining}
      </p>
      <p>
        {texts.pool}:{' '}
        <Link to={PATHS.pool} with={{ poolGuid }}>
          <Name text={poolName} />
        </Link>
        . {texts.season}: <Name text={seasonName(seasonGuid)} />.
      </p>
      <p class="actions">
        {status === 'closed' && may('POST /queues/{queueGuid}/open') && (
          <Transition action="open" queue={queue} poolName={poolName} read={read} />
        )}
        {status === 'open' && may('POST /queues/{queueGuid}/drain') && (
          <Transition action="drain" queue={queue} poolName={poolName} read={read} />
        )}
      </p>
      <p class="links">
        <Link to={PATHS.matches} with={{}} query={{ queueGuid }}>
          {texts.matches}
        </Link>
        <a href={`ladder/${queueGuid}`} target="_blank" rel="noreferrer">
          {texts.ladder}
        </a>
        {may('GET /audit-log') && (
          <Link to={PATHS.audit} with={{}} query={{ target: `/queues/${queueGuid}` }}>
            {texts.audit}
          </Link>
        )}
      </p>
    </section>
  );
}

function View({ queue, read }: { queue: Queue; read: Read<Queue> }) {
  const { may } = useMe();
  const { poolGuid } = queue;
  const pool = useGet('/pools/{poolGuid}', { path: { poolGuid } });
  const seasons = useSeasonNames();
  const shared = { queue, poolName: pool.data?.name ?? '…', seasonName: seasons.nameOf, read };
  return (
    <>
      <ProblemNote problem={pool.problem} onRetry={pool.reload} />
      <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
      <Facts {...shared} />
      {may('PATCH /queues/{queueGuid}') ? <QueueForm {...shared} /> : <RulesInWords queue={queue} />}
    </>
  );
}

function QueueOf({ queueGuid }: { queueGuid: string }) {
  const { read, queue, followed, isFollowed } = useQueue(queueGuid);
  return (
    <>
      <Heading title={queue === null ? shared.sections.queues : plain(queue.name)} />
      {isFollowed && <Freshness {...followed} />}
      <Reading of={{ ...read, data: queue }}>{(found) => <View queue={found} read={read} />}</Reading>
    </>
  );
}

/** One queue. */
export function QueueDesk() {
  const { params } = useRoute();
  const { queueGuid = '' } = params;
  return <QueueOf key={queueGuid} queueGuid={queueGuid} />;
}
