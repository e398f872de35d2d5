import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Clock } from './clock.ts';
import { newGuid } from './clock.ts';
import type { Database } from './database/database.ts';
import { isOutOfReach, OutOfReach } from './database/outage.ts';
import { endWhenSilent } from './database/silence.ts';
import { type Loop, repeat } from './loop.ts';

/**
 * This process among the others on the same database. Each holds an advisory lock for as long as it
 * lives, so a death is seen at once (PostgreSQL lets go of the lock with the connection), and leaves a
 * heartbeat, so that it is known since when nobody was there.
 */
export interface ServiceNode {
  nodeGuid: string;
  /** False while the database is out of reach, and until what that meant is made up for. */
  isInService(): boolean;
  /** Nodes that died and whose death has not been made up for. */
  deadNodes(): Promise<DeadNode[]>;
  /** A node's death has been made up for. Until then it is reported again, to whoever asks. */
  forget(nodeGuid: string): Promise<void>;
  /** Whether another process that lives was there already at this time, milliseconds since 1970. */
  hadPeersAt(at: number): Promise<boolean>;
  /** Whether another process lives on this database. Whoever relies on `solitude` asks again and again. */
  hasLivingPeers(): Promise<boolean>;
  /**
   * The present stretch of being alone on this database, an object for each; null while another process may
   * be there. What was read or written in a stretch is what the database has for as long as it lasts.
   */
  solitude(): object | null;
  /**
   * Takes the lock of a task for the whole process; false while another process has it. Kept until it dies.
   * @param task its name, the same on every node
   */
  tryLead(task: string): Promise<boolean>;
  /** Leaves the heartbeat behind as the time of the end. */
  stop(): Promise<void>;
}

export interface DeadNode {
  nodeGuid: string;
  lastSeenAt: number;
}

interface Peer {
  nodeGuid: string;
  startedAt: Date;
  heartbeatAt: Date;
  isAlive: boolean;
}

const HEARTBEAT_MS = 1000;
/** How long a look that found nobody is relied on; a node that finds others waits this long for them to notice. */
const NOTICED_AFTER_MS = 1000;
/** Whoever was taken for dead by mistake is back with its next heartbeat, and has long been by then. */
const ALONE_AFTER_MS = 5 * HEARTBEAT_MS;
/** A node that could not leave a heartbeat for this long was out of service, whatever the cause. */
const OUTAGE_MS = 5000;
/** First half of the two-part advisory lock keys; the second is the node's number or the hash of the task's name. */
const NODE_LOCKS = 7203;
const TASK_LOCKS = 7204;

/**
 * A node whose machine or network is gone says no good-bye. Without this the server would take it for alive for
 * two hours, as operating systems do by themselves, and nobody else could lead or make up for its death; with it for
 * half a minute.
 */
const NOTICE_THE_DEAD =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4';
/** The same of the other side: a server that is gone. */
const QUIET_MS = 10_000;

interface NodeOptions {
  database: Database;
  databaseUrl: string;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** The newest rules of matches that this process knows. */
  rulesVersion: number;
  /** Others took this node for dead and gave up its connections: claim them again. */
  onRevived(): Promise<void>;
  /** The database was out of reach since then (milliseconds since 1970), and with it the service. */
  onOutage(since: number): Promise<void>;
}

