import { statement } from './database/statement.ts';

/** The answer to a heartbeat. */
interface Beat {
  /** The time of the database, milliseconds since 1970. */
  now: number;
  /** The time that it stored, by the same clock. */
  seenAt: number;
  /** Whether the node had no row. */
  isNew: boolean;
  /** Whether another node lives and is no longer in service. */
  isPeerOut: boolean;
  /** The epochs of the leases that the node holds, by task. */
  leases: Record<string, number>;
}

type Heartbeat = [nodeGuid: string, serves: boolean, rulesVersion: number, doneUntil: Date];

/**
 * Stores that a node lives, and whether it is in service. Heartbeats of other nodes that are in the future, because the clock of
 * the database was set back, are moved to now: a living node stores another one at once, and a dead one would count as alive
 * until the clock has caught up. A heartbeat that is being stored is skipped.
 */
export const storeHeartbeat = statement<Beat, Heartbeat>(
  'heartbeat',
  `WITH future AS (
    SELECT "nodeGuid", "seenAt" - clock_timestamp() AS ahead FROM "ServiceNode"
    WHERE "nodeGuid" <> $1::uuid AND "seenAt" > clock_timestamp() + interval '1 second'
    FOR UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE "ServiceNode" AS node SET "seenAt" = node."seenAt" - ahead, "servedAt" = node."servedAt" - ahead
    FROM future WHERE node."nodeGuid" = future."nodeGuid"
  )
  INSERT INTO "ServiceNode" ("nodeGuid", "startedAt", "seenAt", "servedAt", "rulesVersion", "doneUntil")
  VALUES ($1::uuid, clock_timestamp(), clock_timestamp(), CASE WHEN $2 THEN clock_timestamp() END, $3, $4)
  ON CONFLICT ("nodeGuid") DO UPDATE SET "seenAt" = clock_timestamp(), "doneUntil" = $4,
    "servedAt" = coalesce(EXCLUDED."servedAt", "ServiceNode"."servedAt")
  RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
    (extract(epoch FROM "seenAt") * 1000)::float8 AS "seenAt", xmax = 0 AS "isNew", EXISTS (
    SELECT FROM "ServiceNode" WHERE "nodeGuid" <> $1::uuid AND "seenAt" > clock_timestamp() - interval '2 seconds'
      AND "servedAt" < "seenAt" - interval '250 milliseconds'
  ) AS "isPeerOut", (
    SELECT coalesce(jsonb_object_agg(task, epoch), '{}') FROM "Lease" WHERE "nodeGuid" = $1::uuid
  ) AS leases`,
);

/** A node's configuration, for other nodes to compare with their own. `machine` is its host name, for the log. */
interface NodeConfiguration {
  machine: string;
  /** By the names of variables. */
  fingerprints: Record<string, string>;
}

export const storeConfiguration = statement<never, [nodeGuid: string, configuration: NodeConfiguration]>(
  'configuration-store',
  'UPDATE "ServiceNode" SET configuration = $2::jsonb WHERE "nodeGuid" = $1::uuid',
);

/** The configurations of the other nodes that live. A node that was taken for dead and came back has none. */
export const selectConfigurations = statement<
  { nodeGuid: string; configuration: NodeConfiguration },
  [nodeGuid: string, deadMs: number]
>(
  'configurations',
  `SELECT "nodeGuid", configuration FROM "ServiceNode" WHERE "nodeGuid" <> $1::uuid AND configuration IS NOT NULL
     AND "seenAt" > clock_timestamp() - $2::int * interval '1 millisecond'`,
);

/** Deletes a node that has been silent for so long. Returns a row when there was one. */
export const deleteNode = statement<unknown, [nodeGuid: string, silentMs: number]>(
  'node-delete',
  `DELETE FROM "ServiceNode" WHERE "nodeGuid" = $1::uuid
     AND "seenAt" <= clock_timestamp() - $2::int * interval '1 millisecond' RETURNING 1`,
);

/** The other nodes. A restored backup may have one that has been silent for months. */
export const selectPeers = statement<{ nodeGuid: string; silentForMs: number }, [nodeGuid: string]>(
  'peers',
  `SELECT "nodeGuid", (extract(epoch FROM clock_timestamp() - "seenAt") * 1000)::float8 AS "silentForMs"
   FROM "ServiceNode" WHERE "nodeGuid" <> $1::uuid`,
);
