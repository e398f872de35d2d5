import { useEffect, useRef } from 'preact/hooks';
import { Freshness } from '../../pages/parts/freshness.ts';
import { Name } from '../../pages/parts/name.ts';
import type { Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { useFollow } from '../follow.ts';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Listing } from '../parts/reading.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { PATHS } from '../paths.ts';
import { useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as shared } from '../strings.ts';
import { NewQueue } from './create.tsx';
import { strings } from './strings.ts';
import { usePools, useSeasonNames } from './things.ts';

const texts = strings.list;
const PAGE = 50;

type Queue = Shapes['Queue'];
/** What the stream of queues has sent. It is shared between tabs. */
export interface StreamedQueues {
  /** The time of the last snapshot: it lists no closed queue, so one that was closed while the connection was cut is missing. */
  snapshotAt: string;
  /** By guid: those of the snapshot, and each that has changed since. */
  queues: Readonly<Record<string, Queue>>;
}

const afterEvent = (before: StreamedQueues | null, type: string, data: unknown): StreamedQueues => {
  if (type === 'snapshot') {
    const { time, queues } = data as Shapes['FeedSnapshot'];
    return {
      snapshotAt: time,
      queues: Object.fromEntries(queues.map((queue) => [queue.queueGuid, queue])),
    };
  }
  const queue = data as Queue;
  return {
    snapshotAt: before?.snapshotAt ?? '',
    queues: { ...before?.queues, [queue.queueGuid]: queue },
  };
};
export const QUEUE_EVENTS = { as: 'queues of staff', events: ['snapshot', 'queue'], reduce: afterEvent };

const Row = ({ queue, poolName, seasonName }: { queue: Queue; poolName: string; seasonName: string }) => (
  <tr data-queue={queue.queueGuid}>
    <th scope="row" class="wraps">
      <Link to={PATHS.queue} with={{ queueGuid: queue.queueGuid }}>
        <Name text={queue.name} />
      </Link>
    </th>
    <td data-status={queue.status}>{strings.status[queue.status]}</td>
    <td>{queue.waiting}</td>
    <td>{queue.playing}</td>
    <td class="wraps">
      <Link to={PATHS.pool} with={{ poolGuid: queue.poolGuid }}>
        <Name text={poolName} />
      </Link>
    </td>
    <td class="wraps">
      <Name text={seasonName} />
    </td>
  </tr>
);

function QueueTable({ queues }: { queues: readonly Queue[] }) {
  const pools = usePools();
  const used = queues.map(({ poolGuid }) => poolGuid).join();
  useEffect(() => {
    // A queue that has come meanwhile may have a pool that is new as well.
    if (pools.data !== null) pools.reload();
  }, [used]);
  const seasons = useSeasonNames();
  const poolName = (guid: string) =>
    pools.data === null ? '…' : (pools.data.items.find(({ poolGuid }) => poolGuid === guid)?.name ?? guid);
  return (
    <>
      <ProblemNote problem={pools.problem} onRetry={pools.reload} />
      <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
      <Table
        label={texts.label}
        heads={[texts.name, texts.status, texts.waiting, texts.playing, texts.pool, texts.season]}
      >
        {queues.map((queue) => (
          <Row
            key={queue.queueGuid}
            queue={queue}
            poolName={poolName(queue.poolGuid)}
            seasonName={seasons.nameOf(queue.seasonGuid)}
          />
        ))}
      </Table>
    </>
  );
}

/** Queues as they were read, with what the stream has sent since. */
function useQueues(status: Queue['status'] | undefined) {
  const list = useList('/queues', { query: { limit: PAGE, status } });
  const followed = useFollow<StreamedQueues>('events', QUEUE_EVENTS);
  const { snapshotAt = '', queues = {} } = followed.state ?? {};
  // Which queues are listed depends on these. Many that change at once are read once, and again when more have changed.
  const listed = [snapshotAt, ...Object.values(queues).map((one) => `${one.queueGuid} ${one.status}`)].join();
  const read = useRef(listed);
  useEffect(() => {
    if (list.isLoading || read.current === listed) return;
    read.current = listed;
    list.reload();
  }, [list.isLoading, listed]);
  return {
    list: { ...list, data: list.data?.map((queue) => ({ ...queue, ...queues[queue.queueGuid] })) ?? null },
    followed,
  };
}

/** All queues, with who waits and plays now. */
export function Queues() {
  const { query, change } = useQuery();
  const { may } = useMe();
  const status = VALUES.QueueStatus.find((one) => one === query.status);
  const { list, followed } = useQueues(status);
  return (
    <>
      <Heading title={shared.sections.queues} />
      <section class="filters" aria-label={texts.filter}>
        <label>
          {texts.filter}{' '}
          <Select
            value={status ?? ''}
            set={(chosen) => change({ status: chosen || undefined })}
            options={[
              { value: '', text: texts.any },
              ...VALUES.QueueStatus.map((value) => ({ value, text: strings.status[value] })),
            ]}
          />
        </label>
        <Freshness {...followed} />
      </section>
      <Listing of={list} nothing={texts.none}>
        {(queues) => <QueueTable queues={queues} />}
      </Listing>
      {may('POST /queues') && <NewQueue />}
    </>
  );
}
