import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from './clock.ts';
import type { Database } from './database/database.ts';
import { withoutDeadline } from './database/deadline.ts';
import { isOutOfReach, OutOfReach } from './database/out-of-reach.ts';
import { databaseProbes } from './database/probes.ts';
import { type Lease, takeLease } from './leases.ts';
import { repeat, singleFlight } from './loop.ts';
import { openNodeSession, type Run } from './node-session.ts';
import { deleteNode, selectPeers, storeHeartbeat } from './node-store.ts';
import { isOff, type ServiceClock } from './service-clock.ts';

/**
 * This process as one of the nodes on a database. It writes a heartbeat twice a second. The heartbeats alone, by the
 * clock of the database, say which nodes live and which are in service, that is, can read and write.
 */
export type ServiceNode = Awaited<ReturnType<typeof joinNodes>>;

/** The life of the whole service, from the heartbeats of its nodes. */
export interface ServiceLife {
  /** Waits until it is known whether another node is in service. @returns whether none is */
  isNobodyInService(run: Run, hasPeers: () => Promise<boolean>): Promise<boolean>;
  /** Stores that this node is in service now. */
  markInService(run: Run): Promise<void>;
}

const HEARTBEAT_MS = 500;
/** A node without a heartbeat for this long loses its leases, and acts on nothing before its next heartbeat. */
export const SILENT_MS = 3000;
/**
 * A node without a heartbeat for this long counts as dead: the other nodes free the seats of its players. A node that
 * started while no other was in service frees them after `SILENT_MS` already.
 */
export const DEAD_MS = 5000;
/** An exclusive period ends this long after it was last confirmed; a node that finds others waits as long to write. */
const CONFIRMED_FOR_MS = 1000;

interface NodeOptions {
  database: Database;
  databaseUrl: string;
  /** Adjusted to the time of the database by each heartbeat. */
  clock: ServiceClock;
  life: ServiceLife;
  logger: FastifyBaseLogger;
  /** The newest version of the rules of matches that this process knows. */
  rulesVersion: number;
  /** Until when every command that arrived at this process is done, by the service's clock. */
  doneUntil(): Promise<number>;
  /** Called after a time without heartbeats, in which other nodes may have freed the seats of this node: claims them again. */
  onRevived(): Promise<void>;
  /** Called when a node is removed. */
  onForgotten(nodeGuid: string): Promise<void>;
}

/** How long a starting node retries while the database is out of reach. */
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = 250;

/** Retries while the database is out of reach. */
async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfReach(error) || performance.now() - startedAt > RETRY_FOR_MS) throw error;
      await sleep(RETRY_EVERY_MS);
    }
  }
}

/** @returns logs when the clock of the machine goes wrong, and when it is right again */
function machineClockCheck(clock: ServiceClock, logger: FastifyBaseLogger): () => void {
  let wasOff = false;
  return () => {
    const aheadMs = clock.machineAheadMs();
    if (isOff(aheadMs) === wasOff) return;
    wasOff = !wasOff;
    if (wasOff)
      logger.warn({ aheadMs }, 'the clock of this machine is not the database’s; the database’s is used');
    else logger.info({ aheadMs }, 'the clock of this machine is right again');
  };
}

/** A time in which this node is the only one on the database. By `performance.now()`, which is monotonic. */
interface ExclusivePeriod {
  since: number;
  confirmedAt: number;
}

const isConfirmed = ({ confirmedAt }: ExclusivePeriod): boolean =>
  performance.now() - confirmedAt < CONFIRMED_FOR_MS;

/**
 * Registers this process as a node. The order of use: `joinNodes` when the domains are open; `begin` when the node listens,
 * from then on it is in service; `untilInService` before an event of one match is decided; `lead` before each run of a leader's
 * task; `retire` when it stops to serve, which ends its service; `stop` at last, after the connections have ended.
 */
