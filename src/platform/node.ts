import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from './clock.ts';
import type { Database } from './database/database.ts';
import { isOutOfReach, OutOfReach } from './database/outage.ts';
import { type Lease, takeLease } from './leases.ts';
import { type Loop, repeat } from './loop.ts';
import { openNodeSession, type Run } from './node-session.ts';
import { isOff, type ServiceClock } from './service-clock.ts';

/**
 * This process among the others on the same database. It leaves a heartbeat there twice a second, and only by that,
 * by the database's clock, is it known who lives and who is in service: a node that could read and write.
 */
export interface ServiceNode {
  nodeGuid: string;
  /** Whether this node knows where it stands: its last heartbeat in service is fresh. */
  isInService(): boolean;
  /**
   * Waits until this node knows where it stands: what happened while it stood still has been learned.
   * @throws OutOfReach when the database cannot be read and written
   */
  confirm(): Promise<void>;
  /** The first heartbeat in service: from now on players are served. */
  begin(): Promise<void>;
  /** Whether no other node was in service when this one began. */
  beganAlone(): boolean;
  /** Nodes that have said nothing for so long, milliseconds. */
  deadNodes(silentMs: number): Promise<{ nodeGuid: string; silentForMs: number }[]>;
  /** The end of a node that is still silent has been made up for. Until then it is reported again, to whoever asks. */
  forget(nodeGuid: string, silentMs: number): Promise<void>;
  /** Whether another process lives on this database. Whoever relies on `solitude` asks again and again. */
  hasLivingPeers(): Promise<boolean>;
  /**
   * The present stretch of being alone on this database, an object for each; null while another process may
   * be there. What was read or written in a stretch is what the database has for as long as it lasts.
   */
  solitude(): object | null;
  /**
   * Takes a task for the whole process; null while another one has it.
   * @param task its name, the same on every node
   */
  lead(task: string): Promise<Lease | null>;
  /** The last heartbeat in service; no other one follows. */
  retire(): Promise<void>;
  stop(): Promise<void>;
}

/** What heartbeats tell of the service as a whole. */
export interface ServiceLife {
  /** Waits until it is known whether another node is in service. @returns whether none is */
  findOut(run: Run, hasPeers: () => Promise<boolean>): Promise<boolean>;
  /** This node is in service now. */
  sign(run: Run): Promise<void>;
}

const HEARTBEAT_MS = 500;
/** A node that has said nothing for this long has lost its tasks, and acts on nothing before it has spoken again. */
export const SILENT_MS = 3000;
/** After this long it counts as dead: its players are lost. */
export const DEAD_MS = 5000;
/** How long the pool may take to show that a statement gets through. */
const POOL_MS = 1000;
const MOST_PROBES = 4;
/** How long a look that found nobody is relied on; a node that finds others waits this long for them to notice. */
const NOTICED_AFTER_MS = 1000;

interface NodeOptions {
  database: Database;
  databaseUrl: string;
  /** Told the time of the database with each heartbeat. */
  clock: ServiceClock;
  life: ServiceLife;
  logger: FastifyBaseLogger;
  /** The newest rules of matches that this process knows. */
  rulesVersion: number;
  /** Others may have taken this node for dead and given up its connections: claim them again. */
  onRevived(): Promise<void>;
}

interface Beat {
  now: number;
  isNew: boolean;
  leases: Record<string, number>;
}

const BEAT = `
  INSERT INTO "ServiceNode" ("nodeGuid", "startedAt", "seenAt", serves, "rulesVersion")
  VALUES ($1::uuid, clock_timestamp(), clock_timestamp(), $2, $3)
  ON CONFLICT ("nodeGuid") DO UPDATE SET "seenAt" = clock_timestamp(), serves = $2
  RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, xmax = 0 AS "isNew", (
    SELECT coalesce(jsonb_object_agg(task, epoch), '{}') FROM "Lease" WHERE "nodeGuid" = $1::uuid
  ) AS leases`;

