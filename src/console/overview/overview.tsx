import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import { type Answer, api, ask, type Shapes } from '../api.ts';
import { Heading } from '../parts/heading.tsx';
import { Link, publicAddress } from '../parts/link.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { type Read, useRead } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { strings } from './strings.ts';

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

const countOf = ({ items, nextCursor }: Page<unknown>): string =>
  strings.count(items.length, nextCursor !== null);

/** Reads, and reads again when the tab becomes visible. */
function useFresh<Data>(question: () => Promise<Answer<Data>>): Read<Data> {
  const read = useRead(question, []);
  const { reload } = useRef(read).current;
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [reload]);
  return read;
}

const Panel = ({ title, name, children }: { title: string; name: string; children: ComponentChildren }) => (
  <li class="panel" data-waiting={name}>
    <h3>{title}</h3>
    {children}
  </li>
);

function Pools() {
  const { playerGuid } = useMe();
  const read = useFresh(() =>
    ask(api.GET('/pools', { params: { query: { status: 'in_review', limit: 50 } } })),
  );
  return (
    <Panel title={strings.pools} name="pools">
      <Reading of={read}>
        {(page) => {
          const own = page.items.filter(({ submittedBy }) => submittedBy === playerGuid).length;
          return (
            <>
              <p class="outcome">
                <Link to={PATHS.pools} with={{}} query={{ status: 'in_review' }}>
                  {countOf(page)}
                </Link>
              </p>
              {own > 0 && <p class="quiet">{strings.ownPools(String(own))}</p>}
            </>
          );
        }}
      </Reading>
    </Panel>
  );
}

function Reviews() {
  const read = useFresh(() =>
    ask(api.GET('/replay-reviews', { params: { query: { status: 'open', limit: 50 } } })),
  );
  return (
    <Panel title={strings.reviews} name="reviews">
      <Reading of={read}>
        {(page) => (
          <p class="outcome">
            <Link to={PATHS.reviews} with={{}}>
              {countOf(page)}
            </Link>
          </p>
        )}
      </Reading>
    </Panel>
  );
}

function Reports() {
  const read = useFresh(() => ask(api.GET('/reports', { params: { query: { status: 'open', limit: 50 } } })));
  return (
    <Panel title={strings.reports} name="reports">
      <Reading of={read}>
        {(page) => (
          <p class="outcome">
            <Link to={PATHS.reports} with={{}}>
              {countOf(page)}
            </Link>
          </p>
        )}
      </Reading>
    </Panel>
  );
}

/** Leads to the matches of the console where they are offered, else to the public page. */
function Matches() {
  const { may } = useMe();
  const read = useFresh(() =>
    ask(api.GET('/matches', { params: { query: { state: 'running', limit: 50 } } })),
  );
  return (
    <Panel title={strings.matches} name="matches">
      <Reading of={read}>
        {(page) => (
          <p class="outcome">
            {may('POST /matches/{matchGuid}/abort') ? (
              <Link to={PATHS.matches} with={{}}>
                {countOf(page)}
              </Link>
            ) : (
              <a href={publicAddress('/')}>{countOf(page)}</a>
            )}
          </p>
        )}
      </Reading>
    </Panel>
  );
}

const isRunning = ({ startsAt, endsAt }: Shapes['Season']): boolean =>
  Date.parse(startsAt) <= Date.now() && Date.now() < Date.parse(endsAt);

function Season() {
  const read = useFresh(() => ask(api.GET('/seasons', { params: { query: { limit: 100 } } })));
  return (
    <Panel title={strings.season} name="season">
      <Reading of={read}>
        {({ items }) => {
          const running = items.find(isRunning);
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
  const read = useFresh(() => ask(api.GET('/queues', { params: { query: { status: 'open', limit: 50 } } })));
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
