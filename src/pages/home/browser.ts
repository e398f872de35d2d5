import { h, render } from 'preact';
import { localTimes } from '../browser.ts';
import { type Followed, follow } from '../follow.ts';
import type { ListedMatch } from '../parts/match-list.ts';
import { type HomeNow, HomeNowView, type ListedQueue } from './view.ts';

/** Keeps the queues and the running matches of the home page up to date. */

/** As many as a snapshot has. */
const MOST_MATCHES = 20;

type Now = Pick<HomeNow, 'queues' | 'matches'>;

/** The queues after a change: a closed queue is removed, a new one comes last. */
function withQueue(queues: readonly ListedQueue[], changed: ListedQueue): ListedQueue[] {
  if (changed.status === 'closed') return queues.filter(({ queueGuid }) => queueGuid !== changed.queueGuid);
  const isKnown = queues.some(({ queueGuid }) => queueGuid === changed.queueGuid);
  return isKnown
    ? queues.map((queue) => (queue.queueGuid === changed.queueGuid ? changed : queue))
    : [...queues, changed];
}

/** The queues and matches after an event of `GET /events`. */
function after(now: Now | null, type: string, data: unknown): Now {
  const { queues, matches } = now ?? { queues: [], matches: [] };
  if (type === 'snapshot') {
    const snapshot = data as Now;
    return { queues: snapshot.queues, matches: snapshot.matches };
  }
  if (type === 'queue') return { queues: withQueue(queues, data as ListedQueue), matches };
  const match = data as ListedMatch;
  const others = matches.filter(({ matchGuid }) => matchGuid !== match.matchGuid);
  return { queues, matches: type === 'matchStarted' ? [match, ...others].slice(0, MOST_MATCHES) : others };
}

const root = document.querySelector<HTMLElement>('#now');

function show({ state, connection, since }: Followed<Now>): void {
  if (root === null) return;
  const now = state ?? (JSON.parse(root.dataset.now ?? '') as Now);
  render(h(HomeNowView, { ...now, connection, since }), root);
  localTimes();
}

if (root !== null)
  follow<Now>({
    address: 'events',
    as: 'home',
    events: ['snapshot', 'queue', 'matchStarted', 'matchFinished'],
    reduce: after,
    show,
  });
