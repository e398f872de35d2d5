import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { fingerprintsOf } from './config.ts';
import { ServiceError } from './platform/errors.ts';
import { taskStop } from './platform/loop.ts';
import type { Metrics } from './platform/metrics.ts';
import { DEAD_MS } from './platform/node.ts';
import { selectConfigurations, storeConfiguration } from './platform/node-store.ts';
import { REMOVAL_MS } from './platform/storage/removal.ts';
import { untilAborted, within } from './platform/within.ts';
import type { Resources } from './resources.ts';

type CheckOptions = Pick<Resources, 'config' | 'database' | 'storage' | 'logger' | 'node'> & {
  metrics: Metrics;
};

export type ConfigCheck = ReturnType<typeof createConfigCheck>;

/** A node puts this file into its storage. Another node that does not find it has another storage. */
const fileOf = (nodeGuid: string): string => `nodes/${nodeGuid}`;

/** Finds nodes with another configuration. Each is compared once, because a configuration does not change while a node runs. */
export function createConfigCheck(options: CheckOptions) {
  const { config, database, storage, logger, metrics, node } = options;
  const own = fingerprintsOf(config);
  const storagePlace = config.s3Bucket === undefined ? 'STORAGE_DIR' : 'S3_BUCKET';
  let isStored = false;
  /** The nodes that live and have been compared, with whether they differ. */
  const compared = new Map<string, boolean>();
  metrics.gauge(
    'nodes_configured_differently',
    'Other nodes that live and have another configuration than this one',
    () => [...compared.values()].filter(Boolean).length,
  );

  const readPeers = () => selectConfigurations(database, node().nodeGuid, DEAD_MS);
  /** Whether a node uses this storage. Its row is removed before its file, so a node without both has stopped meanwhile. */
  const sharesStorage = async (nodeGuid: string): Promise<boolean> =>
    (await storage.has(fileOf(nodeGuid))) || !(await readPeers()).some((peer) => peer.nodeGuid === nodeGuid);

  const compare = async (): Promise<void> => {
    const { nodeGuid } = node();
    if (!isStored) {
      await storage.put(fileOf(nodeGuid), Readable.from([]));
      await storeConfiguration(database, nodeGuid, { machine: hostname(), fingerprints: own });
      isStored = true;
    }
    const peers = await readPeers();
    for (const known of compared.keys())
      if (!peers.some((peer) => peer.nodeGuid === known)) compared.delete(known);
    for (const peer of peers) {
      if (compared.has(peer.nodeGuid)) continue;
      const { machine, fingerprints } = peer.configuration;
      const isOther = (name: string) => name in fingerprints && fingerprints[name] !== own[name];
      const variables = Object.keys(own).filter(isOther);
      if (!(await sharesStorage(peer.nodeGuid))) variables.push(storagePlace);
      compared.set(peer.nodeGuid, variables.length > 0);
      if (variables.length > 0)
        logger.warn(
          { nodeGuid: peer.nodeGuid, machine, variables },
          'another node has another configuration than this one',
        );
    }
  };

  return {
    /** Compares this node with those that are new. Nothing is compared while the storage is away. */
    run: async (): Promise<void> => {
      const done = compare().catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      });
      await untilAborted(taskStop(), done);
    },
    /** Removes the file of a node that is gone. */
    forget: async (nodeGuid: string): Promise<void> => {
      await within(
        REMOVAL_MS,
        storage.delete(fileOf(nodeGuid)).catch(() => undefined),
      );
    },
  };
}
