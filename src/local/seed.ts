import { dataOf, type HttpShapes, type Rest, rest } from '../../kit/typescript/rest.ts';
import type { AccountName } from './identity-provider/accounts.ts';
import { listEntries, loadCatalogue } from './map-host/catalogue.ts';
import type { Stack } from './stack.ts';

const POOL_SIZE = 24;
const QUEUE_NAME = 'Local queue';
/** Where bots play on their own. */
export const SECOND_QUEUE = 'Local queue for everybody';
const DAY_MS = 24 * 3_600_000;
const CATEGORIES = [
  { name: 'Accuracy', color: '#3fa7d6' },
  { name: 'Speed', color: '#ee6352' },
  { name: 'Tech', color: '#9b5de5' },
  { name: 'Challenge', color: '#f9c846' },
];

/** Where the service is, and who signs in its staff. */
type Seedable = Pick<Stack, 'url' | 'identityProvider'>;

/** The REST API for somebody who has signed in with this account. */
export const restAs = async ({ url, identityProvider }: Seedable, account: AccountName): Promise<Rest> =>
  rest({ url, token: await identityProvider.accountToken(account) });

/**
 * Fills the service through its public REST API, as staff would: a season, categories, a pool curated by one
 * pooler, reviewed by another, published by an admin, and an open queue. Does nothing when a queue is open.
 * @returns `isNew` is false when an earlier start had done it already
 */
export async function seed(stack: Seedable) {
  const admin = await restAs(stack, 'admin');
  const pooler = await restAs(stack, 'pooler-one');
  const reviewer = await restAs(stack, 'pooler-two');

  const { items } = await dataOf(admin.GET('/queues'));
  const open = items.find((queue) => queue.name === QUEUE_NAME && queue.status === 'open');
  if (open) return { queueGuid: open.queueGuid, poolGuid: open.poolGuid, isNew: false };

  const seasonGuid = await runningSeason(admin);
  const maps = mapsIn(await categories(admin));
  const { poolGuid } = await dataOf(admin.POST('/pools', { body: { seasonGuid, name: 'Local pool' } }));
  const params = { path: { poolGuid } };
  await dataOf(pooler.POST('/pools/{poolGuid}/maps/batch', { params, body: { maps } }));
  await dataOf(pooler.POST('/pools/{poolGuid}/submit', { params }));
  const review = { verdict: 'approve', comment: 'Good to play.' } as const;
  await dataOf(reviewer.POST('/pools/{poolGuid}/reviews', { params, body: review }));
  await dataOf(admin.POST('/pools/{poolGuid}/publish', { params }));
  const { queueGuid } = await dataOf(admin.POST('/queues', { body: { name: QUEUE_NAME, poolGuid } }));
  await dataOf(admin.POST('/queues/{queueGuid}/open', { params: { path: { queueGuid } } }));
  return { queueGuid, poolGuid, isNew: true };
}

/** The queue in which bots play on their own; null in a stack of an earlier version. */
export async function secondQueue(stack: Pick<Seedable, 'url'>): Promise<string | null> {
  const { items } = await dataOf(rest({ url: stack.url }).GET('/queues'));
  return items.find(({ name, status }) => name === SECOND_QUEUE && status === 'open')?.queueGuid ?? null;
}

/** The running season; a new one when there is none. */
async function runningSeason(admin: Rest): Promise<string> {
  const now = Date.now();
  const { items } = await dataOf(admin.GET('/seasons'));
  const running = items.find(
    ({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt),
  );
  const body = {
    name: 'Local season',
    startsAt: new Date(now - DAY_MS).toISOString(),
    endsAt: new Date(now + 90 * DAY_MS).toISOString(),
  };
  const { seasonGuid } = running ?? (await dataOf(admin.POST('/seasons', { body })));
  return seasonGuid;
}

/** The categories, those that are missing added. */
async function categories(admin: Rest): Promise<string[]> {
  const { items } = await dataOf(admin.GET('/map-categories'));
  const guids: string[] = [];
  for (const body of CATEGORIES) {
    const found = items.find(({ name }) => name === body.name);
    const { categoryGuid } = found ?? (await dataOf(admin.POST('/map-categories', { body })));
    guids.push(categoryGuid);
  }
  return guids;
}

/** The hardest difficulty of the first maps, in all categories by turns. */
function mapsIn(categoryGuids: readonly string[]): HttpShapes['NewPoolMap'][] {
  const hardestOfEach = new Map(
    listEntries(loadCatalogue())
      .filter((entry) => entry.playable && entry.maxScore !== null && entry.characteristic === 'Standard')
      .map((entry) => [entry.key, entry]),
  );
  return [...hardestOfEach.values()].slice(0, POOL_SIZE).map(({ key, characteristic, difficulty }, at) => ({
    key,
    characteristic,
    difficulty,
    categoryGuid: categoryGuids[at % categoryGuids.length] ?? '',
    modifiers: at % 8 === 5 ? ['FS'] : at % 8 === 7 ? ['DA'] : [],
  }));
}

/** Lets everybody in the queue be paired with everybody, at once and whatever their ratings. */
export async function meetAnybody(stack: Seedable, queueGuid: string): Promise<void> {
  const admin = await restAs(stack, 'admin');
  const body = { rules: { pairing: { initialGap: 10_000 } } };
  await dataOf(admin.PATCH('/queues/{queueGuid}', { params: { path: { queueGuid } }, body }));
}
