import { Freshness } from '../../pages/parts/freshness.ts';
import { Name } from '../../pages/parts/name.ts';
import type { Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { useFollow } from '../follow.ts';
import { useQuery } from '../parts/desk.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
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
/** Queues by guid, as the stream of all queues has sent them. */
export type StreamedQueues = Readonly<Record<string, Queue>>;

/** Queues as the stream sends them: the open ones at first, then each that changes. */
export const afterEvent = (before: StreamedQueues | null, type: string, data: unknown): StreamedQueues => {
  if (type === 'snapshot')
    return Object.fromEntries(
      (data as Shapes['FeedSnapshot']).queues.map((queue) => [queue.queueGuid, queue]),
    );
  const queue = data as Queue;
  return { ...before, [queue.queueGuid]: queue };
};
export const QUEUE_EVENTS = { as: 'queues', events: ['snapshot', 'queue'], reduce: afterEvent };

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
  const seasonName = useSeasonNames();
  const poolName = (guid: string) =>
    pools.data?.items.find(({ poolGuid }) => poolGuid === guid)?.name ?? guid;
  return (
    <Table
      label={texts.label}
      heads={[texts.name, texts.status, texts.waiting, texts.playing, texts.pool, texts.season]}
    >
      {queues.map((queue) => (
        <Row
          key={queue.queueGuid}
          queue={queue}
          poolName={poolName(queue.poolGuid)}
          seasonName={seasonName(queue.seasonGuid)}
        />
      ))}
    </Table>
  );
}

/** All queues, with who waits and plays now. */
export function Queues() {
  const { query, change } = useQuery();
  const { may } = useMe();
  const status = VALUES.QueueStatus.find((one) => one === query.status);
  const list = useList('/queues', { query: { limit: PAGE, status } });
  const { state, connection, since } = useFollow<StreamedQueues>('events', QUEUE_EVENTS);
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
        <Freshness connection={connection} since={since} />
      </section>
      <Listing of={list} nothing={texts.none}>
        {(queues) => (
          <QueueTable queues={queues.map((queue) => ({ ...queue, ...state?.[queue.queueGuid] }))} />
        )}
      </Listing>
      {may('POST /queues') && <NewQueue />}
    </>
  );
}