/** How long a starting node puts up with a database that is away: a connection may break at any moment. */
const PATIENCE_MS = 15_000;
const AGAIN_AFTER_MS = 250;

/** Tries again while the database is out of reach, for a while. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfReach(error) || performance.now() - startedAt > PATIENCE_MS) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/** Enters this process among the nodes. It is not in service before `begin`. */
export async function joinNodes(options: NodeOptions): Promise<ServiceNode> {
  const { database, databaseUrl, clock, life, logger, rulesVersion, onRevived } = options;
  const nodeGuid = newGuid();
  const { run, close } = openNodeSession(database, databaseUrl, logger);

  const peers = async (): Promise<{ nodeGuid: string; silentForMs: number }[]> => {
    const { rows } = await database.pool.query({
      name: 'peers',
      text: `
        SELECT "nodeGuid", round(extract(epoch FROM clock_timestamp() - "seenAt") * 1000)::int AS "silentForMs"
        FROM "ServiceNode" WHERE "nodeGuid" <> $1::uuid`,
      values: [nodeGuid],
    });
    return rows;
  };
  const hasPeers = async (): Promise<boolean> =>
    (await peers()).some(({ silentForMs }) => silentForMs < DEAD_MS);

  /** Times of `performance.now()`: nobody sets that clock. */
  let solitude: { since: number; confirmedAt: number } | null = null;
  const isConfirmed = ({ confirmedAt }: { confirmedAt: number }) =>
    performance.now() - confirmedAt < NOTICED_AFTER_MS;

  const hasLivingPeers = async (): Promise<boolean> => {
    const askedAt = performance.now();
    const isLonely = !(await hasPeers());
    if (!isLonely) solitude = null;
    // After a gap it is another stretch: somebody may have come and gone.
    else if (solitude === null || !isConfirmed(solitude)) solitude = { since: askedAt, confirmedAt: askedAt };
    else solitude.confirmedAt = Math.max(solitude.confirmedAt, askedAt);
    return !isLonely;
  };

  let stage: 'joining' | 'serving' | 'retired' = 'joining';
  let begun: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();
  let leads = new Map<string, number>();
  /** When the last heartbeat was sent that was answered, and the last one in service. */
  let seenAt = performance.now();
  let inServiceAt = Number.NEGATIVE_INFINITY;
  let mustRevive = false;
  /** Statements that show whether the pool works. A connection may be half open: the next one takes another. */
  const probes = new Set<Promise<unknown>>();

  /** Whether the pool gets a statement through: without it this node lives and serves nobody. */
  const poolWorks = (): Promise<boolean> => {
    if (probes.size < MOST_PROBES) {
      const probe: Promise<unknown> = database.pool.query('SELECT 1').finally(() => probes.delete(probe));
      probe.catch(() => undefined);
      probes.add(probe);
    }
    const anyAnswers = Promise.any(probes).then(
      () => true,
      () => false,
    );
    return Promise.race([anyAnswers, sleep(POOL_MS, false, { ref: false })]);
  };

  let clockIsOff = false;
  const lookAtClock = (): void => {
    const aheadMs = clock.machineAheadMs() ?? 0;
    if (isOff(aheadMs) === clockIsOff) return;
    clockIsOff = !clockIsOff;
    if (clockIsOff)
      logger.warn({ aheadMs }, 'the clock of this machine is not the database’s; that one counts');
    else logger.info({ aheadMs }, 'the clock of this machine is right again');
  };

  const isInService = (): boolean => performance.now() - inServiceAt < SILENT_MS;

  let reviving: Promise<void> | undefined;
  /** Beside the heartbeats, which must not wait for thousands of connections. */
  const revive = (): void => {
    reviving ??= (async () => {
      logger.warn('this node was silent; others may have taken it for dead: claiming its connections again');
      mustRevive = false;
      await onRevived();
    })()
      .catch((error: unknown) => {
        mustRevive = true;
        if (!isOutOfReach(error)) logger.error({ err: error }, 'the connections could not be claimed again');
      })
      .finally(() => {
        reviving = undefined;
      });
  };

  const beat = async (): Promise<void> => {
    const serves = stage === 'serving' && (await poolWorks());
    const sentAt = performance.now();
    const [answer] = await run<Beat & Record<string, unknown>>(BEAT, [nodeGuid, serves, rulesVersion]);
    if (answer === undefined) throw new Error('A heartbeat was not answered.');
    clock.observe({ sentAt, receivedAt: performance.now(), databaseNow: answer.now });
    lookAtClock();
    leads = new Map(Object.entries(answer.leases));
    if (stage === 'serving' && (answer.isNew || sentAt - seenAt >= DEAD_MS)) mustRevive = true;
    seenAt = sentAt;
    if (!serves) return;
    // Nothing is written before the others have stopped relying on being alone.
    if (mustRevive && !isInService() && (await hasLivingPeers())) await sleep(NOTICED_AFTER_MS);
    const signedAt = performance.now();
    await life.sign(run);
    inServiceAt = signedAt;
    if (mustRevive) revive();
  };

  let beating: Promise<void> | undefined;
  const beatNow = (): Promise<void> => {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
    return beating;
  };

  await patiently(beatNow);
  const heartbeat: Loop = repeat('heartbeat', HEARTBEAT_MS, beatNow, logger);
  let isAlone: boolean;
  try {
    isAlone = await patiently(() => life.findOut(run, hasPeers));
    // Nothing is written before the others have stopped relying on being alone.
    if (await patiently(hasLivingPeers)) await sleep(NOTICED_AFTER_MS);
  } catch (error) {
    await heartbeat.stop();
    await close();
    throw error;
  }

  return {
    nodeGuid,
    isInService,
    confirm: async () => {
      if (isInService()) return;
      await begun?.promise;
      // The heartbeat that is under way may be one from before this node stood still.
      for (let times = 0; times < 2 && !isInService(); times++) await beatNow();
      if (!isInService()) throw new OutOfReach(new Error('this node is not in service'));
    },
    begin: async () => {
      stage = 'serving';
      await patiently(async () => {
        for (let times = 0; times < 2 && !isInService(); times++) await beatNow();
        if (!isInService()) throw new OutOfReach(new Error('the first heartbeat failed'));
      });
      begun?.resolve();
      begun = null;
    },
    beganAlone: () => isAlone,
    deadNodes: async (silentMs) => (await peers()).filter(({ silentForMs }) => silentForMs >= silentMs),
    forget: async (guid, silentMs) => {
      await database.prisma.$executeRaw`
        DELETE FROM "ServiceNode" WHERE "nodeGuid" = ${guid}::uuid
          AND "seenAt" <= clock_timestamp() - ${silentMs}::int * interval '1 millisecond'`;
    },
    hasLivingPeers,
    solitude: () =>
      solitude !== null && isConfirmed(solitude) && performance.now() - solitude.since >= DEAD_MS
        ? solitude
        : null,
    lead: async (task) => {
      if (!isInService()) return null;
      let epoch = leads.get(task) ?? null;
      if (epoch === null) {
        epoch = await takeLease(run, task, nodeGuid, SILENT_MS);
        if (epoch !== null) leads.set(task, epoch);
      }
      return epoch === null ? null : { task, nodeGuid, epoch };
    },
    retire: async () => {
      await heartbeat.stop();
      await beating?.catch(() => undefined);
      // The time until now was service; what was left before an outage will do.
      if (stage === 'serving' && isInService())
        await beatNow().catch((error: unknown) => {
          if (!isOutOfReach(error)) throw error;
        });
      stage = 'retired';
      begun?.reject(new OutOfReach(new Error('this node stops')));
      begun?.promise.catch(() => undefined);
      begun = null;
    },
    stop: async () => {
      await heartbeat.stop();
      await reviving;
      await close();
    },
  };
}