/** Registers this process as a node. The session that holds its locks is never used for anything else. */
export async function joinNodes(options: NodeOptions): Promise<ServiceNode> {
  const { database, databaseUrl, clock, logger, rulesVersion, onRevived, onOutage } = options;
  const nodeGuid = newGuid();
  const startedAt = new Date(clock.now());
  // The lock before the row: a row whose lock is free counts as a dead node's.
  const { rows } = await database.pool.query<{ key: number }>(
    `SELECT nextval(pg_get_serial_sequence('"ServiceNode"', 'lockKey'))::int AS key`,
  );
  const lockKey = rows[0]?.key ?? 0;
  const leads = new Set<string>();
  let session: pg.Client | undefined;
  let stopped = false;

  const openSession = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      keepAliveInitialDelayMillis: QUIET_MS,
    });
    client.on('error', ({ message }) => {
      // A connection that breaks may say so twice; one that was never made is told by whoever wanted it.
      if (session !== client) return;
      logger.warn({ reason: message }, 'the session that holds this node’s locks broke; taking a new one');
      session = undefined;
      leads.clear();
    });
    await client.connect().catch((error: Error) => {
      throw new OutOfReach(error);
    });
    await client.query(NOTICE_THE_DEAD);
    await client.query('SELECT pg_advisory_lock($1, $2)', [NODE_LOCKS, lockKey]);
    // Not before: while the server still takes the session before this one for alive, the lock is waited for.
    endWhenSilent(client);
    session = client;
    return client;
  };
  const locks = async () => session ?? openSession();
  await locks();
  await database.prisma.serviceNode.create({
    data: { nodeGuid, lockKey, startedAt, heartbeatAt: startedAt, rulesVersion },
  });

  /**
   * The other nodes, and whether each still holds its lock. PostgreSQL's list of locks is read instead of
   * trying the lock: two nodes that try it at once would each take the other's attempt for life.
   */
  const peers = async () => {
    const { rows } = await database.pool.query<Peer>({
      name: 'peers',
      text: `
        SELECT "nodeGuid", "startedAt", "heartbeatAt", EXISTS (
          SELECT 1 FROM pg_locks
          WHERE locktype = 'advisory' AND granted AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND classid = $2::int::oid AND objid = "lockKey"::oid
        ) AS "isAlive"
        FROM "ServiceNode" WHERE "nodeGuid" <> $1::uuid`,
      values: [nodeGuid, NODE_LOCKS],
    });
    return rows;
  };

  /** Times of `performance.now()`: nobody sets that clock. */
  let solitude: { since: number; confirmedAt: number } | null = null;
  const isConfirmed = ({ confirmedAt }: { confirmedAt: number }) =>
    performance.now() - confirmedAt < NOTICED_AFTER_MS;

  const hasLivingPeers = async (): Promise<boolean> => {
    const askedAt = performance.now();
    const isAlone = !(await peers()).some((peer) => peer.isAlive);
    if (!isAlone) solitude = null;
    // After a gap it is another stretch: somebody may have come and gone.
    else if (solitude === null || !isConfirmed(solitude)) solitude = { since: askedAt, confirmedAt: askedAt };
    else solitude.confirmedAt = Math.max(solitude.confirmedAt, askedAt);
    return !isAlone;
  };
  // Nothing is written before the others have stopped relying on being alone.
  if (await hasLivingPeers()) await sleep(NOTICED_AFTER_MS);

  // Measured by a clock that nobody sets: a jump of the time of day is no outage.
  let lastBeat = performance.now();
  const silentMs = () => performance.now() - lastBeat;

  const heartbeat: Loop = repeat(
    'heartbeat',
    HEARTBEAT_MS,
    async () => {
      await locks();
      const heartbeatAt = new Date(clock.now());
      const { count } = await database.prisma.serviceNode.updateMany({
        where: { nodeGuid },
        data: { heartbeatAt },
      });
      if (silentMs() > OUTAGE_MS) await onOutage(clock.now() - silentMs());
      lastBeat = performance.now();
      if (count === 1) return;
      logger.warn('another node took this one for dead while its session was broken; back again');
      await database.prisma.serviceNode.create({
        data: { nodeGuid, lockKey, startedAt, heartbeatAt, rulesVersion },
      });
      await onRevived();
    },
    logger,
  );

  return {
    nodeGuid,
    isInService: () => silentMs() <= OUTAGE_MS,
    deadNodes: async () =>
      (await peers())
        .filter((peer) => !peer.isAlive)
        .map((peer) => ({ nodeGuid: peer.nodeGuid, lastSeenAt: peer.heartbeatAt.getTime() })),
    forget: async (nodeGuid) => {
      await database.prisma.serviceNode.deleteMany({ where: { nodeGuid } });
    },
    hadPeersAt: async (at) => (await peers()).some((peer) => peer.isAlive && peer.startedAt.getTime() <= at),
    hasLivingPeers,
    solitude: () =>
      solitude !== null && isConfirmed(solitude) && performance.now() - solitude.since >= ALONE_AFTER_MS
        ? solitude
        : null,
    tryLead: async (task) => {
      if (stopped) return false;
      const client = await locks();
      if (leads.has(task)) return true;
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
        [TASK_LOCKS, task],
      );
      if (rows[0]?.taken) leads.add(task);
      return rows[0]?.taken ?? false;
    },
    stop: async () => {
      stopped = true;
      await heartbeat.stop();
      await database.prisma.serviceNode
        .updateMany({ where: { nodeGuid }, data: { heartbeatAt: new Date(clock.now()) } })
        .catch((error: unknown) => {
          // What was left before the outage will do.
          if (!isOutOfReach(error)) throw error;
        });
      session?.removeAllListeners('error');
      session?.on('error', () => undefined);
      await session?.end();
    },
  };
}
