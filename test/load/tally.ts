/** Counts of a process of players while it runs; everything else is in the history. */
export interface Tally {
  connected: number;
  inMatch: number;
  connects: number;
  /** Connections that ended though no script asked for it. */
  connectionsLost: number;
  uploads: number;
  /** How often players asked where a match stands because nothing was told. */
  askedAgain: number;
  /** Handshakes, by code. */
  notConnected: Map<string, number>;
  /** Commands, by event and code. */
  refused: Map<string, number>;
  uploadsRefused: Map<string, number>;
  /** Longest time the event loop of a player process stood since the last report, milliseconds. */
  lateMs: number;
  /** Milliseconds, since the last report. */
  acks: number[];
  uploadTimes: number[];
}

export const newTally = (): Tally => ({
  connected: 0,
  inMatch: 0,
  connects: 0,
  connectionsLost: 0,
  uploads: 0,
  askedAgain: 0,
  lateMs: 0,
  notConnected: new Map(),
  refused: new Map(),
  uploadsRefused: new Map(),
  acks: [],
  uploadTimes: [],
});

export function count(counts: Map<string, number>, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

/** The sum of all, with all times. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = newTally();
  for (const one of tallies) {
    for (const name of [
      'connected',
      'inMatch',
      'connects',
      'connectionsLost',
      'uploads',
      'askedAgain',
    ] as const)
      sum[name] += one[name];
    for (const name of ['notConnected', 'refused', 'uploadsRefused'] as const)
      for (const [key, times] of one[name]) count(sum[name], key, times);
    sum.lateMs = Math.max(sum.lateMs, one.lateMs);
    sum.acks.push(...one.acks);
    sum.uploadTimes.push(...one.uploadTimes);
  }
  return sum;
}
