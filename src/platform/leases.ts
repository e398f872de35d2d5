import type { Db } from './database/database.ts';
import { statement } from './database/statement.ts';

/** The right to lead a task. It may be lost at any moment: writes that two nodes must not make check it (fencing). */
export interface Lease {
  task: string;
  nodeGuid: string;
  /** Grows with each leader. */
  epoch: number;
}

/** Another node leads the task now, so the transaction of this one is rolled back. */
export class LeaseLost extends Error {
  constructor({ task }: Lease) {
    super(`Another node has taken over: ${task}.`);
    this.name = 'LeaseLost';
  }
}

/**
 * Locks a lease FOR SHARE, so that a transaction writes only while this node has the task.
 * @throws LeaseLost
 */
export async function shareLease(db: Db, lease: Lease): Promise<void> {
  const { task, nodeGuid, epoch } = lease;
  const held = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Lease" WHERE task = ${task} AND "nodeGuid" = ${nodeGuid}::uuid AND epoch = ${epoch} FOR SHARE`;
  if (held.length === 0) throw new LeaseLost(lease);
}

/**
 * Takes the lease of a task without a leader, or with one that was not in service for `silentMs`. A leader that is slow for
 * a moment keeps it, because its work would be lost otherwise. If two nodes try, the lock of the row makes one the first,
 * and the other then sees a leader that lives. Returns nothing while another node leads the task.
 */
export const takeLease = statement<{ epoch: number }, [task: string, nodeGuid: string, silentMs: number]>(
  'lease-take',
  `WITH taken AS (
     UPDATE "Lease" SET "nodeGuid" = $2::uuid, epoch = epoch + 1
     WHERE task = $1 AND "nodeGuid" <> $2::uuid AND NOT EXISTS (
       SELECT FROM "ServiceNode" AS holder WHERE holder."nodeGuid" = "Lease"."nodeGuid"
         AND holder."servedAt" > clock_timestamp() - $3::int * interval '1 millisecond'
     )
     RETURNING epoch
   ), made AS (
     INSERT INTO "Lease" (task, "nodeGuid", epoch) VALUES ($1, $2::uuid, 1)
     ON CONFLICT (task) DO NOTHING RETURNING epoch
   )
   SELECT epoch FROM taken UNION ALL SELECT epoch FROM made
   UNION ALL SELECT epoch FROM "Lease" WHERE task = $1 AND "nodeGuid" = $2::uuid`,
);
