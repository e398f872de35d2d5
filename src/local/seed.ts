import type { AccountName } from './identity-provider/accounts.ts';
import { listEntries, loadCatalogue } from './map-host/catalogue.ts';
import type { Stack } from './stack.ts';

/** The result of the seed. */
export interface Seeded {
  queueGuid: string;
  poolGuid: string;
  /** False when an earlier start had done it already. */
  isNew: boolean;
}

const POOL_SIZE = 24;
const QUEUE_NAME = 'Local queue';
const DAY_MS = 24 * 3_600_000;
const CATEGORIES = [
  { name: 'Accuracy', color: '#3fa7d6' },
  { name: 'Speed', color: '#ee6352' },
  { name: 'Tech', color: '#9b5de5' },
  { name: 'Challenge', color: '#f9c846' },
];

interface Queue {
  queueGuid: string;
  poolGuid: string;
  name: string;
  status: string;
}

/** Where the service is, and who signs in its staff. */
type Seedable = Pick<Stack, 'url' | 'identityProvider'>;

/** One account's way to the REST API; throws with the API's own words when it refuses. */
function restOf(stack: Seedable, token: string) {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${stack.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
}

/**
 * Fills the service through its public REST API, as staff would: a season, categories, a pool curated by one
 * pooler, reviewed by another, published by an admin, and an open queue. Does nothing when a queue is open.
 */
export async function seed(stack: Seedable): Promise<Seeded> {
  const as = async (account: AccountName) =>
    restOf(stack, await stack.identityProvider.accountToken(account));
  const [admin, pooler, reviewer] = [await as('admin'), await as('pooler-one'), await as('pooler-two')];

  const { items } = await admin<{ items: Queue[] }>('GET', '/queues');
  const open = items.find((queue) => queue.name === QUEUE_NAME && queue.status === 'open');
  if (open) return { queueGuid: open.queueGuid, poolGuid: open.poolGuid, isNew: false };

  const now = Date.now();
  const seasons = await admin<{ items: { seasonGuid: string; startsAt: string; endsAt: string }[] }>(
    'GET',
    '/seasons',
  );
  const running = seasons.items.find(
    ({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt),
  );
  const { seasonGuid } =
    running ??
    (await admin<{ seasonGuid: string }>('POST', '/seasons', {
      name: 'Local season',
      startsAt: new Date(now - DAY_MS).toISOString(),
      endsAt: new Date(now + 90 * DAY_MS).toISOString(),
    }));

  const known = await admin<{ items: { categoryGuid: string; name: string }[] }>('GET', '/map-categories');
  const categoryGuids: string[] = [];
  for (const category of CATEGORIES) {
    const found = known.items.find(({ name }) => name === category.name);
    const { categoryGuid } =
      found ?? (await admin<{ categoryGuid: string }>('POST', '/map-categories', category));
    categoryGuids.push(categoryGuid);
  }

  const { poolGuid } = await admin<{ poolGuid: string }>('POST', '/pools', {
    seasonGuid,
    name: 'Local pool',
  });
  const hardestOfEach = new Map(
    listEntries(loadCatalogue())
      .filter((entry) => entry.playable && entry.maxScore !== null && entry.characteristic === 'Standard')
      .map((entry) => [entry.key, entry]),
  );
  const maps = [...hardestOfEach.values()]
    .slice(0, POOL_SIZE)
    .map(({ key, characteristic, difficulty }, at) => ({
      key,
      characteristic,
      difficulty,
      categoryGuid: categoryGuids[at % categoryGuids.length],
      modifiers: at % 8 === 5 ? ['FS'] : at % 8 === 7 ? ['DA'] : [],
    }));
  await pooler('POST', `/pools/${poolGuid}/maps/batch`, { maps });
  await pooler('POST', `/pools/${poolGuid}/submit`);
  await reviewer('POST', `/pools/${poolGuid}/reviews`, { verdict: 'approve', comment: 'Good to play.' });
  await admin('POST', `/pools/${poolGuid}/publish`);
  const { queueGuid } = await admin<Queue>('POST', '/queues', { name: QUEUE_NAME, poolGuid });
  await admin('POST', `/queues/${queueGuid}/open`);
  return { queueGuid, poolGuid, isNew: true };
}

/** Lets everybody in the queue be paired with everybody, at once and whatever their ratings. */
export async function meetAnybody(stack: Seedable, queueGuid: string): Promise<void> {
  const admin = restOf(stack, await stack.identityProvider.accountToken('admin'));
  await admin('PATCH', `/queues/${queueGuid}`, { rules: { pairing: { initialGap: 10_000 } } });
}
