import pino from 'pino';
import { createReplays } from '../../src/domains/replays/index.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { Storage } from '../../src/platform/storage/storage.ts';
import type { TestService } from '../harness/service.ts';

/**
 * The domain on the database of a service, at a time of its own. Removing files and listing missing replays ask no
 * other domain.
 */
export const replaysAt = (
  at: number,
  { service, storage }: { service: TestService; storage: Storage },
  others: Partial<Parameters<typeof createReplays>[0]> = {},
) =>
  createReplays({
    config: { baseUrl: service.url, replayRetentionDays: 90, replayQuotaMib: 1 },
    database: service.database,
    storage,
    clock: { now: () => at },
    logger: pino({ level: 'silent' }),
    matches: {} as never,
    requireAccepted: async () => {},
    outages: { isOver: async (from, ms) => from < at - ms, servedSince: async (ms) => at - ms },
    gameVersions: async () => [],
    metrics: createMetrics(),
    ...others,
  });