export async function joinNodes(options: NodeOptions) {
  const { database, databaseUrl, clock, life, logger, rulesVersion, doneUntil, onRevived } = options;
  const nodeGuid = newGuid();
  const { run, close } = openNodeSession(database, databaseUrl, logger);

  const peers = () => selectPeers(database, nodeGuid);
  const living = async () =>
    (await peers()).filter(({ silentForMs }) => silentForMs < DEAD_MS).map((peer) => peer.nodeGuid);
  const hasPeers = async (): Promise<boolean> => (await living()).length > 0;
  let exclusivePeriod: ExclusivePeriod | null = null;

  const livingPeers = async () => {
    const askedAt = performance.now();
    const found = await living();
    if (found.length > 0) exclusivePeriod = null;
    // After a gap a new period begins, because another node may have come and gone.
    else if (exclusivePeriod === null || !isConfirmed(exclusivePeriod))
      exclusivePeriod = { since: askedAt, confirmedAt: askedAt };
    else exclusivePeriod.confirmedAt = Math.max(exclusivePeriod.confirmedAt, askedAt);
    return found;
  };

  let stage: 'joining' | 'serving' | 'retired' = 'joining';
  const begun = Promise.withResolvers<void>();
  begun.promise.catch(() => undefined);
  let epochs = new Map<string, number>();
  // When the last answered heartbeat was stored, by the database, and when the last one in service was sent, by this process.
  let seenAt = 0;
  let inServiceAt = Number.NEGATIVE_INFINITY;
  let mustRevive = false;
  const probes = databaseProbes(database);
  const checkMachineClock = machineClockCheck(clock, logger);

  const isInService = (): boolean =>
    performance.now() - inServiceAt < SILENT_MS && inServiceAt > database.fullAt();

  /** Runs beside the heartbeats, which must not wait for thousands of connections. */
  const revive = singleFlight(async (): Promise<void> => {
    logger.warn('this node was silent; others may have taken it for dead: claiming its connections again');
    mustRevive = false;
    try {
      await onRevived();
    } catch (error) {
      mustRevive = true;
      if (!isOutOfReach(error)) logger.error({ err: error }, 'the connections could not be claimed again');
    }
  });
  let reviving: Promise<void> | undefined;

  const beat = async (): Promise<void> => {
    // Without the pool, or room for its writes, a node lives but is not in service.
    const serves = stage === 'serving' && (await probes.works());
    const done = new Date(await doneUntil());
    const sentAt = performance.now();
    const [answer] = await run(storeHeartbeat, nodeGuid, serves, rulesVersion, done);
    if (answer === undefined) throw new Error('A heartbeat was not answered.');
    clock.observe({ sentAt, receivedAt: performance.now(), databaseNow: answer.now });
    checkMachineClock();
    epochs = new Map(Object.entries(answer.leases));
    // A node that started as the only one frees seats after `SILENT_MS`. The claims are cheap and idempotent.
    if (stage === 'serving' && (answer.isNew || answer.seenAt - seenAt >= SILENT_MS)) mustRevive = true;
    seenAt = answer.seenAt;
    if (!serves) return;
    // The other node may have found the disk full; this one may not have written since.
    if (answer.isPeerOut && !(await probes.hasRoom())) return;
    // Before this node writes, exclusive periods of other nodes must have ended.
    if (mustRevive && !isInService() && (await livingPeers()).length > 0) await sleep(CONFIRMED_FOR_MS);
    await life.markInService(run);
    // Not later than the time that the database stored, so this node gives a lease up before another one may take it.
    inServiceAt = sentAt;
    if (mustRevive) reviving = revive();
  };

  let beating: Promise<void> | undefined;
  /** All callers share one heartbeat, so it has no deadline: that of the command which began it is not for the others. */
  const beatNow = (): Promise<void> => {
    beating ??= withoutDeadline(beat).finally(() => {
      beating = undefined;
    });
    return beating;
  };

  /** @throws OutOfReach */
  const requireInService = async (): Promise<void> => {
    // A running heartbeat may have begun before this node was suspended.
    for (let times = 0; times < 2 && !isInService(); times++) await beatNow();
    if (!isInService()) throw new OutOfReach(new Error('this node is not in service'));
  };

  await withRetry(beatNow);
  const heartbeat = repeat('heartbeat', HEARTBEAT_MS, beatNow, logger);
  let startedAsOnlyNode: boolean;
  try {
    startedAsOnlyNode = await withRetry(() => life.isNobodyInService(run, hasPeers));
    // Before this node writes, exclusive periods of other nodes must have ended.
    if ((await withRetry(livingPeers)).length > 0) await sleep(CONFIRMED_FOR_MS);
  } catch (error) {
    await heartbeat.stop();
    await close();
    throw error;
  }

  return {
    nodeGuid,
    /** Whether the last heartbeat in service is less than 3 s old, and the disk has refused no write since. */
    isInService,
    /** Waits until this node is in service, and so knows of every outage up to now. @throws OutOfReach */
    untilInService: async () => {
      if (isInService()) return;
      await begun.promise;
      await requireInService();
    },
    /** Writes the first heartbeat in service. From now on the node serves players. */
    begin: async () => {
      stage = 'serving';
      await withRetry(requireInService);
      begun.resolve();
    },
    /** Whether no other node was in service when this one started. */
    startedAsOnlyNode,
    /** Nodes without a heartbeat for `silentMs` or longer. */
    deadNodes: async (silentMs: number) =>
      (await peers()).filter(({ silentForMs }) => silentForMs >= silentMs),
    /** Removes a node that is still silent. Until then `deadNodes` reports it, on every node. */
    forget: async (guid: string, silentMs: number) => {
      const removed = await deleteNode(database, guid, silentMs);
      if (removed.length > 0) await options.onForgotten(guid);
    },
    /** The guids of the other nodes that live on this database. `exclusivePeriod` needs this to be called at least once a second. */
    livingPeers,
    /**
     * The current period in which this node is the only one on the database, an object for each period; null while there
     * may be another node. Data that this node read or wrote in a period stay current until its end, so they may be cached.
     */
    exclusivePeriod: (): object | null =>
      exclusivePeriod !== null &&
      isConfirmed(exclusivePeriod) &&
      performance.now() - exclusivePeriod.since >= DEAD_MS
        ? exclusivePeriod
        : null,
    /** The lease of a task, taken now or before; null while another node has it. A task has one name on every node. */
    lead: async (task: string): Promise<Lease | null> => {
      if (!isInService()) return null;
      const epoch = epochs.get(task) ?? (await run(takeLease, task, nodeGuid, SILENT_MS))[0]?.epoch;
      if (epoch === undefined) return null;
      epochs.set(task, epoch);
      return { task, nodeGuid, epoch };
    },
    /** Writes the last heartbeat in service. */
    retire: async () => {
      await heartbeat.stop();
      await beating?.catch(() => undefined);
      // Stores that this node was in service until now. A node that is not in service leaves the last time as it is.
      if (stage === 'serving' && isInService())
        await beatNow().catch((error: unknown) => {
          if (!isOutOfReach(error)) throw error;
        });
      stage = 'retired';
      begun.reject(new OutOfReach(new Error('this node stops')));
    },
    stop: async () => {
      await heartbeat.stop();
      await reviving;
      await close();
    },
  };
}
