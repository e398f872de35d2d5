import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { Ask, Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { has, useOutcome } from '../parts/outcome.ts';
import { Listing, Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { type Read, useGet, useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings } from './strings.ts';

const texts = strings.queues;
type Queue = Shapes['Queue'];
type PoolName = Pick<Shapes['PoolWithMaps'], 'poolGuid' | 'name'>;

interface QueuesOnProps {
  poolGuid: string;
  /** The text when there is none. */
  nothing: string;
  /** Stands beside each queue. */
  children?(queue: Queue): ComponentChildren;
}

/** The queues on a pool, in every status, with how many wait and play. */
export const QueuesOn = ({ poolGuid, nothing, children }: QueuesOnProps) => (
  <Listing of={useList('/queues', { query: { poolGuid } })} nothing={nothing}>
    {(queues) => (
      <ul>
        {queues.map((queue) => (
          <li key={queue.queueGuid} data-queue={queue.queueGuid}>
            <Link to={PATHS.queue} with={{ queueGuid: queue.queueGuid }}>
              <Name text={queue.name} />
            </Link>{' '}
            <span class="quiet">{texts.state(queue)}</span> {children?.(queue)}
          </li>
        ))}
      </ul>
    )}
  </Listing>
);

interface SwitchProps {
  queueGuid: string;
  name: string;
  from: PoolName;
  to: PoolName;
  onDone(): void;
  onClose(): void;
}

/** Asks before a queue is given the new pool. It reads the queue, so that the numbers are current. */
function Switch({ queueGuid, name, from, to, onDone, onClose }: SwitchProps) {
  const path = { queueGuid };
  const queue = useGet('/queues/{queueGuid}', { path });
  const outcome = useOutcome();
  const send = async () => {
    const header = against(queue.etag);
    const body = { poolGuid: to.poolGuid };
    const { problem } = await outcome({
      send: () => ask(api.PATCH('/queues/{queueGuid}', { params: { path, header }, body })),
      now: () => ask(api.GET('/queues/{queueGuid}', { params: { path } })),
      isDone: (now) => has(now, body),
    });
    if (problem !== null) {
      queue.reload();
      return problem;
    }
    notify(texts.done(name));
    onDone();
    return null;
  };
  const title = texts.switching(name, to.name);
  // There is no button before the queue was read.
  if (queue.data === null)
    return (
      <Dialog title={title} onClose={onClose}>
        <Reading of={queue}>{() => null}</Reading>
      </Dialog>
    );
  return (
    <Ask title={title} action={texts.switch} send={send} onClose={onClose}>
      <Reading of={queue}>{(now) => <p>{texts.what(now, from.name, to.name)}</p>}</Reading>
    </Ask>
  );
}

interface OfferProps {
  from: PoolName;
  to: PoolName;
  /** With another number the queues are read again. */
  version: number;
  onDone(): void;
}

/** The queues that are still on the pool that was copied, each with an offer to give it the copy. */
function Offer({ from, to, version, onDone }: OfferProps) {
  const [open, setOpen] = useState<Queue | null>(null);
  return (
    <>
      <h3>{texts.offer(from.name)}</h3>
      <div data-offer>
        <QueuesOn key={version} poolGuid={from.poolGuid} nothing={texts.noneLeft}>
          {(queue) => (
            <button type="button" aria-label={texts.switchOf(queue.name)} onClick={() => setOpen(queue)}>
              {texts.switch}
            </button>
          )}
        </QueuesOn>
      </div>
      {open && (
        <Switch
          queueGuid={open.queueGuid}
          name={open.name}
          from={from}
          to={to}
          onDone={onDone}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

/** The queues on a published pool; and those on the pool it was copied from, to be switched to it. */
export function Queues({ pool, origin }: { pool: PoolName; origin: Read<PoolName | null> }) {
  const { may } = useMe();
  const [version, setVersion] = useState(0);
  return (
    <section data-queues>
      <h2>{texts.title}</h2>
      <h3>{texts.on}</h3>
      <QueuesOn key={version} poolGuid={pool.poolGuid} nothing={texts.none} />
      {may('PATCH /queues/{queueGuid}') && (
        <Reading of={origin}>
          {(from) =>
            from && (
              <Offer from={from} to={pool} version={version} onDone={() => setVersion((last) => last + 1)} />
            )
          }
        </Reading>
      )}
    </section>
  );
}
