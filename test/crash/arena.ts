import { type Arena, openArena } from '../harness/arena.ts';
import { clockAhead } from '../harness/faketime.ts';

export interface CrashArenaOptions {
  nodes: number;
  /** Whether the nodes have a Redis. */
  redis: boolean;
  /** How far the clock of the last node is ahead of the first one's; the others lie in between. */
  clockSeconds: number;
  /** Variables of every node, beside those that all arenas have. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * Limits that a match in play never meets and an outage does. Countdown and result are next to nothing:
 * after each outage a limit has at least 15 s left, and a match that is killed every other second would
 * otherwise sit in them for ever.
 */
const LIMITS: Record<string, string> = {
  JOIN_SECONDS: '8',
  DISCARD_SECONDS: '8',
  PICK_SECONDS: '8',
  PREPARE_SECONDS: '10',
  COUNTDOWN_SECONDS: '0.001',
  ROUND_RESULTS_SECONDS: '0.001',
  SCORE_EARLIEST_SHARE: '0',
  RECONNECT_GRACE_SECONDS: '30',
  RECONNECT_BUDGET_SECONDS: '600',
  REMATCH_SECONDS: '3',
  MATCHMAKING_INTERVAL_MS: '100',
  RATE_LIMIT_FACTOR: '0',
};

/**
 * Where one of several nodes stands still for 20 s nobody gives its players that time: limits that cost a match
 * are longer than the standstill and the time in which a client notices it.
 */
const LIMITS_OF_SEVERAL: Record<string, string> = {
  JOIN_SECONDS: '90',
  PREPARE_SECONDS: '90',
  RECONNECT_GRACE_SECONDS: '90',
};

/** An arena whose nodes die often and whose connections to the database can be cut. */
export const openCrashArena = ({
  nodes,
  redis,
  clockSeconds,
  environment,
}: CrashArenaOptions): Promise<Arena> =>
  openArena({
    nodes,
    redis,
    canBeCut: true,
    environment: (node) => ({
      LOG_LEVEL: process.env.CRASH_LOG_LEVEL ?? 'error',
      ...LIMITS,
      ...(nodes > 1 && LIMITS_OF_SEVERAL),
      ...environment,
      ...clockAhead(nodes > 1 ? Math.round((clockSeconds * node) / (nodes - 1)) : clockSeconds),
    }),
    // Anybody plays anybody: the crash test needs many matches, not fair ones.
    queue: {
      name: 'Crash test',
      rules: { pairing: { initialGap: 5000, gapPerSecond: 10, maxGap: null } },
    },
  });
