import type { SharedChanges } from './platform/database/shared-changes.ts';
import type { ServiceNode } from './platform/node.ts';

interface PeerReadsOptions {
  node: Pick<ServiceNode, 'nodeGuid' | 'livingPeers'>;
  sharedChanges: Pick<SharedChanges, 'exchange'>;
  /** Whether a player is connected here. */
  holds(playerGuid: string): boolean;
  /** Whether somebody follows a match here. */
  isFollowed(matchGuid: string): boolean;
  /** Reads the inbox of this node and the matches of its players: all, or those that these guids name. */
  readInbox(named?: readonly string[]): Promise<void>;
  /** Reads the matches that are followed here: all, or those that these guids name. */
  readFollowed(named?: readonly string[]): Promise<void>;
  /** How often everything is read. */
  everyMs: number;
}

/**
 * Reads what other nodes wrote into the database: everything at an interval, because hints may be lost, and in between what
 * their hints name. One read at a time, so that messages stay in order.
 */
export function createPeerReads(options: PeerReadsOptions) {
  const { node, sharedChanges, holds, isFollowed, readInbox, readFollowed, everyMs } = options;
  /** The guids in hints since the last read that concern this node: its own, and those of its players and followed matches. */
  const hinted = new Set<string>();
  let hasPeers = false;
  /** The end of the last read of everything, by `performance.now()`. A slow read delays the next one. */
  let readAllAt = Number.NEGATIVE_INFINITY;

  const restMs = (): number => Math.max(0, readAllAt + everyMs - performance.now());

  return {
    /** Whether other nodes lived when everything was read last. */
    hasPeers: (): boolean => hasPeers,

    /** In how many milliseconds everything is to be read. */
    restMs,

    /** Notes what a hint names. @returns whether there is something to read */
    note: (topics: readonly string[]): boolean => {
      for (const topic of topics)
        if (topic === node.nodeGuid || holds(topic) || isFollowed(topic)) hinted.add(topic);
      return hinted.size > 0;
    },

    /** Reads what hints named, or everything when it is time. */
    read: async (): Promise<void> => {
      const named = [...hinted];
      hinted.clear();
      if (named.length > 0 && restMs() > 0) {
        await Promise.all([readInbox(named), readFollowed(named)]);
        return;
      }
      try {
        const peers = await node.livingPeers();
        hasPeers = peers.length > 0;
        await Promise.all([
          sharedChanges.exchange(peers),
          hasPeers && readInbox(),
          hasPeers && readFollowed(),
        ]);
      } finally {
        readAllAt = performance.now();
      }
    },
  };
}
