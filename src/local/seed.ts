import { dataOf, type HttpShapes, type Rest, rest } from '../../kit/typescript/rest.ts';
import { isoTime } from '../platform/clock.ts';
import type { AccountName } from './identity-provider/accounts.ts';
import { listEntries, loadCatalogue } from './map-host/catalogue.ts';
import type { Stack } from './stack.ts';

const POOL_SIZE = 24;
const SEASON_NAME = 'Local season';
const QUEUE_NAME = 'Local queue';
/** Where bots play on their own. */
const SECOND_QUEUE = 'Local queue for everybody';
export const DAY_MS = 24 * 3_600_000;
/** The length of each season before the running one. */
export const SEASON_DAYS = 60;
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
 * pooler, reviewed by another, published by an admin, and an open queue. What an earlier start has made is opened
 * again: a season that has ended goes on, and queues that closed with it are open.
 * @returns `isNew` is false when an earlier start had done it already
 */
export async function seed(stack: Seedable) {
  const admin = await restAs(stack, 'admin');
  const pooler = await restAs(stack, 'pooler-one');
  const reviewer = await restAs(stack, 'pooler-two');

  const seasonGuid = await runningSeason(admin);
  const open = await openQueue(admin, QUEUE_NAME);
  await openQueue(admin, SECOND_QUEUE);
  if (open) return { queueGuid: open.queueGuid, poolGuid: open.poolGuid, isNew: false };

  const maps = mapsIn(await categories(admin));
  const { poolGuid } = await dataOf(admin.POST('/pools', { body: { seasonGuid, name: 'Local pool' } }));
  const params = { path: { poolGuid } };
  await dataOf(pooler.POST('/pools/{poolGuid}/maps/batch', { params, body: { maps } }));
  await dataOf(pooler.POST('/pools/{poolGuid}/submit', { params }));
  const review = { verdict: 'approve', comment: 'Good to play.' } as const;
  await dataOf(reviewer.POST('/pools/{poolGuid}/reviews', { params, body: review }));
  await dataOf(admin.POST('/pools/{poolGuid}/publish', { params }));
  const { queueGuid } = await newQueue(admin, { name: QUEUE_NAME, poolGuid });
  return { queueGuid, poolGuid, isNew: true };
}

/** Two seasons before the running one, the oldest first, and a second queue on the same pool. Adds those that are missing. */
export async function openMore(stack: Seedable, poolGuid: string) {
  const admin = await restAs(stack, 'admin');
  const { items } = await dataOf(admin.GET('/seasons'));
  const [running] = items;
  if (running === undefined) throw new Error('No season is running.');
  const firstDay = Date.parse(running.startsAt);
  const seasons: { seasonGuid: string; from: number }[] = [];
  for (const [before, name] of [
    [2, 'First season'],
    [1, 'Second season'],
  ] as const) {
    const from = firstDay - before * SEASON_DAYS * DAY_MS;
    const body = { name, startsAt: isoTime(from), endsAt: isoTime(from + SEASON_DAYS * DAY_MS) };
    const found = items.find((season) => season.name === name);
    const { seasonGuid } = found ?? (await dataOf(admin.POST('/seasons', { body })));
    seasons.push({ seasonGuid, from });
  }
  const second =
    (await openQueue(admin, SECOND_QUEUE)) ?? (await newQueue(admin, { name: SECOND_QUEUE, poolGuid }));
  return {
    seasons,
    running: { seasonGuid: running.seasonGuid, from: firstDay },
    secondQueueGuid: second.queueGuid,
  };
}

/** The queue in which bots play on their own; null in a stack of an earlier version. */
export async function secondQueue(stack: Pick<Seedable, 'url'>): Promise<string | null> {
  const { items } = await dataOf(rest({ url: stack.url }).GET('/queues'));
  return items.find(({ name, status }) => name === SECOND_QUEUE && status === 'open')?.queueGuid ?? null;
}

/** The open queue of this name, if there is one; one that was closed is opened again. */
async function openQueue(admin: Rest, name: string) {
  const { items } = await dataOf(admin.GET('/queues'));
  const named = items.filter((queue) => queue.name === name);
  const open = named.find(({ status }) => status === 'open');
  const closed = named.find(({ status }) => status === 'closed');
  if (open || !closed) return open;
  // Refused when its pool is retired, or belongs to an earlier season.
  const { data } = await admin.POST('/queues/{queueGuid}/open', {
    params: { path: { queueGuid: closed.queueGuid } },
  });
  return data;
}

/** A new queue, which is open. */
export async function newQueue(admin: Rest, body: HttpShapes['NewQueue']) {
  const { queueGuid } = await dataOf(admin.POST('/queues', { body }));
  return dataOf(admin.POST('/queues/{queueGuid}/open', { params: { path: { queueGuid } } }));
}

/** The running season. When there is none, that of an earlier start goes on, or a new one begins. */
async function runningSeason(admin: Rest): Promise<string> {
  const now = Date.now();
  const { items } = await dataOf(admin.GET('/seasons'));
  const running = items.find(
    ({ startsAt, endsAt }) => Date.parse(startsAt) <= now && now < Date.parse(endsAt),
  );
  if (running) return running.seasonGuid;
  const endsAt = isoTime(now + 90 * DAY_MS);
  const ended = items.find(({ name }) => name === SEASON_NAME);
  if (ended) {
    const params = { path: { seasonGuid: ended.seasonGuid } };
    await dataOf(admin.PATCH('/seasons/{seasonGuid}', { params, body: { endsAt } }));
    return ended.seasonGuid;
  }
  const body = { name: SEASON_NAME, startsAt: isoTime(now - DAY_MS), endsAt };
  return (await dataOf(admin.POST('/seasons', { body }))).seasonGuid;
}

/** The categories. Adds those that are missing. */
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
