/** Texts of the overview. */
export const strings = {
  waiting: 'What waits',
  pools: 'Pools in review',
  ownPools: (count: string) => `${count} submitted by you`,
  reviews: 'Replays to judge',
  reports: 'Reports to decide',
  play: 'What goes on',
  matches: 'Running matches',
  noSeason: 'No season is running.',
  season: 'Season',
  until: 'until',
  queues: 'Open queues',
  noQueues: 'No queue is open.',
  waits: (count: number) => (count === 1 ? '1 waits' : `${count} wait`),
  plays: (count: number) => (count === 1 ? '1 plays' : `${count} play`),
  /** A list without a total: how many were read, and that there are more. */
  count: (read: number, hasMore: boolean) => `${read}${hasMore ? '+' : ''}`,
};
