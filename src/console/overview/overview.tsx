import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import { Heading } from '../parts/heading.tsx';
import { isNow } from '../parts/instants.ts';
import { addressOf, Link, publicAddress } from '../parts/link.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { type GetParams, type GetPath, type Read, useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { strings } from './strings.ts';

/** Reads, and reads again when the tab becomes visible. */
function useFresh<Path extends GetPath>(path: Path, params: GetParams<Path>) {
  const read = useGet(path, params);
  const { reload } = read;
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [reload]);
  return read;
}

interface PanelProps {
  title: string;
  name: string;
  children: ComponentChildren;
}

const Panel = ({ title, name, children }: PanelProps) => (
  <li class="panel" data-waiting={name}>
    <h3>{title}</h3>
    {children}
  </li>
);

interface CountProps extends Omit<PanelProps, 'children'> {
  of: Read<{ items: readonly unknown[]; nextCursor: string | null }>;
  /** The address of what is counted. */
  href: string;
  /** Stands below the number. */
  children?: ComponentChildren;
}

/** A panel with how many there are of something. */
const Count = ({ title, name, of, href, children }: CountProps) => (
  <Panel title={title} name={name}>
    <Reading of={of}>
      {({ items, nextCursor }) => (
        <>
          <p class="outcome">
            <a href={href}>{strings.count(items.length, nextCursor !== null)}</a>
          </p>
          {children}
        </>
      )}
    </Reading>
  </Panel>
);

function Pools() {
  const { playerGuid } = useMe();
  const read = useFresh('/pools', { query: { status: 'in_review', limit: 50 } });
  const own = read.data?.items.filter(({ submittedBy }) => submittedBy === playerGuid).length ?? 0;
  return (
    <Count
      title={strings.pools}
      name="pools"
      of={read}
      href={addressOf(PATHS.pools, {}, { status: 'in_review' })}
    >
      {own > 0 && <p class="quiet">{strings.ownPools(String(own))}</p>}
    </Count>
  );
}

const Reviews = () => (
  <Count
    title={strings.reviews}
    name="reviews"
    of={useFresh('/replay-reviews', { query: { status: 'open', limit: 50 } })}
    href={addressOf(PATHS.reviews, {})}
  />
);

const Reports = () => (
  <Count
    title={strings.reports}
    name="reports"
    of={useFresh('/reports', { query: { status: 'open', limit: 50 } })}
    href={addressOf(PATHS.reports, {})}
  />
);

/** Leads to the matches of the console where they are offered, else to the public page. */
function Matches() {
  const { may } = useMe();
  return (
    <Count
      title={strings.matches}
      name="matches"
      of={useFresh('/matches', { query: { state: 'running', limit: 50 } })}
      href={may('POST /matches/{matchGuid}/abort') ? addressOf(PATHS.matches, {}) : publicAddress('/')}
    />
  );
}

function Season() {
  const read = useFresh('/seasons', { query: { limit: 100 } });
  return (
    <Panel title={strings.season} name="season">
      <Reading of={read}>
        {({ items }) => {
          const running = items.find(isNow);
          return (
            <p>
              <Link to={PATHS.seasons} with={{}}>
                {running === undefined ? strings.noSeason : <Name text={running.name} />}
              </Link>
              {running !== undefined && (
                <span class="line quiet">
                  {strings.until} <Time at={running.endsAt} />
                </span>
              )}
            </p>
          );
        }}
      </Reading>
    </Panel>
  );
}

function Queues() {
  const read = useFresh('/queues', { query: { status: 'open', limit: 50 } });
  return (
    <Panel title={strings.queues} name="queues">
      <Reading of={read}>
        {({ items }) =>
          items.length === 0 ? (
            <p>
              <Link to={PATHS.queues} with={{}}>
                {strings.noQueues}
              </Link>
            </p>
          ) : (
            <ul>
              {items.map(({ queueGuid, name, waiting, playing }) => (
                <li key={queueGuid}>
                  <Link to={PATHS.queue} with={{ queueGuid }}>
                    <Name text={name} />
                  </Link>
                  : {strings.waits(waiting)}, {strings.plays(playing)}
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
    </Panel>
  );
}

/** The work that waits, for the roles of this person, and the queues and matches that run. */
export function Overview() {
  const { roles, may } = useMe();
  return (
    <>
      <Heading title={common.sections.overview} />
      <p class="quiet">{roles.join(', ')}</p>
      <h2>{strings.waiting}</h2>
      <ul class="panels">
        {may('POST /pools/{poolGuid}/reviews') && <Pools />}
        {may('GET /replay-reviews') && <Reviews />}
        {may('GET /reports') && <Reports />}
      </ul>
      <h2>{strings.play}</h2>
      <ul class="panels">
        <Season />
        <Queues />
        <Matches />
      </ul>
    </>
  );
}
