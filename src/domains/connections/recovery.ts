import { eachOnItsOwn } from '../../platform/batches.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { singleFlight } from '../../platform/loop.ts';
import { DEAD_MS } from '../../platform/node.ts';
import { type ActiveBan, bansStored, erasedSince } from '../players/index.ts';
import type { Losses } from './losses.ts';
import type { ConnectionsOptions } from './options.ts';
import * as store from './store.ts';

/** How often the effects of recent changes are repeated, and the seats freed that a node wrote after it was removed. */
const REPEAT_MS = 5000;
/** The effects of a change follow its time within this, or the node that stored it failed. */
const EFFECTIVE_WITHIN_MS = 60_000;
/**
 * The effects of a newer ban are not repeated yet. The node that stored it tells the player of the lost place in the queue and then
 * ends the connection. If another node ended it at the same moment, the player would not be told of the place.
 */
const SETTLED_MS = 2000;

interface DeadNode {
  nodeGuid: string;
  silentForMs: number;
}

interface Effects {
  /** Ends everything that a banned player has running. */
  banned(playerGuid: string, ban: ActiveBan): Promise<void>;
  /** Ends the connection of a person who was erased. */
  erased(playerGuid: string): Promise<void>;
}

/**
 * Finishes the work of nodes that died, and compensates matches for outages.
 */
export function createRecovery(options: ConnectionsOptions, losses: Losses, { banned, erased }: Effects) {
  const { clock, logger, node, matches, outages, pairing } = options;
  const { prisma } = options.database;

  /** The number of the last outage for which every match was compensated. */
  let compensated = 0;
  /** Compensates every running match for the time that it lost in outages. */
  const compensate = singleFlight(async () => {
    const last = outages.last();
    if (last === null || last.number === compensated) return;
    const count = await matches.compensate(last);
    compensated = last.number;
    if (count > 0) logger.info({ outage: last.number, matches: count }, 'compensated matches for an outage');
  });

  /** One effect that fails must not hold up the others, nor the other work of `recover`. */
  const attempt = (effect: () => Promise<void>): Promise<void> =>
    effect().catch((error: unknown) => {
      if (isOutOfReach(error)) throw error;
      logger.error({ err: error }, 'an effect of a stored change failed');
    });

  /** When the effects were repeated last, milliseconds since 1970. */
  let repeatedAt: number | null = null;
  /**
   * Repeats the effects of bans, erasures and stopped queues since a time, because they follow the commit: the node that
   * stored a change may have died before them, or the database failed in between. Each step is idempotent.
   */
  const repeatEffects = async (since: number) => {
    const now = clock.now();
    for (const { playerGuid, reason, until } of await bansStored(
      prisma,
      { since, until: now - SETTLED_MS },
      now,
    ))
      await attempt(() => banned(playerGuid, { reason, until: until?.getTime() ?? null }));
    for (const playerGuid of await erasedSince(prisma, since)) await attempt(() => erased(playerGuid));
    await attempt(pairing.emptyStopped);
  };

  /**
   * @param silentMs how long the node must have been silent; 0: it is this one
   * @returns whether nothing of the node is left
   */
  const recoverNode = async (nodeGuid: string, silentMs: number): Promise<boolean> => {
    const isStored = await losses.ofNode(nodeGuid, silentMs);
    await store.emptyInbox(prisma, nodeGuid, silentMs);
    return isStored;
  };

  /** Repeats effects when it is time or a node was recovered, then removes the recovered nodes. */
  const finish = async (dead: DeadNode[], recovered: DeadNode[], silentMs: number): Promise<void> => {
    const now = clock.now();
    const last = repeatedAt ?? now;
    // The time since is negative after the clock was set back.
    if (repeatedAt !== null && Math.abs(now - last) < REPEAT_MS && recovered.length === 0) return;
    const ended = repeatedAt === null ? dead : recovered;
    const silent = Math.max(0, ...ended.map(({ silentForMs }) => silentForMs));
    await repeatEffects(Math.min(last, now - silent) - EFFECTIVE_WITHIN_MS);
    repeatedAt = now;
    await eachOnItsOwn(recovered, ({ nodeGuid }) => node().forget(nodeGuid, silentMs));
    await eachOnItsOwn(await store.unknownNodes(prisma), (nodeGuid) => losses.ofNode(nodeGuid, silentMs));
  };

  return {
    /** Called after an outage. If it fails, the next `recover` does it. */
    compensateSoon: (): void =>
      void compensate().catch((error: unknown) => {
        logger.error({ err: error }, 'matches could not be compensated for an outage; it is tried again');
      }),

    /**
     * Recovers from dead nodes and outages. A dead node is removed at the end, so when this node dies first, another
     * one does the work again. A dead node with matches that this node cannot change stays, and so does one whose recovery
     * fails; the rest of the work is done.
     * @param silentMs how long a node must have been silent to count as dead
     * @throws the first error, after the rest of the work
     */
    recover: async (silentMs = DEAD_MS) => {
      const dead = await node().deadNodes(silentMs);
      const recovered: DeadNode[] = [];
      const recoverNodes = () =>
        eachOnItsOwn(dead, async (one) => {
          if (await recoverNode(one.nodeGuid, silentMs)) recovered.push(one);
        });
      const steps = [recoverNodes, compensate, () => finish(dead, recovered, silentMs)];
      await eachOnItsOwn(steps, (step) => step());
    },

    /** Called at the clean end of this node, after its connections: does what other nodes would do after its death. */
    finishShutdown: async () => {
      const { nodeGuid } = node();
      await losses.flush();
      if (await recoverNode(nodeGuid, 0)) await node().forget(nodeGuid, 0);
    },
  };
}
