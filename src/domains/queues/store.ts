import { type Db, Prisma } from '../../platform/database/database.ts';
import { lockNames, shareName } from '../../platform/database/locks.ts';
import { type QueueQuery, type QueueRules, type QueueStatus, queueRules } from './schemas.ts';

/** A queue as pairing and matches need it. */
export interface Queue {
  queueGuid: string;
  name: string;
  poolGuid: string;
  /** The season of the pool. */
  seasonGuid: string;
  /** When that season ends, milliseconds since 1970. */
  seasonEndsAt: number;
  status: QueueStatus;
  rules: QueueRules;
}

/** How many players wait, and how many are in running matches. */
export type CountedQueue = Queue & { waiting: number; playing: number };

/** Reads every waiting player to count them: used to show a queue, not to join one. */
const include = {
  pool: { select: { seasonGuid: true, season: { select: { endsAt: true } } } },
  _count: { select: { entries: true } },
} as const;

type Row = Prisma.QueueGetPayload<{ include: typeof include }>;

/** Queues as read, with the number of players in running matches: two in each. */
async function withPlaying(db: Db, rows: readonly Row[]): Promise<CountedQueue[]> {
  const queueGuids = rows.map(({ queueGuid }) => queueGuid);
  const counts = await db.match.groupBy({
    by: ['queueGuid'],
    where: { endedAt: null, queueGuid: { in: queueGuids } },
    _count: true,
  });
  const running = new Map(counts.map(({ queueGuid, _count }) => [queueGuid, _count]));
  return rows.map((row) => ({
    queueGuid: row.queueGuid,
    name: row.name,
    poolGuid: row.poolGuid,
    seasonGuid: row.pool.seasonGuid,
    seasonEndsAt: row.pool.season.endsAt.getTime(),
    status: row.status as QueueStatus,
    rules: queueRules.parse(row.rules),
    waiting: row._count.entries,
    playing: 2 * (running.get(row.queueGuid) ?? 0),
  }));
}

/**
 * Queues without the counts, by `queueGuid`. One statement, because each tick, each set of new matches and each end of a match
 * run it.
 */
async function queuesWhere(db: Db, condition: Prisma.Sql): Promise<Queue[]> {
  const rows = await db.$queryRaw<(Omit<Queue, 'seasonEndsAt'> & { seasonEndsAt: Date })[]>`
    SELECT queue."queueGuid", queue.name, "poolGuid", "seasonGuid", "endsAt" AS "seasonEndsAt", queue.status, rules
    FROM "Queue" AS queue JOIN "Pool" USING ("poolGuid") JOIN "Season" USING ("seasonGuid")
    WHERE ${condition} ORDER BY queue."queueGuid"`;
  return rows.map((row) => ({
    ...row,
    seasonEndsAt: row.seasonEndsAt.getTime(),
    rules: queueRules.parse(row.rules),
  }));
}

export async function loadQueue(db: Db, queueGuid: string): Promise<CountedQueue | null> {
  const row = await db.queue.findUnique({ where: { queueGuid }, include });
  const [queue = null] = await withPlaying(db, row === null ? [] : [row]);
  return queue;
}

/** The season of a queue's pool; null: there is no such queue. */
export async function seasonOfQueue(db: Db, queueGuid: string): Promise<string | null> {
  const row = await db.queue.findUnique({
    where: { queueGuid },
    select: { pool: { select: { seasonGuid: true } } },
  });
  return row?.pool.seasonGuid ?? null;
}

const lockOf = (queueGuid: string): string => `queue ${queueGuid}`;

/**
 * Reads a queue and prevents that it is opened, drained, closed or changed until the transaction has ended. Joins, new matches and
 * ends of matches share it: none of them waits for another.
 */
export async function shareQueue(db: Db, queueGuid: string): Promise<Queue | null> {
  await shareName(db, lockOf(queueGuid));
  const [queue = null] = await queuesWhere(db, Prisma.sql`queue."queueGuid" = ${queueGuid}::uuid`);
  return queue;
}

/**
 * Reads a queue to change it. Advisory locks are given in the order they are asked for: a crowd that joins does not
 * keep staff waiting, as it would with a lock of the row.
 */
export async function lockQueue(db: Db, queueGuid: string): Promise<CountedQueue | null> {
  await lockNames(db, lockOf(queueGuid));
  return loadQueue(db, queueGuid);
}

/** Shares the queue of a match that ends; locks it while it drains, because that end may close it. */
export async function shareQueueForEnd(db: Db, queueGuid: string): Promise<Queue | null> {
  const open = await db.queue.count({ where: { queueGuid, status: 'open' } });
  return open > 0 ? shareQueue(db, queueGuid) : lockQueue(db, queueGuid);
}

/** The open queues: where players are paired. */
export const loadQueuesToPair = (db: Db): Promise<Queue[]> =>
  queuesWhere(db, Prisma.sql`queue.status = 'open'`);

/** Newest first: ids grow with time. An omitted field does not filter. */
export async function findQueues(
  db: Db,
  {
    statuses,
    poolGuid,
    seasonGuid,
  }: Pick<QueueQuery, 'poolGuid' | 'seasonGuid'> & { statuses: QueueStatus[] },
  before: string | undefined,
  limit: number,
): Promise<CountedQueue[]> {
  const rows = await db.queue.findMany({
    where: {
      status: { in: statuses },
      poolGuid,
      pool: { seasonGuid },
      queueGuid: { lt: before },
    },
    include,
    orderBy: { queueGuid: 'desc' },
    take: limit,
  });
  return withPlaying(db, rows);
}

type QueueRecord = Pick<Queue, 'queueGuid' | 'name' | 'poolGuid' | 'rules'>;

/** A new queue, closed. */
export async function insertQueue(db: Db, queue: QueueRecord, at: number): Promise<CountedQueue> {
  await db.queue.create({
    data: {
      ...queue,
      status: 'closed',
      createdAt: new Date(at),
      updatedAt: new Date(at),
    },
  });
  return (await loadQueue(db, queue.queueGuid)) as CountedQueue;
}

export async function updateQueue(
  db: Db,
  queueGuid: string,
  data: Partial<Omit<QueueRecord, 'queueGuid'>> & { status?: QueueStatus },
  at: number,
): Promise<CountedQueue> {
  await db.queue.update({ where: { queueGuid }, data: { ...data, updatedAt: new Date(at) } });
  return (await loadQueue(db, queueGuid)) as CountedQueue;
}

/** By `queueGuid`, the order in which queues are locked. */
async function guidsWhere(db: Db, where: Prisma.QueueWhereInput): Promise<string[]> {
  const rows = await db.queue.findMany({
    where,
    select: { queueGuid: true },
    orderBy: { queueGuid: 'asc' },
  });
  return rows.map((row) => row.queueGuid);
}

/** All queues of this pool, in the order in which queues are locked. */
export const queuesOfPool = (db: Db, poolGuid: string) => guidsWhere(db, { poolGuid });

/** Open queues whose season has ended by `now` (milliseconds since 1970). */
export const openQueuesOfEndedSeasons = (db: Db, now: number) =>
  guidsWhere(db, { status: 'open', pool: { season: { endsAt: { lte: new Date(now) } } } });

/** Queues that stopped pairing and still have entries, and whether their pool was retired. */
export async function stoppedQueuesWithEntries(db: Db) {
  const rows = await db.queue.findMany({
    where: { status: { not: 'open' }, entries: { some: {} } },
    select: { queueGuid: true, pool: { select: { status: true } } },
  });
  return rows.map(({ queueGuid, pool }) => ({ queueGuid, isPoolRetired: pool.status === 'retired' }));
}

/**
 * draining → closed when no match of the queue is running. The caller has locked the queue, so of two matches that end
 * at once the second sees that none is left.
 * @returns whether it closed now
 */
export async function closeIfDrained(db: Db, queueGuid: string): Promise<boolean> {
  if ((await db.match.count({ where: { queueGuid, endedAt: null } })) > 0) return false;
  const { count } = await db.queue.updateMany({
    where: { queueGuid, status: 'draining' },
    data: { status: 'closed' },
  });
  return count > 0;
}
